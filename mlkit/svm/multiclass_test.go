package svm

import (
	"bytes"
	"context"
	"encoding/gob"
	"encoding/json"
	"errors"
	"math"
	"reflect"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"marginalia/datasets"
	"marginalia/mlkit"
	"marginalia/mlkit/internal/rows"
	"marginalia/mlkit/kernel"
	"marginalia/mlkit/perceptron"
)

// Not beside the types: there every program that imports svm would load the methods for
// *Model.
var (
	_ mlkit.Predictor = (*OneAgainstAllModel[*Model])(nil)
	_ mlkit.Predictor = (*OneAgainstOneModel[*Model])(nil)
)

// The numbers are those of scikit-learn 1.9.1, SVC(C=1, tol=1e-10), which is one-vs-one
// like LIBSVM: 3, 12 and 12 support vectors and 149 right with the linear kernel, 7, 19
// and 19 and 148 right with γ = ¼. The labels here are 5, -2 and 40, in another order.
func TestOneAgainstOne(t *testing.T) {
	d := datasets.Iris()
	names := []int{5, -2, 40}
	y := make([]int, 150)
	for i, label := range d.Y {
		y[i] = names[label]
	}
	for _, c := range []struct {
		k       kernel.Kernel
		right   int
		vectors map[int]int
	}{
		{kernel.Linear{}, 149, map[int]int{5: 3, -2: 12, 40: 12}},
		{kernel.RBF{Gamma: 0.25}, 148, map[int]int{5: 7, -2: 19, 40: 19}},
	} {
		m, err := OneAgainstOne[*Model]{Binary: Classifier{Kernel: c.k, Tol: 1e-8}}.Fit(d.X, y)
		if err != nil {
			t.Fatal(err)
		}
		if !slices.Equal(m.Classes, []int{-2, 5, 40}) || !reflect.DeepEqual(m.Pairs, [][2]int{{-2, 5}, {-2, 40}, {5, 40}}) {
			t.Fatalf("classes %v, pairs %v", m.Classes, m.Pairs)
		}
		if n := right(m, d.X, y); n != c.right {
			t.Errorf("%v: %d right, want %d", c.k, n, c.right)
		}
		vectors := map[int]bool{} // support vectors of any machine
		for k, machine := range m.Machines {
			for _, i := range machine.Support {
				vectors[m.Rows[k][i]] = true
			}
		}
		count := map[int]int{}
		for i := range vectors {
			count[y[i]]++
		}
		if !reflect.DeepEqual(count, c.vectors) {
			t.Errorf("%v: support vectors %v, want %v", c.k, count, c.vectors)
		}
		x := d.X.RawRowView(0) // labelled 5, the first class of the last pair only
		if s := m.Decisions(nil, x); s[0] > 0 || s[2] < 0 {
			t.Errorf("decisions %v", s)
		}
		if v := m.Votes(nil, x); v[1] != 2 || v[0]+v[2] != 1 {
			t.Errorf("votes %v", v)
		}
		testRoundTrip(t, m)
	}
}

func TestOneAgainstAll(t *testing.T) {
	d := datasets.Iris()
	m, err := OneAgainstAll[*Model]{Binary: Classifier{C: 10, Kernel: kernel.RBF{Gamma: 0.25}}}.Fit(d.X, d.Y)
	if err != nil {
		t.Fatal(err)
	}
	if n := right(m, d.X, d.Y); n < 145 {
		t.Errorf("%d of 150 right", n)
	}
	for i, label := range d.Y {
		scores := m.Decisions(nil, d.X.RawRowView(i))
		best := 0
		for k := range scores {
			if scores[k] > scores[best] {
				best = k
			}
		}
		if m.Predict(d.X.RawRowView(i)) != best {
			t.Errorf("row %d, labelled %d, has the scores %v", i, label, scores)
		}
	}
	testRoundTrip(t, m)
	// The machine of a class is the binary machine of this class against all others.
	two, err := OneAgainstAll[*LinearModel]{Binary: Newton{}, ClassWeights: map[int]float64{2: 4}}.Fit(d.X, d.Y)
	if err != nil {
		t.Fatal(err)
	}
	signs, weights := make([]int, 150), make([]float64, 150)
	for i, label := range d.Y {
		signs[i], weights[i] = -1, 1
		if label == 2 {
			signs[i], weights[i] = +1, 4
		}
	}
	want, err := Newton{}.FitWeighted(context.Background(), d.X, signs, weights)
	if err != nil || !reflect.DeepEqual(two.Machines[2], want) {
		t.Errorf("class 2: %+v, want %+v, %v", two.Machines[2], want, err)
	}
}

