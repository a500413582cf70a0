package kernelized

import (
	"slices"
	"testing"

	"marginalia/mlkit/internal/eigen"
	"marginalia/mlkit/internal/gram"
	"marginalia/mlkit/internal/testkit"
)

// onBothPaths runs a test on the paths of few samples and on those of many: Gram matrices in
// panels, on several processors; eigenvectors by Lanczos's method; scores in blocks; and a
// perceptron that keeps no rows. The rules of mlkittest in except are not worth running
// twice.
func onBothPaths(t *testing.T, test func(t *testing.T, except ...string)) {
	t.Run("few", func(t *testing.T) { test(t) })
	t.Run("many", func(t *testing.T) {
		testkit.Set(t, &gram.SymmetricFrom, 0)
		testkit.Set(t, &gram.Share, 1)
		testkit.Set(t, &eigen.DenseLimit, 0)
		testkit.Set(t, &scoresTogether, 0)
		testkit.Set(t, &termsTogether, 1) // a model may have no terms
		testkit.Set(t, &keptLimit, 0)
		test(t, "corrupt") // the models are encoded alike
	})
}

// without returns the rules to leave out for a model that differs from a tested one only in
// its kernel: those in except and, outside of tier long, corrupt.
func without(t *testing.T, except []string) []string {
	if testkit.IsLong(t) || slices.Contains(except, "corrupt") {
		return except
	}
	return append([]string{"corrupt"}, except...)
}
