package logistic

import (
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"marginalia/mlkit/internal/gram"
	"marginalia/mlkit/internal/simd"
	"marginalia/mlkit/internal/work"
)

// From this many samples, or elements of X, a fit works on blocks of rows with vector
// instructions. Smaller fits take milliseconds, and every processor gives the same bits.
var (
	manyRows     = 10000
	manyElements = 1 << 20

	outerFrom = gram.OuterFrom // rows from which Hessians are summed by gram.Outer

	// roughly is whether L-BFGS begins on a float32 copy of the samples. Without vector
	// instructions its conversions to float64 take longer than reading float64 does.
	roughly = simd.Name() != "off"
)

// many reports whether X is that large.
func many(X *mat.Dense) bool {
	n, d := X.Dims()
	return n >= manyRows || n >= manyElements/d
}

// block is the largest number of rows in a block. They stay in the cache while the
// scores, the losses and the gradient are computed.
const block = 64

// blockOf returns the number of rows of e elements in a block: at most 2¹⁷ elements, or 8
// rows if these have more. 2¹⁷ elements in float64 are half of a second-level cache of
// 2 MB. It divides work.Multiple, so that parts begin with a block.
func blockOf(e int) int {
	rows := block
	for rows > 8 && rows*e > 1<<17 {
		rows /= 2
	}
	return rows
}

// blocks has the sums over samples by blocks of rows, in one pass, with vector
// instructions. It rounds otherwise than plain, and is equal to it up to that.
type blocks[T simd.Float] struct {
	plain        // Z is nil if the rows are not those of Z
	n, e, stride int
	reader       func() func(from, rows int) []T // makes functions that return rows, given the first and their number
}

// parts returns the parts of the samples whose sums are added.
func (s blocks[T]) parts() work.Parts { return work.Divide(s.n, 256) }

// blocksOf returns the sums over the rows of Z.
func blocksOf(Z *mat.Dense, loss loss) blocks[float64] {
	n, e := Z.Dims()
	raw := Z.RawMatrix()
	return blocks[float64]{plain{Z, loss}, n, e, raw.Stride, inOrder(raw.Data, raw.Stride)}
}

// storeMany sets the sums for many samples. With vector instructions L-BFGS mostly waits for
// memory, so it begins with a float32 copy of the samples. That is a slightly different problem: its gradient
// over n is usually off by less than 10⁻⁷, a tenth of the smallest Tol with which it is
// used. Coordinate descent makes few passes over all columns, and Newton's passes take longer
// than computing the samples, so both compute them from X as needed.
func (p *problem) storeMany() bool {
	n, e := p.n, len(p.l2)
	switch {
	case p.Solver == CoordinateDescent, p.Solver == Newton && !p.likelihood() && outerPays(n, p.loss):
		p.sums = p.computed()
		return true
	case roughly && p.Solver == LBFGS && p.L2 > 0 && p.Tol >= 1e-6 && p.total < 1e30*p.least: // z² ≤ Σ vᵢ / min vᵢ is within float32's range
		rough := make([]float32, n*e)
		p.sums, p.exact = blocks[float32]{plain{nil, p.loss}, n, e, e, inOrder(rough, e)}, p.computed()
		return p.all(func(i int) {
			z := rough[i*e:][:e]
			simd.Standardize(z[:e-1], p.X.RawRowView(i), p.mean, p.perScale)
			z[e-1] = 1
		})
	}
	Z := mat.NewDense(n, e, nil)
	*p = *p.over(Z, p.loss)
	return p.all(func(i int) {
		z := Z.RawRowView(i)
		simd.Standardize(z[:e-1], p.X.RawRowView(i), p.mean, p.perScale)
		z[e-1] = 1
	})
}

// all calls do for each sample; several goroutines do so at once. It returns false if the
// context was done before the end.
func (p *problem) all(do func(i int)) bool {
	return work.Divide(p.n, 1024).Do(func(_, from, to int) error {
		for i := from; i < to; i++ {
			do(i)
		}
		return p.ctx.Err()
	}) == nil
}

// computed returns the sums over samples that are computed from X as needed.
func (p *problem) computed() blocks[float64] {
	e := len(p.l2)
	return blocks[float64]{plain{nil, p.loss}, p.n, e, e, p.standardised()}
}

// standardised returns a reader that computes rows of the problem from those of X. They are
// valid until its next call.
func (p *problem) standardised() func() func(from, rows int) []float64 {
	e := len(p.mean) + 1
	return func() func(from, rows int) []float64 {
		z := make([]float64, blockOf(e)*e)
		return func(from, rows int) []float64 {
			for i := range rows {
				row := z[i*e:][:e]
				simd.Standardize(row[:e-1], p.X.RawRowView(from+i), p.mean, p.perScale)
				row[e-1] = 1
			}
			return z
		}
	}
}

