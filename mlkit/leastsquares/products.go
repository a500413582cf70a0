package leastsquares

import (
	"context"
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"

	"marginalia/mlkit/internal/gram"
	"marginalia/mlkit/internal/work"
)

// goodCondition is the largest condition number of a Gram matrix with which its Cholesky
// factor, and one step of refinement with the samples, is as accurate as reflections.
// Such a step reduces an error of at most some 10⁻⁷ to the rounding error of the
// residuals (Åke Björck, "Numerical Methods for Least Squares Problems", 1996, section
// 6.6.5, on corrected seminormal equations).
const goodCondition = 1e8

// columnProducts holds the Gram matrix S of the centred columns, scaled to a diagonal of
// 1, and the products C of these columns with the targets. Off the diagonal, S is 0 in
// the rows and columns of idle columns.
type columnProducts struct {
	S       *mat.SymDense // d×d
	C       *mat.Dense    // d×M
	sums    []float64     // d numbers: Σ sᵢzᵢ
	lengths []float64     // d numbers: the divisors of the columns; 0 for idle ones

	targets, squares []float64 // M numbers: Σ sᵢyᵢ, and the sum of squares of the centred targets
}

// columnProducts computes the products, with package gram if fast or if n is large.
func (p *problem) columnProducts(ctx context.Context, fast bool) (*columnProducts, error) {
	sum, err := p.sumProducts(ctx, fast)
	if err != nil {
		return nil, err
	}
	cp := &columnProducts{S: mat.NewSymDense(p.d, nil), C: mat.NewDense(p.d, p.M, nil), sums: make([]float64, p.d), lengths: make([]float64, p.d), targets: make([]float64, p.M), squares: make([]float64, p.M)}
	// about returns the product of the centred column zⱼ, or target from j = d on, and column k
	// of the rows rᵢ.
	about := func(j, k int) float64 {
		v := sum.At(p.c+j, k)
		if p.c == 1 {
			v -= sum.At(0, p.c+j) / p.total * sum.At(0, k)
		}
		return v
	}
	for k := range p.M {
		if p.c == 1 {
			cp.targets[k] = sum.At(0, 1+p.d+k)
		}
		cp.squares[k] = about(p.d+k, p.c+p.d+k)
	}
	for j := range p.d {
		if p.c == 1 {
			cp.sums[j] = sum.At(0, 1+j)
		}
		square := about(j, p.c+j)
		if square > 0 && !p.idle(j, math.Sqrt(square)) {
			cp.lengths[j] = math.Sqrt(square + p.Lambda*p.unit[j]*p.unit[j])
		}
	}
	for j, length := range cp.lengths {
		cp.S.SetSym(j, j, 1)
		if length == 0 {
			continue
		}
		for k := j + 1; k < p.d; k++ {
			if cp.lengths[k] > 0 {
				cp.S.SetSym(j, k, about(j, p.c+k)/length/cp.lengths[k])
			}
		}
		for k := range p.M {
			cp.C.Set(j, k, about(j, p.c+p.d+k)/length)
		}
	}
	return cp, nil
}

// sumProducts returns Σ rᵢrᵢᵀ over the rows rᵢ = √sᵢ(1, zᵢ, yᵢ).
func (p *problem) sumProducts(ctx context.Context, fast bool) (*mat.SymDense, error) {
	q := p.c + p.d + p.M
	if fast || p.n >= gram.OuterFrom {
		return gram.Outer(ctx, p.n, q, func(int) func(i int) []float64 {
			row := make([]float64, q)
			return func(i int) []float64 {
				p.extended(row, i)
				return row
			}
		}, false)
	}
	return sumOfRows(ctx, p.n, q, p.extended)
}

// sumOfRows returns Σ rᵢrᵢᵀ (q×q) over n rows; row sets dst to rᵢ.
func sumOfRows(ctx context.Context, n, q int, row func(dst []float64, i int)) (*mat.SymDense, error) {
	const size = 256 // rows in a block
	block := mat.NewDense(min(size, n), q, nil)
	sum := mat.NewSymDense(q, nil)
	for first := 0; first < n; first += size {
		last := min(first+size, n)
		for i := first; i < last; i++ {
			row(block.RawRowView(i-first), i)
		}
		if err := work.Run(ctx, func() { sum.SymRankK(sum, 1, block.Slice(0, last-first, 0, q).T()) }); err != nil {
			return nil, err
		}
	}
	return sum, nil
}

