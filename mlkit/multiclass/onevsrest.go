package multiclass

import (
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
	Binary       mlkit.Algorithm[M, int] // required: an algorithm for two classes, labelled -1 and +1
	ClassWeights map[int]float64         // weights of samples by label, above 0; 1 if absent. They need a Binary that takes weights

	// Balanced gives all classes of y the same total weight, computed at each fit: see package
	// mlkit. ClassWeights must then be empty. A machine's one class then has the weight of
	// one of its others. The Balanced of a Binary gives it the weight of all others together,
	// as OneVsRestClassifier(SVC(class_weight="balanced")) does in scikit-learn.
	Balanced bool
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
func (a OneVsRest[M]) Fit(X *mat.Dense, y []int) (*OneVsRestModel[M], error) {
	return a.FitWith(mlkit.Options{}, X, y)
}

// FitWith is Fit with a context, which ends it with the error of Binary, and with weights of the
// samples, if Binary takes any; those of the classes multiply them. It reports each machine that
// is done. A class whose samples all
// have weight 0 is absent from the model; at least two must be left.
func (a OneVsRest[M]) FitWith(o mlkit.Options, X *mat.Dense, y []int) (*OneVsRestModel[M], error) {
	m := new(OneVsRestModel[M])
	return whole(m, a.fit(o, "OneVsRest", X, y, m, m))
}

// fit sets *m. Errors name the algorithm, and hold the whole model that m is part of.
func (a OneVsRest[M]) fit(o mlkit.Options, algorithm string, X *mat.Dense, y []int, m *OneVsRestModel[M], model any) error {
	classes, weights, err := checkData(algorithm, a.Binary, a.ClassWeights, a.Balanced, X, y, o.Weights)
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
	machines, errs := fitMachines(o, algorithm, a.Binary, X, problems)
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
