package svm

import (
	"math"
	"slices"

	"marginalia/mlkit/internal/early"
	"marginalia/mlkit/internal/gram"
	"marginalia/mlkit/internal/simd"
)

// active are the samples whose multipliers a fast fit changes: all, or those that
// without has left.
type active struct {
	smo    *smo      // y, bound, diag, alpha and g of these samples
	index  []int     // of these among all; nil for all
	others []float64 // α of all, up to date for those that are not among these
	matrix *gram.Matrix
	cache  *rowCache[float32]
	diag32 []float32

	// For simd.Update: 0 where yₜαₜ may grow and else -Inf, 0 where it may shrink and
	// else +Inf.
	upper, lower []float32

	// Rows that were evaluated because they might be needed soon, and how many were.
	guessed       []bool
	guesses, hits int
	which         []int
	rows          [][]float32
}

// newActive returns all samples of a, in whose slices changes are then made.
func newActive(a *fast) *active {
	s := a.smo
	n := len(s.y)
	p := &active{
		smo:    &smo{y: s.y, bound: s.bound, diag: s.diag, alpha: s.alpha, g: s.g},
		matrix: a.matrix,
		cache:  newRowCache(n, a.matrix.Padded(), 4, s.bytes, s.memory.cache),
	}
	s.memory.cache = nil
	return p
}

// begin sets p up for steps and returns what smo.first returns. It takes its slices from
// used, so an active set that began with them before must not be used again.
func (p *active) begin(used *memory) (i int, m, M float64) {
	n := len(p.smo.y)
	used.diag32 = p.matrix.Diagonal(used.diag32)
	used.upper, used.lower, used.guessed = gram.Resized(used.upper, n), gram.Resized(used.lower, n), gram.Resized(used.guessed, n)
	p.diag32, p.upper, p.lower, p.guessed = used.diag32[:n], used.upper, used.lower, used.guessed
	clear(p.guessed)
	for t := range p.smo.y {
		p.limit32(t)
	}
	return p.smo.first()
}

// limit32 sets upper and lower for a multiplier that has changed.
func (p *active) limit32(t int) {
	p.upper[t], p.lower[t] = 0, 0
	if !p.smo.up(t) {
		p.upper[t] = float32(math.Inf(-1))
	}
	if !p.smo.low(t) {
		p.lower[t] = float32(math.Inf(1))
	}
}

// iterate changes the multiplier of i, the one that may grow with the largest g = m, and
// that of the best partner j. It returns what smo.first would return then, and j = -1 if
// nothing has changed.
func (p *active) iterate(ctx early.Ender, i int, m, M float64) (j, nextI int, nextM, nextLow float64, err error) {
	Ki, err := p.row(ctx, i, m, M)
	if err != nil {
		return 0, 0, 0, 0, err
	}
	if j = simd.Partner(p.smo.g, p.lower, p.diag32, Ki, m, p.smo.diag[i]); j < 0 {
		return -1, 0, 0, 0, nil
	}
	Kj, err := p.row(ctx, j, m, M)
	if err != nil {
		return 0, 0, 0, 0, err
	}
	Δi, Δj := p.smo.step(i, j, float64(Ki[j]))
	if Δi == 0 && Δj == 0 {
		return -1, 0, 0, 0, nil
	}
	p.limit32(i)
	p.limit32(j)
	nextI, nextM, nextLow = simd.Update(p.smo.g, p.upper, p.lower, Ki, Kj, -p.smo.y[i]*Δi, -p.smo.y[j]*Δj)
	return j, nextI, nextM, nextLow, nil
}

// without returns the samples without those that are at a bound and not near to leaving
// it: the others would have to be wrong by more than the violation (Fan, Chen, Lin,
// section 4). It returns nil if that would be less than a fifth of them. The rows in p's
// cache are no more then.
func (p *active) without(m, M float64) *active {
	var keep []int
	for t, g := range p.smo.g {
		if p.smo.up(t) && g >= M || p.smo.low(t) && g <= m {
			keep = append(keep, t)
		}
	}
	if 5*len(keep) > 4*len(p.smo.y) {
		return nil
	}
	q := &active{
		smo: &smo{
			y: pick(p.smo.y, keep), bound: pick(p.smo.bound, keep), diag: pick(p.smo.diag, keep),
			alpha: pick(p.smo.alpha, keep), g: pick(p.smo.g, keep),
		},
		index:   keep,
		matrix:  p.matrix.Part(keep),
		guesses: p.guesses, hits: p.hits,
	}
	if p.index == nil {
		q.others = slices.Clone(p.smo.alpha)
	} else {
		p.collect()
		q.index, q.others = pick(p.index, keep), p.others
	}
	q.cache = p.cache.part(keep, q.matrix.Padded())
	return q
}

// pick returns the elements of s at the indices keep.
func pick[T any](s []T, keep []int) []T {
	picked := make([]T, len(keep))
	for k, t := range keep {
		picked[k] = s[t]
	}
	return picked
}

// collect brings others up to date for these samples too.
func (p *active) collect() {
	for k, t := range p.index {
		p.others[t] = p.smo.alpha[k]
	}
}

// finish sets the multipliers of all samples. If g has not been kept up to date for all,
// it is then not a number until it is evaluated.
func (p *active) finish(all *smo) {
	if p.index != nil {
		p.collect()
		copy(all.alpha, p.others)
		all.g[0] = math.NaN()
	}
}

// row returns row i, which is valid until row has been called for two other rows. If it
// has to be evaluated, others that will be needed soon are evaluated with it, since
// twelve cost not much more than two.
func (p *active) row(ctx early.Ender, i int, m, M float64) ([]float32, error) {
	if p.guessed[i] {
		p.guessed[i] = false
		p.hits++
	}
	if row := p.cache.get(i); row != nil {
		return row, nil
	}
	p.which, p.rows = append(p.which[:0], i), p.rows[:0]
	p.guess(m, M)
	for _, t := range p.which {
		p.rows = append(p.rows, p.cache.put(t))
	}
	if err := p.matrix.Rows(ctx, p.rows, p.which); err != nil {
		return nil, err
	}
	return p.cache.get(i), nil
}

// batch is how many rows are evaluated together, at most.
const batch = 12

// guess adds to which the rows not in the cache whose samples disagree most with
// the middle of m and M about b, unless less than a third of those that it has added
// before have been needed, or the cache is small.
func (p *active) guess(m, M float64) {
	more := min(batch, p.cache.capacity/4) - 1
	if more <= 0 || 3*p.hits < p.guesses-200 {
		return
	}
	own, middle := p.which[0], m/2+M/2
	var most [batch]float64 // of those in which after the first, in falling order
	at := p.which
	for t, g := range p.smo.g {
		v := max(g+float64(p.upper[t])-middle, middle-g-float64(p.lower[t]))
		if v <= most[more-1] || p.cache.rows[t] != nil || t == own {
			continue
		}
		k := len(at) - 1
		if k < more {
			at = append(at, t)
		} else {
			k--
		}
		for ; k > 0 && most[k-1] < v; k-- {
			most[k], at[k+1] = most[k-1], at[k]
		}
		most[k], at[k+1] = v, t
	}
	p.which = at
	for _, t := range at[1:] {
		p.guessed[t] = true
	}
	p.guesses += len(at) - 1
}
