package logistic

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"reflect"
	"testing"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"marginalia/mlkit/internal/rows"
	"marginalia/mlkit/internal/samples"
	"marginalia/mlkit/internal/testkit"
)

// The zero value uses the solver that the documentation names, with the same bits, and a
// trace changes neither. With the last three shapes Newton took a minute; here they take
// no time, since only the choice is tested.
func TestLogisticByShape(t *testing.T) {
	for _, c := range []struct {
		n, d, M int
		l1      float64
		want    Solver
	}{
		{150, 4, 3, 0, Newton}, {150, 4, 3, 1, Newton}, {1000, 99, 1, 0, Newton}, {1001, 99, 1, 0, LBFGS},
		{1000, 100, 1, 0, LBFGS}, {1000, 100, 1, 1, CoordinateDescent}, {100000, 50, 1, 1, Newton}, {100000, 50, 1, 0, LBFGS},
		{1000, 20, 10, 0, LBFGS}, {500, 10000, 1, 0, LBFGS}, {500, 10000, 1, 10, CoordinateDescent}, {5000, 784, 10, 0, LBFGS},
	} {
		l := Regression{L1: c.l1}.solvedBy(mat.NewDense(c.n, c.d, nil), c.M)
		if l.Solver != c.want {
			t.Errorf("n = %d, d = %d, %d scores, L1 = %v: %v, want %v", c.n, c.d, c.M, c.l1, l.Solver, c.want)
		}
	}
	for _, c := range []struct {
		n, d   int
		l      Regression
		solver Solver
	}{
		{60, 5, Regression{L2: 1}, Newton}, {60, 120, Regression{L2: 1}, LBFGS}, {60, 120, Regression{L1: 1}, CoordinateDescent},
		{120, 9000, Regression{L2: 1}, LBFGS}, {120, 9000, Regression{L1: 1}, CoordinateDescent},
	} {
		if c.d > 1000 && !testkit.IsLong(t) {
			continue // takes as long as all others
		}
		X, y := samples.Clouds(c.n, c.d, 2, 5)
		chosen := fitted(t, c.l.Fit, X, y)
		named := c.l
		named.Solver = c.solver
		want, err := named.Fit(X, y)
		if err != nil || !reflect.DeepEqual(chosen, want) {
			t.Errorf("%d×%d, %+v: objective %v, with %v %v, %v", c.n, c.d, c.l, chosen.Objective, c.solver, want.Objective, err)
		}
		traced := c.l
		traced.Trace = func(Step) bool { return true }
		if got, err := traced.Fit(X, y); err != nil || !reflect.DeepEqual(got, chosen) {
			t.Errorf("%d×%d, %+v: objective %v, with a trace %v, %v", c.n, c.d, c.l, chosen.Objective, got.Objective, err)
		}
	}
}

// drawn returns a problem in which some columns matter. Some kinds are hard.
func drawn(rnd *rand.Rand, kind string, n, d int) (*mat.Dense, []int) {
	X, y := mat.NewDense(n, d, nil), make([]int, n)
	for i := range n {
		x, common := X.RawRowView(i), rnd.NormFloat64()
		score := 0.3
		for j := range x {
			x[j] = rnd.NormFloat64()
			switch {
			case kind == "correlated":
				x[j] = x[j]/10 + common
			case kind == "dependent" && j%3 == 2: // rank two thirds
				x[j] = x[j-1] - 2*x[j-2]
			case kind == "indicators":
				x[j] = math.Round(math.Abs(x[j]) / 2)
			}
			if j < 5 {
				score += x[j] * float64(2-j)
			}
		}
		y[i] = -1
		if kind == "separable" && score > 0 || kind != "separable" && rnd.Float64() < rows.Sigmoid(score) {
			y[i] = 1
		}
	}
	y[0], y[n-1] = -1, 1
	return X, y
}

// CoordinateDescent finds the minimum by its definition, on shapes of all kinds, and has
// the objective of Newton. L1 goes from nearly 0 to just above the smallest value at
// which all weights are 0: the largest derivative at the bias that the labels alone give.
func TestLogisticDescent(t *testing.T) {
	rnd := rand.New(rand.NewPCG(41, 42))
	shares := []float64{0.03, 0.999, 1.001}
	if testkit.IsLong(t) {
		shares = append(shares, 1e-3, 0.3)
	}
	for _, kind := range []string{"normal", "correlated", "dependent", "indicators", "separable"} {
		for _, shape := range [][2]int{{400, 12}, {40, 300}, {90, 90}} {
			n, d := shape[0], shape[1]
			if n == d && !testkit.IsLong(t) {
				continue // takes longest
			}
			X, y := drawn(rnd, kind, n, d)
			positive := 0.0
			for _, s := range y {
				positive += float64(s+1) / 2 / float64(n)
			}
			slopes := make([]float64, d)
			for i, s := range y {
				floats.AddScaled(slopes, positive-float64(s+1)/2, X.RawRowView(i))
			}
			most := floats.Norm(slopes, math.Inf(1))
			for _, share := range shares {
				for _, l2 := range []float64{0, 0.5} {
					if !testkit.IsLong(t) && (l2 == 0) != (share < 0.5) {
						continue // each once with each kind and shape
					}
					l := Regression{L1: share * most, L2: l2, Solver: CoordinateDescent, Tol: 1e-9}
					name := fmt.Sprintf("%s, %d×%d, L1 = %v of the most, L2 = %v", kind, n, d, share, l2)
					m, err := l.Fit(X, y)
					if err != nil {
						t.Errorf("%s: %v", name, err)
						continue
					}
					// Tol n is for columns of deviation 1. Here the deviation is at most
					// 2, so it is 2 Tol n.
					checkGradient(t, l, X, y, m, 4e-9)
					if w := hyperplane(t, m).W; (floats.Norm(w, 1) == 0) != (share > 1) {
						t.Errorf("%s: %v", name, w)
					}
					if d > 100 {
						continue // Newton takes long
					}
					l.Solver = Newton
					want, err := l.Fit(X, y)
					if err != nil || math.Abs(m.Objective-want.Objective) > 1e-9*want.Objective {
						t.Errorf("%s: objective %v, with Newton %v, %v", name, m.Objective, want.Objective, err)
					}
				}
			}
		}
	}
}

