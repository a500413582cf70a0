package plotting

import (
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"marginalia/plotting/internal/axis"
	"marginalia/plotting/internal/canvas"
	"marginalia/plotting/internal/pen"
)

// line joins samples by a polyline.
type line struct {
	pen.Look
	xs, ys []float64
}

// Line joins the points (xs[i], ys[i]) in order. If xs is nil, it counts from 1.
// A NaN or infinite coordinate leaves a gap. On a logarithmic axis the line leaves
// the figure towards values of 0 or less. With [Size] the points are drawn too.
func Line(xs, ys []float64, s ...LineStyle) Layer {
	xs = abscissae("Line", xs, ys)
	return &line{pen.NewLook("Line", s), xs, ys}
}

func (l *line) coords() (xs, ys []float64) { return l.xs, l.ys }

func (l *line) DataRange() (xmin, xmax, ymin, ymax float64) { return span(l.coords()) }

func (l *line) tint(next int) (Layer, bool) {
	t := *l
	return &t, t.Choose(next)
}

func (l *line) Plot(c draw.Canvas, p *plot.Plot) {
	trace(c, p, l.xs, l.ys, l.Steps, l.Line(pen.Blue, 1.6))
	if l.Size > 0 {
		tx, ty := p.Transforms(&c)
		for i := range l.xs {
			canvas.Hover(&c, func() string { return pen.At([]float64{l.xs[i], l.ys[i]}, axis.Lengths(p)) + pen.Called(l.Name()) }, func() {
				pen.Mark(&c, 0, vg.Point{X: tx(l.xs[i]), Y: ty(l.ys[i])}, l.Radius(0), l.Paint(pen.Blue))
			})
		}
	}
}

func (l *line) Entries() []pen.Entry {
	return pen.Named(l.Name(), func(c *draw.Canvas, at vg.Point, w vg.Length) {
		c.StrokeLine2(l.Line(pen.Blue, 1.6), at.X-w/2, at.Y, at.X+w/2, at.Y)
		if l.Size > 0 {
			pen.Mark(c, 0, at, l.Radius(0), l.Paint(pen.Blue))
		}
	})
}

func (l *line) Alt() string {
	n, first, last, pieces := 0, 0, 0, 1
	for i := range l.xs {
		if !pen.Finite(l.xs[i]) || !pen.Finite(l.ys[i]) {
			continue
		}
		if n == 0 {
			first = i
		} else if last < i-1 {
			pieces++
		}
		n, last = n+1, i
	}
	s := "line" + pen.Called(l.Name()) + " through " + pen.Count(n, "point", "points")
	if pieces > 1 {
		return s + fmt.Sprintf(" in %d pieces", pieces)
	}
	if n > 1 {
		s += fmt.Sprintf(", from (%s, %s) to (%s, %s)", pen.Short(l.xs[first]), pen.Short(l.ys[first]), pen.Short(l.xs[last]), pen.Short(l.ys[last]))
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

// runs splits a polyline at its gaps, and leaves out what is far outside of the axes.
func runs(c draw.Canvas, p *plot.Plot, xs, ys []float64, steps bool) (all [][]vg.Point) {
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
	add := func(q unitPoint) { run = append(run, vg.Point{X: c.X(q.x), Y: c.Y(q.y)}) }
	var last unitPoint
	begun := false
	lineTo := func(q unitPoint) {
		switch {
		case !begun && q.near():
			add(q)
		case begun && last.near() && q.near():
			add(q)
		case begun:
			from, to, meets := nearPart(last, q)
			if !meets {
				break
			}
			if from != last {
				add(from)
			}
			if add(to); to != q {
				end()
			}
		}
		last, begun = q, true
	}
	for i := range xs {
		if !pen.Finite(xs[i]) || !pen.Finite(ys[i]) {
			end()
			begun = false
			continue
		}
		q := unitPoint{position(&p.X, xs[i]), position(&p.Y, ys[i])}
		if steps && begun {
			lineTo(unitPoint{q.x, last.y})
		}
		lineTo(q)
	}
	end()
	return all
}

// unitPoint is a point in lengths of the axes, from their lower ends.
type unitPoint struct{ x, y float64 }

// position returns the place of a value on an axis, in its lengths from the lower end.
func position(a *plot.Axis, v float64) float64 {
	if s, ok := a.Scale.(axis.Positioner); ok {
		return math.Max(-math.MaxFloat64, math.Min(math.MaxFloat64, s.Position(a.Min, a.Max, v)))
	}
	return a.Norm(v)
}

func (q unitPoint) near() bool {
	return math.Abs(q.x) <= axis.Farthest && math.Abs(q.y) <= axis.Farthest
}

// nearPart returns the part of a segment near the axes. It crosses a border of the square exactly
// there, so that rounding errors of distant ends don't matter.
func nearPart(from, to unitPoint) (a, b unitPoint, meets bool) {
	cut := func(p, q, p2, q2 float64) (x, y float64) { // the point between (p, p2) and (q, q2) on the border next to p
		x = axis.Bounded(p)
		t := (x/4 - p/4) / (q/4 - p/4) // q - p may overflow
		return x, p2*(1-t) + q2*t
	}
	for _, transposed := range []bool{false, true} {
		if transposed {
			from, to = unitPoint{from.y, from.x}, unitPoint{to.y, to.x}
		}
		if math.Min(from.x, to.x) > axis.Farthest || math.Max(from.x, to.x) < -axis.Farthest {
			return a, b, false
		}
		a, b = from, to
		if axis.Bounded(from.x) != from.x {
			a.x, a.y = cut(from.x, to.x, from.y, to.y)
		}
		if axis.Bounded(to.x) != to.x {
			b.x, b.y = cut(to.x, from.x, to.y, from.y)
		}
		from, to = a, b
	}
	return unitPoint{a.y, a.x}, unitPoint{b.y, b.x}, true
}
