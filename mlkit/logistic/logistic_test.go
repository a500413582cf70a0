package logistic

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"marginalia/mlkit"
	"marginalia/mlkit/internal/check"
	"marginalia/mlkit/internal/rows"
	"marginalia/mlkit/internal/samples"
	"marginalia/mlkit/internal/testkit"
)

// From Newton's method in 40 digits (mpmath, from the decimals of the data), without a penalty
// and with L2 = 1. R's glm prints -2.465, -6.681, 9.429, 18.286 and -42.638. scikit-learn 1.2.1
// without a penalty agrees to six digits, and on the log-likelihood; LogisticRegression(C=1)
// agrees within its tolerance.
func TestLogisticMaximumLikelihood(t *testing.T) {
	X, y := samples.VersicolorVirginica(t)
	free := []float64{-2.46522019518666, -6.68088701407855, 9.42938515392664, 18.286136887851, -42.637803813022}
	penalised := []float64{-0.394433478572059, -0.513277404428434, 2.93075138385336, 2.41703218833701, -14.4307581801687}
	for _, c := range []struct {
		l       Regression
		want    []float64 // w and b
		tol, bs float64   // of w and of b
	}{
		{Regression{}, free, 1e-9, 1e-9}, {Regression{Solver: LBFGS, Tol: 1e-7}, free, 1e-3, 1e-3},
		{Regression{L2: 1}, penalised, 1e-12, 5e-12}, {Regression{L2: 1, Solver: LBFGS, Tol: 1e-7}, penalised, 1e-5, 5e-5},
	} {
		m := fitted(t, c.l.Fit, X, y)
		h := hyperplane(t, m)
		samples.Near(t, "w", h.W, c.want[:4], c.tol)
		samples.Near(t, "b", []float64{h.B}, c.want[4:], c.bs)
		if !m.Converged || c.l.L2 == 0 && (m.Objective != -m.LogLikelihood || math.Abs(m.LogLikelihood+5.949273395680) > 1e-9) {
			t.Errorf("%+v, want the log-likelihood -5.949273395680 without a penalty", m)
		}
	}
}

// From scikit-learn 1.2.1, LogisticRegression(C=1) with three classes.
func TestSoftmax(t *testing.T) {
	X, y := samples.Iris(t)
	for _, l := range []Regression{{L2: 1}, {L2: 1, Solver: LBFGS, Tol: 1e-7}} {
		m := fitted(t, l.Fit, X, y)
		samples.Near(t, "w", slices.Concat(m.W...), []float64{
			-0.423509883, 0.9673506, -2.517152371, -1.079336649,
			0.534461495, -0.321587865, -0.206392071, -0.944298462,
			-0.110951612, -0.645762734, 2.723544442, 2.023635111}, 2e-5)
		samples.Near(t, "b", m.B, []float64{9.849567769, 2.237205725, -12.086773494}, 1e-4)
		if rows := samples.Wrong(m.Predictions(nil, X), y); len(rows) != 4 { // accuracy 0.97333
			t.Errorf("rows %v are wrong, want four", rows)
		}
	}
}

// From scikit-learn 1.2.1 on the data of "The Elements of Statistical Learning"; an error
// of 0.27 is 54 samples.
func TestLogisticMixture(t *testing.T) {
	X, y := samples.Mixture(t)
	m := fitted(t, Regression{}.Fit, X, y)
	h := hyperplane(t, m)
	samples.Near(t, "w", h.W, []float64{-0.134373921, 1.398068823}, 1e-5)
	samples.Near(t, "b", []float64{h.B}, []float64{-0.978041683}, 1e-5)
	if rows := samples.Wrong(m.Predictions(nil, X), y); len(rows) != 54 {
		t.Errorf("%d errors, want 54", len(rows))
	}
}

// noisy draws samples whose labels follow a logistic model, in columns of very
// different units.
func noisy(rnd *rand.Rand, n, d int) (*mat.Dense, []int) {
	X, y := mat.NewDense(n, d, nil), make([]int, n)
	for i := range n {
		s := 0.3
		for j := range d {
			v := rnd.NormFloat64()
			s += v / float64(j+1)
			X.Set(i, j, v*math.Pow(10, float64(j-1))+float64(j))
		}
		y[i] = -1
		if rnd.Float64() < rows.Sigmoid(s) {
			y[i] = 1
		}
	}
	return X, y
}

