package logistic

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"marginalia/mlkit"
	"marginalia/mlkit/internal/samples"
	"marginalia/mlkit/internal/testkit"
)

// kkt returns the largest violation of the conditions for a minimum of the softmax, over n,
// from its definition: Σ (P(k|xᵢ) - [yᵢ = k]) xᵢⱼ + L2 w_kj is -L1 sign(w_kj), or at most L1
// where w_kj = 0, and for the biases the sum is 0.
func kkt(l Regression, X *mat.Dense, y []int, m *Model) (worst float64) {
	n, d := X.Dims()
	P := m.Posteriors(nil, X)
	for k, w := range m.W {
		g := make([]float64, d+1)
		for i := range n {
			r := P.At(i, k)
			if y[i] == m.Classes[k] {
				r--
			}
			floats.AddScaled(g[:d], r, X.RawRowView(i))
			g[d] += r
		}
		worst = max(worst, math.Abs(g[d]))
		for j, v := range w {
			switch g[j] += l.L2 * v; {
			case v != 0:
				worst = max(worst, math.Abs(g[j]+math.Copysign(l.L1, v)))
			default:
				worst = max(worst, math.Abs(g[j])-l.L1)
			}
		}
	}
	return worst / float64(n)
}

// Along a path of penalties, each fit begins at the previous model. That takes fewer
// iterations in total than fits that begin at 0, and ends at the same optimum: the one
// where the conditions for a minimum hold within Tol, up to the columns' deviations, which
// are at most 2.
func TestStartPath(t *testing.T) {
	testkit.NoRace(t)
	X, classes := samples.Clouds(300, 12, 3, 21)
	strongest := float64(testkit.Size(t, 2, 64))
	signs := make([]int, len(classes))
	for i := range classes {
		if i%5 == 0 {
			classes[i] = (classes[i] + 1) % 3
		}
		signs[i] = 2*min(classes[i], 1) - 1
	}
	onBothPaths(t, func(t *testing.T) {
		for _, c := range []struct {
			l   Regression
			tol float64
		}{
			{Regression{L2: 1, Solver: Newton}, 1e-9}, {Regression{L2: 1, Solver: LBFGS, Tol: 1e-6}, 2e-6}, {Regression{L2: 1, Solver: LBFGS, Tol: 1e-7}, 2e-7},
			{Regression{L1: 1, Solver: Newton}, 1e-9}, {Regression{L1: 1, Solver: CoordinateDescent, Tol: 1e-8}, 2e-8}, {Regression{L1: 1, L2: 1, Solver: CoordinateDescent, Tol: 1e-8}, 2e-8},
		} {
			warm, cold := [2]int{}, [2]int{} // iterations for two classes and for many
			l, name := c.l, fmt.Sprintf("%v, L1 %v, L2 %v", c.l.Solver, c.l.L1, c.l.L2)
			var start2, start3 *mlkit.LinearMachine
			for strength := strongest; strength > 0.3; strength /= 1.5 {
				l.L1, l.L2 = strength*c.l.L1, strength*c.l.L2
				from2 := fitted(t, l.Fit, X, signs)
				from3 := fitted(t, l.Fit, X, classes)
				begun := l
				begun.Start = start2
				two := fitted(t, begun.Fit, X, signs)
				begun.Start = start3
				three := fitted(t, begun.Fit, X, classes)
				warm[0], warm[1] = warm[0]+two.Iterations, warm[1]+three.Iterations
				cold[0], cold[1] = cold[0]+from2.Iterations, cold[1]+from3.Iterations
				checkGradient(t, l, X, signs, two, 2*c.tol)
				if worst := kkt(l, X, classes, three); !(worst <= c.tol) {
					t.Errorf("%s: the conditions are violated by %v, want at most %v", name, worst, c.tol)
				}
				if !(math.Abs(two.Objective/from2.Objective-1) < 1e-7) || !(math.Abs(three.Objective/from3.Objective-1) < 1e-7) {
					t.Errorf("%s: objectives %v and %v, from 0 %v and %v", name, two.Objective, three.Objective, from2.Objective, from3.Objective)
				}
				start2, start3 = &two.LinearMachine, &three.LinearMachine
			}
			if !(warm[0] < cold[0] && warm[1] < cold[1]) {
				t.Errorf("%s: %v iterations, from 0 %v", name, warm, cold)
			}
			t.Logf("%s: %v iterations, from 0 %v", name, warm, cold)
		}
	})
}

