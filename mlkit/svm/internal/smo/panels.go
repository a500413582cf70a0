package smo

import (
	"math"

	"marginalia/mlkit/internal/early"
	"marginalia/mlkit/internal/gram"
	"marginalia/mlkit/internal/simd"
)

// panels has the rows of a Gram matrix in float32, evaluated by package gram several at a
// time. The passes over them are those of package simd.
type panels struct {
	matrix   *gram.Matrix
	cache    *rowCache[float32]
	diagonal []float32

	// For simd: upper[t] is 0 if yₜαₜ may increase, otherwise -Inf. lower[t] is 0 if it may
	// decrease, otherwise +Inf.
	upper, lower []float32

	g     []float64 // of the problem
	ahead ahead
}

// newPanels returns the rows of matrix, for d.
func newPanels(d *Dual, matrix *gram.Matrix, cache *rowCache[float32]) *panels {
	n := len(d.Y)
	p := &panels{
		matrix: matrix, cache: cache, diagonal: matrix.Diagonal(nil),
		upper: make([]float32, n), lower: make([]float32, n),
		g: d.G, ahead: ahead{guessed: make([]bool, n)},
	}
	_, p.ahead.m, p.ahead.M = d.First()
	for t := range d.Y {
		p.limit(d, t)
	}
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
func (p *panels) Row(ctx early.Ender, i int) ([]float32, error) {
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

func (p *panels) Second(d *Dual, i int, Ki []float32) int {
	return simd.Partner(d.G, p.lower, p.diagonal, Ki, d.G[i], d.K[i])
}

func (p *panels) Update(d *Dual, s Step, Ki, Kj []float32) (i int, m, M float64) {
	p.limit(d, s.I)
	p.limit(d, s.J)
	i, m, M = simd.Update(d.G, p.upper, p.lower, Ki, Kj, -d.Y[s.I]*s.Di, -d.Y[s.J]*s.Dj)
	p.ahead.m, p.ahead.M = m, M
	return i, m, M
}
