package plotting

import (
	"fmt"
	"math"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"marginalia/plotting/internal/pen"
)

// segment is a line segment, with or without an arrowhead.
type segment struct {
	pen.Look
	from, to [2]float64
	label    string
	head     bool
	plain    bool // without the label
	choice   int  // index of the label's place among places
}

// Arrow draws an arrow from (x0, y0) to (x1, y1) with the label beyond its head, or
// beside it if the label would cover something there. With a [Plane] in the same figure
// the axes get equal scales, so a normal looks perpendicular.
func Arrow(x0, y0, x1, y1 float64, label string, s ...SegmentStyle) Layer {
	return &segment{Look: pen.NewLook("Arrow", s), from: [2]float64{x0, y0}, to: [2]float64{x1, y1}, label: label, head: true}
}

// Segment draws the line segment from (x0, y0) to (x1, y1) with the label beside its
// middle, or nearer to an end if the label would cover something there.
func Segment(x0, y0, x1, y1 float64, label string, s ...SegmentStyle) Layer {
	return &segment{Look: pen.NewLook("Segment", s), from: [2]float64{x0, y0}, to: [2]float64{x1, y1}, label: label}
}

func (l *segment) coords() (xs, ys []float64) {
	return []float64{l.from[0], l.to[0]}, []float64{l.from[1], l.to[1]}
}

func (l *segment) DataRange() (xmin, xmax, ymin, ymax float64) { return span(l.coords()) }

func (l *segment) Traits() pen.Traits { return pen.Traits{Normal: l.head, Geometry: true} }

func (l *segment) style() draw.LineStyle { return l.Look.Segment(l.head) }

// ends returns the ends on the canvas.
func (l *segment) ends(c draw.Canvas, p *plot.Plot) (a, b vg.Point) {
	tx, ty := p.Transforms(&c)
	return vg.Point{X: tx(l.from[0]), Y: ty(l.from[1])}, vg.Point{X: tx(l.to[0]), Y: ty(l.to[1])}
}

func (l *segment) Plot(c draw.Canvas, p *plot.Plot) {
	a, b := l.ends(c, p)
	sty := l.style()
	switch {
	case apartBy(a, b) < 0.1:
		pen.Mark(&c, 0, a, 2*sty.Width, sty.Color)
	case l.head:
		pen.Arrow(c, a, b, sty)
	default:
		c.StrokeLines(sty, c.ClipLinesXY([]vg.Point{a, b})...)
	}
	if l.labels() > 0 {
		q := l.places(a, b)[l.choice]
		pen.Tag(c, l.label, q.at, q.off, q.gap, sty.Color, l.Size)
	}
}

// tagPlace is a place of a label: gap points from at, in the direction of the unit vector
// off.
type tagPlace struct {
	at, off vg.Point
	gap     float64
}

// places returns the places of the label to try, the best first.
func (l *segment) places(a, b vg.Point) (all []tagPlace) {
	if apartBy(a, b) < 0.1 {
		return []tagPlace{{a, vg.Point{Y: 1}, 4}}
	}
	u := unit(a, b)
	n := vg.Point{X: -u.Y, Y: u.X}
	if n.Y < 0 || n.Y == 0 && n.X < 0 {
		n = n.Scale(-1)
	}
	alongs := []float64{0.5, 0.35, 0.65, 0.2, 0.8}
	if l.head {
		all = append(all, tagPlace{b, u, 3})
		for _, side := range []vg.Point{n, n.Scale(-1)} {
			all = append(all, tagPlace{b, unit(vg.Point{}, u.Add(side)), 4})
		}
		for _, side := range []vg.Point{n, n.Scale(-1)} {
			all = append(all, tagPlace{b, side, 6})
		}
		alongs = []float64{0.5}
	}
	for _, s := range spots(alongs...) {
		all = append(all, tagPlace{a.Add(b.Sub(a).Scale(vg.Length(s.along))), n.Scale(vg.Length(s.side)), 4})
	}
	return all
}

func (l *segment) labels() int {
	if l.label == "" || l.plain {
		return 0
	}
	return 1
}

func (l *segment) bare() Layer {
	t := *l
	t.plain = true
	return &t
}

func (l *segment) place(ink func(vg.Rectangle) int, c draw.Canvas, p *plot.Plot) Layer {
	t := *l
	a, b := l.ends(c, p)
	least := math.MaxInt
	for k, q := range l.places(a, b) {
		if !pen.Inside(&c, q.at) {
			continue
		}
		// A later place must have less than half the ink: rounding errors, which differ
		// between processors, must not choose.
		if n := ink(pen.OnCanvas(pen.TagBox(l.label, q.at, q.off, q.gap, l.Size), c)); 2*float64(n) < float64(least) {
			t.choice, least = k, n
		}
	}
	return &t
}

func (l *segment) Entries() []pen.Entry { return l.Segments(l.head) }

func (l *segment) Alt() string {
	what := "segment"
	if l.head {
		what = "arrow"
	}
	name := l.label
	if name == "" {
		name = l.Name()
	}
	return fmt.Sprintf("%s%s from (%s, %s) to (%s, %s)", what, pen.Called(name),
		pen.Short(l.from[0]), pen.Short(l.from[1]), pen.Short(l.to[0]), pen.Short(l.to[1]))
}
