package gram

import (
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"marginalia/mlkit/internal/simd"
	"marginalia/mlkit/internal/work"
)

const (
	// blockRows is the number of rows of the factor in a block, which are computed
	// together. It is a multiple of simd.Rows and of the width of a panel. Larger
	// blocks load the panels from memory less often, but leave more work that tiles of
	// six rows can't do.
	blockRows = 96
	// depth is the number of rows above the block that are subtracted at a time. That
	// many rows of a panel stay in the cache for all rows of the block.
	depth = 256
)

// Cholesky is the upper triangular factor U of a positive definite A = UᵀU (n×n),
// stored in panels of 32 columns.
type Cholesky struct {
	n        int
	panels   [][]float64 // each down to the diagonal element of its last column
	features []uint32    // 0, 1, 2, …: all rows
}

// NewCholesky factorises A = K + shift·I. It reads the elements of K on and above the
// diagonal. It returns ok = false if A is not positive definite. If ctx is done, it
// returns ctx.Err() soon after.
//
// Row by row, uᵢᵢ² = aᵢᵢ - Σ uₚᵢ² and uᵢⱼ = (aᵢⱼ - Σ uₚᵢuₚⱼ)/uᵢᵢ over the rows p above
// (Gene Golub and Charles Van Loan, "Matrix computations", 2013, section 4.2.5). The
// bound of Higham's theorem 10.3 on the residual A - UᵀU holds for any order of
// summation.
func NewCholesky(ctx work.Ender, K *mat.SymDense, shift float64) (c *Cholesky, ok bool, err error) {
	raw := K.RawSymmetric()
	n := raw.N
	c = &Cholesky{n: n, panels: make([][]float64, (n+width64-1)/width64), features: make([]uint32, max(n, depth))}
	for p := range c.panels {
		c.panels[p] = make([]float64, min(n, (p+1)*width64)*width64)
		if err := ctx.Err(); err != nil {
			return nil, false, err
		}
	}
	for k := range c.features {
		c.features[k] = uint32(k)
	}
	b := &block{Cholesky: c}
	for b.first = 0; b.first < n; b.first += blockRows {
		b.rows = min(blockRows, n-b.first)
		b.group()
		diagonal := b.first / width64
		off := (b.first + b.rows + width64 - 1) / width64 // the first panel to the right of the diagonal block
		take := func(p int) error {
			for i := b.first; i < min(b.first+b.rows, (p+1)*width64); i++ {
				from, to := max(i, p*width64), min(n, (p+1)*width64)
				copy(c.panels[p][i*width64+from-p*width64:], raw.Data[i*raw.Stride+from:i*raw.Stride+to])
				if i == from {
					c.panels[p][i*width64+from-p*width64] += shift
				}
			}
			return b.subtract(ctx, p)
		}
		for p := diagonal; p < off; p++ {
			if err := take(p); err != nil {
				return nil, false, err
			}
		}
		if !b.factorise(diagonal, off) {
			return nil, false, nil
		}
		// The panels to the right depend on those above, and not on one another.
		right := len(c.panels) - off
		workers := processors(right * width64 * b.rows * (b.first + b.rows))
		if err := work.Each(right, workers, func(k int) error {
			if err := take(off + k); err != nil {
				return err
			}
			for r := range b.rows {
				b.finish(off+k, r)
			}
			return nil
		}); err != nil {
			return nil, false, err
		}
	}
	return c, true, nil
}

// block is the block of rows that is being computed.
type block struct {
	*Cholesky
	first, rows int
	groups      []float64            // the block's columns above it, in groups of six, each row by row
	column      [blockRows][]float64 // column[r]: the elements above the diagonal one of row r, within the block
	inverse     [blockRows]float64   // reciprocals of the diagonal elements
}