// From the solution, Newton takes one step, to learn that it is one, and the others none.
// Start is not modified.
func TestStartAtSolution(t *testing.T) {
	X, y := samples.Iris(t)
	for _, l := range []Regression{{L2: 1}, {L2: 1, Solver: LBFGS}, {L1: 1}, {L1: 1, Solver: CoordinateDescent}} {
		want := fitted(t, l.Fit, X, y)
		start := mlkit.LinearMachine{Classes: slices.Clone(want.Classes), B: slices.Clone(want.B)}
		for _, w := range want.W {
			start.W = append(start.W, slices.Clone(w))
		}
		l.Start = &start
		m, err := l.Fit(X, y)
		most := 0
		if l.Solver == ByShape { // Newton
			most = 1
		}
		if err != nil || m.Iterations > most || !m.Converged || !(math.Abs(m.Objective/want.Objective-1) < 1e-12) {
			t.Errorf("%v: %d iterations, %v, objective %v, want %v", l.Solver, m.Iterations, err, m.Objective, want.Objective)
		}
		if !reflect.DeepEqual(start, want.LinearMachine) {
			t.Errorf("%v: Start has changed to %v from %v", l.Solver, start, want.LinearMachine)
		}
	}
}

// Whatever the start, a fit ends at the same optimum: from hyperplanes that are much too
// long, have the wrong sign, overflow, or put weight on a constant column.
func TestStartAnywhere(t *testing.T) {
	testkit.NoRace(t)
	rnd := rand.New(rand.NewPCG(51, 52))
	const n = 256
	X, y := mat.NewDense(n, 3, nil), make([]int, n)
	for i := range n {
		// Half of the samples have only the first column, the others only the second.
		v := rnd.NormFloat64()
		X.SetRow(i, []float64{0, 0, 7})
		X.Set(i, i%2, v)
		y[i] = 1
		if rnd.NormFloat64() > v {
			y[i] = -1
		}
	}
	classes := make([]int, n)
	for i := range y {
		classes[i] = (y[i] + 1) / 2
	}
	onBothPaths(t, func(t *testing.T) {
		for _, l := range []Regression{
			{Solver: Newton}, {L2: 1e-9, Solver: Newton}, {L1: 1e-9, Solver: Newton}, {Solver: LBFGS, Tol: 1e-7}, {L2: 1e-3, Solver: LBFGS}, {L1: 1e-6, Solver: CoordinateDescent},
		} {
			want := fitted(t, l.Fit, X, y)
			wantMany := testkit.Try(softmaxOfTwo(l, X, classes, nil)).Or(t)
			for _, h := range []mlkit.Hyperplane{
				{W: []float64{1e6, 1e6, 0}, B: 0}, {W: []float64{-1e6, 1e6, 0}, B: 3}, {W: []float64{1e308, -1e308, 1e308}, B: 1e308}, {W: []float64{1, 1, 1e9}, B: -7e9},
				{W: []float64{-1, 500, 0}, B: 0}, {W: []float64{1, 300, 0}, B: 0}, {W: []float64{3, -1, 0}, B: 100}, {W: []float64{1e-300, 0, 0}, B: 0},
			} {
				l.Start = oneOf(h, -1)
				m, err := l.Fit(X, y)
				if err != nil || !m.Converged || !(math.Abs(m.Objective/want.Objective-1) < 1e-8) {
					t.Errorf("%v, L1 %v, L2 %v, from %v: objective %v, want %v, %v", l.Solver, l.L1, l.L2, h, m.Objective, want.Objective, err)
				}
				l.Start = oneOf(h, 0)
				many, err := softmaxOfTwo(l, X, classes, nil)
				if err != nil || !many.Converged || !(math.Abs(many.Objective/wantMany.Objective-1) < 1e-8) {
					t.Errorf("softmax, %v, L1 %v, L2 %v, from %v: objective %v, want %v, %v", l.Solver, l.L1, l.L2, h, many.Objective, wantMany.Objective, err)
				}
			}
		}
	})
}