// checkGradient checks the conditions for a minimum, from the definition of the
// objective. With p_i = P(Y=1|x_i), Σ (p_i - [y_i=1]) x_ij + L2 w_j is -L1 sign(w_j), or
// at most L1 where w_j = 0, and Σ (p_i - [y_i=1]) = 0.
func checkGradient(t *testing.T, l Regression, X *mat.Dense, y []int, m *Model, tol float64) {
	t.Helper()
	n, d := X.Dims()
	g, size := make([]float64, d+1), make([]float64, d+1)
	for i := range n {
		r := m.Prob(X.RawRowView(i)) - float64((y[i]+1)/2)
		for j, x := range append(slices.Clone(X.RawRowView(i)), 1) {
			g[j] += r * x
			size[j] += math.Abs(x)
		}
	}
	for j, w := range hyperplane(t, m).W {
		g[j] += l.L2 * w
		if w != 0 {
			g[j] += math.Copysign(l.L1, w)
		} else {
			g[j] = math.Max(0, math.Abs(g[j])-l.L1)
		}
	}
	for j, v := range g {
		if math.Abs(v) > tol*size[j] {
			t.Errorf("%+v: derivative %d is %v, want 0 within %g", l, j, v, tol*size[j])
		}
	}
}

func TestLogisticOptimality(t *testing.T) {
	rnd := rand.New(rand.NewPCG(5, 6))
	for k := range 12 {
		X, y := noisy(rnd, 60+10*k, 1+k%4)
		for _, l := range []Regression{
			{}, {L2: 0.01}, {L2: 100}, {L1: 0.5}, {L1: 20}, {L1: 2, L2: 3},
			{L1: 0.5, Solver: CoordinateDescent, Tol: 1e-11}, {L1: 20, Solver: CoordinateDescent, Tol: 1e-11}, {L1: 2, L2: 3, Solver: CoordinateDescent, Tol: 1e-11},
			{Solver: LBFGS}, {L2: 2, Solver: LBFGS},
		} {
			tol := map[Solver]float64{ByShape: 1e-10, CoordinateDescent: 1e-9, LBFGS: 1e-5}[l.Solver]
			checkGradient(t, l, X, y, fitted(t, l.Fit, X, y), tol)
		}
	}
}

// An L1 above the largest derivative at w = 0 leaves no weight, and one just below it
// leaves one.
func TestLogisticSparse(t *testing.T) {
	X, y := samples.VersicolorVirginica(t)
	most := 0.0
	for j := range 4 { // at w = 0, b = 0 the derivative is -½ Σ yᵢxᵢⱼ
		col, g := mat.Col(nil, j, X), 0.0
		for i, v := range col {
			g += float64(y[i]) * v / 2
		}
		most = math.Max(most, math.Abs(g))
	}
	for _, c := range []struct {
		share   float64
		nonzero int
	}{{1.0001, 0}, {0.9999, 1}} {
		for _, solver := range []Solver{Newton, CoordinateDescent} {
			h := hyperplane(t, fitted(t, Regression{L1: c.share * most, Solver: solver}.Fit, X, y))
			nonzero := 0
			for _, w := range h.W {
				if w != 0 {
					nonzero++
				}
			}
			if nonzero != c.nonzero {
				t.Errorf("L1 = %v, %v: w = %v, want %d weights", c.share*most, solver, h.W, c.nonzero)
			}
		}
	}
}

