package perceptron

import (
	"context"
	"math/rand/v2"
	"testing"

	"marginalia/mlkit/internal/samples"
	"marginalia/mlkit/internal/testkit"
	"marginalia/mlkit/mlkittest"
)

// Fits of many samples and features stop soon after their context ends. In tier long,
// that includes a decomposition that takes seconds.
func TestCancelPromptly(t *testing.T) {
	testkit.NoEmulation(t)
	testkit.OneLevel(t)
	const ever = 1 << 40
	n, d := 2000, 300
	if testkit.IsLong(t) {
		n, d = 5000, 1000
	}
	X := samples.Gaussian(rand.New(rand.NewPCG(31, 32)), n, d)
	y := make([]int, n)
	for i := range y {
		y[i] = 1 - 2*(i%2)
	}
	for name, fit := range map[string]func(ctx context.Context) (any, error){
		"perceptron": func(ctx context.Context) (any, error) { return Perceptron{MaxIter: ever}.FitContext(ctx, X, y) },
		"dual":       func(ctx context.Context) (any, error) { return Dual{MaxIter: ever}.FitContext(ctx, X, y) },
	} {
		if err := mlkittest.TestContext(fit); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
	// Abandoned fits must not read the samples any more; the race detector checks that.
	X.Zero()
	clear(y)
}