// A start may have one sample so far on its wrong side, here by 150, that the second
// derivative of its loss is e⁻¹⁵⁰, and no other sample in that column. Newton's method from
// there would take the Hessian for singular, and end at once.
func TestStartInFlatRegion(t *testing.T) {
	rnd := rand.New(rand.NewPCG(53, 54))
	const n = 400
	X, y := mat.NewDense(n, 2, nil), make([]int, n)
	for i := range n {
		y[i] = 1
		if X.Set(i, 1, rnd.NormFloat64()); rnd.NormFloat64()/5 > X.At(i, 1) {
			y[i] = -1
		}
	}
	X.SetRow(0, []float64{1, 0})
	y[0] = 1
	for _, l := range []Regression{{L2: 1e-30, Solver: Newton}, {L1: 1e-3, Solver: Newton}, {L1: 1e-3, Solver: CoordinateDescent, Tol: 1e-8}} {
		want := fitted(t, l.Fit, X, y)
		l.Start = oneOf(mlkit.Hyperplane{W: []float64{-150, 4}}, -1)
		first := math.NaN()
		l.Trace = func(s Step) bool {
			if s.Iteration == 1 {
				first = s.Objective
			}
			return true
		}
		m, err := l.Fit(X, y)
		if err != nil || !(math.Abs(m.Objective/want.Objective-1) < 1e-6) || !(first < n*math.Ln2) {
			t.Errorf("%v, L1 %v: objective %v, %v after one step, want %v, %v", l.Solver, l.L1, m.Objective, first, want.Objective, err)
		}
	}
}

// A warm start changes nothing about the proof that there is no maximum, whether it separates
// the classes or not.
func TestStartSeparable(t *testing.T) {
	X, y := samples.SetosaVersicolor(t)
	separating := fitted(t, Regression{L2: 1}.Fit, X, y)
	onBothPaths(t, func(t *testing.T) {
		for _, solver := range []Solver{Newton, LBFGS} {
			for _, factor := range []float64{1, 1e3, 1e300, -1, -1e3} {
				start := hyperplane(t, separating)
				floats.Scale(factor, start.W)
				start.B *= factor
				_, err := Regression{Solver: solver, Start: oneOf(start, -1)}.Fit(X, y)
				var e *SeparableError
				if !errors.As(err, &e) || !e.Complete {
					t.Errorf("%v, from %g times a separating hyperplane: %v", solver, factor, err)
					continue
				}
				checkDirection(t, e, X, y)
			}
		}
	})
}

