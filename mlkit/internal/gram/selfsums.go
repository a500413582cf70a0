package gram

import (
	"sync/atomic"

	"marginalia/mlkit/internal/simd"
	"marginalia/mlkit/internal/work"
)

// SelfSums adds Σ coef[j]·k(zⱼ, zₜ), over all j, to dst[t] for each of the samples z. It evaluates
// the kernel once for nearly every pair of samples, where Sums does so twice, and so adds in
// another order. The result does not depend on the number of goroutines. used must not be nil.
func SelfSums(ctx work.Ender, dst []float64, f Function, z [][]float64, coef []float64, shift []float64, used *Space) error {
	if len(z) == 0 {
		return ctx.Err()
	}
	const whole = 96 // whole groups and panels
	const most = 32  // blocks
	n, d := len(z), len(z[0])
	s := &selfSums{size: whole * ((n + most*whole - 1) / (most * whole)), total: dst, coef: coef}
	s.sums = sums{f: f, n: n, d: d, row: func(t int) []float64 { return z[t] }, shift: shift}
	blocks := (n + s.size - 1) / s.size
	used.later = Resized(used.later, blocks*n)
	clear(used.later)
	s.later = used.later
	workers := used.employ(processors(n*n/2*d), blocks)
	chunk := max(whole, (1<<23)/(8*(d+1))/whole*whole) // samples that stay in the cache
	for s.from = 0; s.from < n; s.from += chunk {
		to := min(n, s.from+chunk)
		s.groups = used.room(to - s.from)
		s.pack(z[s.from:to], &used.samples)
		var next atomic.Int64
		parallel(workers, func(w int) {
			for block := blocks - int(next.Add(1)); block >= 0; block = blocks - int(next.Add(1)) { // the longest first
				end := min(n, (block+1)*s.size)
				for at := block * s.size; at < end && s.from < end && ctx.Err() == nil; at += width64 {
					s.panel(&used.workers[w], block, at)
				}
			}
		})
		if ctx.Err() != nil {
			return ctx.Err()
		}
	}
	for block := range blocks {
		for t := range min(n, block*s.size) {
			dst[t] += s.later[block*n+t]
		}
	}
	return nil
}

// selfSums is the state of SelfSums. It divides the samples into blocks: pairs within one are
// evaluated twice.
type selfSums struct {
	sums            // the groups are those of a chunk of the samples
	size  int       // of a block
	from  int       // the first sample of the chunk
	total []float64 // of each sample
	coef  []float64
	later []float64 // by block and sample, the sums over the block for the samples before it
}

// panel evaluates the kernel between the chunk, up to the end of the block, and the panel of the
// block's samples from at on. It adds to the sums of the panel and, before the block, to those of
// the chunk.
func (s *selfSums) panel(own *adder, block, at int) {
	count := s.load(own, at)
	clear(own.sums)
	weights, sum := own.sums[:width64], own.sums[width64:2*width64]
	copy(weights, s.coef[at:at+count])
	copy(sum, s.total[at:at+count])
	for q := range s.groups {
		first := s.from + q*simd.Rows
		if first >= (block+1)*s.size {
			break
		}
		values := evaluate(&s.groups[q], s.f, own.tile, own.panel, own.squares)
		c := s.coef[first:][:s.groups[q].rows]
		simd.CombineCached(sum, values, width64, c)
		if first >= block*s.size {
			continue
		}
		var six [simd.Rows]float64
		simd.ProductsCached(six[:len(c)], values, width64, weights)
		for r := range c {
			s.later[block*s.n+first+r] += six[r]
		}
	}
	copy(s.total[at:at+count], sum)
}
