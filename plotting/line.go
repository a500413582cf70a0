package plotting

import (
	"fmt"
	"slices"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// line joins samples by a polyline.
type line struct {
	look
	xs, ys []float64
}

// Line joins the points (xs[i], ys[i]) in order. If xs is nil, it counts from 1.
// A NaN or infinite coordinate leaves a gap. On a logarithmic axis the line leaves
// the figure towards values of 0 or less. With [Size] the points are drawn too.
func Line(xs, ys []float64, s ...Style) Layer {
	xs = abscissae("Line", xs, ys)
	return &line{newLook("Line", s, "Name", "Colour", "Width", "Alpha", "Dashed", "Size", "Steps"), xs, ys}
}

func (l *line) coords() (xs, ys []float64) { return l.xs, l.ys }

func (l *line) DataRange() (xmin, xmax, ymin, ymax float64) { return span(l.coords()) }

func (l *line) tint(next int) (Layer, bool) {
	if l.colour != nil {
		return l, false
	}
	t := *l
	t.choose(next)
	return &t, true
}

func (l *line) Plot(c draw.Canvas, p *plot.Plot) {
	trace(c, p, l.xs, l.ys, l.steps, l.line(Blue, 1.6))
	if l.size > 0 {
		tx, ty := p.Transforms(&c)
		for i := range l.xs {
			hover(&c, func() string { return at([]float64{l.xs[i], l.ys[i]}, lengths(p)) + called(l.name()) }, func() {
				mark(&c, 0, vg.Point{X: tx(l.xs[i]), Y: ty(l.ys[i])}, l.radius(0), l.paint(Blue))
			})
		}
	}
}

func (l *line) entries() []entry {
	return named(l.name(), func(c *draw.Canvas, at vg.Point, w vg.Length) {
		c.StrokeLine2(l.line(Blue, 1.6), at.X-w/2, at.Y, at.X+w/2, at.Y)
		if l.size > 0 {
			mark(c, 0, at, l.radius(0), l.paint(Blue))
		}
	})
}

func (l *line) alt() string {
	n, first, last, pieces := 0, 0, 0, 1
	for i := range l.xs {
		if !finite(l.xs[i]) || !finite(l.ys[i]) {
			continue
		}
		if n == 0 {
			first = i
		} else if last < i-1 {
			pieces++
		}
		n, last = n+1, i
	}
	s := "line" + called(l.name()) + " through " + count(n, "point", "points")
	if pieces > 1 {
		return s + fmt.Sprintf(" in %d pieces", pieces)
	}
	if n > 1 {
		s += fmt.Sprintf(", from (%s, %s) to (%s, %s)", short(l.xs[first]), short(l.ys[first]), short(l.xs[last]), short(l.ys[last]))
	}
	return s
}

// trace strokes a polyline inside the axes.
func trace(c draw.Canvas, p *plot.Plot, xs, ys []float64, steps bool, sty draw.LineStyle) {
	for _, run := range runs(c, p, xs, ys, steps) {
		polyline(c, sty, run)
	}
}

// polyline strokes the part of a polyline inside the axes. Most polylines lie inside and skip the
// clipping, which takes longer than the drawing.
func polyline(c draw.Canvas, sty draw.LineStyle, points []vg.Point) {
	if slices.ContainsFunc(points, func(p vg.Point) bool { return !c.Contains(p) }) {
		c.StrokeLines(sty, c.ClipLinesXY(points)...)
	} else {
		c.StrokeLines(sty, points)
	}
}

// runs splits a polyline at its gaps.
func runs(c draw.Canvas, p *plot.Plot, xs, ys []float64, steps bool) (all [][]vg.Point) {
	tx, ty := p.Transforms(&c)
	most := len(xs)
	if steps {
		most = 2 * len(xs)
	}
	run := make([]vg.Point, 0, most) // the points of all runs, from the current one on
	end := func() {
		if len(run) > 1 {
			all = append(all, run[:len(run):len(run)])
		}
		run = run[len(run):]
	}
	for i := range xs {
		if !finite(xs[i]) || !finite(ys[i]) {
			end()
			continue
		}
		pt := vg.Point{X: tx(xs[i]), Y: ty(ys[i])}
		if steps && len(run) > 0 {
			run = append(run, vg.Point{X: pt.X, Y: run[len(run)-1].Y})
		}
		run = append(run, pt)
	}
	end()
	return all
}
