package discriminant

import (
	"testing"

	"marginalia/mlkit/internal/gram"
	"marginalia/mlkit/internal/testkit"
)

// onBothPaths runs a test on the path of few samples and on that of many, whose covariances
// package gram sums. The rules of mlkittest in except are not worth running twice.
func onBothPaths(t *testing.T, test func(t *testing.T, except ...string)) {
	t.Run("few", func(t *testing.T) { test(t) })
	t.Run("many", func(t *testing.T) {
		testkit.Set(t, &gram.OuterFrom, 0)
		test(t, "corrupt") // the models are encoded alike
	})
}
