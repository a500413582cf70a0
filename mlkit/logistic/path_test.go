package logistic

import (
	"context"
	"errors"
	"fmt"
	"math"
	"reflect"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"marginalia/mlkit"
	"marginalia/mlkit/internal/samples"
	"marginalia/mlkit/internal/testkit"
	"marginalia/mlkit/mlkittest"
)

// mixed returns three overlapping clouds, with their labels and those of two classes.
func mixed() (X *mat.Dense, classes, signs []int) {
	X, classes = samples.Clouds(200, 12, 3, 21)
	signs = make([]int, len(classes))
	for i := range classes {
		if i%5 == 0 {
			classes[i] = (classes[i] + 1) % 3
		}
		signs[i] = 2*min(classes[i], 1) - 1
	}
	return X, classes, signs
}

// Each model of a path is that of a fit from 0: the objectives of both are within Tol of the minimum.
// The conditions for one hold, with L1 for the zeros too; TestStartPath has the tolerances. The
// path takes fewer iterations in total. The order of the λ makes no difference, not in a bit.
func TestPath(t *testing.T) {
	testkit.NoRace(t)
	X, classes, signs := mixed()
	var lambdas []float64
	for lambda := 64.0; lambda > 0.3; lambda /= 2 {
		lambdas = append(lambdas, lambda)
	}
	for _, c := range []struct {
		l   Regression
		tol float64
	}{
		{Regression{L2: 1, Solver: Newton}, 1e-9}, {Regression{L2: 2, Solver: LBFGS, Tol: 1e-7}, 2e-7},
		{Regression{L1: 1, Solver: Newton}, 1e-9}, {Regression{L1: 0.5, L2: 0.5, Solver: CoordinateDescent, Tol: 1e-8}, 2e-8},
	} {
		for name, y := range map[string][]int{"two classes": signs, "three classes": classes} {
			name = fmt.Sprintf("%v, L1 %v, L2 %v, %s", c.l.Solver, c.l.L1, c.l.L2, name)
			models := testkit.Try(c.l.Path(mlkit.Options{}, lambdas, X, y)).Or(t)
			warm, cold := 0, 0
			for i, m := range models {
				l := c.l
				l.L1, l.L2 = lambdas[i]*l.L1, lambdas[i]*l.L2
				want := fitted(t, l.Fit, X, y)
				if !(math.Abs(m.Objective-want.Objective) <= 1e-7*want.Objective) {
					t.Errorf("%s: λ = %v: objective %v, want %v", name, lambdas[i], m.Objective, want.Objective)
				}
				if len(m.Classes) == 2 {
					checkGradient(t, l, X, y, m, 2*c.tol)
				} else if worst := kkt(l, X, y, m); !(worst <= c.tol) {
					t.Errorf("%s: λ = %v: the conditions are violated by %v, want at most %v", name, lambdas[i], worst, c.tol)
				}
				warm, cold = warm+m.Iterations, cold+want.Iterations
			}
			if !(warm < cold) {
				t.Errorf("%s: %d iterations, from 0 %d", name, warm, cold)
			}
			t.Logf("%s: %d iterations, from 0 %d", name, warm, cold)

			slices.Reverse(lambdas[1:])
			again := testkit.Try(c.l.Path(mlkit.Options{}, lambdas, X, y)).Or(t)
			slices.Reverse(lambdas[1:])
			if slices.Reverse(again[1:]); !reflect.DeepEqual(again, models) {
				t.Errorf("%s: in another order the models differ", name)
			}
		}
	}
}

