package discriminant

import (
	"context"
	"fmt"

	"gonum.org/v1/gonum/mat"

	"marginalia/mlkit/internal/rows"
)

// varying returns g without the columns that are the same in all samples, which say nothing
// about the classes: those to which variances gives 0. It returns g itself if no column is
// constant, and an error if all are. It moves the others to the left in g.centred, since a copy
// may be large.
func (g *gaussians) varying(ctx context.Context, algorithm string, divisor Divisor, pooled bool) (*gaussians, error) {
	apart := 0
	for j := range g.d {
		if g.apart(j) {
			apart++
		}
	}
	if apart == g.d { // usually so, and seen in O(Md) time
		return g, nil
	}
	spreads, divisors, err := g.divided(ctx, algorithm, divisor, pooled)
	if err != nil {
		return nil, err
	}
	columns := []int{}
	for j := range g.d {
		if _, varies, err := g.ofColumn(algorithm, j, spreads, divisors); varies || err != nil {
			columns = append(columns, j)
		}
	}
	switch len(columns) {
	case g.d:
		return g, nil
	case 0:
		return nil, fmt.Errorf("discriminant: %s: all %d columns of X are constant, want at least one that varies", algorithm, g.d)
	}
	v := &gaussians{labelled: g.labelled, d: g.d, columns: columns, size: rows.Pick(g.size, columns)}
	for _, mean := range g.means {
		v.means = append(v.means, rows.Pick(mean, columns))
	}
	for i := range g.n {
		z := g.centred.RawRowView(i)
		for l, j := range columns {
			z[l] = z[j]
		}
	}
	v.centred = g.centred.Slice(0, g.n, 0, len(columns)).(*mat.Dense)
	return v, nil
}

// restore puts 0 into the columns of each row that g is without, and returns the rows.
func (g *gaussians) restore(R [][]float64) [][]float64 {
	for k, row := range R {
		R[k] = rows.Restore(row, g.columns, g.d)
	}
	return R
}

// restoreSquare returns the matrix S with rows and columns of 0 for the columns that g is
// without.
func (g *gaussians) restoreSquare(S mat.Matrix) [][]float64 {
	wide := zeros(g.d, g.d)
	for k, row := range g.restore(toRows(S)) {
		wide[rows.Number(k, g.columns)] = row
	}
	return wide
}

// invertible factorises a covariance of g, or names the columns of X that make it singular.
func (g *gaussians) invertible(cov *mat.SymDense) (*mat.Cholesky, *SingularError) {
	chol, e := invertible(cov)
	if e != nil {
		e.ignored = g.d - len(e.Direction)
		e.Direction, e.Columns = rows.Restore(e.Direction, g.columns, g.d), rows.Within(g.columns, e.Columns)
	}
	return chol, e
}