// group packs the columns above the block into groups.
func (b *block) group() {
	count := (b.rows + simd.Rows - 1) / simd.Rows
	size := simd.Rows * b.first
	b.groups = append(b.groups[:0], make([]float64, count*size)...)
	_ = work.Each(count, processors(count*size*16), func(g int) error { // a number takes as long as some products
		group := b.groups[g*size : (g+1)*size]
		for r := range min(simd.Rows, b.rows-g*simd.Rows) {
			c := b.first + g*simd.Rows + r
			panel, column := b.panels[c/width64], c%width64
			for i := range b.first {
				group[i*simd.Rows+r] = panel[i*width64+column]
			}
		}
		return nil
	})
}

// subtract subtracts the sums over the rows above the block from the block's rows in
// panel p.
func (b *block) subtract(ctx work.Ender, p int) error {
	var tile [simd.Rows * width64]float64
	panel := b.panels[p]
	last := min(b.first+b.rows, (p+1)*width64)
	for from := 0; from < b.first; from += depth {
		if err := ctx.Err(); err != nil {
			return err
		}
		count := min(depth, b.first-from)
		for i := b.first; i < last; i += simd.Rows {
			x := b.groups[(i-b.first)*b.first+from*simd.Rows:]
			simd.Tile(tile[:], panel[from*width64:], x, b.features[:count], simd.Rows)
			for r := range min(simd.Rows, last-i) {
				simd.Axpy(panel[(i+r)*width64:(i+r+1)*width64], -1, tile[r*width64:])
			}
		}
	}
	return ctx.Err()
}

// factorise finishes the block's rows in the panels diagonal to off-1. It reports
// whether all diagonal elements are positive.
func (b *block) factorise(diagonal, off int) bool {
	for r := range b.rows {
		own, at := (b.first+r)/width64, (b.first+r)%width64
		b.column[r] = b.column[r][:0]
		for q := range r {
			b.column[r] = append(b.column[r], b.panels[own][(b.first+q)*width64+at])
		}
		// Scaling the row by 1/√v also turns the diagonal element v into √v.
		b.inverse[r] = 1
		b.finish(own, r)
		v := b.panels[own][(b.first+r)*width64+at]
		if !(v > 0) {
			return false
		}
		b.inverse[r] = 1 / math.Sqrt(v)
		floats.Scale(b.inverse[r], b.panels[own][(b.first+r)*width64:(b.first+r+1)*width64])
		for p := own + 1; p < off; p++ {
			b.finish(p, r)
		}
	}
	return true
}

// finish subtracts the sum over the block's rows above row r from that row in panel p,
// and divides the row by its diagonal element.
func (b *block) finish(p, r int) {
	var tile [simd.Rows * width64]float64
	panel := b.panels[p]
	simd.Tile(tile[:], panel[b.first*width64:], b.column[r], b.features[:r], 1)
	row := panel[(b.first+r)*width64 : (b.first+r+1)*width64]
	inverse := b.inverse[r]
	for i, sum := range tile[:width64] {
		row[i] = (row[i] - sum) * inverse
	}
}

// Solve overwrites b with A⁻¹b: it solves Uᵀz = b, then Ux = z.
func (c *Cholesky) Solve(b []float64) {
	var sums [width64]float64
	for p, panel := range c.panels {
		first := p * width64
		part := b[first:min(c.n, first+width64)]
		simd.Tile(sums[:], panel, b[:first], c.features[:first], 1)
		for j := range part {
			v := part[j] - sums[j]
			for i, z := range part[:j] {
				v -= panel[(first+i)*width64+j] * z
			}
			part[j] = v / panel[(first+j)*width64+j]
		}
	}
	for p := len(c.panels) - 1; p >= 0; p-- {
		panel, first := c.panels[p], p*width64
		part := b[first:min(c.n, first+width64)]
		for j := len(part) - 1; j >= 0; j-- {
			row := panel[(first+j)*width64:][:len(part)]
			part[j] = (part[j] - floats.Dot(row[j+1:], part[j+1:])) / row[j]
		}
		for i := range b[:first] {
			b[i] -= floats.Dot(panel[i*width64:][:len(part)], part)
		}
	}
}
