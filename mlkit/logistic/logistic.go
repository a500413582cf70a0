package logistic

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"marginalia/mlkit"
	"marginalia/mlkit/internal/work"
)

// Regression is logistic regression, or logistic discrimination. Its model is the one that
// discriminant.LDA leads to, P(Y = y | X = x) = σ(y(w·x + b)), but it takes the advice to
// "ignore the assumptions and directly maximize the parameters' likelihood" (EE-559). It
// minimises
//
//	-Σ vᵢ log σ(yᵢ(w·xᵢ + b)) + ½ L2 ‖w‖² + L1 ‖w‖₁
//
// over w and b, where vᵢ is the weight of the sample, by default 1. The zero value maximises
// the likelihood. With a prior on w it maximises the posterior (MAP; EE-559, "log μ(w, b |
// D = d)"): a Gaussian prior of variance σ² is L2 = 1/σ², a Laplace prior e^{-|w|/s} is
// L1 = 1/s. The bias has no prior, so shifting the samples changes b alone. scikit-learn's C
// is 1/L2, or 1/L1.
//
// That is the problem of two classes, where yᵢ is -1 for the smaller label and +1 for the
// other, whichever they are. For M > 2 classes it is that of the softmax (Theodoridis,
// "Logistic discrimination"), with the penalties summed over all w_k.
//
// If a hyperplane has no sample on its wrong side, the likelihood keeps growing along its
// multiples and has no maximum (Adelin Albert and John Anderson, "On the existence of
// maximum likelihood estimates in logistic regression models", 1984). Without a penalty
// the fit then returns a *SeparableError with that hyperplane. Rounding errors, or more than
// 1000 weights, may leave open whether there is a maximum. The fit then returns a
// *mlkit.NotConvergedError that says so, and never a nil error.
//
// The solvers centre and scale the samples, which leaves the problem unchanged: the
// penalties are on the weights of the columns of X as given. So shifting a column changes
// no probability, whatever the penalty, and changing its unit changes none if there is no
// penalty. Standardise the columns first if one L2 or L1 should mean the same for all.
type Regression struct {
	// L2 is the strength of the penalty ½ L2 ‖w‖², the precision 1/σ² of the
	// Gaussian prior; 0 means none.
	L2 float64

	// L1 is the strength of the penalty L1 ‖w‖₁, which makes the weights of weak features
	// exactly 0; 0 means none.
	L1 float64

	// ClassWeights are the weights of the samples by label, above 0; 1 if absent. The
	// weights of mlkit.Options multiply them. See mlkit.BalancedWeights.
	ClassWeights map[int]float64

	// Balanced gives all classes the same total weight, computed at each fit: see package
	// mlkit. ClassWeights must then be empty.
	Balanced bool

	// Start is where a warm start begins, such as &m.LinearMachine of a model m for another L2
	// or L1 and the same classes. A fit neither modifies it nor depends on it beyond its
	// tolerance: it shortens a Start with samples on their wrong sides by more than 20, and
	// begins at w = 0 and b = 0 if the objective is smaller there. nil means w = 0 and b = 0.
	Start *mlkit.LinearMachine

	// Solver is the method. The zero value, ByShape, chooses one from the numbers of
	// samples, columns and classes, and from L1.
	Solver Solver

	// Tol is the tolerance at which the fit stops; 0 means 1e-8 with Newton and 1e-6 with
	// the other solvers. A fit without an error is proved to be near the minimum: up to
	// rounding, its objective is above it by at most Tol times the objective, or Tol if the
	// objective is below 1. With a Tol above 1e-6 it is Tol times the objective at w = 0
	// and b = 0. The bound is the duality gap (Stephen Boyd and Lieven Vandenberghe,
	// "Convex Optimization", 2004, section 5.5.1).
	//
	// Before it looks for the proof, Newton goes on until a step p has a Newton decrement
	// √(p·Hp) of at most Tol, or one that rounding keeps from falling; the objective is then
	// some Tol²/2 above its minimum (section 9.5.1). LBFGS compares Tol with the largest
	// element of the gradient over n, with the weights scaled to a common curvature; below
	// 1e-7 rounding error may keep it from converging. In large problems with L2 it goes on, to
	// a tenth of Tol at most, until the gradient proves enough. Where all that is too early, as
	// with nearly collinear columns, Newton's method goes on. CoordinateDescent compares Tol with
	// the subgradient nearest to 0, and with less where that is too early. If the samples
	// have weights, the objective and the gradient are divided by their mean weight first.
	Tol float64

	// MaxIter limits the iterations; 0 means 100 with Newton and 10000 with the
	// others. A fit that has not converged by then returns a *mlkit.NotConvergedError.
	MaxIter int

	// Trace, if not nil, is called after every iteration. If it returns false, the fit
	// ends. Setting Trace changes neither the solver nor a bit of the model.
	Trace func(Step) bool
}

// Step is one iteration of logistic regression.
type Step struct {
	Iteration int         // 1 for the first
	W         [][]float64 // after the iteration: w for two classes, else one w_k per class
	B         []float64   // after the iteration: b, or one b_k per class
	Objective float64     // after the iteration
	Residual  float64     // compared with Regression.Tol, not the gap: before the step, with LBFGS after it
	Length    float64     // of the step, as a multiple of the Newton step; 0 with LBFGS
}