// Versicolor and virginica overlap but setosa is apart, so without a penalty there is no
// maximum.
func TestSoftmaxOptimality(t *testing.T) {
	X, y := samples.Iris(t)
	for _, l := range []Regression{
		{L2: 0.1}, {L1: 0.5}, {L1: 0.1, L2: 0.2},
		{L1: 0.5, Solver: CoordinateDescent, Tol: 1e-11}, {L1: 0.1, L2: 0.2, Solver: CoordinateDescent, Tol: 1e-11},
	} {
		m := fitted(t, l.Fit, X, y)
		if worst := kkt(l, X, y, m); !(worst <= 1e-8/150) {
			t.Errorf("%+v: the conditions are violated by %v", l, worst)
		}
		if sum := floats.Sum(m.B); math.Abs(sum) > 1e-9*floats.Norm(m.B, 1) {
			t.Errorf("%+v: Σ b_k = %v of %v, want 0 by definition, even where L1 keeps the w_k from it", l, sum, m.B)
		}
	}
	_, err := Regression{}.Fit(X, y)
	var e *SeparableError
	if !errors.As(err, &e) || e.Complete {
		t.Fatalf("err = %v, want a SeparableError, not complete", err)
	}
	checkDirection(t, e, X, y)
}

// checkDirection checks the direction of e by its definition.
func checkDirection(t *testing.T, e *SeparableError, X *mat.Dense, y []int) {
	t.Helper()
	least, most := math.Inf(1), 0.0
	for i, label := range y {
		x := X.RawRowView(i)
		if len(e.W) == 1 {
			s := float64(label) * (floats.Dot(e.W[0], x) + e.B[0])
			least, most = min(least, s), max(most, s)
			continue
		}
		for k := range e.W {
			if k == label {
				continue
			}
			s := floats.Dot(e.W[label], x) + e.B[label] - floats.Dot(e.W[k], x) - e.B[k]
			least, most = min(least, s), max(most, s)
		}
	}
	if least < -1e-8*most || most <= 0 || e.Complete && least <= 0 {
		t.Errorf("direction %v, %v prefers by %v to %v", e.W, e.B, least, most)
	}
}

// A constant column has no weight and changes nothing, whatever the constant and the number of
// samples: the mean of 400 sevens, as it is computed, is not 7.
func TestLogisticConstantColumn(t *testing.T) {
	onBothPaths(t, func(t *testing.T) {
		for _, value := range []float64{7, 0.1, -1e6, 1e12 + 0.3, 1e-200} {
			X, y := noisy(rand.New(rand.NewPCG(61, 62)), 400, 2)
			wide := mat.NewDense(400, 3, nil)
			for i := range y {
				wide.SetRow(i, append(slices.Clone(X.RawRowView(i)), value))
			}
			for _, l := range []Regression{{}, {L2: 1}, {L1: 1}, {Solver: LBFGS}, {L1: 1, Solver: CoordinateDescent}} {
				want := fitted(t, l.Fit, X, y)
				m, err := l.Fit(wide, y)
				if h := hyperplane(t, m); err != nil || h.W[2] != 0 {
					t.Fatalf("%v, L1 %v, L2 %v, a column of %v: w = %v, %v", l.Solver, l.L1, l.L2, value, h.W, err)
				}
				samples.Near(t, "P", m.Probs(nil, wide), want.Probs(nil, X), 1e-12)
			}
		}
	})
}

// Two equal columns share the weight that one would have. A constant column has none.
func TestLogisticCollinear(t *testing.T) {
	X, y := samples.VersicolorVirginica(t)
	m := fitted(t, Regression{}.Fit, X, y)
	wide := mat.NewDense(100, 6, nil)
	for i := range 100 {
		x := X.RawRowView(i)
		wide.SetRow(i, []float64{x[0], x[1], x[2], x[3], x[3], 0.1})
	}
	o := fitted(t, Regression{}.Fit, wide, y)
	w := hyperplane(t, m).W
	half := w[3] / 2
	samples.Near(t, "w", hyperplane(t, o).W, []float64{w[0], w[1], w[2], half, half, 0}, 1e-5)
	samples.Near(t, "P", o.Probs(nil, wide), m.Probs(nil, X), 1e-8)
}

// fitted returns what fit learns from X and y, and ends the test if that is an error.
func fitted[M, Y any](t testing.TB, fit func(*mat.Dense, Y) (M, error), X *mat.Dense, y Y) M {
	t.Helper()
	m := testkit.Try(fit(X, y)).Or(t)
	return m
}

// hyperplane returns that of a model of two classes, and ends the test if there are more.
func hyperplane(t testing.TB, m *Model) mlkit.Hyperplane {
	t.Helper()
	h, ok := m.Hyperplane()
	if !ok {
		t.Fatalf("a model of the classes %v has no hyperplane", m.Classes)
	}
	return h
}

