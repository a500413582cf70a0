package neighbors_test

import (
	"fmt"
	"log"
	"math"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"marginalia/datasets"
	"marginalia/mlkit"
	"marginalia/mlkit/eval"
	"marginalia/mlkit/internal/testkit"
	"marginalia/mlkit/mlkittest"
	"marginalia/mlkit/neighbors"
)

// Votes and predictions on two moons, with EE-559's K = 11.
func ExampleKNN() {
	moons := datasets.Must(datasets.Moons(1, 100, 0.1))
	m, err := neighbors.KNN{}.Fit(moons.X, moons.Y)
	if err != nil {
		log.Fatal(err)
	}
	for _, x := range [][]float64{{0, 1}, {1, -0.5}, {0.5, 0.3}} {
		fmt.Println(x, m.Votes(nil, x), m.Predict(x))
	}
	// Output:
	// [0 1] [11 0] -1
	// [1 -0.5] [1 10] 1
	// [0.5 0.3] [7 4] -1
}

func TestKNNContract(t *testing.T) { onAllPaths(t, contract) }

func contract(t *testing.T, except ...string) {
	if err := mlkittest.TestManyClasses(neighbors.KNN{K: 1}.Fit, except...); err != nil {
		t.Error(err)
	}
	two := datasets.Must(datasets.Iris().Binary(1, 2))
	if err := mlkittest.TestUnweighted(func(o mlkit.Options) (*neighbors.Model, error) {
		return neighbors.KNN{}.FitWith(o, two.X, two.Y)
	}); err != nil {
		t.Error(err)
	}
	// Labels may be any ints.
	if err := mlkittest.TestClassifier(neighbors.KNN{K: 1}.Fit, append(except, "refuse")...); err != nil {
		t.Error(err)
	}
}

// The nearest sample of a training sample is itself, so all probabilities are 1, with the
// logarithm 0, in the measure that takes a model's Posteriors.
func TestPosteriors(t *testing.T) {
	iris := datasets.Iris()
	m := testkit.Try(neighbors.KNN{K: 1}.Fit(iris.X, iris.Y)).Or(t)
	if v, err := eval.NegLogLossMany(m, iris.X, iris.Y); v != 0 || err != nil {
		t.Errorf("the log-loss is %v, %v, want 0", -v, err)
	}
	testkit.Panics(t, "no rows", func() { m.Posteriors(nil, new(mat.Dense)) }, "neighbors: Posteriors: X has no rows")
}

// A model with Share keeps X, and any other a copy. Both give the same answers.
func TestShare(t *testing.T) {
	iris := datasets.Iris()
	shared := testkit.Try(neighbors.KNN{Share: true}.Fit(iris.X, iris.Y)).Or(t)
	own := testkit.Try(neighbors.KNN{}.Fit(iris.X, iris.Y)).Or(t)
	if !slices.Equal(shared.Predictions(nil, iris.X), own.Predictions(nil, iris.X)) {
		t.Error("the labels differ")
	}
	for i := range shared.X {
		if x := iris.X.RawRowView(i); &shared.X[i][0] != &x[0] || &own.X[i][0] == &x[0] {
			t.Fatalf("row %d: is X %v with Share, and %v without", i, &shared.X[i][0] == &x[0], &own.X[i][0] == &x[0])
		}
	}
}

// Training errors on Iris, and errors on rows 1000 to 1796 of the digits after a fit on
// rows 0 to 999. The numbers come from ten lines of numpy with the same rules for ties
// (a stable argsort of the squared distances). scikit-learn 1.9.1 breaks ties
// differently: 0, 5 and 3 errors on Iris with K = 1, 5 and 11, and 30, 28 and 34 on the
// digits with K = 1, 3 and 11.
func TestKNNData(t *testing.T) {
	iris, digits := datasets.Iris(), datasets.Digits()
	first, rest := make([]int, 1000), make([]int, 797)
	for i := range first {
		first[i] = i
	}
	for i := range rest {
		rest[i] = 1000 + i
	}
	train, test := datasets.Must(digits.Subset(first)), datasets.Must(digits.Subset(rest))
	for _, c := range []struct {
		k, errors  int
		on, tested *datasets.Dataset
	}{
		{1, 0, iris, iris}, {5, 5, iris, iris}, {11, 4, iris, iris},
		{1, 30, train, test}, {2, 30, train, test}, {3, 31, train, test}, {11, 33, train, test},
	} {
		if c.on == train && c.k != 3 && !testkit.IsLong(t) {
			continue // takes most of the time, for the same sums
		}
		m := testkit.Try(neighbors.KNN{K: c.k}.Fit(c.on.X, c.on.Y)).Or(t)
		errors := 0
		for i, y := range m.Predictions(nil, c.tested.X) {
			if y != c.tested.Y[i] {
				errors++
			}
		}
		if errors != c.errors {
			t.Errorf("K = %d on %s: %d errors, want %d", c.k, c.on.Name, errors, c.errors)
		}
	}
}

