package logistic

import (
	"cmp"
	"fmt"
	"math"
	"slices"
)

// descend minimises the objective with L1 by coordinate descent on a working set: the
// columns with nonzero weights, and the others whose derivatives exceed the penalty most.
// When the working set is solved, a pass over X finds which columns to add, if any
// (Mathurin Massias, Alexandre Gramfort and Joseph Salmon, "Celer: a fast solver for the
// lasso with dual extrapolation", 2018). The first working set is the bias alone.
func (p *problem) descend(run *state) error {
	n, e := p.dims()
	grad, excess := make([]float64, len(run.theta)), make([]float64, e)
	columns, enough := []int{e - 1}, p.Tol*float64(n)/2
	for tol := enough; ; {
		if err := p.descendOn(columns, tol, run); err != nil {
			return err
		}
		p.value(run.theta, grad)
		if err := p.ctx.Err(); err != nil {
			return err
		}
		clear(excess)
		for a, g := range grad {
			excess[a%e] = math.Max(excess[a%e], p.excess(a%e, run.theta[a], g))
		}
		worst := slices.Max(excess)
		run.residual = worst / float64(n)
		if run.converged = run.residual <= p.Tol; run.converged {
			return nil
		}
		if run.iterations == p.MaxIter {
			return fmt.Errorf("the derivatives exceed the penalty by %.3g n after %d iterations, want %.3g n; raise MaxIter or Tol", run.residual, run.iterations, p.Tol)
		}
		columns = workingSet(run.theta, excess, enough)
		tol = math.Max(worst/10, enough)
	}
}

// excess returns how far a derivative g of the smooth part is from making t optimal as a
// weight of column j: -g must be a subgradient of the penalty, which at 0 is any number
// from -L1 to L1.
func (p *problem) excess(j int, t, g float64) float64 {
	if t == 0 {
		return math.Max(0, math.Abs(g)-p.l1[j])
	}
	return math.Abs(g + math.Copysign(p.l1[j], t))
}

// workingSet returns, in order, the last column (the bias), the columns with a nonzero
// weight in some class, and those of the others with the largest excess above the given
// bound: at most twice as many, or 100 if that is more.
func workingSet(theta, excess []float64, above float64) []int {
	e := len(excess)
	var columns, others []int
	for j := range e {
		weight := j == e-1
		for a := j; a < len(theta); a += e {
			weight = weight || theta[a] != 0
		}
		if weight {
			columns = append(columns, j)
		} else if excess[j] > above {
			others = append(others, j)
		}
	}
	slices.SortFunc(others, func(i, j int) int {
		return cmp.Or(cmp.Compare(excess[j], excess[i]), cmp.Compare(i, j))
	})
	columns = append(columns, others[:min(len(others), max(100, 2*len(columns)))]...)
	slices.Sort(columns)
	return columns
}

// gather returns the given columns of Z, one after the other. It returns false if the
// context is done.
func (p *problem) gather(columns []int) ([]float64, bool) {
	n, e := p.dims()
	C := make([]float64, len(columns)*n)
	ok := p.rows(n, func(i int) {
		for c, j := range columns {
			switch {
			case j == e-1:
				C[c*n+i] = 1
			case p.Z != nil:
				C[c*n+i] = p.Z.At(i, j)
			default:
				C[c*n+i] = (p.X.At(i, j) - p.mean[j]) * p.perScale[j]
			}
		}
	})
	return C, ok
}
