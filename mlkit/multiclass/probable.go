package multiclass

import (
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"marginalia/mlkit"
	"marginalia/mlkit/internal/codec"
	"marginalia/mlkit/internal/rows"
)

// JointProber is a model that gives the probabilities of several machines of its type at
// once, itself among them.
type JointProber[M mlkit.ProbableClassifierModel] interface {
	// ProbsOfAll sets dst[k][i] to the probability of +1 by machines[k] for row i of X
	// (n×d).
	ProbsOfAll(dst [][]float64, machines []M, X mat.Matrix)
}

// ProbableOneVsOne is a OneVsOne whose machines have probabilities. Those of the classes
// follow from them by pairwise coupling (Ting-Fan Wu, Chih-Jen Lin, Ruby C. Weng,
// "Probability estimates for multi-class classification by pairwise coupling", 2004, second
// method, as in LIBSVM).
//
// The class with the largest probability wins, so labels and probabilities always agree, as
// in LIBSVM with -b 1. The votes are those of OneVsOne, and may be for another class.
type ProbableOneVsOne[M mlkit.ProbableClassifierModel] OneVsOne[M]

// ProbableOneVsOneModel is the result of ProbableOneVsOne.Fit.
type ProbableOneVsOneModel[M mlkit.ProbableClassifierModel] struct{ OneVsOneModel[M] }

// Fit is OneVsOne.Fit.
func (a ProbableOneVsOne[M]) Fit(X *mat.Dense, y []int) (*ProbableOneVsOneModel[M], error) {
	return a.FitWith(mlkit.Options{}, X, y)
}

// FitWith is OneVsOne.FitWith.
func (a ProbableOneVsOne[M]) FitWith(o mlkit.Options, X *mat.Dense, y []int) (*ProbableOneVsOneModel[M], error) {
	m := new(ProbableOneVsOneModel[M])
	return whole(m, OneVsOne[M](a).fit(o, "ProbableOneVsOne", X, y, &m.OneVsOneModel, m))
}

// ModelKind names the model in files: see package modelfile.
func (*ProbableOneVsOneModel[M]) ModelKind() string {
	return "multiclass.ProbableOneVsOneModel[" + codec.Kind[M]() + "]"
}

// Posterior sets dst[k] to the probability of Classes[k] for x and returns dst, a new slice
// if dst is nil. It panics if len(x) is not the number of features, or if len(dst) !=
// len(Classes).
func (m *ProbableOneVsOneModel[M]) Posterior(dst, x []float64) []float64 {
	return posteriorOf(m.Machines, dst, x, len(m.Classes), newCoupling(len(m.Classes)).probabilities)
}

// Posteriors sets row i of dst to Posterior of row i of X (n×d) and returns dst, a new matrix
// if dst is nil. It panics if Posterior would, or if n is 0 or not the number of rows of dst.
func (m *ProbableOneVsOneModel[M]) Posteriors(dst *mat.Dense, X mat.Matrix) *mat.Dense {
	return posteriors(m.Machines, dst, X, len(m.Classes), newCoupling(len(m.Classes)).probabilities)
}

// Predict returns the label with the largest Posterior, the smallest in a tie. It panics if
// Posterior would.
func (m *ProbableOneVsOneModel[M]) Predict(x []float64) int {
	return m.Classes[rows.Largest(m.Posterior(nil, x))]
}

// Predictions sets dst[i] to the label of row i of X (n×d) and returns dst, a new slice if
// dst is nil. It panics if Predict would, or if len(dst) != n.
func (m *ProbableOneVsOneModel[M]) Predictions(dst []int, X mat.Matrix) []int {
	return likeliest(m.Machines, dst, X, m.Classes, newCoupling(len(m.Classes)).probabilities)
}

// ProbableOneVsRest is a OneVsRest whose machines have probabilities. Those of the classes
// are the machines', divided by their sum; they are equal if all machines say 0 (Bianca
// Zadrozny, Charles Elkan, "Transforming classifier scores into accurate multiclass
// probability estimates", 2002). The class with the largest probability wins, so labels and
// probabilities always agree.
type ProbableOneVsRest[M mlkit.ProbableClassifierModel] OneVsRest[M]

// ProbableOneVsRestModel is the result of ProbableOneVsRest.Fit.
type ProbableOneVsRestModel[M mlkit.ProbableClassifierModel] struct{ OneVsRestModel[M] }

