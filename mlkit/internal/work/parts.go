package work

import (
	"math"
	"runtime"
)

// Parts are ranges of the samples 0 to n-1. They depend on the samples alone, so that sums over
// parts, added in their order, have the same bits on any number of processors.
type Parts struct{ n, size int }

const (
	most = 64 // parts: enough for as many processors, and few sums to add

	// Multiple is the number that the first sample of each part is a multiple of. Passes may
	// work on blocks of as many samples.
	Multiple = 128
)

// PartLimit is the largest number of samples that a part is made to have. Tests lower it, so that
// few samples have several parts.
var PartLimit = math.MaxInt

// Divide divides n samples into at most 64 parts of at least the given number of samples, with
// fewer in the last one.
func Divide(n, least int) Parts {
	size := max(1, min(least, PartLimit), (n+most-1)/most)
	return Parts{n, (size + Multiple - 1) / Multiple * Multiple}
}

// Count returns the number of parts.
func (p Parts) Count() int { return (p.n + p.size - 1) / p.size }

// Range returns the samples of a part, from inclusive, to exclusive.
func (p Parts) Range(part int) (from, to int) { return part * p.size, min(p.n, (part+1)*p.size) }

// Do calls do once for each part, with its samples from inclusive, to exclusive; several
// goroutines call it at once. It returns the error of the first part that fails; parts after
// that one may not have been begun.
func (p Parts) Do(do func(part, from, to int) error) error {
	if p.Count() == 1 {
		return do(0, 0, p.n)
	}
	return Each(p.Count(), runtime.GOMAXPROCS(0), func(part int) error {
		from, to := p.Range(part)
		return do(part, from, to)
	})
}
