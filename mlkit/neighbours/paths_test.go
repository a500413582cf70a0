package neighbours_test

import (
	"testing"

	"marginalia/mlkit/internal/threshold"
	"marginalia/mlkit/neighbours"
)

// onBothPaths runs a test with searches through all samples, then with searches of an index.
// The rules of mlkittest in except are not worth running twice.
func onBothPaths(t *testing.T, test func(t *testing.T, except ...string)) {
	t.Run("all", func(t *testing.T) { test(t) })
	t.Run("index", func(t *testing.T) {
		threshold.Set(t, neighbours.IndexFrom, 0)
		test(t, "corrupt") // the models are encoded alike
	})
}