// Two equal classes have p = ½, and the largest sum is half the number of flowers in each times
// the distance between their means: petals of 4.26 and 5.552 cm (Fisher 1936, table I).
// Lecture 3's exercise "lastFeature" has the formula. With a little more all weights are 0, and
// with a little less one is not.
func TestMaxL1(t *testing.T) {
	X, y := samples.VersicolorVirginica(t)
	got := testkit.Try(Regression{}.MaxL1(mlkit.Options{}, X, y)).Or(t)
	if want := 25 * (5.552 - 4.26); !(math.Abs(got-want) < 1e-12*want) {
		t.Errorf("%v, want %v", got, want)
	}
	clouds, classes, signs := mixed()
	far := mat.DenseCopyOf(clouds)
	weights := make([]float64, len(classes))
	for i := range weights {
		far.Set(i, 3, 1e10+far.At(i, 3))
		weights[i] = float64(i % 3)
	}
	for name, c := range map[string]struct {
		l Regression
		X *mat.Dense
		y []int
		v []float64
	}{
		"iris": {Regression{}, X, y, nil}, "two clouds": {Regression{L2: 7}, clouds, signs, nil}, "three": {Regression{}, clouds, classes, nil},
		"weights": {Regression{ClassWeights: map[int]float64{1: 3}}, clouds, classes, weights}, "two, weights": {Regression{}, clouds, signs, weights},
		"far from 0": {Regression{}, far, classes, nil},
	} {
		o := mlkit.Options{Weights: c.v}
		most := testkit.Try(c.l.MaxL1(o, c.X, c.y)).Or(t)
		c.l.L1, c.l.Solver = most*(1+1e-7), Newton
		if m := testkit.Try(c.l.FitWith(o, c.X, c.y)).Or(t); floats.Norm(slices.Concat(m.W...), 1) != 0 {
			t.Errorf("%s: w = %v with a little more than L1 = %v, want 0", name, m.W, most)
		}
		c.l.L1 = most * (1 - 1e-5)
		if m := testkit.Try(c.l.FitWith(o, c.X, c.y)).Or(t); floats.Norm(slices.Concat(m.W...), 1) == 0 {
			t.Errorf("%s: w = 0 with a little less than L1 = %v", name, most)
		}
	}
}

// The defaults of glmnet's arguments nlambda and lambda.min.ratio are 100 and, by the shape of
// X, 1e-4 or 1e-2. Without L1 it takes α = 0.001.
func TestLambdas(t *testing.T) {
	X, y := samples.VersicolorVirginica(t) // MaxL1 is 32.3: see TestMaxL1
	wide, few := samples.Uniform(1, 20, 21), append(slices.Repeat([]int{-1}, 10), slices.Repeat([]int{1}, 10)...)
	most := testkit.Try(Regression{}.MaxL1(mlkit.Options{}, wide, few)).Or(t)
	for _, c := range []struct {
		l           Regression
		X           *mat.Dense
		y           []int
		first, last float64
	}{
		{Regression{L1: 1}, X, y, 32.3, 32.3e-4}, {Regression{L1: 2}, X, y, 16.15, 16.15e-4},
		{Regression{L1: 0.5, L2: 0.5}, X, y, 64.6, 64.6e-4}, {Regression{L2: 1}, X, y, 32300, 3.23},
		{Regression{L1: 1}, wide, few, most, most / 100},
	} {
		lambdas := testkit.Try(c.l.Lambdas(mlkit.Options{}, c.X, c.y)).Or(t)
		if len(lambdas) != 100 {
			t.Fatalf("%d values, want 100", len(lambdas))
		}
		samples.Near(t, "the ends", []float64{lambdas[0], lambdas[99]}, []float64{c.first, c.last}, 1e-12*c.first)
		ratio := math.Pow(c.last/c.first, 1.0/99)
		for i := 1; i < 100; i++ {
			if got := lambdas[i] / lambdas[i-1]; !(math.Abs(got-ratio) < 1e-12) {
				t.Errorf("L1 %v, L2 %v: ratio %v at %d, want %v", c.l.L1, c.l.L2, got, i, ratio)
			}
		}
	}
}

// A fit that does not end well ends the path, and the error says which one. The models of the
// larger λ are there.
func TestPathUnfinished(t *testing.T) {
	X, y := samples.VersicolorVirginica(t)
	lambdas := []float64{0.001, 100, 10}
	models, err := Regression{L2: 1, Solver: Newton, MaxIter: 5}.Path(mlkit.Options{}, lambdas, X, y)
	var slow *mlkit.NotConvergedError
	if !errors.As(err, &slow) || slow.Model != models[0] || !strings.HasSuffix(err.Error(), " (Path, lambdas[0] = 0.001)") {
		t.Errorf("MaxIter: %v", err)
	} else if models[0].Converged || !models[1].Converged || !models[2].Converged {
		t.Errorf("MaxIter: models %+v", models)
	}

	setosa, signs := samples.SetosaVersicolor(t)
	models, err = Regression{L1: 1}.Path(mlkit.Options{}, []float64{1, 0}, setosa, signs)
	if !errors.As(err, new(*SeparableError)) || !strings.HasSuffix(err.Error(), " (Path, lambdas[1] = 0)") || models[0] == nil || models[1] == nil {
		t.Errorf("λ = 0: %v", err)
	}

	ctx, cancel := context.WithCancel(t.Context())
	fits := 0
	l := Regression{L2: 1, Trace: func(s Step) bool {
		if s.Iteration == 1 {
			fits++
		}
		if fits == 2 {
			cancel()
		}
		return true
	}}
	models, err = l.Path(mlkit.Options{Context: ctx}, lambdas, X, y)
	if !errors.Is(err, context.Canceled) || !strings.HasSuffix(err.Error(), " (Path, lambdas[2] = 10)") || !models[1].Converged || models[2] == nil || models[0] != nil {
		t.Errorf("the context ended in the second fit, and Path says %v, %v", models, err)
	}
}

