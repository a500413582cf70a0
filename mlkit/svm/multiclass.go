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
)

// Binary is an algorithm for two classes, such as Classifier, Newton or
// linear.Perceptron, whose models are of type M.
type Binary[M mlkit.Classifier] interface {
	FitContext(ctx context.Context, X *mat.Dense, y []int) (M, error)
}

// OneAgainstAll makes a classifier for M classes of M machines for two, each of which
// tells one class from all others (Theodoridis: "look at the problem as M two-class
// problems"). The class with the highest score wins, the smallest label of equals.
//
//	o := svm.OneAgainstAll[*svm.Model]{Binary: svm.Classifier{C: 10}}
//
// Machines of this package are fitted as many at a time as keep the processors busy, unless
// Binary has a Trace: one for each processor, but less of a Classifier to large samples,
// whose rows of the Gram matrix are evaluated by several. The number has no influence on the
// result. Those of Classifier share the copies of their support vectors, which are not to
// be changed.
type OneAgainstAll[M mlkit.Classifier] struct {
	Binary       Binary[M]       // nil is an error
	ClassWeights map[int]float64 // weights of samples by label, each above 0; 1 for others. Binary must have FitWeighted

	// Progress, if not nil, is called after each machine that was fitted, never by two
	// at once: so many are done, of so many.
	Progress func(done, machines int)
}

// OneAgainstAllModel is what OneAgainstAll has learnt.
type OneAgainstAllModel[M mlkit.Classifier] struct {
	Classes  []int `json:"classes"`  // the labels, ascending
	Machines []M   `json:"machines"` // Machines[k] scores Classes[k] above 0 and all others below
}

// Fit learns to tell the labels y[i] of the rows of X (n×d) apart: any ints, two or
// more different ones. Where a machine has not converged, the model comes beside a
// *mlkit.NotConvergedError that says which. Other errors name what is wrong with X or
// y, or are those of the machine.
func (o OneAgainstAll[M]) Fit(X *mat.Dense, y []int) (*OneAgainstAllModel[M], error) {
	return o.FitContext(context.Background(), X, y)
}

// FitContext is Fit that ends with the error of Binary soon after ctx is done.
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
		return problem{samples{X: X}, signs, weights}
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

// Decisions sets dst[k] to the score of x for Classes[k], and returns dst, a new
// slice if dst is nil. It panics unless x is as long as a row of X, and dst as
// Classes.
func (m *OneAgainstAllModel[M]) Decisions(dst, x []float64) []float64 {
	dst = destination("Decisions", dst, len(m.Machines))
	for k, machine := range m.Machines {
		dst[k] = machine.Score(x)
	}
	return dst
}

// Predict returns the label of x. It panics where Decisions does.
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

// Predictions sets dst[i] to the label of row i of X (n×d) and returns dst, a new
// slice if dst is nil. It panics where Predict does, and unless dst has one element a
// row.
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

// manyClasses checks the data and returns the labels, ascending, and the weights of
// the samples, nil without class weights.
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

// keepFailure returns the first failure to converge of all machines, which has the
// whole model, and any other error.
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