// Model is what Regression has learnt from M classes,
//
//	P(Y = k | X = x) = exp(w_k·x + b_k) / Σ exp(w_l·x + b_l)
//
// For two classes it is the model of the hyperplane w·x + b, the log-odds of Classes[1]: its
// Hyperplane has w = w₁ - w₀ and b = b₁ - b₀, where w₁ = -w₀ and b₁ = -b₀.
//
// Adding one vector to all w_k, or one number to all b_k, changes no probability. Here
// Σ b_k = 0 and, unless L1 decides otherwise, Σ w_k = 0. Theodoridis sets w_M = 0 and
// b_M = 0 instead: his w_k is w_k - w_M here; see Between.
type Model struct {
	mlkit.LogLinearMachine
	LogLikelihood float64 `json:"log_likelihood"` // Σ vᵢ log P(Y = yᵢ | X = xᵢ)
	Objective     float64 `json:"objective"`      // with the penalties: of w for two classes, else summed over all w_k
	Iterations    int     `json:"iterations"`
	Converged     bool    `json:"converged"`
}

var _ mlkit.ProbableClassifierModel = (*Model)(nil)

// Fit learns from the rows of X (n×d) with labels y[i], any ints, at least two different ones.
// It returns an error if an argument or hyperparameter is invalid, a *SeparableError if the
// likelihood has no maximum, and a *mlkit.NotConvergedError if MaxIter is not enough or there
// is no proof that the model is near the maximum. The last two come with the model reached so
// far.
func (l Regression) Fit(X *mat.Dense, y []int) (*Model, error) {
	return l.FitWith(mlkit.Options{}, X, y)
}

// FitWith is Fit with a context and with a weight for each row of X: its factor in the
// log-likelihood. A label all of whose rows have the weight 0 is absent from the model; at
// least two must be left. FitWith also returns an error if the product with the weight of the
// class is neither 0 nor from 1e-100 to 1e100. It reports each iteration, with the residual of
// Step.
func (l Regression) FitWith(o mlkit.Options, X *mat.Dense, y []int) (*Model, error) {
	if err := l.check(); err != nil {
		return nil, err
	}
	s, err := l.labelled(o, X, y)
	if err != nil {
		return nil, err
	}
	_, d := s.X.Dims()
	start, b, err := l.start(s.classes, d)
	if err != nil {
		return nil, err
	}
	of, scores := labelsOf(s.index, s.weights, len(s.classes))
	p, err := newProblem(o.ContextOrBackground(), l.solvedBy(s.X, scores), s.X, of)
	if err != nil {
		return nil, err
	}
	p.report = work.Reporter(o, "logistic: Regression", p.MaxIter)
	run, cause := p.run(start, b)
	m := &Model{
		LogLinearMachine: mlkit.LogLinearMachine{LinearMachine: machine(s.classes, p, run.theta)},
		LogLikelihood:    -run.loss,
		Objective:        run.objective,
		Iterations:       run.iterations,
		Converged:        run.converged,
	}
	return m, p.failure(run, cause, m)
}

// labelsOf returns the labels of samples i of classes[index[i]], and the number of scores of a
// sample: for two classes signs and one score, otherwise a score for each class.
func labelsOf(index []int, v weights, M int) (of labels, scores int) {
	if M > 2 {
		return labels{index, v, M}, M
	}
	signs := make([]int, len(index))
	for i, k := range index {
		signs[i] = 2*k - 1
	}
	return labels{signs, v, 1}, 1
}

// machine returns the linear machine of the weights θ of a problem.
func machine(classes []int, p *problem, theta []float64) mlkit.LinearMachine {
	W, B := p.original(theta)
	if len(W) == 1 { // w₁ = ½w and w₀ = 0 - ½w, so that 0 stays 0 and not -0
		half, other := W[0], make([]float64, len(W[0]))
		floats.Scale(0.5, half)
		floats.Sub(other, half)
		W, B = [][]float64{other, half}, []float64{0 - B[0]/2, B[0] / 2}
		return mlkit.LinearMachine{Classes: classes, W: W, B: B}
	}
	shift := 0.0
	for _, b := range B {
		shift += b / float64(len(B))
	}
	for k := range B {
		B[k] -= shift
	}
	return mlkit.LinearMachine{Classes: classes, W: W, B: B}
}

// check returns an error if a hyperparameter is invalid.
func (l Regression) check() error {
	for _, f := range []struct {
		name  string
		value float64
		zero  string
	}{{"L2", l.L2, "none"}, {"L1", l.L1, "none"}, {"Tol", l.Tol, "the solver's own"}} {
		if !(f.value >= 0 && f.value <= math.MaxFloat64) {
			return fmt.Errorf("logistic: Regression.%s = %v, want a positive number, or 0 for %s", f.name, f.value, f.zero)
		}
	}
	switch {
	case l.Solver < ByShape || l.Solver > CoordinateDescent:
		return fmt.Errorf("logistic: Regression.Solver = %d, want ByShape, Newton, LBFGS or CoordinateDescent", int(l.Solver))
	case l.Solver == LBFGS && l.L1 > 0:
		return fmt.Errorf("logistic: Regression.Solver = LBFGS, want Newton or CoordinateDescent with L1, which is not smooth")
	case l.Solver == CoordinateDescent && l.L1 == 0:
		return fmt.Errorf("logistic: Regression.Solver = CoordinateDescent, want Newton or LBFGS without L1")
	}
	if l.MaxIter < 0 {
		return fmt.Errorf("logistic: Regression.MaxIter = %d, want a positive number, or 0 for the solver's own", l.MaxIter)
	}
	return nil
}
