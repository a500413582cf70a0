package neighbours_test

import (
	"testing"

	"marginalia/mlkit/internal/threshold"
	"marginalia/mlkit/neighbours"
)

// onAllPaths runs a test with searches through all samples, then with searches of an index,
// then with searches for many samples at once. The rules of mlkittest in except are not worth running twice.
func onAllPaths(t *testing.T, test func(t *testing.T, except ...string)) {
	t.Run("all", func(t *testing.T) { test(t) })
	t.Run("index", func(t *testing.T) {
		threshold.Set(t, neighbours.IndexFrom, 0)
		threshold.Set(t, neighbours.ManyFrom, 1000)
		test(t, "corrupt") // the models are encoded alike
	})
	t.Run("many", func(t *testing.T) {
		threshold.Set(t, neighbours.IndexFrom, 0)
		threshold.Set(t, neighbours.ManyFrom, 0)
		test(t, "corrupt")
	})
}
