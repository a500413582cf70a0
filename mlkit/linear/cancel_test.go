package linear

import (
	"context"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/mat"

	"marginalia/internal/tier"
	"marginalia/mlkit/internal/samples"
	"marginalia/mlkit/mlkittest"
)

// Fits of many samples and features stop soon after their context ends. In tier long,
// that includes a decomposition that takes seconds.
func TestCancelPromptly(t *testing.T) {
	const ever = 1 << 40
	n, d := 2000, 300
	if tier.IsLong(t) {
		n, d = 5000, 1000
	}
	X := samples.Gaussian(rand.New(rand.NewPCG(31, 32)), n, d)
	targets := mat.Col(nil, 0, X)
	y, classes := make([]int, n), make([]int, n)
	for i := range y {
		y[i], classes[i] = 1-2*(i%2), i%3
	}
	for name, fit := range map[string]func(ctx context.Context) (any, error){
		"LDA": func(ctx context.Context) (any, error) { return LDA{}.FitContext(ctx, X, y) },
		"LDA, classes": func(ctx context.Context) (any, error) {
			return LDA{LedoitWolf: true}.FitClassesContext(ctx, X, classes)
		},
		"QDA":          func(ctx context.Context) (any, error) { return QDA{}.FitContext(ctx, X, y) },
		"QDA, classes": func(ctx context.Context) (any, error) { return QDA{}.FitClassesContext(ctx, X, classes) },
		"Newton":       func(ctx context.Context) (any, error) { return Logistic{}.FitContext(ctx, X, y) },
		"L1":           func(ctx context.Context) (any, error) { return Logistic{L1: 1}.FitContext(ctx, X, y) },
		"L-BFGS":       func(ctx context.Context) (any, error) { return Logistic{Solver: LBFGS}.FitContext(ctx, X, y) },
		"softmax": func(ctx context.Context) (any, error) {
			return Logistic{L2: 1}.FitClassesContext(ctx, X, classes)
		},
		"pseudoinverse": func(ctx context.Context) (any, error) { return LeastSquares{}.FitContext(ctx, X, targets) },
		"normal equations": func(ctx context.Context) (any, error) {
			return LeastSquares{Method: ByNormalEquations}.FitContext(ctx, X, targets)
		},
		"least squares, two classes": func(ctx context.Context) (any, error) {
			return LeastSquaresClassifier{Ridge: 1}.FitContext(ctx, X, y)
		},
		"least squares, classes": func(ctx context.Context) (any, error) {
			return LeastSquaresClassifier{Ridge: 1}.FitClassesContext(ctx, X, classes)
		},
		"perceptron": func(ctx context.Context) (any, error) { return Perceptron{MaxEpochs: ever}.FitContext(ctx, X, y) },
		"dual":       func(ctx context.Context) (any, error) { return DualPerceptron{MaxEpochs: ever}.FitContext(ctx, X, y) },
	} {
		if err := mlkittest.TestContext(fit); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
	// Abandoned fits must not read the samples any more; the race detector checks that.
	X.Zero()
	clear(targets)
	clear(y)
	clear(classes)
}
