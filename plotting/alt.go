package plotting

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"marginalia/plotting/internal/pen"
)

// Alt describes the figure in words, for readers who can't see it: its title, its layers
// in order, and its axes.
func (f *Figure) Alt() string { return f.view().Alt() }

func (v *view) Alt() string {
	var parts []string
	for _, l := range v.layers {
		if q, ok := l.(masking); ok {
			l = q.masked(v.shows)
		}
		if t, ok := l.(telling); ok {
			if s := t.Alt(); s != "" {
				parts = append(parts, s)
			}
		}
	}
	s := "Figure"
	if v.title != "" {
		s += " “" + pen.Spoken(v.title) + "”"
	}
	if len(parts) > 0 {
		s += ": " + strings.Join(parts, "; ")
	}
	s += "."
	if v.bare || v.traits.Image {
		return s
	}
	s += " " + v.x.Alt("x") + ", " + v.y.Alt("y")
	if v.equal && !v.fixed {
		s += "; equal scales make one of them longer" // see widen: by how much depends on the canvas
	}
	return s + "."
}

// shows reports whether the axes have a place for a point: on a logarithmic one, 0 and negative
// numbers have none.
func (v *view) shows(x, y float64) bool {
	return pen.Finite(x) && pen.Finite(y) && !(v.x.Log && x <= 0) && !(v.y.Log && y <= 0)
}

// masking is a layer that leaves samples without a place on the axes out of its description: it
// returns itself without them or with NaN in their place, or nil if nothing is drawn.
type masking interface {
	masked(shows func(x, y float64) bool) Layer
}

// mask returns ys with NaN where a point has no place.
func mask(xs, ys []float64, shows func(x, y float64) bool) []float64 {
	out := slices.Clone(ys)
	for i := range out {
		if !shows(xs[i], ys[i]) {
			out[i] = math.NaN()
		}
	}
	return out
}

func (l *line) masked(shows func(x, y float64) bool) Layer {
	return &line{l.Look, l.xs, mask(l.xs, l.ys, shows)}
}

// masked returns the curve as it is: its description names no points.
func (l *rates) masked(func(x, y float64) bool) Layer { return l }

func (l *points) masked(shows func(x, y float64) bool) Layer {
	return &points{l.Look, l.xs, mask(l.xs, l.ys, shows)}
}

// masked returns the classes, all of them, with the samples that are drawn.
func (l *classes) masked(shows func(x, y float64) bool) Layer {
	m := *l
	m.xs, m.ys, m.Y = nil, nil, nil
	for i, y := range l.Y {
		if shows(l.xs[i], l.ys[i]) {
			m.xs, m.ys, m.Y = append(m.xs, l.xs[i]), append(m.ys, l.ys[i]), append(m.Y, y)
		}
	}
	return &m
}

func (l *note) masked(shows func(x, y float64) bool) Layer {
	if !shows(l.at[0], l.at[1]) {
		return nil
	}
	return l
}

func (l *ring) masked(shows func(x, y float64) bool) Layer {
	return &ring{l.Look, l.xs, mask(l.xs, l.ys, shows)}
}

func (l *band) masked(shows func(x, y float64) bool) Layer {
	m := *l
	m.hi = mask(l.xs, l.hi, shows)
	if l.bars {
		m.ys = mask(l.xs, l.ys, shows)
	}
	return &m
}

func (l *validation) masked(shows func(x, y float64) bool) Layer {
	m := *l
	m.train, m.test = l.train.masked(shows).(*line), l.test.masked(shows).(*band)
	m.test.ys = mask(l.test.xs, l.test.ys, shows)
	if m.best >= 0 && math.IsNaN(m.test.ys[m.best]) {
		m.best = -1
	}
	return &m
}

// countDrawn counts the points with finite coordinates.
func countDrawn(xs, ys []float64) (n int) {
	for i := range xs {
		if pen.Finite(xs[i]) && pen.Finite(ys[i]) {
			n++
		}
	}
	return n
}

// Alt describes the panels in words.
func (p *Panels) Alt() string {
	var parts []string
	for i, v := range p.sheet().views {
		parts = append(parts, fmt.Sprintf("Panel %d of %d. %s", i+1, len(p.figs), v.Alt()))
	}
	return strings.Join(parts, "\n")
}