func testRoundTrip[M any](t *testing.T, m *M) {
	t.Helper()
	var b bytes.Buffer
	var back M
	if err := gob.NewEncoder(&b).Encode(m); err != nil {
		t.Fatal(err)
	}
	if err := gob.NewDecoder(&b).Decode(&back); err != nil || !reflect.DeepEqual(m, &back) {
		t.Errorf("gob: %v", err)
	}
	text, err := json.Marshal(m)
	if err != nil {
		t.Fatal(err)
	}
	back = *new(M)
	if err := json.Unmarshal(text, &back); err != nil || !reflect.DeepEqual(m, &back) {
		t.Errorf("json: %v", err)
	}
}

func TestManyClassesFail(t *testing.T) {
	d := datasets.Iris()
	hard := Classifier{C: math.Inf(1)}
	m, err := OneAgainstOne[*Model]{Binary: hard}.Fit(d.X, d.Y)
	var e *mlkit.NotConvergedError
	if !errors.As(err, &e) || e.Model != any(m) || len(m.Machines) != 3 || !strings.Contains(err.Error(), "1 against 2") {
		t.Errorf("one against one, not separable: %v", err)
	}
	all, err := OneAgainstAll[*Model]{Binary: hard}.Fit(d.X, d.Y)
	if !errors.As(err, &e) || e.Model != any(all) || len(all.Machines) != 3 || !strings.Contains(err.Error(), "1 against the others") {
		t.Errorf("one against all, not separable: %v", err)
	}
	for _, c := range []struct {
		err error
		say string
	}{
		{second(OneAgainstOne[*Model]{}.Fit(d.X, d.Y)), "svm: OneAgainstOne.Binary is nil"},
		{second(OneAgainstAll[*Model]{}.Fit(d.X, d.Y)), "svm: OneAgainstAll.Binary is nil"},
		{second(OneAgainstAll[*Model]{Binary: hard}.Fit(nil, d.Y)), "svm: X is nil"},
		{second(OneAgainstAll[*Model]{Binary: hard}.Fit(d.X, d.Y[1:])), "svm: len(y) = 149"},
		{second(OneAgainstAll[*Model]{Binary: hard}.Fit(d.X, make([]int, 150))), "svm: y has only the label 0"},
		{second(OneAgainstOne[*Model]{Binary: Classifier{C: -1}}.Fit(d.X, d.Y)), "svm: Classifier.C = -1"},
		{second(OneAgainstAll[*Model]{Binary: Classifier{C: -1}}.Fit(d.X, d.Y)), "svm: Classifier.C = -1"},
		{second(OneAgainstOne[*Model]{Binary: hard, ClassWeights: map[int]float64{1: -1}}.Fit(d.X, d.Y)), "svm: ClassWeights[1] = -1"},
		{second(OneAgainstOne[*perceptron.Model]{Binary: perceptron.Perceptron{}, ClassWeights: map[int]float64{1: 2}}.Fit(d.X, d.Y)), "svm: ClassWeights: perceptron.Perceptron has no method"},
	} {
		if c.err == nil || !strings.HasPrefix(c.err.Error(), c.say) {
			t.Errorf("got %v, want %q", c.err, c.say)
		}
	}
}

// By hand: the targets of two samples are the probabilities 2/3 and 1/3, so As + B is
// -log 2 at s and log 2 at -s: B = 0, A = -log 2 / s. This holds for every s with a
// finite A. Scaling the scores by a power of two scales only A.
func TestPlattUnits(t *testing.T) {
	for _, s := range []float64{1e300, 1e160, 1, 1e-5, 1e-100, 1e-300, math.MaxFloat64} {
		p, err := FitPlatt([]float64{s, -s}, []int{+1, -1})
		if err != nil || math.Abs(p.A*s+math.Ln2) > 1e-8 || math.Abs(p.B) > 1e-8 || math.Abs(p.Prob(s)-2./3) > 1e-8 {
			t.Errorf("scores ±%v: %+v, %v, want A = %v", s, p, err, -math.Ln2/s)
		}
	}
	scores, y := []float64{3, 1, 0.5, -0.25, -2, 1.5, -1}, []int{1, 1, -1, 1, -1, 1, -1}
	want, err := FitPlatt(scores, y)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range []int{-1000, -30, 1, 30, 1000} {
		scaled := make([]float64, len(scores))
		for i, s := range scores {
			scaled[i] = math.Ldexp(s, e)
		}
		if p, err := FitPlatt(scaled, y); err != nil || math.Ldexp(p.A, e) != want.A || p.B != want.B {
			t.Errorf("2^%d: %+v, %v, want A = %v times as much", e, p, err, want)
		}
	}
	if p, err := FitPlatt([]float64{5e-324, -5e-324}, []int{+1, -1}); err == nil || !strings.Contains(err.Error(), "scale them to larger numbers") {
		t.Errorf("the smallest numbers: %+v, %v, want an error", p, err)
	}
}

