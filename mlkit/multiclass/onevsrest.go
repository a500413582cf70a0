package multiclass

import (
	"context"
	"fmt"

	"gonum.org/v1/gonum/mat"

	"marginalia/mlkit"
	"marginalia/mlkit/internal/rows"
)

// OneVsRest trains M machines for M classes, each of which separates one class from all
// others (Theodoridis: "look at the problem as M two-class problems"). The class with the
// highest score wins; the smallest label wins a tie.
//
//	o := multiclass.OneVsRest[*svm.Model]{Binary: svm.Classifier{C: 10}}
type OneVsRest[M mlkit.ClassifierModel] struct {
	Binary       Binary[M]       // required
	ClassWeights map[int]float64 // weights of samples by label, above 0; 1 if absent. Requires a Weighted Binary

	// Progress, if not nil, is called after each machine is fitted, never concurrently:
	// done of machines are complete.
	Progress func(done, machines int)
}

// OneVsRestModel is the result of OneVsRest.Fit.
type OneVsRestModel[M mlkit.ClassifierModel] struct {
	Classes  []int `json:"classes"`  // the labels, ascending
	Machines []M   `json:"machines"` // Machines[k] scores Classes[k] above 0 and all others below
}

// Fit trains on the rows of X (n×d) with labels y[i]: any ints, at least two different
// ones. If a machine does not converge, Fit returns the model with a
// *mlkit.NotConvergedError that names the machine. Other errors report invalid X or y, or
// come from Binary.
func (o OneVsRest[M]) Fit(X *mat.Dense, y []int) (*OneVsRestModel[M], error) {
	return o.FitContext(context.Background(), X, y)
}

// FitContext is like Fit but stops soon after ctx is done, with the error of Binary.
func (o OneVsRest[M]) FitContext(ctx context.Context, X *mat.Dense, y []int) (*OneVsRestModel[M], error) {
	m := new(OneVsRestModel[M])
	return whole(m, o.fit(ctx, "OneVsRest", X, y, m, m))
}

// fit sets *m. Errors name the algorithm, and hold the whole model that m is part of.
func (o OneVsRest[M]) fit(ctx context.Context, algorithm string, X *mat.Dense, y []int, m *OneVsRestModel[M], model any) error {
	classes, weights, err := checkData(ctx, algorithm, o.Binary, o.ClassWeights, X, y)
	if err != nil {
		return err
	}
	problems := make([]Problem, len(classes))
	for k, class := range classes {
		signs := make([]int, len(y))
		for i, label := range y {
			signs[i] = -1
			if label == class {
				signs[i] = +1
			}
		}
		problems[k] = Problem{Y: signs, Weights: weights}
	}
	machines, errs := fitMachines(ctx, o.Binary, o.Progress, X, problems)
	m.Classes, m.Machines = classes, machines
	return failure(algorithm, model, errs, func(k int) string { return fmt.Sprintf("%d against the others", classes[k]) })
}

// Decisions sets dst[k] to the score of x for Classes[k] and returns dst, a new slice if
// dst is nil. It panics if len(x) is not the number of features, or if len(dst) !=
// len(Classes).
func (m *OneVsRestModel[M]) Decisions(dst, x []float64) []float64 {
	dst = destination("Decisions", dst, len(m.Machines))
	for k, machine := range m.Machines {
		dst[k] = machine.Score(x)
	}
	return dst
}

// Predict returns the label of x. It panics if Decisions would.
func (m *OneVsRestModel[M]) Predict(x []float64) int {
	return m.Classes[rows.Largest(m.Decisions(nil, x))]
}

// Predictions sets dst[i] to the label of row i of X (n×d) and returns dst, a new slice
// if dst is nil. It panics if Predict would, or if len(dst) != n.
func (m *OneVsRestModel[M]) Predictions(dst []int, X mat.Matrix) []int {
	n, _ := X.Dims()
	dst = destination("Predictions", dst, n)
	eachRow(m.Machines, X, ScoresOfAll, func(i int, scores []float64) { dst[i] = m.Classes[rows.Largest(scores)] })
	return dst
}

// destination returns dst, or a new slice of length n if dst is nil. It panics if dst has
// another length.
func destination[T any](method string, dst []T, n int) []T {
	return rows.Destination("multiclass", method, dst, n)
}
