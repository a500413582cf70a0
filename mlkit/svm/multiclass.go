package svm

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"gonum.org/v1/gonum/mat"

	"marginalia/mlkit"
	"marginalia/mlkit/internal/check"
	"marginalia/mlkit/internal/gram"
	"marginalia/mlkit/internal/rows"
	"marginalia/mlkit/svm/internal/smo"
)

// Binary is an algorithm for two classes, such as Classifier, Newton or
// perceptron.Perceptron. M is the type of its models.
type Binary[M mlkit.Classifier] interface {
	FitContext(ctx context.Context, X *mat.Dense, y []int) (M, error)
}

// OneAgainstAll is one-vs-rest multiclass classification: M binary machines each separate
// one class from all others (Theodoridis: "look at the problem as M two-class problems").
// The class with the highest score wins; the smallest label wins a tie.
//
//	o := svm.OneAgainstAll[*svm.Model]{Binary: svm.Classifier{C: 10}}
//
// Machines of this package are fitted concurrently, unless Binary has a Trace: one for
// each processor, or fewer if each Classifier fit is large enough to use several
// processors itself. The number does not change the result. Machines of type *Model share
// their support vectors, which the caller must not modify.
type OneAgainstAll[M mlkit.Classifier] struct {
	Binary       Binary[M]       // required
	ClassWeights map[int]float64 // weights of samples by label, above 0; 1 if absent. Requires a Binary with FitWeighted

	// Progress, if not nil, is called after each machine is fitted, never concurrently:
	// done of machines are complete.
	Progress func(done, machines int)
}

// OneAgainstAllModel is the result of OneAgainstAll.Fit.
type OneAgainstAllModel[M mlkit.Classifier] struct {
	Classes  []int `json:"classes"`  // the labels, ascending
	Machines []M   `json:"machines"` // Machines[k] scores Classes[k] above 0 and all others below
}

// Fit trains on the rows of X (n×d) with labels y[i]: any ints, at least two different
// ones. If a machine does not converge, Fit returns the model with a
// *mlkit.NotConvergedError that names the machine. Other errors report invalid X or y, or
// come from Binary.
func (o OneAgainstAll[M]) Fit(X *mat.Dense, y []int) (*OneAgainstAllModel[M], error) {
	return o.FitContext(context.Background(), X, y)
}

// FitContext is like Fit but stops soon after ctx is done, with the error of Binary.
func (o OneAgainstAll[M]) FitContext(ctx context.Context, X *mat.Dense, y []int) (*OneAgainstAllModel[M], error) {
	if err := checkContext(ctx); err != nil {
		return nil, err
	}
	classes, weights, err := manyClasses("OneAgainstAll", o.Binary, o.ClassWeights, X, y)
	if err != nil {
		return nil, err
	}
	n, _ := X.Dims()
	machines, errs := fitMachines(ctx, o.Binary, o.Progress, slices.Repeat([]int{n}, len(classes)), X, func(k int, signs []int) problem {
		signs = gram.Resized(signs, len(y))
		for i, label := range y {
			signs[i] = -1
			if label == classes[k] {
				signs[i] = +1
			}
		}
		return problem{smo.Samples{X: X}, signs, weights}
	})
	m := &OneAgainstAllModel[M]{Classes: classes, Machines: machines}
	var failure *mlkit.NotConvergedError
	for k, class := range classes {
		if failure, err = keepFailure("OneAgainstAll", fmt.Sprintf("%d against the others", class), failure, errs[k], m); err != nil {
			return nil, err
		}
	}
	if failure != nil {
		return m, failure
	}
	return m, nil
}

// Decisions sets dst[k] to the score of x for Classes[k] and returns dst, a new slice if
// dst is nil. It panics if len(x) is not the number of features, or if len(dst) !=
// len(Classes).
func (m *OneAgainstAllModel[M]) Decisions(dst, x []float64) []float64 {
	dst = destination("Decisions", dst, len(m.Machines))
	for k, machine := range m.Machines {
		dst[k] = machine.Score(x)
	}
	return dst
}

// Predict returns the label of x. It panics if Decisions would.
func (m *OneAgainstAllModel[M]) Predict(x []float64) int {
	return m.winner(m.Decisions(nil, x))
}

func (m *OneAgainstAllModel[M]) winner(scores []float64) int {
	best, highest := 0, 0.0
	for k, s := range scores {
		if k == 0 || s > highest {
			best, highest = k, s
		}
	}
	return m.Classes[best]
}

// Predictions sets dst[i] to the label of row i of X (n×d) and returns dst, a new slice
// if dst is nil. It panics if Predict would, or if len(dst) != n.
func (m *OneAgainstAllModel[M]) Predictions(dst []int, X mat.Matrix) []int {
	n, _ := X.Dims()
	dst = destination("Predictions", dst, n)
	if scoresOfAll(m.Machines, X, func(i int, scores []float64) { dst[i] = m.winner(scores) }) {
		return dst
	}
	return predictions(dst, X, m.Predict)
}

func predictions(dst []int, X mat.Matrix, predict func([]float64) int) []int {
	n, _, row := rows.Of(X)
	dst = destination("Predictions", dst, n)
	for i := range dst {
		dst[i] = predict(row(i))
	}
	return dst
}

// manyClasses checks the data. It returns the distinct labels, ascending, and the sample
// weights, nil without class weights.
func manyClasses(algorithm string, binary any, classWeights map[int]float64, X *mat.Dense, y []int) (classes []int, weights []float64, err error) {
	if binary == nil {
		return nil, nil, fmt.Errorf("svm: %s.Binary is nil, want an algorithm for two classes, such as Classifier{}", algorithm)
	}
	if err := check.Samples("svm", X); err != nil {
		return nil, nil, err
	}
	if n, _ := X.Dims(); len(y) != n {
		return nil, nil, fmt.Errorf("svm: len(y) = %d, want %d, one label for each row of X", len(y), n)
	}
	if err := checkWeights(classWeights, y, nil); err != nil {
		return nil, nil, err
	}
	classes = slices.Clone(y)
	slices.Sort(classes)
	if classes = slices.Compact(classes); len(classes) < 2 {
		return nil, nil, fmt.Errorf("svm: y has only the label %d in its %d rows, want two or more", y[0], len(y))
	}
	if len(classWeights) > 0 {
		weights = make([]float64, len(y))
		for i, label := range y {
			weights[i] = 1
			if v, ok := classWeights[label]; ok {
				weights[i] = v
			}
		}
	}
	return classes, weights, nil
}

// keepFailure merges err, the error of machine which, into first, the first failure to
// converge. That failure carries the multiclass model. keepFailure returns any other
// error as its second result.
func keepFailure(algorithm, which string, first *mlkit.NotConvergedError, err error, model any) (*mlkit.NotConvergedError, error) {
	var e *mlkit.NotConvergedError
	if err == nil {
		return first, nil
	}
	if !errors.As(err, &e) {
		return nil, fmt.Errorf("%w (%s, %s)", err, algorithm, which)
	}
	if first != nil {
		return first, nil
	}
	return &mlkit.NotConvergedError{
		Algorithm: "svm: " + algorithm, Iterations: e.Iterations, Residual: e.Residual,
		Reason: fmt.Sprintf("%s: %v", which, err), Model: model, Err: e.Err,
	}, nil
}