// Fit is OneVsRest.Fit.
func (a ProbableOneVsRest[M]) Fit(X *mat.Dense, y []int) (*ProbableOneVsRestModel[M], error) {
	return a.FitWith(mlkit.Options{}, X, y)
}

// FitWith is OneVsRest.FitWith.
func (a ProbableOneVsRest[M]) FitWith(o mlkit.Options, X *mat.Dense, y []int) (*ProbableOneVsRestModel[M], error) {
	m := new(ProbableOneVsRestModel[M])
	return whole(m, OneVsRest[M](a).fit(o, "ProbableOneVsRest", X, y, &m.OneVsRestModel, m))
}

// ModelKind names the model in files: see package modelfile.
func (*ProbableOneVsRestModel[M]) ModelKind() string {
	return "multiclass.ProbableOneVsRestModel[" + codec.Kind[M]() + "]"
}

// Posterior sets dst[k] to the probability of Classes[k] for x and returns dst, a new slice
// if dst is nil. It panics if len(x) is not the number of features, or if len(dst) !=
// len(Classes).
func (m *ProbableOneVsRestModel[M]) Posterior(dst, x []float64) []float64 {
	return posteriorOf(m.Machines, dst, x, len(m.Classes), normalise)
}

// Posteriors sets row i of dst to Posterior of row i of X (n×d) and returns dst, a new matrix
// if dst is nil. It panics if Posterior would, or if n is 0 or not the number of rows of dst.
func (m *ProbableOneVsRestModel[M]) Posteriors(dst *mat.Dense, X mat.Matrix) *mat.Dense {
	return posteriors(m.Machines, dst, X, len(m.Classes), normalise)
}

// Predict returns the label with the largest Posterior, the smallest in a tie. It panics if
// Posterior would.
func (m *ProbableOneVsRestModel[M]) Predict(x []float64) int {
	return m.Classes[rows.Largest(m.Posterior(nil, x))]
}

// Predictions sets dst[i] to the label of row i of X (n×d) and returns dst, a new slice if
// dst is nil. It panics if Predict would, or if len(dst) != n.
func (m *ProbableOneVsRestModel[M]) Predictions(dst []int, X mat.Matrix) []int {
	return likeliest(m.Machines, dst, X, m.Classes, normalise)
}

// normalise sets p to r divided by its sum.
func normalise(p, r []float64) {
	copy(p, r)
	sum := floats.Sum(r)
	if sum == 0 {
		floats.AddConst(1, p)
		sum = float64(len(p))
	}
	for k := range p {
		p[k] /= sum
	}
}

// posteriorOf implements Posterior: combine sets the probabilities p of the classes, given
// those r of the machines.
func posteriorOf[M mlkit.ProbableClassifierModel](machines []M, dst, x []float64, classes int, combine func(p, r []float64)) []float64 {
	dst = destination("Posterior", dst, classes)
	r := make([]float64, len(machines))
	for k, machine := range machines {
		r[k] = machine.Prob(x)
	}
	combine(dst, r)
	return dst
}

// posteriors implements Posteriors.
func posteriors[M mlkit.ProbableClassifierModel](machines []M, dst *mat.Dense, X mat.Matrix, classes int, combine func(p, r []float64)) *mat.Dense {
	n, _ := X.Dims()
	dst = rows.PosteriorsIn("multiclass", dst, n, classes)
	eachRow(machines, X, probsOfAll, func(i int, r []float64) { combine(dst.RawRowView(i), r) })
	return dst
}

// likeliest implements Predictions.
func likeliest[M mlkit.ProbableClassifierModel](machines []M, dst []int, X mat.Matrix, classes []int, combine func(p, r []float64)) []int {
	n, _ := X.Dims()
	dst = destination("Predictions", dst, n)
	p := make([]float64, len(classes))
	eachRow(machines, X, probsOfAll, func(i int, r []float64) {
		combine(p, r)
		dst[i] = classes[rows.Largest(p)]
	})
	return dst
}

// probsOfAll sets dst[k][i] to the probability of +1 by machines[k] for row i of X.
func probsOfAll[M mlkit.ProbableClassifierModel](dst [][]float64, machines []M, X mat.Matrix) {
	if joint, ok := any(machines[0]).(JointProber[M]); ok {
		joint.ProbsOfAll(dst, machines, X)
		return
	}
	for k, machine := range machines {
		machine.Probs(dst[k], X)
	}
}