func TestStartRefused(t *testing.T) {
	X, y := samples.Iris(t)
	signs := signsOf(y)
	machine := func(classes []int, change func(m *mlkit.LinearMachine)) *mlkit.LinearMachine {
		m := &mlkit.LinearMachine{Classes: classes, B: make([]float64, len(classes))}
		for range classes {
			m.W = append(m.W, make([]float64, 4))
		}
		change(m)
		return m
	}
	for _, c := range []struct {
		classes []int
		change  func(m *mlkit.LinearMachine)
		want    string
	}{
		{[]int{0, 1, 3}, func(m *mlkit.LinearMachine) {}, "Start.Classes = [0 1 3], want [0 1 2], the labels in y"},
		{[]int{-1, 1}, func(m *mlkit.LinearMachine) {}, "Start.Classes = [-1 1], want [0 1 2], the labels in y"},
		{nil, func(m *mlkit.LinearMachine) {}, "Start.Classes = [], want [0 1 2], the labels in y"},
		{[]int{0, 1, 2}, func(m *mlkit.LinearMachine) { m.W = m.W[:2] }, "Start has 2 rows W and 3 biases B, want 3, one for each class"},
		{[]int{0, 1, 2}, func(m *mlkit.LinearMachine) { m.B = nil }, "Start has 3 rows W and 0 biases B, want 3, one for each class"},
		{[]int{0, 1, 2}, func(m *mlkit.LinearMachine) { m.W[1] = nil }, "Start.W[1] has 0 elements, want 4, one for each column of X"},
		{[]int{0, 1, 2}, func(m *mlkit.LinearMachine) { m.W[2][3] = math.Inf(1) }, "Start.W[2][3] = +Inf, want a finite number"},
		{[]int{0, 1, 2}, func(m *mlkit.LinearMachine) { m.B[1] = math.NaN() }, "Start.B[1] = NaN, want a finite number"},
	} {
		if m, err := (Regression{Start: machine(c.classes, c.change)}).Fit(X, y); m != nil || err == nil || err.Error() != "logistic: Regression."+c.want {
			t.Errorf("%v, want %s", err, c.want)
		}
	}
	for _, c := range []struct {
		classes []int
		change  func(m *mlkit.LinearMachine)
		want    string
	}{
		{[]int{0, 1}, func(m *mlkit.LinearMachine) {}, "Start.Classes = [0 1], want [-1 1], the labels in y"},
		{[]int{0, 1, 2}, func(m *mlkit.LinearMachine) {}, "Start.Classes = [0 1 2], want [-1 1], the labels in y"},
		{[]int{-1, 1}, func(m *mlkit.LinearMachine) { m.W = m.W[1:] }, "Start has 1 rows W and 2 biases B, want 2, one for each class"},
		{[]int{-1, 1}, func(m *mlkit.LinearMachine) { m.W[1] = m.W[1][1:] }, "Start.W[1] has 3 elements, want 4, one for each column of X"},
		{[]int{-1, 1}, func(m *mlkit.LinearMachine) { m.W[0][2] = math.NaN() }, "Start.W[0][2] = NaN, want a finite number"},
		{[]int{-1, 1}, func(m *mlkit.LinearMachine) { m.B[1] = math.Inf(-1) }, "Start.B[1] = -Inf, want a finite number"},
	} {
		if m, err := (Regression{Start: machine(c.classes, c.change)}).Fit(X, signs); m != nil || err == nil || err.Error() != "logistic: Regression."+c.want {
			t.Errorf("two classes: %v, want %s", err, c.want)
		}
	}
}

// oneOf returns a Start with the hyperplane h between the classes first and 1, as the function
// of the latter; that of the other is 0.
func oneOf(h mlkit.Hyperplane, first int) *mlkit.LinearMachine {
	return &mlkit.LinearMachine{Classes: []int{first, 1}, W: [][]float64{make([]float64, len(h.W)), h.W}, B: []float64{0, h.B}}
}

// The hyperplane between two functions may overflow though they don't. A fit from there begins
// at 0.
func TestStartOverflows(t *testing.T) {
	X, y := samples.VersicolorVirginica(t)
	want := fitted(t, Regression{L2: 1}.Fit, X, y)
	start := oneOf(mlkit.Hyperplane{W: []float64{1e308, 0, 0, -1e308}, B: 1e308}, -1)
	start.W[0] = []float64{-1e308, 0, 0, 1e308}
	if m, err := (Regression{L2: 1, Start: start}).Fit(X, y); err != nil || !reflect.DeepEqual(m, want) {
		t.Errorf("%+v, %v, want %+v", m, err, want)
	}
}
