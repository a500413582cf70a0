package gram

import (
	"sync/atomic"

	"marginalia/mlkit/internal/simd"
	"marginalia/mlkit/internal/work"
)

// SelfSums adds Σ coef[j]·k(zⱼ, zₜ), over all j, to dst[t] for each of the samples z. It is as
// Sums, but evaluates the kernel once for both samples of nearly each pair. That makes the
// order of a sum another one, which does not depend on the number of goroutines either.
func SelfSums(ctx work.Ender, dst []float64, f Function, z [][]float64, coef []float64, shift []float64, used *Space) error {
	if len(z) == 0 {
		return ctx.Err()
	}
	const whole = 96 // whole groups and panels
	const most = 32  // blocks; within one of them, pairs are evaluated twice
	n, d := len(z), len(z[0])
	size := whole * ((n + most*whole - 1) / (most * whole))
	blocks := (n + size - 1) / size
	later := make([]float64, blocks*n) // by block and sample, the sums over the block's samples for those before it
	row := func(t int) []float64 { return z[t] }
	workers := used.employ(processors(n*n/2*d), blocks)
	chunk := max(whole, (1<<23)/(8*(d+1))/whole*whole) // samples that stay in the cache
	for from := 0; from < n; from += chunk {
		to := min(n, from+chunk)
		s := &sums{f: f, n: n, d: d, row: row, shift: shift, groups: used.room(to - from)}
		s.pack(z[from:to], &used.samples)
		var next atomic.Int64
		parallel(workers, func(w int) {
			own := &used.workers[w]
			for block := blocks - int(next.Add(1)); block >= 0; block = blocks - int(next.Add(1)) { // the longest first
				start, end := block*size, min(n, (block+1)*size)
				for at := start; at < end && from < end && ctx.Err() == nil; at += width64 {
					count := s.load(own, at)
					weights, sum := own.sums[:width64], own.sums[width64:2*width64]
					clear(own.sums)
					copy(weights, coef[at:at+count])
					copy(sum, dst[at:at+count])
					for q := range s.groups {
						first := from + q*simd.Rows
						if first >= end {
							break
						}
						values := evaluate(&s.groups[q], f, own.tile, own.panel, own.squares)
						c := coef[first:][:s.groups[q].rows]
						simd.CombineCached(sum, values, width64, c)
						if first < start {
							var six [simd.Rows]float64
							simd.ProductsCached(six[:len(c)], values, width64, weights)
							for r := range c {
								later[block*n+first+r] += six[r]
							}
						}
					}
					copy(dst[at:at+count], sum)
				}
			}
		})
		if ctx.Err() != nil {
			return ctx.Err()
		}
	}
	for block := range blocks {
		for t := range min(n, block*size) {
			dst[t] += later[block*n+t]
		}
	}
	return nil
}
