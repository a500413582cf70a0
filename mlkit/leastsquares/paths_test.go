package leastsquares

import (
	"testing"

	"marginalia/mlkit/internal/gram"
	"marginalia/mlkit/internal/testkit"
)

// onBothPaths runs a test on the path of small problems and on that of large ones, which
// works with Gram matrices and refines every solution. The rules of mlkittest in except are
// not worth running twice.
func onBothPaths(t *testing.T, test func(t *testing.T, except ...string)) {
	t.Run("small", func(t *testing.T) { test(t) })
	t.Run("large", func(t *testing.T) {
		testkit.Set(t, &largeProblem, 0)
		testkit.Set(t, &gram.OuterFrom, 0)
		testkit.Set(t, &fineCondition, 0)
		test(t, "corrupt") // the models are encoded alike
	})
}
