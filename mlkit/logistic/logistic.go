package logistic

import (
	"context"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"marginalia/mlkit"
	"marginalia/mlkit/internal/check"
	"marginalia/mlkit/internal/rows"
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
// Fit learns two classes, labelled -1 and +1. FitClasses learns any number of classes
// (Theodoridis, "Logistic discrimination").
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
	// weights of FitWeighted multiply them. See mlkit.BalancedWeights.
	ClassWeights map[int]float64

	// Start is a hyperplane for a warm start of Fit, such as that of a model for another L2
	// or L1, and StartClasses is one for FitClasses, with the same Classes. A fit neither
	// modifies it nor depends on it beyond its tolerance: it shortens a Start with samples
	// on their wrong sides by more than 20, and begins at w = 0 and b = 0 if the objective
	// is smaller there. nil means w = 0 and b = 0.
	Start        *mlkit.Hyperplane
	StartClasses *mlkit.LinearMachine

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
	// 1e-7 rounding error may keep it from converging. Where that is too early, as with
	// nearly collinear columns, Newton's method goes on. CoordinateDescent compares Tol with
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

// Model is what Regression has learnt from two classes. Its score w·x + b is the
// log-odds of +1.
type Model struct {
	mlkit.Hyperplane
	LogLikelihood float64 `json:"log_likelihood"` // Σ vᵢ log σ(yᵢ(w·xᵢ + b))
	Objective     float64 `json:"objective"`      // with the penalties
	Iterations    int     `json:"iterations"`
	Converged     bool    `json:"converged"`
}

var _ mlkit.ClassifierModel = (*Model)(nil)

// Fit learns from the rows of X (n×d) with labels y[i], each -1 or +1. It returns an
// error if an argument or hyperparameter is invalid, a *SeparableError if the likelihood
// has no maximum, and a *mlkit.NotConvergedError if MaxIter is not enough or there is no
// proof that the model is near the maximum. The last two come with the model reached so far.
func (l Regression) Fit(X *mat.Dense, y []int) (*Model, error) {
	return l.FitContext(context.Background(), X, y)
}

// FitContext is Fit with a context. Soon after ctx is done it returns a
// *mlkit.NotConvergedError that wraps the context's error.
func (l Regression) FitContext(ctx context.Context, X *mat.Dense, y []int) (*Model, error) {
	return l.FitWeightedContext(ctx, X, y, nil)
}

// FitWeighted is Fit with a weight for each row of X: its factor in the log-likelihood. A
// row of weight k counts like k equal rows, one of weight 0 is absent, and nil means 1 for
// all. FitWeighted also returns an error if a weight is negative or not finite, if the
// product with the weight of the class is neither 0 nor from 1e-100 to 1e100, or if a label
// has no row with a weight above 0.
func (l Regression) FitWeighted(X *mat.Dense, y []int, weights []float64) (*Model, error) {
	return l.FitWeightedContext(context.Background(), X, y, weights)
}

// FitWeightedContext is to FitWeighted what FitContext is to Fit.
func (l Regression) FitWeightedContext(ctx context.Context, X *mat.Dense, y []int, weights []float64) (*Model, error) {
	if err := l.check(); err != nil {
		return nil, err
	}
	if err := check.TwoClasses("logistic", X, y); err != nil {
		return nil, err
	}
	X, y, v, err := l.weighted(X, y, weights)
	if err != nil {
		return nil, err
	}
	_, d := X.Dims()
	start, b, err := l.start(nil, d)
	if err != nil {
		return nil, err
	}
	// A cancelled Newton step may outlive this call, so it needs labels of its own.
	p, err := newProblem(ctx, l.solvedBy(X, 1), X, labels{slices.Clone(y), v, 1})
	if err != nil {
		return nil, err
	}
	run, cause := p.run(start, b)
	W, B := p.original(run.theta)
	m := &Model{
		Hyperplane:    mlkit.Hyperplane{W: W[0], B: B[0]},
		LogLikelihood: -run.loss,
		Objective:     run.objective,
		Iterations:    run.iterations,
		Converged:     run.converged,
	}
	return m, p.failure(run, cause, m)
}

// Prob returns P(Y = +1 | X = x) = σ(w·x + b). It panics unless x has length d.
func (m *Model) Prob(x []float64) float64 { return rows.Sigmoid(m.Score(x)) }

// Probs sets dst[i] to Prob of row i of X (n×d) and returns dst, a new slice if dst is
// nil. It panics unless X has d columns and dst has length n.
func (m *Model) Probs(dst []float64, X mat.Matrix) []float64 {
	return rows.Sigmoids(m.Scores(dst, X))
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