// With L2 all solvers have the same minimum, whatever the shape. LBFGS is within its
// gradient times the distance of it, and so is CoordinateDescent with a negligible L1.
func TestLogisticSolversAgree(t *testing.T) {
	rnd := rand.New(rand.NewPCG(43, 44))
	for _, kind := range []string{"normal", "correlated", "dependent", "indicators", "separable"} {
		for _, shape := range [][2]int{{300, 10}, {30, 110}, {60, 60}} {
			X, y := drawn(rnd, kind, shape[0], shape[1])
			for _, l2 := range []float64{0.1, 3} {
				if l2 > 1 && !testkit.IsLong(t) {
					continue // less L2 is harder
				}
				want := fitted(t, Regression{L2: l2, Solver: Newton}.Fit, X, y)
				for _, l := range []Regression{{L2: l2, Solver: LBFGS, Tol: 1e-7}, {L2: l2, L1: 1e-12, Solver: CoordinateDescent, Tol: 1e-7}, {L2: l2}} {
					tol := 1e-8
					if l.Tol == 0 {
						tol = 1e-6 // with L-BFGS it stops at a gradient of 10⁻⁶ n
					}
					m, err := l.Fit(X, y)
					if err != nil || math.Abs(m.Objective-want.Objective) > tol*want.Objective {
						t.Errorf("%s, %v, %+v: objective %v, with Newton %v, %v", kind, shape, l, m.Objective, want.Objective, err)
					}
				}
			}
		}
	}
}

// The same for three classes, from the definition of the softmax. Tol n for columns of
// deviation 1 is at most 2 Tol n here, and twice that with rounding error.
func TestSoftmaxDescent(t *testing.T) {
	for _, shape := range [][2]int{{200, 8}, {30, 200}, {60, 60}} {
		n, d := shape[0], shape[1]
		X, y := samples.Clouds(n, d, 3, 6)
		for _, l := range []Regression{{L1: 0.5}, {L1: 5}, {L1: 2, L2: 1}} {
			l.Solver, l.Tol = CoordinateDescent, 1e-9
			m, err := l.Fit(X, y)
			if err != nil {
				t.Errorf("%d×%d, %+v: %v", n, d, l, err)
				continue
			}
			if worst := kkt(l, X, y, m); !(worst <= 4e-9) {
				t.Errorf("%d×%d, %+v: the conditions are violated by %v", n, d, l, worst)
			}
			if d > 30 {
				continue
			}
			l.Solver = Newton
			if want, err := l.Fit(X, y); err != nil || math.Abs(m.Objective-want.Objective) > 1e-9*want.Objective {
				t.Errorf("%d×%d, %+v: objective %v, with Newton %v, %v", n, d, l, m.Objective, want.Objective, err)
			}
		}
	}
}

// If columns outnumber the samples, a hyperplane separates them, so there is no maximum,
// and the error proves it. This is where the default once took hours. With a penalty
// there is a maximum.
func TestLogisticWideSeparable(t *testing.T) {
	X, y := samples.Clouds(40, 2000, 2, 7)
	y = signsOf(y)
	_, err := Regression{}.Fit(X, y)
	var e *SeparableError
	if !errors.As(err, &e) || !e.Complete {
		t.Fatalf("%v, want a SeparableError", err)
	}
	checkDirection(t, e, X, y)
	for _, l := range []Regression{{L2: 1e-3}, {L1: 1e-3}} {
		if m, err := l.Fit(X, y); err != nil || len(samples.Wrong(m.Predictions(nil, X), y)) > 0 {
			t.Errorf("%+v: %v", l, err)
		}
	}
}

// The times in ByShape's comment: the solvers on some shapes, with L2 and with L1.
func BenchmarkLogisticSolvers(b *testing.B) {
	for _, shape := range [][2]int{{100, 5}, {1000, 20}, {1000, 100}, {1000, 200}, {300, 300}, {20000, 10}, {100000, 50}} {
		X, y := samples.Clouds(shape[0], shape[1], 2, 3)
		for i := range y {
			y[i] = 2*y[i] - 1
			if i%10 == 0 {
				y[i] = -y[i]
			}
		}
		for _, l := range []Regression{{L2: 1, Solver: Newton}, {L2: 1, Solver: LBFGS}, {L1: 5, Solver: Newton}, {L1: 5, Solver: CoordinateDescent}} {
			b.Run(fmt.Sprintf("%dx%d/L1=%v/%v", shape[0], shape[1], l.L1, l.Solver), func(b *testing.B) {
				for b.Loop() {
					testkit.Try(l.Fit(X, y)).Or(b)
				}
			})
		}
	}
}
