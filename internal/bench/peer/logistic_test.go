//go:build unix

package peer_test

import (
	"errors"
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat"

	"marginalia/internal/testkit/must"
	"marginalia/mlkit"
	"marginalia/mlkit/logistic"
)

var logisticModels = []model{
	{"logistic", compareLogistic, []rule{
		{"objective", 1e-11, "both stop where Newton's next step would change it by less"},
		{"objective by L-BFGS", 1, "in units of |∇|·|w-w'|, which bounds it as it is convex; it stops at ∇ = 1e-7 n"},
		{"probabilities by L-BFGS", 1e-4, "|w-w'| ≤ |∇|/L2; compared if L2 > 1"},
		{"weights", 1e-7, "in units of the largest, on standardised samples; compared where they are unique"},
		{"probabilities", 1e-8, "the error of the weights, times a derivative of at most 1/4"},
		{"decisions", 0, "equal, but where the score is 0 within that"},
	}},
	{"logistic_l1", compareSparseLogistic, []rule{
		{"objective", 1e-9, "SAGA stops when no weight changes by more than 1e-10 of the largest"},
		{"probabilities", 1e-5, "the objective is flat: its square root"},
	}},
	{"logistic_wide", compareWideLogistic, []rule{
		{"objective", 1e-6, "Regression.Tol: at most 1e-6 of the objective above the minimum, or 1e-6 if it is below 1"},
	}},
	{"softmax", compareSoftmax, []rule{
		{"objective", 1e-11, "as for two classes"},
		{"objective by L-BFGS", 1, "as for two classes"},
		{"probabilities by L-BFGS", 1e-4, "as for two classes"},
		{"weights", 1e-7, "as for two classes; the penalty makes them unique"},
		{"probabilities", 1e-8, "as for two classes"},
		{"decisions", 0, "equal, but where two probabilities are within that"},
	}},
}

type logisticAnswer struct {
	W             [][]float64
	B             []float64
	Probabilities [][]float64
	Fitted        [][]float64 // the probabilities for X
	Decisions     []int
}

// hyperplane is the one of two classes, with the b that its samples ask for where all weights are 0.
func (a logisticAnswer) hyperplane(t *trial, y []int, v importance) mlkit.Hyperplane {
	h := mlkit.Hyperplane{W: a.W[0], B: a.B[0]}
	if size(h.W) == 0 {
		t.explain("all weights are 0: SAGA looks at the weights alone and stops before it has found b, which is log(n₊/n₋)")
		h.B = math.Log(v.total(y, 1) / v.total(y, -1))
	}
	return h
}

// importance is the weights of the samples and of the classes. Each is nil in one of two
// trials.
type importance struct {
	weights []float64
	classes map[int]float64
}

func (t *trial) importance(y []int) (i importance) {
	if t.IntN(2) == 0 {
		i.weights = t.weights(y)
	}
	if t.IntN(2) == 0 {
		i.classes = map[int]float64{y[0]: t.power(-1, 1)}
	}
	t.Logf("classes %v, weights %v", i.classes, i.weights != nil)
	return i
}

// of returns the weight of sample k of label y.
func (i importance) of(k, y int) float64 {
	w := 1.0
	if i.weights != nil {
		w = i.weights[k]
	}
	if c, ok := i.classes[y]; ok {
		w *= c
	}
	return w
}

// total returns the weight of the samples with one of the given labels.
func (i importance) total(y []int, labels ...int) (sum float64) {
	for k, label := range y {
		if slices.Contains(labels, label) {
			sum += i.of(k, label)
		}
	}
	return sum
}

// balanced returns the weights of the classes -1 and 1 that give both the same total weight.
// scikit-learn's LogisticRegression multiplies by the weights of samples first, too.
func (i importance) balanced(y []int) map[int]float64 {
	all := i.total(y, -1, 1)
	return map[int]float64{-1: all / (2 * i.total(y, -1)), 1: all / (2 * i.total(y, 1))}
}

// kept returns the samples of a weight above 0.
func (i importance) kept(X *mat.Dense) *mat.Dense {
	n, d := X.Dims()
	var data []float64
	for k := range n {
		if i.weights == nil || i.weights[k] > 0 {
			data = append(data, X.RawRowView(k)...)
		}
	}
	return mat.NewDense(len(data)/d, d, data)
}

