package logistic

import (
	"math"
	"slices"

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

// blockOf returns the number of rows of e elements in a block: at most 2¹⁵ elements, or 8
// rows if these have more. 2¹⁵ elements in float64 are half of a second-level cache of
// 512 KB. It divides work.Multiple, so that parts begin with a block.
func blockOf(e int) int {
	rows := block
	for rows > 8 && rows*e > 1<<15 {
		rows /= 2
	}
	return rows
}

// blocks has the sums over samples by blocks of rows, in one pass, with vector
// instructions. It rounds otherwise than plain, and is equal to it up to that.
type blocks[T simd.Float] struct {
	plain        // Z is nil if the rows are not those of Z
	fast         // the loss
	n, e, stride int
	reader       func() func(from, rows int) []T // makes functions that return rows, given the first and their number
}

// parts returns the parts of the samples whose sums are added.
func (s blocks[T]) parts() work.Parts { return work.Divide(s.n, 256) }

// blocksOf returns the sums over the rows of Z.
func blocksOf(Z *mat.Dense, l loss) blocks[float64] {
	n, e := Z.Dims()
	raw := Z.RawMatrix()
	return blocks[float64]{plain{Z, l}, l, n, e, raw.Stride, inOrder(raw.Data, raw.Stride)}
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
	e, stride, K := s.e, s.stride, len(theta)/s.e
	scores, read := newBlockScores(K), s.reader()
	step := blockOf(e)
	// The scores are 0 at the start of a fit and in problem.combine.
	atZero := !slices.ContainsFunc(theta, func(t float64) bool { return t != 0 })
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
		clear(scores.f)
		for r := 0; r < scores.rows && !atZero; r += few {
			rows := min(few, scores.rows-r)
			simd.Products(scores.f[r:][:rows], z[r*stride:], stride, theta[:e])
			for k := 1; k < K; k++ {
				simd.ProductsCached(scores.f[k*block+r:][:rows], z[r*stride:], stride, theta[k*e:(k+1)*e])
			}
		}
		loss += s.fast.block(from, scores)
		if grad == nil {
			continue
		}
		for r := 0; r < scores.rows; r += few {
			rows := min(few, scores.rows-r)
			for k := range K {
				simd.CombineCached(grad[k*e:(k+1)*e], z[r*stride:], stride, scores.f[k*block+r:][:rows])
			}
		}
	}
	return loss
}

// both computes loss, gradient and Hessian in one pass over the samples if there are two
// classes and outerPays.
func (s blocks[T]) both(ctx work.Ender, theta, grad []float64) (loss float64, H *mat.SymDense) {
	if !outerPays(s.n, s.fast) {
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
				losses[part] += s.fast.block(i, scores)
				simd.CombineCached(grads[part], z, s.stride, scores.f[:scores.rows])
				s.fast.(rooted).roots(i, scores)
			}
			clear(row)
			simd.CombineCached(row, z[r*s.stride:], s.stride, scores.f[r:r+1])
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
	if !outerPays(s.n, s.fast) {
		return s.plain.hessian(ctx, theta)
	}
	_, H := s.both(ctx, theta, make([]float64, s.e))
	if H == nil {
		return mat.NewSymDense(s.e, nil) // ctx is done, and nobody uses the result
	}
	return H
}

func (s blocks[T]) with(l loss) sums {
	s.loss, s.fast = l, l
	return s
}

// outerPays reports whether the Hessian of the loss of n samples is summed by gram.Outer.
func outerPays(n int, l fast) bool {
	_, ok := l.(rooted)
	return ok && n >= outerFrom
}

// blockScores holds the scores of the samples in a block, and scratch for the losses.
type blockScores struct {
	rows int
	f    []float64 // class k's score of sample r is at k·block+r
	exp  []float64 // as f
	rest [block]float64
	top  [block]float64
	at   [block]int

	zeros []float64
}

func newBlockScores(K int) *blockScores {
	w := simd.Width[float64]()
	return &blockScores{f: make([]float64, K*block), exp: make([]float64, K*block), zeros: make([]float64, max(w, K*block/w))}
}

// exponentials replaces exp by e^{2exp}. The elements of exp must be at most 0.
func (s *blockScores) exponentials() {
	// This is the Gaussian kernel with γ = 1 for inner products exp of samples of length
	// 0.
	w := simd.Width[float64]()
	simd.Gauss(s.exp, s.zeros[:len(s.exp)/w], s.zeros[:w], 1)
}

// logs returns Σ v log(1 + rest) for the samples from the given one on. Without weights it
// takes only one logarithm for 32 elements, of 1 + q = Π (1 + restᵢ). A factor adds
// rest·(1 + q) to q. Since nothing is subtracted, elements near 0 keep their digits. The four
// products of a block do not wait for one another.
func (s *blockScores) logs(from int, v weights) (sum float64) {
	if v != nil {
		for r, rest := range s.rest[:s.rows] {
			sum += v[from+r] * math.Log1p(rest)
		}
		return sum
	}
	clear(s.rest[s.rows:]) // factors of 1
	var q [4]float64
	for r := 0; r < s.rows; r += len(q) {
		for c, v := range s.rest[r:][:len(q)] {
			q[c] += v + q[c]*v
		}
	}
	return math.Log1p(q[0]+(q[1]+q[0]*q[1])) + math.Log1p(q[2]+(q[3]+q[2]*q[3]))
}

// both returns no Hessian: it takes a pass of its own, in vain if the step is shortened.
func (s plain) both(ctx work.Ender, theta, grad []float64) (float64, *mat.SymDense) {
	return s.value(ctx, theta, grad), nil
}

func (s plain) with(l loss) sums { return plain{s.Z, l} }
