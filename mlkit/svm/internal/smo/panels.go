package smo

import (
	"math"

	"marginalia/mlkit/internal/gram"
	"marginalia/mlkit/internal/simd"
	"marginalia/mlkit/internal/work"
)

// panels has the rows of a Gram matrix in float32, evaluated by package gram several at a
// time. The passes over them are those of package simd. Both are divided between the workers
// of matrix.Team.
type panels struct {
	matrix   *gram.Matrix
	cache    *rowCache[float32]
	diagonal []float32

	// For simd: upper[t] is 0 if yₜαₜ may increase, otherwise -Inf. lower[t] is 0 if it may
	// decrease, otherwise +Inf.
	upper, lower []float32

	g     []float64 // of the problem
	parts []part
	ahead ahead

	passes passes
}

// part is what a pass finds in a part of the samples. The parts do not depend on the number
// of workers, and are combined in their order, so neither does the result.
type part struct {
	from, to int // the samples
	i        int
	m, M     float32 // less middle
	likely   likely
}

// partSize is the number of samples in a part. A pass over it takes about a microsecond. Smaller parts
// take longer in all, since each ends with a comparison of what the lanes of the vectors have found.
const partSize = 2048

// newPanels returns the rows of matrix, for d.
func newPanels(d *Dual, matrix *gram.Matrix, cache *rowCache[float32]) *panels {
	n := len(d.Y)
	p := &panels{
		matrix: matrix, cache: cache, diagonal: matrix.Diagonal(nil),
		upper: make([]float32, n), lower: make([]float32, n),
		g: d.G, ahead: ahead{guessed: make([]bool, n)},
	}
	for from := 0; from < n; from += partSize {
		p.parts = append(p.parts, part{from: from, to: min(n, from+partSize)})
	}
	_, p.ahead.m, p.ahead.M = d.First()
	for t := range d.Y {
		p.limit(d, t)
	}
	p.makePasses(d)
	return p
}

// limit updates upper[t] and lower[t] after multiplier t has changed.
func (p *panels) limit(d *Dual, t int) {
	p.upper[t], p.lower[t] = 0, 0
	if !d.up(t) {
		p.upper[t] = float32(math.Inf(-1))
	}
	if !d.low(t) {
		p.lower[t] = float32(math.Inf(1))
	}
}

// Row returns row i. If it is not in the cache, Row also evaluates rows that are likely to
// be needed soon: twelve rows cost not much more than two.
func (p *panels) Row(ctx work.Ender, i int) ([]float32, error) {
	a := &p.ahead
	if a.guessed[i] {
		a.guessed[i] = false
		a.hits++
	}
	if row := p.cache.get(i); row != nil {
		return row, nil
	}
	a.which, a.rows = append(a.which[:0], i), a.rows[:0]
	p.guess(p.g)
	for _, t := range a.which {
		a.rows = append(a.rows, p.cache.put(t))
	}
	if err := p.matrix.Rows(ctx, a.rows, a.which); err != nil {
		return nil, err
	}
	return p.cache.get(i), nil
}

// passes are the functions of Second and Update for a part. A closure for each pass would be
// garbage: as much, in a long fit, as the cache.
type passes struct {
	second, update func(worker, k int)

	// Their arguments, as those of package simd.
	ki, kj       []float32
	own          float64
	ownDiagonal  float32
	a, b, middle float64
}

// makePasses sets p.passes, for d.
func (p *panels) makePasses(d *Dual) {
	s := &p.passes
	s.second = func(_, k int) {
		q := &p.parts[k]
		u, v := q.from, q.to
		q.i = simd.Partner(d.G[u:v], p.lower[u:v], p.diagonal[u:v], s.ki[u:v], s.own, s.ownDiagonal)
	}
	s.update = func(_, k int) {
		q := &p.parts[k]
		u, v := q.from, q.to
		q.i, q.m, q.M = simd.Update(d.G[u:v], p.upper[u:v], p.lower[u:v], s.ki[u:v], s.kj[u:v], s.a, s.b, s.middle)
	}
}

func (p *panels) Second(d *Dual, i int, Ki []float32) int {
	p.passes.ki, p.passes.own, p.passes.ownDiagonal = Ki, d.G[i], p.diagonal[i]
	p.matrix.Team.Do(len(p.parts), p.passes.second)
	j, most := -1, 0.0
	for k := range p.parts {
		q := &p.parts[k]
		if q.i < 0 {
			continue
		}
		t := q.from + q.i
		if gain := d.gain(i, t, float64(Ki[t])); j < 0 || gain > most {
			j, most = t, gain
		}
	}
	return j
}

// Update rounds the distances of g from the middle of m and M to float32, and keeps g itself in
// float64: towards the end these distances are as small as m - M, and so are their errors.
func (p *panels) Update(d *Dual, s Step, Ki, Kj []float32) (i int, m, M float64) {
	p.limit(d, s.I)
	p.limit(d, s.J)
	p.passes.ki, p.passes.kj = Ki, Kj
	p.passes.a, p.passes.b = -d.Y[s.I]*s.Di, -d.Y[s.J]*s.Dj
	p.passes.middle = p.ahead.m/2 + p.ahead.M/2
	p.matrix.Team.Do(len(p.parts), p.passes.update)
	i, m, M = -1, math.Inf(-1), math.Inf(1)
	most, least := float32(m), float32(M)
	for k := range p.parts {
		q := &p.parts[k]
		if q.m > most {
			i, most = q.from+q.i, q.m
		}
		least = min(least, q.M)
	}
	if i >= 0 {
		m = d.G[i]
	}
	M = p.passes.middle + float64(least)
	p.ahead.m, p.ahead.M = m, M
	return i, m, M
}
