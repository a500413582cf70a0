package linear

import (
	"context"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"marginalia/mlkit"
	"marginalia/mlkit/internal/check"
)

// Logistic is logistic regression, or logistic discrimination: the model that LDA
// leads to, P(Y = y | X = x) = σ(y(w·x + b)), but "ignore the assumptions and
// directly maximize the parameters' likelihood" (EE-559). It minimises
//
//	-Σ log σ(yᵢ(w·xᵢ + b)) + ½ L2 ‖w‖² + L1 ‖w‖₁
//
// over w and b. The zero value maximises the likelihood. With a prior on w it
// maximises the posterior (MAP; EE-559, "log μ(w, b | D = d)"): a Gaussian of
// variance σ² is L2 = 1/σ², a Laplace density e^{-|w|/s} is L1 = 1/s. The bias has no
// prior, so shifting the samples changes nothing else. scikit-learn's C is 1/L2, or
// 1/L1.
//
// Fit learns two classes, labelled -1 and +1, FitClasses any number (Theodoridis,
// "Logistic discrimination").
//
// If a hyperplane has no sample on its wrong side, multiples of it make the likelihood
// ever larger and it has no maximum (Adelin Albert and John Anderson, "On the existence
// of maximum likelihood estimates in logistic regression models", 1984). Without a
// penalty the fit then returns *SeparableError with that hyperplane.
//
// Samples are centred and scaled for the computation, which leaves the problem as it
// is: the penalties are on the weights of the columns of X as they are given. So a shift
// of a column changes no probability, whatever the penalty, and another unit changes none
// if there is no penalty. Standardise the columns first if one L2 or L1 is to mean the
// same for all.
//
// With 10,000 samples or more, with 2²⁰ elements of X or more, and with
// CoordinateDescent the sums are added up by vectors, whose last bits differ from
// processor to processor; with LBFGS, L2 and a Tol of 1e-6 or more the way there is over a
// copy of such samples in float32, and only the end over those in float64. If
// columns are collinear and nothing is penalised, many w have the same likelihood, and the
// fit finds one of them.
type Logistic struct {
	// L2 is the strength of the penalty ½ L2 ‖w‖², the precision 1/σ² of the
	// Gaussian prior; 0 means none.
	L2 float64

	// L1 is the strength of the penalty L1 ‖w‖₁, under which weights that are worth
	// little are exactly 0; 0 means none.
	L1 float64

	// Solver is the method. The zero value, ByShape, chooses it by the numbers of
	// samples, columns and classes.
	Solver Solver

	// Tol is when to stop; 0 means 1e-8 with Newton and 1e-6 with the others. With Newton
	// it is the Newton decrement √(p·Hp) of the step p: the objective is then within
	// Tol²/2 of its minimum (Stephen Boyd and Lieven Vandenberghe, "Convex
	// Optimization", 2004, section 9.5.1), and this last step is taken. With LBFGS it is
	// the largest element of the gradient over n, with weights scaled to one curvature;
	// below 1e-7 rounding may keep it from being reached. With CoordinateDescent it is the
	// same of the subgradient nearest to 0.
	Tol float64

	// MaxIterations limits the iterations; 0 means 100 with Newton and 10000 with the
	// others. After them Fit returns a *mlkit.NotConvergedError.
	MaxIterations int

	// Trace, if not nil, is called after every iteration. Returning false ends
	// the fit. It changes neither the solver nor a bit of the model.
	Trace func(LogisticStep) bool
}

// LogisticStep is one iteration of logistic regression.
type LogisticStep struct {
	Iteration int         // 1 for the first
	W         [][]float64 // after it: w for two classes, else w_k for each class
	B         []float64   // after it: b, or b_k
	Objective float64     // after it
	Residual  float64     // what Logistic.Tol is about, before it
	Length    float64     // of the step, as a multiple of Newton's; 0 with LBFGS
}

// LogisticModel is what a Logistic of two classes has learnt. Its score is the
// log-odds w·x + b.
type LogisticModel struct {
	Hyperplane
	LogLikelihood float64 `json:"log_likelihood"` // Σ log σ(yᵢ(w·xᵢ + b))
	Objective     float64 `json:"objective"`      // with the penalties
	Iterations    int     `json:"iterations"`
	Converged     bool    `json:"converged"`
}

var _ mlkit.Classifier = (*LogisticModel)(nil)

// Fit learns from the rows of X (n×d) with labels y[i], each -1 or +1. Beside the
// errors about its arguments it returns, with the model as far as it has come,
// *SeparableError if the likelihood has no maximum and *mlkit.NotConvergedError if
// MaxIterations do not do.
func (l Logistic) Fit(X *mat.Dense, y []int) (*LogisticModel, error) {
	return l.FitContext(context.Background(), X, y)
}

// FitContext is Fit that ends with a *mlkit.NotConvergedError, wrapping the
// context's error, soon after ctx is done.
func (l Logistic) FitContext(ctx context.Context, X *mat.Dense, y []int) (*LogisticModel, error) {
	if err := l.check(); err != nil {
		return nil, err
	}
	if err := checkSigns(X, y); err != nil {
		return nil, err
	}
	p, err := newLogisticProblem(ctx, l.solvedBy(X, 1), X)
	if err != nil {
		return nil, err
	}
	p.loss = &signLoss{y: slices.Clone(y)} // Newton may outlive this call
	run, cause := p.run()
	W, B := p.original(run.theta)
	m := &LogisticModel{
		Hyperplane:    Hyperplane{W: W[0], B: B[0]},
		LogLikelihood: -run.loss,
		Objective:     run.objective,
		Iterations:    run.iterations,
		Converged:     run.converged,
	}
	return m, p.failure(run, cause, m)
}

