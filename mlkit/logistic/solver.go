package logistic

import (
	"errors"
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"
)

// Solver is a method of minimising the objective of Regression.
type Solver int

const (
	// ByShape chooses Newton for small problems. For others it chooses LBFGS or, with L1,
	// CoordinateDescent. A problem is small if it has D = M(d + 1) ≤ 100 weights, with
	// M = 1 for two classes, and without L1 also nD² ≤ 10⁷, which takes Newton some 20
	// ms. Newton is the most accurate, but takes 3 times as long as LBFGS with n = 1000
	// samples of d = 20 columns, 8 times with d = 200, and 17 times with n = d = 300
	// (BenchmarkLogisticSolvers). The choice does not depend on the values in X, on Trace
	// or on the processor.
	ByShape Solver = iota
	// Newton is Newton's method with step halving. For logistic regression it is known as
	// iteratively reweighted least squares (IRLS), since each step solves a least squares
	// problem with weights σ(1-σ). With L1 each step minimises the quadratic model plus
	// the penalty by coordinate descent (proximal Newton: Jason Lee, Yuekai Sun and
	// Michael Saunders, 2014). An iteration takes O(nD + nd²M² + D³) time.
	// With two classes, a penalty, at least 70,000 samples and no Start, the fit starts at the
	// minimum for every seventh sample. Iterations on these are not counted.
	Newton
	// LBFGS is the limited-memory quasi-Newton method of Jorge Nocedal (1980), from
	// gonum/optimize. An iteration takes O(nD) time. It needs a smooth objective, so L1
	// must be 0. The gradient, with L2, or a Newton step then proves that the result is near
	// the minimum. If it doesn't, Newton's method goes on from there. If that fails, or without a
	// penalty, it begins again at w = 0, where it also shows whether the likelihood has a
	// maximum. Its steps from w = 0 are neither counted nor traced. With more than 1000 weights, conjugate gradients
	// take the place of the Hessian. Without a penalty they may end without a verdict: the
	// fit then detects only hyperplanes with every sample strictly on its own side, and
	// single columns that set a class apart.
	LBFGS
	// CoordinateDescent is for L1. It is newGLMNET of Guo-Xun Yuan, Chia-Hua Ho and
	// Chih-Jen Lin, "An improved GLMNET for L1-regularized logistic regression", 2012, on
	// a working set of columns. The set grows by the columns whose derivatives exceed the
	// penalty most. The steps are those of Newton with L1, but computed without the
	// Hessian, so most of the time goes to columns with nonzero weights.
	CoordinateDescent
)

func (s Solver) String() string {
	if s < ByShape || s > CoordinateDescent {
		return fmt.Sprintf("Solver(%d)", int(s))
	}
	return [...]string{"ByShape", "Newton", "LBFGS", "CoordinateDescent"}[s]
}

// solvedBy returns l with ByShape replaced by the solver it chooses for samples X and M
// scores per sample.
func (l Regression) solvedBy(X *mat.Dense, M int) Regression {
	if l.Solver != ByShape {
		return l
	}
	n, d := X.Dims()
	// No product overflows in float64.
	D := float64(M) * float64(d+1)
	switch {
	case D <= 100 && (l.L1 > 0 || float64(n)*D*D <= 1e7):
		l.Solver = Newton
	case l.L1 > 0:
		l.Solver = CoordinateDescent
	default:
		l.Solver = LBFGS
	}
	return l
}

// run minimises the objective from the given weights and biases, or from θ = 0. The cause is
// nil if it has converged, otherwise it says why not.
func (p *problem) run(W [][]float64, B []float64) (run *state, cause error) {
	run = &state{theta: make([]float64, p.K*len(p.l2))}
	run.loss = p.atZero()
	run.objective = run.loss
	if err := p.ctx.Err(); err != nil {
		return run, err // there may be no sums
	}
	if W != nil {
		p.begin(run, W, B)
	} else if p.startsOnSubsample() {
		p.startOnSubsample(run)
	}
	switch p.Solver {
	case CoordinateDescent:
		return run, p.descend(run)
	case LBFGS:
		if cause := p.lbfgs(run); cause != nil {
			return run, cause
		}
		return run, p.finish(run)
	}
	return run, p.newton(run)
}

// errSingular ends Newton's method where it needs other coordinates.
var errSingular = errors.New("the Hessian is singular")

// newton minimises the objective by Newton's method, or by proximal Newton steps with L1. It
// goes on in an orthogonal basis if the Hessian is singular and nothing is penalised.
func (p *problem) newton(run *state) error {
	m := newton{
		objective: p, ctx: p.ctx, maxIter: p.MaxIter,
		tol:      p.Tol * math.Sqrt(p.total/float64(p.n)), // Tol is for a mean weight of 1
		relative: p.Tol,
		shortest: !p.likelihood() || p.basis != nil,
		proved: func(s []float64, regular bool) (bool, error) {
			if p.likelihood() && !regular {
				return false, nil
			}
			return p.proven(run, p.prove(run.theta, s))
		},
		after: func(s []float64, t float64) error {
			if err := p.proveSeparable(run, s); err != nil {
				return err
			}
			return p.trace(run, t)
		},
	}
	if p.L1 > 0 {
		m.proximal = p.proximalStep
	}
	if many(p.X) && !p.likelihood() {
		m.objective, m.quick = p.quickly(run)
	}
	switch err := m.minimise(run); {
	case err == errSingular:
		return p.newtonInBasis(run)
	case err != nil || run.converged:
		return err
	case run.residual > m.tol:
		return fmt.Errorf("the Newton decrement is %.3g after %d iterations, want %.3g; raise MaxIter or Tol", run.residual, run.iterations, m.tol)
	}
	return p.unproven(run)
}
