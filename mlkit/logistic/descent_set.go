package logistic

import (
	"cmp"
	"slices"

	"gonum.org/v1/gonum/floats"
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

// gather returns the given columns of Z, those that the problem before had from there. It returns
// false if the context is done.
func (p *problem) gather(columns []int, before *workingProblem) (C [][]float64, ok bool) {
	n, e := p.n, len(p.l2)
	C = make([][]float64, len(columns))
	var fresh []int // places among the columns
	for c, j := range columns {
		if before != nil {
			if at, ok := slices.BinarySearch(before.columns, j); ok {
				C[c] = before.C[at]
				continue
			}
		}
		C[c] = make([]float64, n)
		if j == e-1 {
			floats.AddConst(1, C[c])
			continue
		}
		fresh = append(fresh, c)
	}
	const together = 8 // rows: the numbers of a column in a cache line
	return C, p.rows((n+together-1)/together, func(i int) {
		from := i * together
		for _, c := range fresh {
			j, to := columns[c], C[c][from:min(from+together, n)]
			for r := range to {
				if p.Z != nil {
					to[r] = p.Z.At(from+r, j)
				} else {
					to[r] = (p.X.At(from+r, j) - p.mean[j]) * p.perScale[j]
				}
			}
		}
	})
}