// compareLogistic draws weak and strong penalties, and none in one of four trials.
func compareLogistic(t *trial) {
	n, d := t.size()
	X := standardised(t.samples(n, d))
	y := t.signs(X)
	l := logistic.Regression{L2: t.power(-5, 4), Solver: logistic.Newton + logistic.Solver(t.IntN(2))}
	if t.IntN(4) == 0 {
		l.L2 = 0
	}
	l.Tol = map[logistic.Solver]float64{logistic.Newton: 1e-9, logistic.LBFGS: 1e-7}[l.Solver]
	t.Logf("L2 %g, %v", l.L2, l.Solver)
	v := t.importance(y)
	l.ClassWeights = v.classes
	if l.Balanced = v.classes == nil && t.IntN(2) == 0; l.Balanced {
		v.classes = v.balanced(y)
	}
	m, err := l.FitWith(mlkit.Options{Weights: v.weights}, X, y)
	if errors.As(err, new(*logistic.SeparableError)) {
		t.explain("separable, so there is no maximum: refused, where scikit-learn returns how far it came")
		return
	}
	if err != nil {
		t.Fatal(err)
	}
	Z := t.others(X, 10)
	var sk logisticAnswer
	t.ask(map[string]any{"X": rows(X), "y": y, "Z": rows(Z), "L2": l.L2, "weights": v.weights, "classes": l.ClassWeights, "balanced": l.Balanced}, &sk)
	theirs := mlkit.Hyperplane{W: sk.W[0], B: sk.B[0]}
	h, value := m.Between(1, 0), logisticValue(theirs, X, y, v, l.L2, 0)
	if l.Solver == logistic.LBFGS {
		apart := floats.Distance(h.W, theirs.W, 1) + math.Abs(h.B-theirs.B)
		t.one("objective by L-BFGS", logisticValue(h, X, y, v, l.L2, 0), value, v.total(y, -1, 1)*l.Tol*apart+1e-12*value)
		if l.L2 > 1 {
			t.near("probabilities by L-BFGS", m.Probs(nil, X), sigmoids(theirs.Scores(nil, X)), 1)
		}
		return
	}
	t.one("objective", logisticValue(m.Between(1, 0), X, y, v, l.L2, 0), value, value)
	if l.L2 == 0 && dependent(v.kept(X)) {
		return // the hyperplane is not unique
	}
	t.near("weights", append(h.W, h.B), append(sk.W[0], sk.B[0]), 1+size(append(sk.W[0], sk.B[0])))
	t.near("probabilities", m.Probs(nil, Z), column(sk.Probabilities, 1), 1)
	t.same("decisions", m.Predictions(nil, Z), sk.Decisions, undecided(sk.Probabilities, 1e-7))
}

func compareSparseLogistic(t *trial) {
	n, d := t.size()
	X := standardised(t.samples(n, d))
	y := t.signs(X)
	l := logistic.Regression{L1: t.power(-1, 1.5), Tol: 1e-9, Solver: logistic.Newton}
	if t.IntN(2) == 0 {
		l.Solver = logistic.CoordinateDescent
	}
	t.Logf("L1 %g, %v", l.L1, l.Solver)
	v := t.importance(y)
	l.ClassWeights = v.classes
	m := must.Get(l.FitWith(mlkit.Options{Weights: v.weights}, X, y)).Or(t)
	var sk logisticAnswer
	t.ask(map[string]any{"X": rows(X), "y": y, "Z": rows(X), "L1": l.L1, "weights": v.weights, "classes": v.classes}, &sk)
	theirs := sk.hyperplane(t, y, v)
	value := logisticValue(theirs, X, y, v, 0, l.L1)
	t.one("objective", logisticValue(m.Between(1, 0), X, y, v, 0, l.L1), value, value)
	t.near("probabilities", m.Probs(nil, X), sigmoids(theirs.Scores(nil, X)), 1)
}

// compareWideLogistic draws more features than samples. mlkit's default solver is then
// not Newton.
func compareWideLogistic(t *trial) {
	n, d := 20+t.IntN(40), 150+t.IntN(100)
	X := standardised(t.samples(n, d))
	y := t.signs(X)
	l := logistic.Regression{L2: t.power(-2, 4)}
	v := t.importance(y)
	problem := map[string]any{"model": "logistic", "X": rows(X), "y": y, "Z": rows(X), "L2": l.L2, "weights": v.weights, "classes": v.classes}
	if t.IntN(2) == 0 {
		l, v = logistic.Regression{L1: t.power(-1, 1.5)}, importance{} // SAGA takes too long with weights
		problem = map[string]any{"model": "logistic_l1", "X": rows(X), "y": y, "Z": rows(X), "L1": l.L1, "weights": v.weights, "classes": v.classes}
	}
	t.Logf("%d×%d, L2 %g, L1 %g", n, d, l.L2, l.L1)
	l.ClassWeights = v.classes
	m := must.Get(l.FitWith(mlkit.Options{Weights: v.weights}, X, y)).Or(t)
	var sk logisticAnswer
	t.ask(problem, &sk)
	theirs := sk.hyperplane(t, y, v)
	value := logisticValue(theirs, X, y, v, l.L2, l.L1)
	t.one("objective", logisticValue(m.Between(1, 0), X, y, v, l.L2, l.L1), value, max(1, value))
}

