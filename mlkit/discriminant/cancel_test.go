package discriminant

import (
	"context"
	"math/rand/v2"
	"slices"
	"testing"

	"marginalia/mlkit"
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
	for name, fit := range map[string]func(o mlkit.Options) (any, error){
		"LDA":                  func(o mlkit.Options) (any, error) { return LDA{}.FitWith(o, X, y) },
		"LDA, classes":         func(o mlkit.Options) (any, error) { return LDA{LedoitWolf: true}.FitWith(o, X, classes) },
		"QDA":                  func(o mlkit.Options) (any, error) { return QDA{}.FitWith(o, X, y) },
		"QDA, classes":         func(o mlkit.Options) (any, error) { return QDA{}.FitWith(o, X, classes) },
		"GaussianNB":           func(o mlkit.Options) (any, error) { return GaussianNB{}.FitWith(o, X, y) },
		"GaussianNB, classes":  func(o mlkit.Options) (any, error) { return GaussianNB{}.FitWith(o, X, classes) },
		"DiagonalLDA":          func(o mlkit.Options) (any, error) { return DiagonalLDA{}.FitWith(o, X, y) },
		"DiagonalLDA, classes": func(o mlkit.Options) (any, error) { return DiagonalLDA{}.FitWith(o, X, classes) },
		"BernoulliNB":          func(o mlkit.Options) (any, error) { return BernoulliNB{}.FitWith(o, B, many) },
		"BernoulliNB, classes": func(o mlkit.Options) (any, error) { return BernoulliNB{}.FitWith(o, B, manyClasses) },
	} {
		withContext := func(ctx context.Context) (any, error) { return fit(mlkit.Options{Context: ctx}) }
		if err := mlkittest.TestContext(withContext); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
	// Abandoned fits must not read the samples any more; the race detector checks that.
	X.Zero()
	clear(y)
	clear(classes)
}