func TestPathRefused(t *testing.T) {
	X, y := samples.VersicolorVirginica(t)
	constant := mat.NewDense(2, 1, []float64{3, 3})
	huge := mat.NewDense(2, 1, []float64{1.5e308, 1e308})
	path := func(l Regression, X *mat.Dense, lambdas ...float64) error {
		models, err := l.Path(mlkit.Options{}, lambdas, X, y)
		if models != nil {
			t.Errorf("models beside the error %v", err)
		}
		return err
	}
	grid := func(l Regression, X *mat.Dense, y []int) error {
		lambdas, err := l.Lambdas(mlkit.Options{}, X, y)
		if lambdas != nil {
			t.Errorf("values beside the error %v", err)
		}
		return err
	}
	testkit.Refusals{
		{path(Regression{}, X, 1), "logistic: Path: Regression.L1 and L2 are 0, want one of them above…"},
		{path(Regression{L1: 1}, X), "logistic: Path: lambdas is empty…"},
		{path(Regression{L2: 1}, X, 2, -1), "logistic: Regression.L2 = -1, want a positive number, or 0 for none (Path, lambdas[1] = -1)"},
		{path(Regression{L1: 1}, X, 2, math.NaN()), "logistic: Regression.L2 = NaN…"},
		{path(Regression{L1: 1e200}, X, 1e200), "logistic: Regression.L1 = +Inf…"},
		{path(Regression{L1: 1, Solver: CoordinateDescent}, X, 1, 0), "logistic: Regression.Solver = CoordinateDescent, want Newton or LBFGS without L1 (Path, lambdas[1] = 0)"},
		{path(Regression{L1: 1}, nil, 1), "logistic: X is nil…"},
		{path(Regression{L1: 1}, constant, 1), "logistic: len(y) = 100, want 2…"},
		{grid(Regression{}, X, y), "logistic: Lambdas: Regression.L1 and L2 are 0…"},
		{grid(Regression{L1: -1}, X, y), "logistic: Regression.L1 = -1…"},
		{grid(Regression{L1: 1}, nil, y), "logistic: X is nil…"},
		{grid(Regression{L1: 1}, X, y[:50]), "logistic: len(y) = 50, want 100…"},
		{grid(Regression{L1: 1}, X, make([]int, 100)), "logistic: y has only the label 0…"},
		{grid(Regression{L1: 1, ClassWeights: map[int]float64{1: 0}}, X, y), "logistic: ClassWeights[1] = 0…"},
		{grid(Regression{L1: 1}, constant, []int{0, 1}), "logistic: Lambdas: the largest λ is 0, want a positive number…"},
		{grid(Regression{L1: 1}, huge, []int{0, 1}), "logistic: MaxL1: the derivative of the likelihood at w = 0 is out of range…"},
		{grid(Regression{L1: 1e-300, L2: 1e-300}, mat.NewDense(2, 1, []float64{1e100, 0}), []int{0, 1}), "logistic: Lambdas: the largest λ is +Inf…"},
	}.Check(t)
}

// Weights of 3 are three samples, also for the derivative in MaxL1, and those of 0 are absent.
func TestPathWeights(t *testing.T) {
	last := func(o mlkit.Options, X *mat.Dense, y []int) (*Model, error) {
		models, err := Regression{L1: 0.5, L2: 0.5}.Path(o, []float64{4, 1}, X, y)
		if models == nil {
			return nil, err
		}
		return models[1], err
	}
	belowMost := func(o mlkit.Options, X *mat.Dense, y []int) (*Model, error) {
		most, err := Regression{}.MaxL1(o, X, y)
		if err != nil {
			return nil, err
		}
		return Regression{L1: most / 2}.FitWith(o, X, y)
	}
	grid := func(o mlkit.Options, X *mat.Dense, y []int) (*Model, error) {
		lambdas, err := Regression{L1: 1}.Lambdas(o, X, y)
		if err != nil {
			return nil, err
		}
		return Regression{L1: lambdas[50]}.FitWith(o, X, y)
	}
	for name, fit := range map[string]func(o mlkit.Options, X *mat.Dense, y []int) (*Model, error){"Path": last, "MaxL1": belowMost, "Lambdas": grid} {
		if err := errors.Join(mlkittest.TestWeights(fit, 1e-7), mlkittest.TestAbsence(fit)); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}
