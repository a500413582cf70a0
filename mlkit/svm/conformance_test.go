package svm

import (
	"context"
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/mat"

	"marginalia/mlkit"
	"marginalia/mlkit/internal/samples"
	"marginalia/mlkit/internal/testkit"
	"marginalia/mlkit/kernel"
	"marginalia/mlkit/mlkittest"
	"marginalia/mlkit/multiclass"
)

// Weighting a sample must equal repeating it, in everything that is unique: the scores,
// up to the tolerance. TestLinearPromises is for the linear algorithms.
func TestWeightsContract(t *testing.T) {
	for _, k := range []kernel.Kernel{kernel.Linear{}, kernel.RBF{}} {
		if err := mlkittest.TestWeights(Classifier{C: 1, Kernel: k, Tol: 1e-10}.FitWith, 1e-5); err != nil {
			t.Errorf("%T: %v", k, err)
		}
	}
}

// Fits of many samples and features end soon after their context.
func TestCancelPromptly(t *testing.T) {
	testkit.NoEmulation(t)
	testkit.OneLevel(t)
	const ever = 1 << 40
	n, d := 600, 200
	if testkit.IsLong(t) {
		n, d = 5000, 1000
	}
	rng := rand.New(rand.NewPCG(5, 6))
	X, y, classes := samples.Gaussian(rng, n, d), make([]int, n), make([]int, n)
	for i := range n {
		y[i], classes[i] = 1-2*(i%2), i%3
	}
	for name, fit := range map[string]func(ctx context.Context) (any, error){
		"SMO": func(ctx context.Context) (any, error) {
			return Classifier{C: 1}.FitWith(mlkit.Options{Context: ctx}, X, y)
		},
		"SMO, Gauss": func(ctx context.Context) (any, error) {
			return Classifier{C: 1, Kernel: kernel.RBF{Gamma: 1e-3}}.FitWith(mlkit.Options{Context: ctx}, X, y)
		},
		"dual descent": func(ctx context.Context) (any, error) {
			return DualDescent{MaxIter: ever, Tol: 1e-300}.FitWith(mlkit.Options{Context: ctx}, X, y)
		},
		"Newton": func(ctx context.Context) (any, error) { return Newton{}.FitWith(mlkit.Options{Context: ctx}, X, y) },
		"hinge": func(ctx context.Context) (any, error) {
			return SubgradientDescent{MaxIter: ever, Tol: 1e-300}.FitWith(mlkit.Options{Context: ctx}, X, y)
		},
		"Pegasos": func(ctx context.Context) (any, error) {
			return Pegasos{MaxIter: ever, Tol: 1e-300}.FitWith(mlkit.Options{Context: ctx}, X, y)
		},
		"one-vs-rest": func(ctx context.Context) (any, error) {
			return multiclass.OneVsRest[*Model]{Binary: Classifier{}}.FitWith(mlkit.Options{Context: ctx}, X, classes)
		},
		"one-vs-one": func(ctx context.Context) (any, error) {
			return multiclass.OneVsOne[*Model]{Binary: Classifier{}}.FitWith(mlkit.Options{Context: ctx}, X, classes)
		},
	} {
		testkit.NoError(t, name, mlkittest.TestContext(fit))
	}
}

// Fits report their iterations: SMO after many, and at the end; with few samples and many.
func TestReport(t *testing.T) {
	X, y := samples.VersicolorVirginica(t)
	many, labels := samples.Overlapping(rand.New(rand.NewPCG(7, 8)), 1200)
	for name, fit := range map[string]func(o mlkit.Options) (any, error){
		"SMO":             func(o mlkit.Options) (any, error) { return Classifier{C: 1}.FitWith(o, X, y) },
		"SMO, hard":       func(o mlkit.Options) (any, error) { return Classifier{C: math.Inf(1)}.FitWith(o, X, y) },
		"SMO, unfinished": func(o mlkit.Options) (any, error) { return Classifier{C: 1e4, MaxIter: 90}.FitWith(o, X, y) },
		"SMO, many": func(o mlkit.Options) (any, error) {
			return Classifier{C: 100, Kernel: kernel.RBF{Gamma: 0.5}}.FitWith(o, many, labels)
		},
		"dual descent":             func(o mlkit.Options) (any, error) { return DualDescent{}.FitWith(o, X, y) },
		"dual descent, unfinished": func(o mlkit.Options) (any, error) { return DualDescent{MaxIter: 3}.FitWith(o, X, y) },
		"dual descent, many":       func(o mlkit.Options) (any, error) { return DualDescent{}.FitWith(o, many, labels) },
		"Newton":                   func(o mlkit.Options) (any, error) { return Newton{}.FitWith(o, X, y) },
		"Newton, unfinished":       func(o mlkit.Options) (any, error) { return Newton{MaxIter: 1}.FitWith(o, X, y) },
		"subgradients":             func(o mlkit.Options) (any, error) { return SubgradientDescent{MaxIter: 50}.FitWith(o, X, y) },
		"Pegasos":                  func(o mlkit.Options) (any, error) { return Pegasos{MaxIter: 20}.FitWith(o, X, y) },
	} {
		testkit.NoError(t, name, mlkittest.TestReport(fit))
	}
}

// The last report of a fit is its model's number of iterations and its residual, and SMO with
// n samples reports every 1 + 2²⁰/n iterations before.
func TestReportedIterations(t *testing.T) {
	X, y := samples.Overlapping(rand.New(rand.NewPCG(7, 8)), 1200)
	var got []mlkit.Progress
	o := mlkit.Options{Report: func(p mlkit.Progress) { got = append(got, p) }}
	m := testkit.Try(Classifier{C: 100, Kernel: kernel.RBF{Gamma: 0.5}}.FitWith(o, X, y)).Or(t)
	if len(got) < 3 || got[0].Done != 1+1<<20/1200 || got[0].Of != 10_000_000 {
		t.Errorf("reports %+v of %d iterations", got, m.Iterations)
	}
	if p := got[len(got)-1]; p.Done != m.Iterations || p.Residual != m.Violation {
		t.Errorf("the last report %+v, want %d iterations and the violation %v", p, m.Iterations, m.Violation)
	}
	for name, fit := range map[string]func(*mat.Dense, []int) (*LinearModel, error){
		"dual descent": func(X *mat.Dense, y []int) (*LinearModel, error) { return DualDescent{}.FitWith(o, X, y) },
		"Newton":       func(X *mat.Dense, y []int) (*LinearModel, error) { return Newton{}.FitWith(o, X, y) },
		"subgradients": func(X *mat.Dense, y []int) (*LinearModel, error) {
			return SubgradientDescent{Tol: 0.5}.FitWith(o, X, y)
		},
		"Pegasos": func(X *mat.Dense, y []int) (*LinearModel, error) { return Pegasos{Tol: 0.5}.FitWith(o, X, y) },
	} {
		m := testkit.Try(fit(X, y)).Or(t)
		if p := got[len(got)-1]; p.Done != m.Iterations || p.Residual != m.Gap/m.Primal {
			t.Errorf("%s: the last report %+v, want %d iterations and the gap %v of %v", name, p, m.Iterations, m.Gap, m.Primal)
		}
	}
}