// Prob returns P(Y = +1 | X = x) = σ(w·x + b). It panics unless x is as long as W.
func (m *LogisticModel) Prob(x []float64) float64 { return sigmoid(m.Score(x)) }

// Probs sets dst[i] to Prob of row i of X (n×d) and returns dst, a new slice if dst
// is nil. It panics where Scores does.
func (m *LogisticModel) Probs(dst []float64, X mat.Matrix) []float64 {
	return sigmoids(m.Scores(dst, X))
}

// SoftmaxModel is what a Logistic of M classes has learnt,
//
//	P(Y = k | X = x) = exp(w_k·x + b_k) / Σ exp(w_l·x + b_l).
//
// Adding the same to all w_k, or to all b_k, changes no probability; here Σ b_k = 0
// and, unless L1 decides otherwise, Σ w_k = 0. Theodoridis takes w_M = 0 and b_M = 0
// instead: his w_k is w_k - w_M here; see Between.
type SoftmaxModel struct {
	LinearMachine
	LogLikelihood float64 `json:"log_likelihood"` // Σ log P(Y = yᵢ | X = xᵢ)
	Objective     float64 `json:"objective"`      // with the penalties, where ‖w‖ is over all w_k
	Iterations    int     `json:"iterations"`
	Converged     bool    `json:"converged"`
}

// FitClasses learns from the rows of X (n×d) with labels y[i], any ints, at least
// two different ones. Its errors are those of Fit.
func (l Logistic) FitClasses(X *mat.Dense, y []int) (*SoftmaxModel, error) {
	return l.FitClassesContext(context.Background(), X, y)
}

// FitClassesContext is FitClasses as FitContext is Fit.
func (l Logistic) FitClassesContext(ctx context.Context, X *mat.Dense, y []int) (*SoftmaxModel, error) {
	if err := l.check(); err != nil {
		return nil, err
	}
	if err := check.Samples("linear", X); err != nil {
		return nil, err
	}
	n, _ := X.Dims()
	classes, index, err := classesOf(n, y)
	if err != nil {
		return nil, err
	}
	p, err := newLogisticProblem(ctx, l.solvedBy(X, len(classes)), X)
	if err != nil {
		return nil, err
	}
	p.loss = newSoftmaxLoss(index, len(classes))
	run, cause := p.run()
	W, B := p.original(run.theta)
	shift := 0.0
	for _, b := range B {
		shift += b / float64(len(B))
	}
	for k := range B {
		B[k] -= shift
	}
	m := &SoftmaxModel{
		LinearMachine: LinearMachine{Classes: classes, W: W, B: B},
		LogLikelihood: -run.loss,
		Objective:     run.objective,
		Iterations:    run.iterations,
		Converged:     run.converged,
	}
	return m, p.failure(run, cause, m)
}

// Probs sets dst[k] to P(Y = Classes[k] | X = x) and returns dst, a new slice if
// dst is nil. It panics unless x has length d and dst length M.
func (m *SoftmaxModel) Probs(dst, x []float64) []float64 {
	dst = m.Discriminants(dst, x)
	softmax(dst)
	return dst
}

// ProbsOf sets row i of dst (n×M) to Probs of row i of X (n×d) and returns dst, a
// new matrix if dst is nil. It panics if the shapes are not these.
func (m *SoftmaxModel) ProbsOf(dst *mat.Dense, X mat.Matrix) *mat.Dense {
	return probs(dst, X, len(m.B), len(m.W[0]), func(dst, x []float64) { m.Probs(dst, x) })
}

// check checks the hyperparameters.
func (l Logistic) check() error {
	for _, f := range []struct {
		name  string
		value float64
		zero  string
	}{{"L2", l.L2, "none"}, {"L1", l.L1, "none"}, {"Tol", l.Tol, "the solver's own"}} {
		if !(f.value >= 0 && f.value <= math.MaxFloat64) {
			return fmt.Errorf("linear: Logistic.%s = %v, want a positive number, or 0 for %s", f.name, f.value, f.zero)
		}
	}
	switch {
	case l.Solver < ByShape || l.Solver > CoordinateDescent:
		return fmt.Errorf("linear: Logistic.Solver = %d, want ByShape, Newton, LBFGS or CoordinateDescent", int(l.Solver))
	case l.Solver == LBFGS && l.L1 > 0:
		return fmt.Errorf("linear: Logistic.Solver = LBFGS, want Newton or CoordinateDescent with L1, which is not smooth")
	case l.Solver == CoordinateDescent && l.L1 == 0:
		return fmt.Errorf("linear: Logistic.Solver = CoordinateDescent, want Newton or LBFGS without L1")
	}
	if l.MaxIterations < 0 {
		return fmt.Errorf("linear: Logistic.MaxIterations = %d, want a positive number, or 0 for the solver's own", l.MaxIterations)
	}
	return nil
}