// inOrder returns a reader that returns the rows of z from one on, and prefetches as many
// rows after them.
func inOrder[T simd.Float](z []T, stride int) func() func(from, rows int) []T {
	read := func(from, rows int) []T {
		some := z[from*stride:]
		simd.Prefetch(some[min(rows*stride, len(some)):min(2*rows*stride, len(some))])
		return some
	}
	return func() func(from, rows int) []T { return read }
}

func (s blocks[T]) value(ctx work.Ender, theta, grad []float64) (loss float64) {
	p := s.parts()
	losses, grads := make([]float64, p.Count()), make([][]float64, p.Count())
	_ = p.Do(func(part, from, to int) error {
		if grad != nil {
			grads[part] = make([]float64, len(grad))
		}
		losses[part] = s.part(ctx, theta, grads[part], from, to)
		return nil
	})
	for part, g := range grads {
		loss += losses[part]
		if grad != nil {
			floats.Add(grad, g)
		}
	}
	return loss
}

// part is value for some of the samples.
func (s blocks[T]) part(ctx work.Ender, theta, grad []float64, from, to int) (loss float64) {
	e, stride, K := s.e, s.stride, s.loss.outputs()
	scores, read := newBlockScores(K), s.reader()
	step := blockOf(e)
	// Few enough rows to stay in the first-level cache through all classes.
	few := step
	if K > 1 {
		few = min(step, max(8, 1<<12/e&^7))
	}
	for ; from < to; from += step {
		if ctx.Err() != nil {
			return math.NaN()
		}
		scores.rows = min(step, to-from)
		z := read(from, scores.rows)
		for r := 0; r < scores.rows; r += few {
			rows := min(few, scores.rows-r)
			for k := range K {
				simd.Products(scores.f[k*block+r:][:rows], z[r*stride:], stride, theta[k*e:(k+1)*e])
			}
		}
		loss += s.loss.block(from, scores)
		if grad == nil {
			continue
		}
		for r := 0; r < scores.rows; r += few {
			rows := min(few, scores.rows-r)
			for k := range K {
				simd.Combine(grad[k*e:(k+1)*e], z[r*stride:], stride, scores.f[k*block+r:][:rows])
			}
		}
	}
	return loss
}

// both computes loss, gradient and Hessian in one pass over the samples if there are two
// classes and outerPays.
func (s blocks[T]) both(ctx work.Ender, theta, grad []float64) (loss float64, H *mat.SymDense) {
	if !outerPays(s.n, s.loss) {
		return s.value(ctx, theta, grad), nil
	}
	count := gram.OuterParts(s.n, s.e).Count()
	losses, grads := make([]float64, count), make([][]float64, count)
	H, err := gram.Outer(ctx, s.n, s.e, func(part int) func(i int) []float64 {
		var z []T // the rows of the block
		scores, step, row, read := newBlockScores(1), blockOf(s.e), make([]float64, s.e), s.reader()
		grads[part] = make([]float64, s.e)
		return func(i int) []float64 {
			r := i % step // a part begins with a block
			if r == 0 {
				scores.rows = min(step, s.n-i)
				z = read(i, scores.rows)
				simd.Products(scores.f[:scores.rows], z, s.stride, theta)
				losses[part] += s.loss.block(i, scores)
				simd.Combine(grads[part], z, s.stride, scores.f[:scores.rows])
				s.loss.(*signLoss).roots(i, scores)
			}
			clear(row)
			simd.Combine(row, z[r*s.stride:], s.stride, scores.f[r:r+1])
			return row
		}
	}, false)
	if err != nil {
		return math.NaN(), nil
	}
	for part, g := range grads {
		loss += losses[part]
		floats.Add(grad, g)
	}
	return loss, H
}

func (s blocks[T]) hessian(ctx work.Ender, theta []float64) *mat.SymDense {
	if !outerPays(s.n, s.loss) {
		return s.plain.hessian(ctx, theta)
	}
	_, H := s.both(ctx, theta, make([]float64, s.e))
	if H == nil {
		return mat.NewSymDense(s.e, nil) // ctx is done, and nobody uses the result
	}
	return H
}

func (s blocks[T]) with(l loss) sums {
	s.loss = l
	return s
}

// outerPays reports whether the Hessian of the loss of n samples is summed by gram.Outer.
func outerPays(n int, l loss) bool {
	_, two := l.(*signLoss)
	return two && n >= outerFrom
}
