package neighbors_test

import (
	"testing"

	"marginalia/mlkit/internal/nearest"
	"marginalia/mlkit/internal/testkit"
	"marginalia/mlkit/neighbors"
)

// onAllPaths runs a test with a search for each sample, then with searches for many at once,
// by an index and by bounds. The rules of mlkittest in except are not worth running twice.
func onAllPaths(t *testing.T, test func(t *testing.T, except ...string)) {
	t.Run("all", func(t *testing.T) { test(t) })
	t.Run("index", func(t *testing.T) {
		testkit.Set(t, neighbors.ManyFrom, 0)
		testkit.Set(t, &nearest.ManyFrom, 1000)
		test(t, "corrupt") // the models are encoded alike
	})
	t.Run("bounds", func(t *testing.T) {
		testkit.Set(t, neighbors.ManyFrom, 0)
		testkit.Set(t, &nearest.ManyFrom, 0)
		test(t, "corrupt")
	})
}
