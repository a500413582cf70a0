package logistic

import (
	"errors"
	"math"
	"testing"

	"gonum.org/v1/gonum/floats"
	"pgregory.net/rapid"

	"marginalia/mlkit"
	"marginalia/mlkit/internal/testkit"
	"marginalia/mlkit/perceptron"
)

// With two classes the softmax is the sigmoid with half the penalty, since the penalty
// counts both weight vectors, w/2 and -w/2. Fit has the sigmoid's penalty. Both solvers find the one MAP optimum. There,
// the residuals sum to 0, since the bias is not penalised.
func TestLogisticForms(t *testing.T) {
	testkit.Check(t, func(t *rapid.T) {
		X, y := testkit.Samples(t, 2)
		n, d := X.Dims()
		lambda := math.Exp(rapid.Float64Range(-4, 3).Draw(t, "log λ"))
		fit := func(l Regression) *Model {
			m := testkit.Try(l.Fit(X, y)).Or(t)
			return m
		}
		m := fit(Regression{L2: lambda})
		p := m.Probs(nil, X)
		g := make([]float64, d+1)
		for j, w := range m.Between(1, 0).W {
			g[j] = lambda * w
		}
		for i := range n {
			r := p[i] - float64(y[i]+1)/2
			floats.AddScaled(g[:d], r, X.RawRowView(i))
			g[d] += r
		}
		if floats.Norm(g, math.Inf(1)) > 1e-6 {
			t.Errorf("the gradient at the optimum is %v", g)
		}
		other := fit(Regression{L2: lambda, Solver: LBFGS, Tol: 1e-7})
		if q := other.Probs(nil, X); !floats.EqualApprox(p, q, 1e-4) {
			t.Errorf("Newton %v, L-BFGS %v", p, q)
		}
		for _, solver := range []Solver{Newton, LBFGS} {
			soft := testkit.Try(softmaxOfTwo(Regression{L2: 2 * lambda, Solver: solver, Tol: 1e-7}, X, y, nil)).Or(t)
			P := soft.Posteriors(nil, X)
			for i := range n {
				if math.Abs(P.At(i, 1)-p[i]) > 1e-6 {
					t.Errorf("row %d: the softmax has %v, the sigmoid %v", i, P.At(i, 1), p[i])
				}
			}
			if math.Abs(soft.Objective-m.Objective) > 1e-9 || math.Abs(soft.B[0]+soft.B[1]) > 1e-12*(1+math.Abs(soft.B[0])) {
				t.Errorf("%v: objective %v and biases %v of the softmax, objective %v of the sigmoid", solver, soft.Objective, soft.B, m.Objective)
			}
		}
	})
}

// The likelihood has a maximum if and only if no hyperplane separates the classes, with
// samples on it or not (Albert and Anderson, 1984). The direction of a SeparableError is
// such a hyperplane. Where there is a maximum, the perceptron must not converge.
func TestLogisticSeparableProperty(t *testing.T) {
	separable, overlapping := 0, 0
	testkit.Check(t, func(t *rapid.T) {
		X, y := testkit.Samples(t, 2)
		m, err := Regression{}.Fit(X, y)
		var s *SeparableError
		_, perceptron := perceptron.Perceptron{MaxIter: 10000}.Fit(X, y)
		switch {
		case errors.As(err, &s):
			separable++
			direction := mlkit.Hyperplane{W: s.W[0], B: s.B[0]}
			largest := 0.0
			for i, f := range direction.Scores(nil, X) {
				margin := float64(y[i]) * f
				largest = max(largest, margin)
				if margin < -1e-9*(1+direction.Norm()) {
					t.Errorf("the direction has row %d on its wrong side, by %v", i, margin)
				}
			}
			if largest <= 0 {
				t.Errorf("the direction %+v separates nothing", direction)
			}
		case err != nil:
			t.Fatal(err)
		default:
			overlapping++
			if perceptron == nil {
				t.Errorf("a hyperplane separates, but the likelihood has the maximum %+v", m)
			}
		}
		if perceptron == nil && s != nil && !s.Complete {
			t.Error("a hyperplane separates with no sample on it, but the error says that there is none")
		}
	})
	if all := separable + overlapping; separable*20 < all || overlapping*20 < all {
		t.Errorf("%d separable problems and %d others, too few to see anything", separable, overlapping)
	}
}
