package perceptron

import (
	"context"
	"math/rand/v2"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"

	"marginalia/mlkit"
	"marginalia/mlkit/internal/samples"
	"marginalia/mlkit/internal/testkit"
	"marginalia/mlkit/mlkittest"
)

// All variants of the perceptron stop when their context ends, on samples that keep
// them busy.
func TestFormsCancelled(t *testing.T) {
	testkit.NoEmulation(t)
	testkit.OneLevel(t)
	X, y := samples.Overlapping(rand.New(rand.NewPCG(21, 22)), testkit.Size(t, 4000, 20000))
	const ever = 1 << 40
	for name, err := range map[string]error{
		"perceptron": mlkittest.TestContext(func(ctx context.Context) (*Model, error) {
			return Perceptron{MaxIter: ever}.FitWith(mlkit.Options{Context: ctx}, X, y)
		}),
		"batch": mlkittest.TestContext(func(ctx context.Context) (*Model, error) {
			return Batch{MaxIter: ever}.FitWith(mlkit.Options{Context: ctx}, X, y)
		}),
		"voted": mlkittest.TestContext(func(ctx context.Context) (*VotedModel, error) {
			return Voted{Epochs: ever}.FitWith(mlkit.Options{Context: ctx}, X, y)
		}),
		"averaged": mlkittest.TestContext(func(ctx context.Context) (*AveragedModel, error) {
			return Averaged{Epochs: ever}.FitWith(mlkit.Options{Context: ctx}, X, y)
		}),
		"dual": mlkittest.TestContext(func(ctx context.Context) (*DualModel, error) {
			return Dual{MaxIter: ever}.FitWith(mlkit.Options{Context: ctx}, X, y)
		}),
		"pocket": mlkittest.TestContext(func(ctx context.Context) (*PocketModel, error) {
			return Pocket{Epochs: ever}.FitWith(mlkit.Options{Context: ctx}, X, y)
		}),
	} {
		if err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// No variant takes weights of samples.
func TestFormsUnweighted(t *testing.T) {
	X, y := samples.Overlapping(rand.New(rand.NewPCG(21, 22)), 40)
	for name, err := range map[string]error{
		"perceptron": mlkittest.TestUnweighted(func(o mlkit.Options) (any, error) { return Perceptron{}.FitWith(o, X, y) }),
		"batch":      mlkittest.TestUnweighted(func(o mlkit.Options) (any, error) { return Batch{}.FitWith(o, X, y) }),
		"voted":      mlkittest.TestUnweighted(func(o mlkit.Options) (any, error) { return Voted{}.FitWith(o, X, y) }),
		"averaged":   mlkittest.TestUnweighted(func(o mlkit.Options) (any, error) { return Averaged{}.FitWith(o, X, y) }),
		"dual":       mlkittest.TestUnweighted(func(o mlkit.Options) (any, error) { return Dual{}.FitWith(o, X, y) }),
		"pocket":     mlkittest.TestUnweighted(func(o mlkit.Options) (any, error) { return Pocket{}.FitWith(o, X, y) }),
	} {
		testkit.NoError(t, name, err)
	}
}

func TestFormsNotConverged(t *testing.T) {
	X, y := samples.Overlapping(rand.New(rand.NewPCG(23, 24)), 40)
	A, b := samples.XOR()
	for _, data := range []struct {
		X *mat.Dense
		y []int
	}{{X, y}, {A, b}} {
		if err := mlkittest.TestNotConverged(func() (*Model, error) {
			return Perceptron{MaxIter: 1}.Fit(data.X, data.y)
		}); err != nil {
			t.Errorf("perceptron: %v", err)
		}
		if err := mlkittest.TestNotConverged(func() (*Model, error) {
			return Batch{MaxIter: 20}.Fit(data.X, data.y)
		}); err != nil {
			t.Errorf("batch: %v", err)
		}
		if err := mlkittest.TestNotConverged(func() (*DualModel, error) {
			return Dual{MaxIter: 20}.Fit(data.X, data.y)
		}); err != nil {
			t.Errorf("dual: %v", err)
		}
	}
}

// All variants report their passes.
func TestFormsReport(t *testing.T) {
	X, y := samples.Overlapping(rand.New(rand.NewPCG(21, 22)), 40)
	for name, err := range map[string]error{
		"perceptron": mlkittest.TestReport(func(o mlkit.Options) (any, error) { return Perceptron{MaxIter: 7}.FitWith(o, X, y) }),
		"batch":      mlkittest.TestReport(func(o mlkit.Options) (any, error) { return Batch{MaxIter: 7}.FitWith(o, X, y) }),
		"voted":      mlkittest.TestReport(func(o mlkit.Options) (any, error) { return Voted{}.FitWith(o, X, y) }),
		"averaged":   mlkittest.TestReport(func(o mlkit.Options) (any, error) { return Averaged{}.FitWith(o, X, y) }),
		"dual":       mlkittest.TestReport(func(o mlkit.Options) (any, error) { return Dual{MaxIter: 7}.FitWith(o, X, y) }),
		"pocket":     mlkittest.TestReport(func(o mlkit.Options) (any, error) { return Pocket{}.FitWith(o, X, y) }),
	} {
		testkit.NoError(t, name, err)
	}
}

// The reports of a perceptron are the passes of its model and their mistakes.
func TestReportedPasses(t *testing.T) {
	X, y := samples.Overlapping(rand.New(rand.NewPCG(21, 22)), 40)
	var passes, mistakes []int
	m, err := Perceptron{MaxIter: 9}.FitWith(mlkit.Options{Report: func(p mlkit.Progress) {
		if p.Algorithm != "perceptron: Perceptron" || p.Of != 9 {
			t.Errorf("%+v, want a Perceptron of 9 passes", p)
		}
		passes, mistakes = append(passes, p.Done), append(mistakes, int(p.Residual))
	}}, X, y)
	if err == nil || !slices.Equal(passes, []int{1, 2, 3, 4, 5, 6, 7, 8, 9}) || !slices.Equal(mistakes, m.MistakesPerEpoch) {
		t.Errorf("passes %v with %v mistakes (%v), want those of %+v", passes, mistakes, err, m)
	}
}
