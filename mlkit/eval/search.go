package eval

import (
	"errors"
	"fmt"
	"strings"
	"text/tabwriter"

	"gonum.org/v1/gonum/mat"

	"marginalia/mlkit"
	"marginalia/mlkit/internal/check"
	"marginalia/mlkit/internal/work"
)

// SearchResult is the result of Search.
type SearchResult[A, M any] struct {
	// Points has the algorithm with each combination of the fields' values, in the order of
	// Vary, and its cross-validation.
	Grid[A]
	Fields []Field // the fields searched

	Algorithm A // the best: Points[Best].Param
	Model     M // its model of all samples
}

// Search cross-validates an algorithm with every combination of values of some of its
// fields, and fits the best to all rows of X (n×d) and y:
//
//	fields := []eval.Field{eval.Values("C", 0.1, 1, 10), eval.Values("Kernel.Gamma", 0.01, 0.1, 1)}
//	a := svm.Classifier{Kernel: kernel.RBF{}}
//	s, err := eval.Search(mlkit.Options{}, plan, a, fields, eval.Accuracy, X, y)
//	fmt.Println(s) // a table
//	fmt.Println(s.Model.Predict(x))
//
// It behaves like CrossValidate, and its errors are those of Vary and CrossValidate; the first
// of the best points wins a tie. Its last report is that of the fit to all rows. If the last fit has not converged, Search returns the result
// with its *mlkit.NotConvergedError. The measure of the best is optimistic, since the best was
// chosen by it: test Model on other samples, or cross-validate the whole search.
func Search[A mlkit.Algorithm[M, Y], M any, Y int | float64](o mlkit.Options, p Plan, algorithm A, fields []Field, measure Measure[M, Y], X *mat.Dense, y []Y) (SearchResult[A, M], error) {
	s := SearchResult[A, M]{Fields: fields}
	if err := given(check.Nil(algorithm), measure == nil); err != nil {
		return s, err
	}
	varied, err := Vary(algorithm, fields...)
	if err != nil {
		return s, err
	}
	algorithms := make([]mlkit.Algorithm[M, Y], len(varied))
	for i, a := range varied {
		algorithms[i] = a
	}
	done := work.Counted(o, "eval: Search", len(varied)*len(p.Folds)+1)
	if s.Grid, err = gridSearch(o, done, p, varied, algorithms, measure, X, y); err != nil {
		return s, err
	}
	s.Algorithm = s.Points[s.Best].Param
	o.Report = nil
	s.Model, err = s.Algorithm.FitWith(o, X, y)
	if err != nil && !errors.As(err, new(*mlkit.NotConvergedError)) {
		return s, fmt.Errorf("eval: the best, fitted to all rows: %w", err)
	}
	done()
	return s, err
}

// Values returns the values of the fields at a point. It panics if there is no such point, or
// if a field has no values.
func (s SearchResult[A, M]) Values(point int) []any {
	if point < 0 || point >= len(s.Points) {
		panic(fmt.Sprintf("eval: Values of point %d, want from 0 to %d", point, len(s.Points)-1))
	}
	values := make([]any, len(s.Fields))
	for f := len(s.Fields) - 1; f >= 0; f-- {
		count := len(s.Fields[f].Values)
		if count == 0 {
			panic(fmt.Sprintf("eval: Values: field %s has none", s.Fields[f].Name))
		}
		values[f] = s.Fields[f].Values[point%count]
		point /= count
	}
	return values
}

// Means returns MeanTest of each point as a matrix for a search over two fields: a row for
// each value of the first, and a column for each of the second. It panics if there are
// not two fields, or not a point for each of their values.
func (s SearchResult[A, M]) Means() *mat.Dense {
	if len(s.Fields) != 2 {
		panic(fmt.Sprintf("eval: Means of a search over %d fields, want 2", len(s.Fields)))
	}
	rows, columns := len(s.Fields[0].Values), len(s.Fields[1].Values)
	if len(s.Points) == 0 || rows*columns != len(s.Points) {
		panic(fmt.Sprintf("eval: Means of %d points for %d×%d values", len(s.Points), rows, columns))
	}
	K := mat.NewDense(rows, columns, nil)
	for i, point := range s.Points {
		K.Set(i/columns, i%columns, point.MeanTest())
	}
	return K
}

// String returns a table with a row for each point: the fields' values, the mean and the
// standard deviation of the measure on the test rows, and its mean on the training rows. It
// panics if Values would.
func (s SearchResult[A, M]) String() string {
	var b strings.Builder
	w := tabwriter.NewWriter(&b, 0, 0, 2, ' ', 0)
	for _, f := range s.Fields {
		fmt.Fprintf(w, "%s\t", f.Name)
	}
	fmt.Fprintln(w, "test\t±\ttrain")
	for i, point := range s.Points {
		for _, v := range s.Values(i) {
			fmt.Fprintf(w, "%v\t", v)
		}
		fmt.Fprintf(w, "%.4g\t%.2g\t%.4g", point.MeanTest(), point.StdTest(), point.MeanTrain())
		if i == s.Best {
			fmt.Fprint(w, "\tbest")
		}
		if !point.Converged() {
			fmt.Fprint(w, "\tnot converged")
		}
		fmt.Fprintln(w)
	}
	w.Flush()
	return b.String()
}