// byNormalEquations solves (ZᵀSZ + λI)V = ZᵀSY with Z and Y centred.
func (p *problem) byNormalEquations(ctx context.Context) (*fit, error) {
	cp, err := p.columnProducts(ctx, false)
	if err != nil {
		return nil, err
	}
	for j, length := range cp.lengths {
		if length == 0 && p.Lambda == 0 {
			what := "constant"
			if p.largest[j] == 0 {
				what = "0"
			}
			return nil, fmt.Errorf("leastsquares: %s: XᵀX is singular, since column %d of X is %s, want independent columns; leave it out, or use ByPseudoinverse", p.name, j, what)
		}
	}
	if !allFinite(cp.C) {
		return nil, p.outOfRange()
	}
	const worst = 1e14 // leaves 2 digits
	good := false
	V := mat.NewDense(p.d, p.M, nil)
	if err := work.Run(ctx, func() {
		var cholesky mat.Cholesky
		if good = cholesky.Factorize(cp.S) && cholesky.Cond() < worst; good {
			_ = cholesky.SolveTo(V, cp.C) // its only error is the condition number, checked above
		}
	}); err != nil {
		return nil, err
	}
	if !good {
		return nil, fmt.Errorf("leastsquares: %s: XᵀX is singular, or nearly so, want independent columns of X, without a constant one beside the bias; leave some out, or use ByPseudoinverse or Lambda > 0", p.name)
	}
	p.unscale(V, cp.lengths)
	return &fit{V: V, rank: p.c + p.d}, nil
}

// tallProducts is tall by the Gram matrix of the columns. The fit is nil if that matrix
// is not well-conditioned.
func (p *problem) tallProducts(ctx context.Context) (*fit, error) {
	cp, err := p.columnProducts(ctx, true)
	if err != nil {
		return nil, err
	}
	factor, condition, err := factorise(ctx, cp.S)
	if err != nil || !(condition <= goodCondition) {
		return nil, err
	}
	solve := func(B *mat.Dense) {
		factor.solve(B)
		p.unscale(B, cp.lengths)
	}
	f := &fit{V: mat.DenseCopyOf(cp.C), rank: p.c + p.d}
	for _, length := range cp.lengths {
		if length == 0 && p.Lambda == 0 {
			f.rank--
		}
	}
	solve(f.V)
	if condition <= fineCondition && p.errorsOf(cp, f) {
		return f, nil
	}
	// At the solution, ZᵀSe less the ridge's part is 0.
	G, step := mat.NewDense(p.d, p.M, nil), mat.NewDense(p.d, p.M, nil)
	if _, err := p.errors(ctx, f, G); err != nil {
		return nil, err
	}
	for j, length := range cp.lengths {
		for k := range p.M {
			if length > 0 {
				step.Set(j, k, (G.At(j, k)-p.Lambda*p.unit[j]*p.unit[j]*f.V.At(j, k))/length)
			}
		}
	}
	solve(step)
	f.V.Add(f.V, step)
	// The step s changes the errors e by -Zs and the weights to v. With Λ the ridge's diagonal,
	// ZᵀZs = Zᵀe - Λv, so ‖e - Zs‖² = ‖e‖² - s·(Zᵀe + Λv); Z and e have their weights here.
	for k := range p.M {
		for j := range p.d {
			f.squares[k] -= step.At(j, k) * (G.At(j, k) + p.Lambda*p.unit[j]*p.unit[j]*f.V.At(j, k))
			f.mean[k] -= step.At(j, k) * cp.sums[j] / p.total
		}
		f.squares[k] = max(0, f.squares[k])
	}
	return f, nil
}

// errorsOf sets f.mean and f.squares for a solution V of the normal equations, without a pass
// over the samples: with the ridge's diagonal Λ, (ZᵀZ + Λ)V = ZᵀY, so
// ‖y - Zv‖² = ‖y‖² - v·(Zᵀy + Λv). It returns false if the difference loses two digits or more.
func (p *problem) errorsOf(cp *columnProducts, f *fit) bool {
	f.mean, f.squares = make([]float64, p.M), make([]float64, p.M)
	for k, square := range cp.squares {
		left, sum := square, cp.targets[k]
		for j, length := range cp.lengths {
			v := f.V.At(j, k)
			left -= v * (length*cp.C.At(j, k) + p.Lambda*p.unit[j]*p.unit[j]*v)
			sum -= v * cp.sums[j]
		}
		if !(left >= square/100) {
			return false
		}
		f.mean[k], f.squares[k] = sum/p.total, left
	}
	return true
}