func TestKNNTies(t *testing.T) {
	X := mat.NewDense(4, 1, []float64{1, -1, 1, 3})
	m := testkit.Try(neighbors.KNN{K: 2}.Fit(X, []int{5, 7, 9, 9})).Or(t)
	if got := m.Neighbors([]float64{0}); !slices.Equal(got, []int{0, 1}) {
		t.Errorf("neighbours %v, want the rows 0 and 1 of three at one distance", got)
	}
	if got := m.Predict([]float64{0}); got != 5 {
		t.Errorf("label %d, want 5, that of row 0", got)
	}
	if got := m.Posterior(nil, []float64{2}); !slices.Equal(got, []float64{0.5, 0, 0.5}) {
		t.Errorf("parts of the votes %v", got)
	}
	if got := m.Score([]float64{2}); got != -0.25 {
		t.Errorf("score %v, want -1/4: one vote for 9, one against, which is nearer", got)
	}
	if got := m.Score([]float64{2.5}); got != 0 {
		t.Errorf("score %v, want 0: one vote for 9, which is nearer, one against", got)
	}
}

func TestKNNRefuses(t *testing.T) {
	X := mat.NewDense(3, 1, []float64{1, 2, 3})
	for _, c := range []struct {
		k    int
		y    []int
		want string
	}{
		{0, []int{1, 2, 3}, "neighbors: KNN.K = 11, want 1 to 3"},
		{-1, []int{1, 2, 3}, "neighbors: KNN.K = -1"},
		{1, []int{1, 2}, "neighbors: len(y) = 2, want 3"},
		{1, []int{4, 4, 4}, "neighbors: y has only the label 4"},
	} {
		if m, err := (neighbors.KNN{K: c.k}).Fit(X, c.y); err == nil || !strings.HasPrefix(err.Error(), c.want) || m != nil {
			t.Errorf("got %v, %v, want %q", m, err, c.want)
		}
	}
	m := testkit.Try(neighbors.KNN{K: 1}.Fit(X, []int{1, 2, 3})).Or(t)
	for _, misuse := range []func(){
		func() { m.Predict([]float64{1, 2}) },
		func() { m.Votes(make([]int, 2), []float64{1}) },
		func() { m.Posterior(make([]float64, 2), []float64{1}) },
		func() { m.Scores(make([]float64, 2), X) },
	} {
		mustPanic(t, misuse)
	}
}

// mustPanic checks that f panics with a message that names the wrong length.
func mustPanic(t *testing.T, f func()) {
	t.Helper()
	defer func() {
		if s, ok := recover().(string); !ok || !strings.HasPrefix(s, "neighbors: ") || !strings.Contains(s, "want") {
			t.Errorf("panic %q, want one that names the length", s)
		}
	}()
	f()
}

// Many rows at once give the same results as single rows, even if most samples are
// equally far (on a grid), and for a row that contains NaN.
func TestKNNMany(t *testing.T) {
	const n = 150
	X, Z, y := mat.NewDense(n, 2, nil), mat.NewDense(n, 2, nil), make([]int, n)
	for i := range n {
		X.SetRow(i, []float64{float64(i * i % 13), float64(i * 5 % 7)})
		Z.SetRow(i, []float64{float64(i%14) - 0.5, float64(i % 8)})
		y[i] = 1 - 2*(i*i%3%2)
	}
	Z.Set(77, 1, math.NaN())
	m := testkit.Try(neighbors.KNN{K: 4}.Fit(X, y)).Or(t)
	scores, predictions := m.Scores(nil, Z), m.Predictions(nil, Z)
	for i := range n {
		score, prediction := m.Score(Z.RawRowView(i)), m.Predict(Z.RawRowView(i))
		if predictions[i] != prediction || scores[i] != score && !(i == 77 && math.IsNaN(scores[i])) {
			t.Errorf("row %d: %v and %d, want %v and %d", i, scores[i], predictions[i], score, prediction)
		}
	}
}

func BenchmarkKNN(b *testing.B) {
	moons := datasets.Must(datasets.Moons(1, 5000, 0.1))
	m := testkit.Try(neighbors.KNN{}.Fit(moons.X, moons.Y)).Or(b)
	for b.Loop() {
		m.Predictions(nil, moons.X)
	}
}
