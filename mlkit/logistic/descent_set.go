package logistic

import (
	"cmp"
	"slices"
)

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
	n, e := p.n, len(p.l2)
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
