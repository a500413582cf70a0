package eval_test

import (
	"context"
	"errors"
	"reflect"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"marginalia/mlkit"
	"marginalia/mlkit/discriminant"
	"marginalia/mlkit/eval"
	"marginalia/mlkit/internal/samples"
	"marginalia/mlkit/internal/testkit"
	"marginalia/mlkit/kernel"
	"marginalia/mlkit/logistic"
	"marginalia/mlkit/neighbors"
	"marginalia/mlkit/svm"
)

// deep has fields behind an interface, a pointer and a slice.
type deep struct {
	C      float64
	Count  int
	Kernel kernel.Kernel
	Other  *deep
	Steps  []any
	hidden int
}

// Vary sets a field wherever it is, in the order of counting, and leaves the original as it
// was.
func TestVary(t *testing.T) {
	a := deep{C: 1, Kernel: kernel.Scaled{Kernel: kernel.RBF{}}, Other: &deep{}, Steps: []any{nil, deep{}}, hidden: 3}
	before := deep{C: 1, Kernel: kernel.Scaled{Kernel: kernel.RBF{}}, Other: &deep{}, Steps: []any{nil, deep{}}, hidden: 3}
	all, err := eval.Vary(a, eval.Values("C", 1, 10), eval.Values("Kernel.Kernel.Gamma", 0.5, 2.5, 3), eval.Values("Count", 7.0))
	if err != nil || len(all) != 6 {
		t.Fatalf("%d, %v", len(all), err)
	}
	for i, b := range all {
		want := deep{C: []float64{1, 10}[i/3], Count: 7, Kernel: kernel.Scaled{Kernel: kernel.RBF{Gamma: []float64{0.5, 2.5, 3}[i%3]}}, Other: a.Other, Steps: a.Steps, hidden: 3}
		if !reflect.DeepEqual(b, want) {
			t.Errorf("%d: %+v, want %+v", i, b, want)
		}
	}
	some, err := eval.Vary(a, eval.Values("Other.C", 4), eval.Values("Steps[1].Count", 2, 3), eval.Values[any]("Kernel", kernel.Linear{}, nil))
	if err != nil || len(some) != 4 {
		t.Fatalf("%d, %v", len(some), err)
	}
	if b := some[2]; b.Other.C != 4 || b.Steps[1].(deep).Count != 3 || b.Kernel != (kernel.Linear{}) || some[3].Kernel != nil {
		t.Errorf("%+v", some[2:])
	}
	if !reflect.DeepEqual(a, before) {
		t.Errorf("the original is now %+v", a)
	}
	for _, c := range []struct {
		f   eval.Field
		say string
	}{
		{eval.Values("Gamma", 1), "field Gamma of eval_test.deep: eval_test.deep has no field Gamma, want one of C, Count, Kernel, Other, Steps"},
		{eval.Values("hidden", 1), "has no field hidden"},
		{eval.Values("Kernel.Gamma", 1), "kernel.Scaled has no field Gamma, want one of Factor, Kernel"},
		{eval.Values("Other.Other.C", 1), "nil, want a value with C"},
		{eval.Values("Other.Kernel.Gamma", 1), "nil, want a value with Gamma"},
		{eval.Values("C.Value", 1), "float64 has no fields, want a struct with Value"},
		{eval.Values("C", "large"), "large is a string, want a value of type float64"},
		{eval.Values("Count", 0.5), "0.5 is a float64, want a value of type int"},
		{eval.Values[any]("C", nil), "nil, want a value of type float64"},
		{eval.Values[any]("Kernel", 3), "3 is a int, want a value of type kernel.Kernel"},
		{eval.Values[int]("C"), "field C has no values"},
		{eval.Values("Steps[2].Count", 1), "element 2, want from 0 to 1"},
		{eval.Values("Steps[x]", 1), "\"[x]\" is no index"},
		{eval.Values("Steps[1", 1), "has no closing bracket"},
		{eval.Values("C[0]", 1), "float64 has no elements"},
	} {
		if _, err := eval.Vary(a, c.f); err == nil || !strings.HasPrefix(err.Error(), "eval: ") || !strings.Contains(err.Error(), c.say) {
			t.Errorf("got %v, want %q", err, c.say)
		}
	}
	if _, err := eval.Vary(struct{ N uint }{}, eval.Values("N", -1)); err == nil {
		t.Error("-1 is taken for a uint")
	}
}

