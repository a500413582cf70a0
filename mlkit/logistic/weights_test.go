package logistic

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"marginalia/mlkit"
	"marginalia/mlkit/internal/rows"
	"marginalia/mlkit/internal/samples"
	"marginalia/mlkit/internal/testkit"
)

// The weight of a row is multiplied by that of its class.
func TestWeightsMultiply(t *testing.T) {
	X, y := samples.Iris(t)
	weights, products := make([]float64, len(y)), make([]float64, len(y))
	for i, label := range y {
		weights[i] = []float64{0.25, 1, 2}[i%3]
		products[i] = weights[i]
		if label == 1 {
			products[i] *= 3
		}
	}
	l := Regression{L2: 1}
	want := testkit.Try(l.FitWith(mlkit.Options{Weights: products}, X, y)).Or(t)
	l.ClassWeights = map[int]float64{1: 3, 7: -1} // there is no 7
	m, err := l.FitWith(mlkit.Options{Weights: weights}, X, y)
	if err != nil || !slices.Equal(slices.Concat(m.W...), slices.Concat(want.W...)) || !slices.Equal(m.B, want.B) {
		t.Errorf("w = %v, %v, want %v", m.W, err, want.W)
	}
}

// A sample of weight 3 is three samples, in the likelihood and the objective too, also where
// the sums are fast, and with the float32 copy.
func TestWeightsOfMany(t *testing.T) {
	fewer(t)
	for _, l := range []Regression{
		{L2: 1, Solver: Newton}, {L2: 1, Solver: LBFGS}, {L2: 1, Solver: LBFGS, Tol: 1e-7}, {L1: 5, Solver: CoordinateDescent, Tol: 1e-7},
	} {
		X, y := samples.Clouds(manyRows+21, 4, 3, 9)
		n, weights, repeats := len(y), make([]float64, len(y)), []int{}
		for i := range weights {
			weights[i] = float64(i % 4) // 0 too
			repeats = append(repeats, slices.Repeat([]int{i}, i%4)...)
		}
		m := testkit.Try(l.FitWith(mlkit.Options{Weights: weights}, X, y)).Or(t)
		want := fitted(t, l.Fit, rows.Select(X, repeats), rows.Pick(y, repeats))
		// L-BFGS stops at a gradient of Tol times the total weight, which is a distance of
		// some Tol times the condition number.
		tol := 1e-8
		if l.Tol != 0 || l.Solver == LBFGS {
			tol = 1e-4
		}
		if !floats.EqualApprox(slices.Concat(m.W...), slices.Concat(want.W...), tol) || !floats.EqualApprox(m.B, want.B, tol) {
			t.Errorf("%v of %d rows: w = %v, want %v", l.Solver, n, m.W, want.W)
		}
		if apart := m.Iterations - want.Iterations; apart < -1 || apart > 1 {
			t.Errorf("%v: %d iterations, want %d as for the same rows without weights", l.Solver, m.Iterations, want.Iterations)
		}
		samples.Near(t, "log-likelihood", []float64{m.LogLikelihood}, []float64{want.LogLikelihood}, 1e-6*float64(len(repeats)))
		samples.Near(t, "objective", []float64{m.Objective}, []float64{want.Objective}, 1e-6*float64(len(repeats)))
	}
}

// Weights and penalties times one factor leave the optimum where it is, and multiply the
// objective.
func TestWeightsScale(t *testing.T) {
	X, y := noisy(rand.New(rand.NewPCG(3, 4)), 60, 3)
	for _, l := range []Regression{
		{Solver: Newton}, {L2: 2, Solver: Newton}, {L1: 2, Solver: Newton}, {L2: 2, Solver: LBFGS, Tol: 1e-7}, {L1: 2, Solver: CoordinateDescent, Tol: 1e-9},
	} {
		want := fitted(t, l.Fit, X, y)
		for _, factor := range []float64{0x1p-300, 0x1p-60, 0x1p-10, 0x1p10, 0x1p60, 0x1p300} {
			c := l
			c.L1, c.L2 = factor*l.L1, factor*l.L2
			m, err := c.FitWith(mlkit.Options{Weights: slices.Repeat([]float64{factor}, 60)}, X, y)
			if err != nil {
				t.Errorf("%+v, weights of %g: %v", l, factor, err)
				continue
			}
			if p, q := m.Probs(nil, X), want.Probs(nil, X); !floats.EqualApprox(p, q, 1e-5) || !(math.Abs(m.Objective/factor/want.Objective-1) < 1e-8) {
				t.Errorf("%+v, weights of %g: objective %v times the factor, want %v; probabilities apart by %v", l, factor, m.Objective/factor, want.Objective, floats.Distance(p, q, math.Inf(1)))
			}
		}
	}
}

func TestWeightsRefused(t *testing.T) {
	X, y := mat.NewDense(4, 1, []float64{-2, 0, 1, 3}), []int{-1, 1, -1, 1}
	for _, c := range []struct {
		class   map[int]float64
		weights []float64
		want    string
	}{
		{nil, []float64{1, 1, 1}, "logistic: len(weights) = 3, want 4, one for each row of X"},
		{nil, []float64{1, 1, -2, 1}, "logistic: weights[2] = -2, want a finite number of at least 0"},
		{nil, []float64{1, math.NaN(), 1, 1}, "logistic: weights[1] = NaN, want a finite number of at least 0"},
		{nil, []float64{1, 0, 1, 0}, "logistic: weights are above 0 only in rows with y = -1, want rows of at least two labels"},
		{nil, make([]float64, 4), "logistic: weights are all 0, want at least one above"},
		{nil, []float64{1, 1, 1, 1e-101}, "logistic: weights[3]: the weight of the row times that of its class is 1e-101, want 0 or a number from 1e-100 to 1e100"},
		{map[int]float64{1: 1e-300}, []float64{1, 1e-300, 1, 1}, "logistic: weights[1]: the weight of the row times that of its class is 0, want 0 or a number from 1e-100 to 1e100"},
		{map[int]float64{-1: 1e101}, nil, "logistic: ClassWeights[-1] = 1e+101, want a number from 1e-100 to 1e100"},
		{map[int]float64{1: 0}, nil, "logistic: ClassWeights[1] = 0, want a positive number"},
	} {
		l := Regression{ClassWeights: c.class}
		if m, err := l.FitWith(mlkit.Options{Weights: c.weights}, X, y); m != nil || err == nil || err.Error() != c.want {
			t.Errorf("%v, want %s", err, c.want)
		}
		if m, err := l.FitWith(mlkit.Options{Weights: c.weights}, X, []int{-1, 1, -1, 2}); m != nil || err == nil || err.Error() != c.want {
			t.Errorf("classes: %v, want %s", err, c.want)
		}
	}
}
