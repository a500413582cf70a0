package discriminant

import (
	"context"
	"math/rand/v2"
	"slices"
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
	n, d := 3000, 300
	if testkit.IsLong(t) {
		n, d = 5000, 1000
	}
	X := samples.Gaussian(rand.New(rand.NewPCG(31, 32)), n, d)
	y, classes := make([]int, n), make([]int, n)
	for i := range y {
		y[i], classes[i] = 1-2*(i%2), i%3
	}
	B := bits(samples.Gaussian(rand.New(rand.NewPCG(33, 34)), 20*n, 2))
	many, manyClasses := slices.Repeat(y, 20), slices.Repeat(classes, 20)
	for name, fit := range map[string]func(ctx context.Context) (any, error){
		"LDA": func(ctx context.Context) (any, error) { return LDA{}.FitContext(ctx, X, y) },
		"LDA, classes": func(ctx context.Context) (any, error) {
			return LDA{LedoitWolf: true}.FitClassesContext(ctx, X, classes)
		},
		"QDA":                  func(ctx context.Context) (any, error) { return QDA{}.FitContext(ctx, X, y) },
		"GaussianNB":           func(ctx context.Context) (any, error) { return GaussianNB{}.FitContext(ctx, X, y) },
		"GaussianNB, classes":  func(ctx context.Context) (any, error) { return GaussianNB{}.FitClassesContext(ctx, X, classes) },
		"DiagonalLDA":          func(ctx context.Context) (any, error) { return DiagonalLDA{}.FitContext(ctx, X, y) },
		"DiagonalLDA, classes": func(ctx context.Context) (any, error) { return DiagonalLDA{}.FitClassesContext(ctx, X, classes) },
		"BernoulliNB":          func(ctx context.Context) (any, error) { return BernoulliNB{}.FitContext(ctx, B, many) },
		"BernoulliNB, classes": func(ctx context.Context) (any, error) { return BernoulliNB{}.FitClassesContext(ctx, B, manyClasses) },
		"QDA, classes":         func(ctx context.Context) (any, error) { return QDA{}.FitClassesContext(ctx, X, classes) },
	} {
		if err := mlkittest.TestContext(fit); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
	// Abandoned fits must not read the samples any more; the race detector checks that.
	X.Zero()
	clear(y)
	clear(classes)
}