// A search is the cross-validation of each combination by itself, with a fit of the best to
// all rows, for any number of workers.
func TestSearch(t *testing.T) {
	X, y := samples.VersicolorVirginica(t)
	folds := testkit.Try(eval.KFold{K: 3, Shuffle: true, Seed: 1}.Stratified(y)).Or(t)
	ctx := context.Background()
	fields := []eval.Field{eval.Values("C", 0.01, 1, 100), eval.Values("Kernel.Gamma", 0.01, 0.5)}
	var first string
	for _, workers := range []int{1, 3} {
		var done []int
		plan := eval.Plan{Folds: folds, Workers: workers}
		report := func(p mlkit.Progress) {
			if p.Algorithm != "eval: Search" || p.Of != 19 {
				t.Errorf("%+v, want a search of 3·2·3 fits and that of the best", p)
			}
			done = append(done, p.Done)
		}
		s, err := eval.Search(mlkit.Options{Context: ctx, Report: report}, plan, svm.Classifier{Kernel: kernel.RBF{}}, fields, eval.BalancedAccuracy, X, y)
		if err != nil {
			t.Fatal(err)
		}
		for i, n := range done {
			if n != i+1 || len(done) != 19 {
				t.Fatalf("reports %v, want 1 to 19", done)
			}
		}
		for i, point := range s.Points {
			c := svm.Classifier{C: []float64{0.01, 1, 100}[i/2], Kernel: kernel.RBF{Gamma: []float64{0.01, 0.5}[i%2]}}
			want, err := eval.CrossValidate(mlkit.Options{Context: ctx}, eval.Plan{Folds: folds}, c, eval.BalancedAccuracy, X, y)
			if err != nil || !reflect.DeepEqual(point.Validation, want) || !reflect.DeepEqual(point.Param, c) {
				t.Errorf("point %d: %+v, want %+v of %+v", i, point, want, c)
			}
			if got := s.Means().At(i/2, i%2); got != want.MeanTest() {
				t.Errorf("mean of point %d: %v, want %v", i, got, want.MeanTest())
			}
			if point.MeanTest() > s.Points[s.Best].MeanTest() {
				t.Errorf("point %d is better than the best, %d", i, s.Best)
			}
		}
		if values := s.Values(3); values[0] != 1.0 || values[1] != 0.5 {
			t.Errorf("values of point 3: %v, want 1 and 0.5", values)
		}
		want, err := s.Algorithm.Fit(X, y)
		if err != nil || !reflect.DeepEqual(s.Model, want) || !reflect.DeepEqual(s.Algorithm, s.Points[s.Best].Param) {
			t.Errorf("the model is not that of %+v: %v", s.Algorithm, err)
		}
		table := s.String()
		if lines := strings.Split(strings.TrimSpace(table), "\n"); len(lines) != 7 || !strings.HasPrefix(lines[0], "C ") || !strings.Contains(lines[1+s.Best], "best") || strings.Count(table, "best") != 1 {
			t.Errorf("table\n%s", table)
		}
		if first == "" {
			first = table
		} else if table != first {
			t.Errorf("%d workers: other results\n%s", workers, table)
		}
	}
}

func TestSearchErrors(t *testing.T) {
	X, y := samples.VersicolorVirginica(t)
	folds := testkit.Try(eval.KFold{K: 2, Shuffle: true}.Stratified(y)).Or(t)
	ctx, plan := context.Background(), eval.Plan{Folds: folds}
	accuracy := eval.Accuracy[*logistic.Model]
	// Two steps are not enough: every fit is measured, and the last one's error is returned.
	s, err := eval.Search(mlkit.Options{Context: ctx}, plan, logistic.Regression{L2: 1e-9}, []eval.Field{eval.Values("MaxIter", 1, 2)}, accuracy, X, y)
	var e *mlkit.NotConvergedError
	if !errors.As(err, &e) || s.Model == nil || e.Model != any(s.Model) || !strings.Contains(s.String(), "not converged") {
		t.Errorf("%v\n%v", err, s)
	}
	testkit.Refusals{
		{second(eval.Search(mlkit.Options{Context: ctx}, plan, logistic.Regression{}, []eval.Field{eval.Values("lambda", 1)}, accuracy, X, y)), "eval: field lambda of logistic.Regression…"},
		{second(eval.Search(mlkit.Options{Context: ctx}, plan, logistic.Regression{}, nil, nil, X, y)), "eval: measure is nil…"},
		{second(eval.Search(mlkit.Options{Context: ctx}, plan, logistic.Regression{}, []eval.Field{eval.Values("L2", -1.0)}, accuracy, X, y)), "eval: fold 0: logistic: …"},
	}.Check(t)
	means := func() { eval.SearchResult[int, *mat.Dense]{}.Means() }
	testkit.Panics(t, "no fields", means, "eval: Means of a search over 0 fields")
}

// Each fit gets the weights of its own rows, and the last one those of all.
func TestWeightsOfRows(t *testing.T) {
	X, y := samples.VersicolorVirginica(t)
	o := mlkit.Options{Weights: make([]float64, len(y))}
	for i := range y {
		o.Weights[i] = float64(i%4) / 2
	}
	folds := testkit.Try(eval.KFold{K: 3, Shuffle: true, Seed: 1}.Stratified(y)).Or(t)
	plan, a := eval.Plan{Folds: folds}, discriminant.LDA{}
	scores := testkit.Try(eval.CrossScores(o, plan, a, X, y)).Or(t)
	v := testkit.Try(eval.CrossValidate(o, plan, a, eval.AUC, X, y)).Or(t)
	for j, f := range folds {
		Z, z := eval.Pick(X, y, f.Train)
		var own []float64
		for _, i := range f.Train {
			own = append(own, o.Weights[i])
		}
		m := testkit.Try(a.FitWith(mlkit.Options{Weights: own}, Z, z)).Or(t)
		Z, z = eval.Pick(X, y, f.Test)
		for k, s := range m.Scores(nil, Z) {
			if got := scores[f.Test[k]]; got != s {
				t.Errorf("fold %d: row %d scores %v, want %v", j, f.Test[k], got, s)
			}
		}
		if want := testkit.Try(eval.AUC(m, Z, z)).Or(t); v.Test[j] != want {
			t.Errorf("fold %d: AUC %v, want %v", j, v.Test[j], want)
		}
	}
	s := testkit.Try(eval.Search(o, plan, a, []eval.Field{eval.Values("Shrinkage", 0.0, 0.5)}, eval.AUC, X, y)).Or(t)
	if want := testkit.Try(s.Algorithm.FitWith(o, X, y)).Or(t); !reflect.DeepEqual(s.Model, want) {
		t.Errorf("the model of a search is not that of the weighted rows")
	}
	testkit.Refusals{
		{second(eval.CrossScores(mlkit.Options{Weights: o.Weights[1:]}, plan, a, X, y)), "eval: len(weights) = 99, want 100…"},
		{second(eval.CrossValidate(o, plan, neighbors.KNN{}, eval.Accuracy, X, y)), "eval: fold 0: neighbors: KNN takes no weights…"},
	}.Check(t)
}
