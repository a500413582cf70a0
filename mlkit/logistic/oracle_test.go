package logistic

import (
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"

	"marginalia/mlkit"
	"marginalia/mlkit/internal/check"
	"marginalia/mlkit/internal/rows"
	"marginalia/mlkit/internal/testkit"
)

// halfPlane decides exactly whether the likelihood lacks a maximum, for points with small
// integer coordinates, not all on one line. The directions (w, b) with yᵢ(w·xᵢ + b) ≥ 0
// form a cone that contains no line. So it contains a nonzero direction if and only if it
// contains one through two of the points.
func halfPlane(X [][2]int, y []int) bool {
	for i, p := range X {
		for _, q := range X[:i] {
			w := [2]int{p[1] - q[1], q[0] - p[0]}
			if w == [2]int{} {
				continue
			}
			for _, sign := range []int{1, -1} {
				least := 0
				for k, x := range X {
					least = min(least, sign*y[k]*(w[0]*(x[0]-p[0])+w[1]*(x[1]-p[1])))
				}
				if least == 0 {
					return true
				}
			}
		}
	}
	return false
}

func onALine(X [][2]int) bool {
	for _, p := range X {
		for _, q := range X {
			if (p[0]-X[0][0])*(q[1]-X[0][1]) != (p[1]-X[0][1])*(q[0]-X[0][0]) {
				return false
			}
		}
	}
	return true
}

// Positive weights do not change whether the likelihood has a maximum, and samples of weight
// 0 do not count. halfPlane decides it exactly.
func TestLogisticSeparableOracle(t *testing.T) {
	rnd := rand.New(rand.NewPCG(11, 12))
	var seen [2]int
	draws := testkit.Size(t, 150, 400)
	onBothPaths(t, func(t *testing.T) {
		for draw := range draws {
			n := 4 + rnd.IntN(15)
			X, y, weights := mat.NewDense(n, 2, nil), make([]int, n), slices.Repeat([]float64{1}, n)
			var points [][2]int
			var labels, kept []int
			for i := range n {
				point := [2]int{rnd.IntN(4), rnd.IntN(4)}
				X.SetRow(i, []float64{float64(point[0]), float64(point[1])})
				y[i] = 2*rnd.IntN(2) - 1
				if point[0] > 1 && rnd.IntN(3) > 0 {
					y[i] = 1
				}
				if draw%2 == 1 {
					weights[i] = math.Exp(2*rnd.NormFloat64()) * float64(min(1, rnd.IntN(3)))
				}
				if weights[i] > 0 {
					points, labels, kept = append(points, point), append(labels, y[i]), append(kept, i)
				}
			}
			if !slices.Contains(labels, 1) || !slices.Contains(labels, -1) || onALine(points) {
				continue
			}
			want := halfPlane(points, labels)
			if want {
				seen[1]++
			} else {
				seen[0]++
			}
			index := make([]int, n)
			for i := range y {
				index[i] = (y[i] + 1) / 2
			}
			for _, l := range []Regression{{}, {Solver: LBFGS}} {
				m, err := l.FitWith(mlkit.Options{Weights: weights}, X, y)
				s, manyErr := softmaxOfTwo(l, X, index, weights)
				var e, f *SeparableError
				if errors.As(err, &e) != want || errors.As(manyErr, &f) != want || !want && (err != nil || manyErr != nil) {
					t.Errorf("%v %v %v %v: separable %v, err = %v and %v", l.Solver, points, y, weights, want, err, manyErr)
					continue
				}
				if want {
					Z := rows.Select(X, kept)
					checkDirection(t, e, Z, labels)
					checkDirection(t, f, Z, rows.Pick(index, kept))
				} else if math.Abs(m.LogLikelihood-s.LogLikelihood) > 1e-6 {
					t.Errorf("%v %v %v %v: log-likelihood %v of one w, %v of a softmax", l.Solver, points, y, weights, m.LogLikelihood, s.LogLikelihood)
				}
			}
		}
	})
	if seen[0] < draws/4 || seen[1] < draws/4 {
		t.Errorf("%d problems with a maximum and %d without, want many of both", seen[0], seen[1])
	}
}

// hostile draws samples with columns of any size and offset: of numbers, of whole numbers, of a constant with
// exceptions, and multiples of the column before.
func hostile(rnd *rand.Rand) *mat.Dense {
	n, d := 2+rnd.IntN(12), 1+rnd.IntN(5)
	X := mat.NewDense(n, d, nil)
	for j := range d {
		scale, shift := math.Pow(10, 20*rnd.NormFloat64()), math.Pow(10, 5*rnd.NormFloat64())
		kind := rnd.IntN(4)
		for i := range n {
			v := (rnd.NormFloat64() + shift) * scale
			switch {
			case kind == 0:
				v = math.Round(rnd.NormFloat64())
			case kind == 1 && j > 0:
				v = 3 * X.At(i, j-1)
			case kind == 2 && rnd.IntN(3) > 0:
				v = shift
			}
			X.Set(i, j, v)
		}
	}
	return X
}

// Columns of any size and kind give a model with finite numbers, or an error of mlkit's.
func TestLogisticHostile(t *testing.T) {
	unfinished := 0 // of six fits per draw
	rnd := rand.New(rand.NewPCG(13, 14))
	draws := testkit.Size(t, 100, 300)
	for range draws {
		X := hostile(rnd)
		n, d := X.Dims()
		y := make([]int, n)
		for i := range y {
			y[i] = 2*rnd.IntN(2) - 1
		}
		y[0], y[n-1] = -1, 1
		strength := math.Pow(10, 4*rnd.NormFloat64())
		least := math.NaN() // the objective by Newton's method
		for _, l := range []Regression{{}, {L2: strength}, {L1: strength}, {Solver: LBFGS}, {L2: strength, Solver: LBFGS}, {L1: strength, Solver: CoordinateDescent}} {
			m, err := l.Fit(X, y)
			var e *mlkit.NotConvergedError
			if err != nil && m != nil && !errors.As(err, &e) {
				t.Errorf("%+v: %v", l, err)
			}
			if m != nil && (!check.AllFinite(m.B) || !check.AllFinite(slices.Concat(m.W...)) || !check.AllFinite(m.Scores(nil, X)) || !check.Finite(m.Objective)) {
				t.Errorf("%+v: %+v", l, m)
			}
			switch {
			case l.L2 > 0 && l.Solver == ByShape && err == nil:
				least = m.Objective
			// Less is possible: along columns equal up to rounding, rounding decides.
			case l.L2 > 0 && l.Solver == LBFGS && (err != nil && m.Objective >= least || m.Objective > least+1e-5*max(1, least)):
				t.Errorf("%+v, %d×%d: objective %v, err = %v, and Newton's method reaches %v", l, n, d, m.Objective, err, least)
			}
			var s *SeparableError
			if errors.As(err, &s) || err == nil {
				continue
			}
			// Rounding error may end a fit early with L1 or L-BFGS, but seldom.
			unfinished++
			if l.L1 == 0 && l.Solver == Newton || unfinished > draws/20 {
				t.Errorf("%+v, %d×%d: %v", l, n, d, err)
			}
		}
	}
}