// softmaxOfTwo fits the softmax to samples of two classes, a w for each, and penalises both.
// Regression solves the problem of one w instead; that of the softmax has the same likelihood,
// and oracles for two classes judge what it does for many.
func softmaxOfTwo(l Regression, X *mat.Dense, y []int, of []float64) (*Model, error) {
	X, y, v, err := l.weighted(X, y, of)
	if err != nil {
		return nil, err
	}
	classes, index, err := check.Classes("logistic", len(y), y)
	if err != nil {
		return nil, err
	}
	p, err := newProblem(context.Background(), l.solvedBy(X, 2), X, labels{index, v, 2})
	if err != nil {
		return nil, err
	}
	var W [][]float64
	var B []float64
	if l.Start != nil {
		W, B = l.Start.W, l.Start.B
	}
	run, cause := p.run(W, B)
	m := &Model{
		LogLinearMachine: mlkit.LogLinearMachine{LinearMachine: machine(classes, p, run.theta)},
		LogLikelihood:    -run.loss,
		Objective:        run.objective,
		Iterations:       run.iterations,
		Converged:        run.converged,
	}
	return m, p.failure(run, cause, m)
}

// Two classes may have any labels: the smaller is -1 and the other +1. The two functions are
// each other's negatives, and their difference is the hyperplane of the problem.
func TestLogisticLabels(t *testing.T) {
	X, y := samples.VersicolorVirginica(t)
	for _, l := range []Regression{{}, {L2: 1, Solver: LBFGS}, {L1: 1}, {L1: 1, Solver: CoordinateDescent}} {
		want := fitted(t, l.Fit, X, y)
		if !slices.Equal(want.Classes, []int{-1, 1}) || want.B[0] != -want.B[1] {
			t.Errorf("%+v: classes %v, b = %v", l, want.Classes, want.B)
		}
		for j, w := range hyperplane(t, want).W {
			if want.W[1][j] != w/2 || want.W[0][j] != -w/2 || w == 0 && math.Signbit(want.W[0][j]) {
				t.Errorf("%+v: w = %v, want ∓½ of %v", l, want.W, w)
			}
		}
		for _, labels := range [][]int{{0, 1}, {3, 7}, {math.MinInt, math.MaxInt}} {
			other, weights := make([]int, len(y)), map[int]float64{labels[1]: 1}
			for i, s := range y {
				other[i] = labels[(s+1)/2]
			}
			l.ClassWeights = weights
			m := fitted(t, l.Fit, X, other)
			if !slices.Equal(m.Classes, labels) {
				t.Errorf("%+v: classes %v, want %v", l, m.Classes, labels)
			}
			for i, label := range m.Predictions(nil, X) {
				x := X.RawRowView(i)
				if s := m.Score(x); label != labels[(want.Predict(x)+1)/2] || m.Predict(x) != label || (s >= 0) != (label == labels[1]) {
					t.Errorf("%+v: row %d: %d and %d, score %v", l, i, label, m.Predict(x), s)
				}
			}
			if m.Classes = want.Classes; !reflect.DeepEqual(m, want) {
				t.Errorf("%+v: labels %v: %+v, want %+v", l, labels, m, want)
			}
		}
	}
}

// Three classes have no score, and say which methods there are instead.
func TestLogisticScoreOfThree(t *testing.T) {
	X, y := samples.Iris(t)
	m := fitted(t, Regression{L2: 1}.Fit, X, y)
	if h, ok := m.Hyperplane(); ok {
		t.Errorf("Hyperplane: %v, want none", h)
	}
	for name, call := range map[string]func(){
		"Score": func() { m.Score(X.RawRowView(0)) }, "Scores": func() { m.Scores(nil, X) },
		"Prob": func() { m.Prob(X.RawRowView(0)) }, "Probs": func() { m.Probs(nil, X) },
	} {
		func() {
			defer func() {
				said := fmt.Sprint(recover())
				for _, want := range []string{name, "Discriminants", "Posterior"} {
					if !strings.Contains(said, want) {
						t.Errorf("%s panics with %q, want %s in it", name, said, want)
					}
				}
			}()
			call()
		}()
	}
}