// By hand, with two distinct scores the fit is exact: at +1 are 3 positive samples and 1
// negative one, at -1 the reverse. The targets are 5/6 and 1/6. Their mean at +1 is
// (3·5/6 + 1/6)/4 = ⅔, so A + B = -log 2, and B = 0.
func TestPlatt(t *testing.T) {
	p, err := FitPlatt([]float64{1, 1, 1, 1, -1, -1, -1, -1}, []int{1, 1, 1, -1, -1, -1, -1, 1})
	if err != nil {
		t.Fatal(err)
	}
	near(t, "A", p.A, -math.Ln2, 1e-8)
	near(t, "B", p.B, 0, 1e-8)
	near(t, "P(1)", p.Prob(1), 2./3, 1e-8)
	if p.Prob(1e6) != 1 || p.Prob(-1e6) != 0 {
		t.Errorf("far away: %v and %v", p.Prob(1e6), p.Prob(-1e6))
	}
	near(t, "P + (1-P)", p.Prob(30)+p.Prob(-30), 1, 1e-15)

	// With equal scores P is the mean target, (n₊ t₊ + n₋ t₋)/n = (3·4/5 + 1/3)/4.
	p, err = FitPlatt([]float64{2, 2, 2, 2}, []int{1, 1, 1, -1})
	if err != nil {
		t.Fatal(err)
	}
	near(t, "P", p.Prob(2), (3*4./5+1./3)/4, 1e-8)

	for _, c := range []struct {
		err error
		say string
	}{
		{second(FitPlatt(nil, nil)), "svm: scores is empty"},
		{second(FitPlatt([]float64{1}, nil)), "svm: len(y) = 0"},
		{second(FitPlatt([]float64{1, 2}, []int{1, 1})), "svm: y has only"},
		{second(FitPlatt([]float64{1, math.NaN()}, []int{1, -1})), "svm: scores[1] = NaN"},
	} {
		if c.err == nil || !strings.HasPrefix(c.err.Error(), c.say) {
			t.Errorf("got %v, want %q", c.err, c.say)
		}
	}
}

func TestCrossScores(t *testing.T) {
	X, y := irises(t, 1, 2)
	ctx := context.Background()
	scores, err := CrossScores(ctx, Newton{}, X, y, 5, 1)
	if err != nil {
		t.Fatal(err)
	}
	own, err := Newton{}.Fit(X, y)
	if err != nil {
		t.Fatal(err)
	}
	wrong := 0
	for i, s := range scores {
		if s == own.Score(X.RawRowView(i)) {
			t.Errorf("row %d is scored by the model of all rows", i)
		}
		if rows.Side(s) != y[i] {
			wrong++
		}
	}
	if wrong == 0 || wrong > 8 {
		t.Errorf("%d of 100 wrong", wrong)
	}
	p, err := FitPlatt(scores, y)
	if err != nil || p.A >= 0 {
		t.Errorf("%+v, %v", p, err)
	}
	for _, c := range []struct {
		err error
		say string
	}{
		{second(CrossScores(ctx, Newton{}, X, y, 1, 0)), "svm: folds = 1"},
		{second(CrossScores(ctx, Newton{}, X, y[1:], 5, 0)), "svm: len(y) = 99"},
		{second(CrossScores(ctx, Newton{C: -1}, X, y, 5, 0)), "svm: Newton.C = -1"},
		{second(CrossScores(ctx, Newton{}, mat.NewDense(3, 1, []float64{1, 2, 3}), []int{1, 1, -1}, 2, 0)), "svm: y has the label -1 in 1 row"},
	} {
		if c.err == nil || !strings.HasPrefix(c.err.Error(), c.say) {
			t.Errorf("got %v, want %q", c.err, c.say)
		}
	}
}
