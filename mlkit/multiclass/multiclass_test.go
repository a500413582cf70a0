package multiclass_test

import (
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
	"marginalia/mlkit/internal/testkit"
	"marginalia/mlkit/kernel"
	"marginalia/mlkit/multiclass"
	"marginalia/mlkit/perceptron"
	"marginalia/mlkit/svm"
)

// Not beside the types: there every program that imports svm would load the methods for
// *svm.Model.
var (
	_ mlkit.Predictor = (*multiclass.OneVsRestModel[*svm.Model])(nil)
	_ mlkit.Predictor = (*multiclass.OneVsOneModel[*svm.Model])(nil)
)

// The numbers are those of scikit-learn 1.9.1, SVC(C=1, tol=1e-10), which is one-vs-one
// like LIBSVM: 3, 12 and 12 support vectors and 149 right with the linear kernel, 7, 19
// and 19 and 148 right with γ = ¼. The labels here are 5, -2 and 40, in another order.
func TestOneVsOne(t *testing.T) {
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
		m, err := multiclass.OneVsOne[*svm.Model]{Binary: svm.Classifier{Kernel: c.k, Tol: 1e-8}}.Fit(d.X, y)
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

func TestOneVsRest(t *testing.T) {
	d := datasets.Iris()
	m, err := multiclass.OneVsRest[*svm.Model]{Binary: svm.Classifier{C: 10, Kernel: kernel.RBF{Gamma: 0.25}}}.Fit(d.X, d.Y)
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
	two, err := multiclass.OneVsRest[*svm.LinearModel]{Binary: svm.Newton{}, ClassWeights: map[int]float64{2: 4}}.Fit(d.X, d.Y)
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
	want, err := svm.Newton{}.FitWith(mlkit.Options{Weights: weights}, d.X, signs)
	if err != nil || !reflect.DeepEqual(two.Machines[2], want) {
		t.Errorf("class 2: %+v, want %+v, %v", two.Machines[2], want, err)
	}
}

// Rows has no rows of weight 0, so that the support vectors of each machine are where Rows and
// Support say, whichever rows are absent. A class may be absent too.
func TestRowsOfPairs(t *testing.T) {
	d := datasets.Iris()
	for _, absent := range []func(i int) bool{
		func(i int) bool { return i%3 == 0 }, func(i int) bool { return i < 7 || i == 149 }, func(i int) bool { return d.Y[i] == 1 || i%2 == 0 },
	} {
		weights := make([]float64, 150)
		var kept []int
		for i := range weights {
			if !absent(i) {
				weights[i], kept = 1, append(kept, i)
			}
		}
		o := multiclass.OneVsOne[*svm.Model]{Binary: svm.Classifier{}}
		m := testkit.Try(o.FitWith(mlkit.Options{Weights: weights}, d.X, d.Y)).Or(t)
		want := testkit.Try(o.Fit(rows.Select(d.X, kept), rows.Pick(d.Y, kept))).Or(t)
		if !slices.Equal(m.Classes, want.Classes) || !reflect.DeepEqual(m.Pairs, want.Pairs) {
			t.Errorf("classes %v and pairs %v, want %v and %v", m.Classes, m.Pairs, want.Classes, want.Pairs)
			continue
		}
		for k, machine := range m.Machines {
			if !slices.Equal(m.Rows[k], rows.Pick(kept, want.Rows[k])) {
				t.Errorf("rows %v, want %v of %v", m.Rows[k], want.Rows[k], kept)
				continue
			}
			if !reflect.DeepEqual(machine.Vectors, want.Machines[k].Vectors) || len(machine.Support) == 0 {
				t.Errorf("%v: other support vectors, at %v, want %v", m.Pairs[k], machine.Support, want.Machines[k].Support)
			}
			for v, i := range machine.Support {
				if !slices.Equal(machine.Vectors[v], d.X.RawRowView(m.Rows[k][i])) {
					t.Errorf("%v: support vector %d is not row %d of X", m.Pairs[k], v, m.Rows[k][i])
				}
			}
		}
	}
}

func testRoundTrip[M any](t *testing.T, m *M) {
	t.Helper()
	text := testkit.Try(json.Marshal(m)).Or(t)
	var back M
	if err := json.Unmarshal(text, &back); err != nil || !reflect.DeepEqual(m, &back) {
		t.Errorf("json: %v", err)
	}
}

// none is an algorithm that learns no model, and says only why.
type none struct{ err error }

func (n none) FitWith(mlkit.Options, *mat.Dense, []int) (*svm.Model, error) { return nil, n.err }

func TestManyClassesFail(t *testing.T) {
	d := datasets.Iris()
	hard := svm.Classifier{C: math.Inf(1)}
	m, err := multiclass.OneVsOne[*svm.Model]{Binary: hard}.Fit(d.X, d.Y)
	var e *mlkit.NotConvergedError
	if !errors.As(err, &e) || e.Model != any(m) || len(m.Machines) != 3 || !strings.Contains(err.Error(), "1 against 2") {
		t.Errorf("one-vs-one, not separable: %v", err)
	}
	all, err := multiclass.OneVsRest[*svm.Model]{Binary: hard}.Fit(d.X, d.Y)
	if !errors.As(err, &e) || e.Model != any(all) || len(all.Machines) != 3 || !strings.Contains(err.Error(), "1 against the others") {
		t.Errorf("one-vs-rest, not separable: %v", err)
	}
	for _, c := range []struct {
		err error
		say string
	}{
		{second(multiclass.OneVsOne[*svm.Model]{}.Fit(d.X, d.Y)), "multiclass: OneVsOne.Binary is nil"},
		{second(multiclass.OneVsRest[*svm.Model]{}.Fit(d.X, d.Y)), "multiclass: OneVsRest.Binary is nil"},
		{second(multiclass.OneVsRest[*svm.Model]{Binary: (*svm.Classifier)(nil)}.Fit(d.X, d.Y)), "multiclass: OneVsRest.Binary is nil"},
		{second(multiclass.OneVsRest[*svm.Model]{Binary: none{}}.Fit(d.X, d.Y)), "multiclass: the fit of multiclass_test.none returns nil with the error <nil>, want a model (OneVsRest, 0 against the others)"},
		{second(multiclass.OneVsOne[*svm.Model]{Binary: none{&mlkit.NotConvergedError{Algorithm: "own", Reason: "lazy"}}}.Fit(d.X, d.Y)), "multiclass: the fit of multiclass_test.none returns nil with the error own: not converged: lazy, want a model (OneVsOne, 0 against 1)"},
		{second(multiclass.OneVsRest[*svm.Model]{Binary: hard}.Fit(nil, d.Y)), "multiclass: X is nil"},
		{second(multiclass.OneVsRest[*svm.Model]{Binary: hard}.Fit(d.X, d.Y[1:])), "multiclass: len(y) = 149"},
		{second(multiclass.OneVsRest[*svm.Model]{Binary: hard}.Fit(d.X, make([]int, 150))), "multiclass: y has only the label 0"},
		{second(multiclass.OneVsOne[*svm.Model]{Binary: svm.Classifier{C: -1}}.Fit(d.X, d.Y)), "svm: Classifier.C = -1"},
		{second(multiclass.OneVsRest[*svm.Model]{Binary: svm.Classifier{C: -1}}.Fit(d.X, d.Y)), "svm: Classifier.C = -1"},
		{second(multiclass.OneVsOne[*svm.Model]{Binary: hard, ClassWeights: map[int]float64{1: -1}}.Fit(d.X, d.Y)), "multiclass: ClassWeights[1] = -1"},
		{second(multiclass.OneVsOne[*svm.Model]{Binary: hard}.FitWith(mlkit.Options{Weights: []float64{1}}, d.X, d.Y)), "multiclass: len(weights) = 1, want 150"},
		{second(multiclass.OneVsRest[*svm.Model]{Binary: hard}.FitWith(mlkit.Options{Weights: only(100, 150, 1)}, d.X, d.Y)), "multiclass: weights are above 0 only in rows with y = 2, want rows of at least two labels"},
		{second(multiclass.OneVsOne[*svm.Model]{Binary: hard, ClassWeights: map[int]float64{2: 1e-300}}.FitWith(mlkit.Options{Weights: only(50, 150, 1e-300)}, d.X, d.Y)), "multiclass: weights[100]: the weight of the row times that of its class is 0, want 0 only where that of the row is, or a finite number above"},
		{second(multiclass.OneVsRest[*svm.Model]{Binary: hard, ClassWeights: map[int]float64{1: 1e300}}.FitWith(mlkit.Options{Weights: only(0, 150, 1e300)}, d.X, d.Y)), "multiclass: weights[50]: the weight of the row times that of its class is +Inf"},
		{second(multiclass.OneVsOne[*perceptron.Model]{Binary: perceptron.Perceptron{}, ClassWeights: map[int]float64{1: 2}}.Fit(d.X, d.Y)), "perceptron: Perceptron takes no weights of samples, want Options.Weights = nil (OneVsOne, 0 against 1)"},
	} {
		if c.err == nil || !strings.HasPrefix(c.err.Error(), c.say) {
			t.Errorf("got %v, want %q", c.err, c.say)
		}
	}
}

// only returns weights of 150 rows, 0 except from row from to before row to.
func only(from, to int, weight float64) []float64 {
	weights := make([]float64, 150)
	for i := from; i < to; i++ {
		weights[i] = weight
	}
	return weights
}

// right returns the number of correct labels.
func right(m mlkit.Predictor, X *mat.Dense, y []int) int {
	count := 0
	for i, label := range m.Predictions(nil, X) {
		if label == y[i] {
			count++
		}
	}
	return count
}
