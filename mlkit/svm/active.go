package svm

import (
	"math"
	"slices"

	"marginalia/mlkit/internal/early"
	"marginalia/mlkit/internal/gram"
	"marginalia/mlkit/internal/simd"
)

// active is the active set of a fast fit: the samples whose multipliers it changes. At
// first these are all samples.
type active struct {
	smo    *smo      // y, bound, diag, alpha and g of the active samples
	index  []int     // rows of the active samples; nil means all
	others []float64 // α of all samples, up to date only outside the active set
	matrix *gram.Matrix
	cache  *rowCache[float32]
	diag32 []float32

	// For simd.Update: upper[t] is 0 if yₜαₜ may increase, otherwise -Inf. lower[t] is 0
	// if it may decrease, otherwise +Inf.
	upper, lower []float32

	// Prefetched rows: guessed marks those not used yet, guesses counts all, hits the
	// used ones. which and rows are buffers of row.
	guessed       []bool
	guesses, hits int
	which         []int
	rows          [][]float32
}

// newActive returns the active set of all samples. Its steps change the slices of a.smo
// in place.
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

// begin prepares p for steps and returns the result of smo.first. It takes its slices
// from used, so an active set begun with used before must not be used again.
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

// limit32 updates upper[t] and lower[t] after multiplier t has changed.
func (p *active) limit32(t int) {
	p.upper[t], p.lower[t] = 0, 0
	if !p.smo.up(t) {
		p.upper[t] = float32(math.Inf(-1))
	}
	if !p.smo.low(t) {
		p.lower[t] = float32(math.Inf(1))
	}
}

// iterate takes a step on the working set of i, where g = m is largest in I_up, and its
// best partner j. It returns j and what smo.first would return after the step; j = -1
// means that nothing has changed.
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

// without shrinks the active set: it drops samples at a bound that form no violating pair
// with any active sample (Fan, Chen, Lin, section 4). It returns nil if it would drop
// fewer than a fifth. Otherwise it takes over p's cache, so p must not be used again.
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

// collect copies the active multipliers to others.
func (p *active) collect() {
	for k, t := range p.index {
		p.others[t] = p.smo.alpha[k]
	}
}

// finish copies the multipliers of all samples to all. If the active set has shrunk,
// all.g is out of date, and finish marks it with a NaN until it is evaluated.
func (p *active) finish(all *smo) {
	if p.index != nil {
		p.collect()
		copy(all.alpha, p.others)
		all.g[0] = math.NaN()
	}
}

// row returns row i, valid until row has been called for two other rows. On a cache miss
// it also evaluates other rows that are likely to be needed soon: twelve rows cost not
// much more than two.
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

// batch is the maximum number of rows evaluated together.
const batch = 12

// guess appends to which the uncached rows that violate optimality most: their
// multipliers may move, and their g is furthest from the middle of m and M on the
// violating side. It appends nothing if the cache is small, or if fewer than a third of
// earlier guesses were used; the first 200 are free.
func (p *active) guess(m, M float64) {
	more := min(batch, p.cache.capacity/4) - 1
	if more <= 0 || 3*p.hits < p.guesses-200 {
		return
	}
	own, middle := p.which[0], m/2+M/2
	var most [batch]float64 // violations of at[1:], descending
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