func compareSoftmax(t *trial) {
	n, d := t.size()
	X := t.samples(n, d)
	y := t.classes(X, 3+t.IntN(3))
	X = standardised(X)
	l := logistic.Regression{L2: t.power(-4, 4), Solver: logistic.Newton + logistic.Solver(t.IntN(2))}
	l.Tol = map[logistic.Solver]float64{logistic.Newton: 1e-9, logistic.LBFGS: 1e-7}[l.Solver]
	t.Logf("L2 %g, %v", l.L2, l.Solver)
	v := t.importance(y)
	l.ClassWeights = v.classes
	m := must.Get(l.FitWith(mlkit.Options{Weights: v.weights}, X, y)).Or(t)
	Z := t.others(X, 10)
	var sk logisticAnswer
	t.ask(map[string]any{"model": "logistic", "X": rows(X), "y": y, "Z": rows(Z), "L2": l.L2, "weights": v.weights, "classes": v.classes}, &sk)
	value := softmaxValue(sk.W, sk.B, X, y, m.Classes, v, l.L2)
	if l.Solver == logistic.LBFGS {
		// The biases are unique only up to a common constant.
		b, skB := slices.Clone(m.B), slices.Clone(sk.B)
		floats.AddConst(-stat.Mean(b, nil), b)
		floats.AddConst(-stat.Mean(skB, nil), skB)
		apart := floats.Distance(concat(m.W), concat(sk.W), 1) + floats.Distance(b, skB, 1)
		t.one("objective by L-BFGS", softmaxValue(m.W, m.B, X, y, m.Classes, v, l.L2), value, v.total(y, m.Classes...)*l.Tol*apart+1e-12*value)
		if l.L2 > 1 {
			t.near("probabilities by L-BFGS", flat(m.Posteriors(nil, X)), concat(sk.Fitted), 1)
		}
		return
	}
	t.one("objective", softmaxValue(m.W, m.B, X, y, m.Classes, v, l.L2), value, value)
	t.near("weights", concat(m.W), concat(sk.W), 1+size(concat(sk.W)))
	t.near("probabilities", flat(m.Posteriors(nil, Z)), concat(sk.Probabilities), 1)
	t.same("decisions", m.Predictions(nil, Z), sk.Decisions, undecided(sk.Probabilities, 1e-7))
}

// logisticValue returns Σ v log(1 + exp(-y(w·x + b))) plus the penalties.
func logisticValue(h mlkit.Hyperplane, X *mat.Dense, y []int, v importance, l2, l1 float64) float64 {
	sum := l2*floats.Dot(h.W, h.W)/2 + l1*floats.Norm(h.W, 1)
	for i, f := range h.Scores(nil, X) {
		sum += v.of(i, y[i]) * floats.LogSumExp([]float64{0, -float64(y[i]) * f})
	}
	return sum
}

// softmaxValue is the multiclass counterpart of logisticValue.
func softmaxValue(W [][]float64, b []float64, X *mat.Dense, y, classes []int, v importance, l2 float64) float64 {
	sum := 0.0
	for _, w := range W {
		sum += l2 * floats.Dot(w, w) / 2
	}
	f := make([]float64, len(classes))
	for i, label := range y {
		of := 0.0
		for k, w := range W {
			f[k] = floats.Dot(w, X.RawRowView(i)) + b[k]
			if classes[k] == label {
				of = f[k]
			}
		}
		sum += v.of(i, label) * (floats.LogSumExp(f) - of)
	}
	return sum
}

func count(y []int, label int) int {
	n := 0
	for _, v := range y {
		if v == label {
			n++
		}
	}
	return n
}

func sigmoids(scores []float64) []float64 {
	p := make([]float64, len(scores))
	for i, f := range scores {
		p[i] = 1 / (1 + math.Exp(-f))
	}
	return p
}

// standardised returns X with columns scaled to mean 0 and variance 1, or set to 0 if
// constant. scikit-learn's solvers do not find the minimum without it.
func standardised(X *mat.Dense) *mat.Dense {
	n, d := X.Dims()
	S := mat.NewDense(n, d, nil)
	for j := range d {
		c := mat.Col(nil, j, X)
		mean := floats.Sum(c) / float64(n)
		floats.AddConst(-mean, c)
		if s := floats.Norm(c, 2) / math.Sqrt(float64(n)); s > 1e-9*(1+math.Abs(mean)) {
			floats.Scale(1/s, c)
		} else {
			floats.Scale(0, c)
		}
		S.SetCol(j, c)
	}
	return S
}
