package plotting

import (
	"fmt"
	"math"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"marginalia/plotting/internal/pen"
)

// margin is a hyperplane with the two borders of its margin.
type margin struct {
	plane
	width string
	spot  spot // of the arrow with the width; its side is 0 until place chooses it
	plain bool // without the arrow
}

// MarginAt sets the score m at the border of the margin in [Margin] and [Slack]; the
// default is 1. With ‖w‖ = 1, m is the distance τ of Yuille's lecture, and the slack
// satisfies y(w·x + b) ≥ τ − ξ. MarginAt panics unless m is positive and finite.
func MarginAt(m float64) interface {
	MarginStyle
	SlackStyle
} {
	if !(m > 0) || !pen.Finite(m) {
		panic(fmt.Sprintf("plotting: MarginAt: %g, want a positive number", m))
	}
	return option(func(l *pen.Look) { l.Level = m })
}

// marginLevel returns the score at the border of the margin.
func marginLevel(l *pen.Look) float64 {
	if l.Level == 0 {
		return 1
	}
	return l.Level
}

// Margin draws the hyperplane w·x + b = 0 and, dashed on its two sides, the lines
// w·x + b = ±1 at distance 1/‖w‖. An arrow across the margin measures the width and
// carries the label, such as "2/‖w‖"; an empty label draws no arrow. [Shade] tints the
// strip between the lines, and [MarginAt] sets levels other than ±1. The axes get
// equal scales and must be linear.
func Margin(w []float64, b float64, label string, s ...MarginStyle) Layer {
	if len(w) != 2 {
		panic(fmt.Sprintf("plotting: Margin: w has %d components, want 2", len(w)))
	}
	return &margin{plane: plane{pen.NewLook("Margin", s), [2]float64{w[0], w[1]}, b}, width: label}
}

func (l *margin) Traits() pen.Traits { return pen.Traits{Features: true, Plane: true, Normal: true} }

// at returns the plane shifted to w·x + b = level.
func (l *margin) at(level float64) *plane {
	p := l.plane
	p.Shade = false
	p.b -= level
	if level != 0 {
		p.Dashed = true
		if p.Width == 0 {
			p.Width = 1.1
		}
	}
	return &p
}

func (l *margin) Plot(c draw.Canvas, p *plot.Plot) {
	if l.w == [2]float64{} {
		return
	}
	if l.Shade {
		l.strip(c, p)
	}
	for _, level := range []float64{-1, 1, 0} {
		l.at(level*marginLevel(&l.Look)).Plot(c, p)
	}
	if l.labels() > 0 {
		l.measure(c, p)
	}
}

func (l *margin) labels() int {
	if l.width == "" || l.plain || l.w == [2]float64{} {
		return 0
	}
	return 1
}

func (l *margin) bare() Layer {
	t := *l
	t.plain = true
	return &t
}

func (l *margin) place(ink func(vg.Rectangle) int, c draw.Canvas, p *plot.Plot) Layer {
	t := *l
	t.spot = t.firstSpot(c, p)
	first := t.spot.side
	for _, s := range spots(0.25, 0.75, 0.15, 0.85, 0.35, 0.65, 0.08, 0.92) {
		s.side *= first
		a, b := t.arrow(s, c, p)
		if pen.Inside(&c, a) && crossesNothing(ink, a, b) && ink(pen.TagBox(t.width, b, unit(a, b), 3, t.Size)) == 0 {
			t.spot = s
			break
		}
	}
	return &t
}

// crossesNothing reports whether an arrow from a to b across the margin meets no ink
// other than the three lines.
func crossesNothing(ink func(vg.Rectangle) int, a, b vg.Point) bool {
	const step, near = 4, 8
	u, length := unit(a, b), apartBy(a, b)
	dot := vg.Point{X: 2, Y: 2}
	for t := vg.Length(near); t < length-near; t += step {
		if t > length/2-near && t < length/2+near {
			continue // the plane
		}
		if at := a.Add(u.Scale(t)); ink(vg.Rectangle{Min: at.Sub(dot), Max: at.Add(dot)}) > 0 {
			return false
		}
	}
	return true
}

// strip tints |w·x + b| < m, with m the margin level: the axes' rectangle cut along both lines.
func (l *margin) strip(c draw.Canvas, p *plot.Plot) {
	area := half(corners(p), func(q [2]float64) float64 { return marginLevel(&l.Look) - l.score(q) })
	area = half(area, func(q [2]float64) float64 { return marginLevel(&l.Look) + l.score(q) })
	colour := l.Color
	if colour == nil {
		colour = pen.Orange
	}
	fillArea(c, p, pen.Fade(colour, 0.12), area)
}

// arrow returns the ends of the arrow across the margin; the label stands beyond b. The
// arrow crosses the plane at the fraction s.along of the visible part, from its lower end.
func (l *margin) arrow(s spot, c draw.Canvas, p *plot.Plot) (a, b vg.Point) {
	ends := l.at(0).cut(p)
	if len(ends) != 2 {
		return a, b
	}
	low, high := ends[0], ends[1]
	if low[1] > high[1] || low[1] == high[1] && low[0] > high[0] {
		low, high = high, low
	}
	tx, ty := p.Transforms(&c)
	foot := towards(low, high, s.along)
	t := s.side * marginLevel(&l.Look) / (l.w[0]*l.w[0] + l.w[1]*l.w[1])
	point := func(t float64) vg.Point {
		return vg.Point{X: tx(foot[0] + t*l.w[0]), Y: ty(foot[1] + t*l.w[1])}
	}
	return point(-t), point(t)
}

// firstSpot is a quarter along the plane, with the label at the end with more room.
func (l *margin) firstSpot(c draw.Canvas, p *plot.Plot) spot {
	s := spot{0.25, 1}
	a, b := l.arrow(s, c, p)
	u := unit(a, b)
	room := func(at vg.Point) vg.Length {
		return min(at.X-c.Min.X, c.Max.X-at.X, at.Y-c.Min.Y, c.Max.Y-at.Y)
	}
	if room(b.Add(u.Scale(20))) < room(a.Sub(u.Scale(20))) {
		s.side = -1
	}
	return s
}

// measure draws the arrow across the strip and its label.
func (l *margin) measure(c draw.Canvas, p *plot.Plot) {
	s := l.spot
	if s.side == 0 {
		s = l.firstSpot(c, p)
	}
	a, b := l.arrow(s, c, p)
	if a == b {
		return
	}
	sty := draw.LineStyle{Color: l.Paint(pen.Ink), Width: vg.Points(0.9)}
	middle := a.Add(b).Scale(0.5)
	pen.Arrow(c, middle, a, sty)
	pen.Arrow(c, middle, b, sty)
	pen.Tag(c, l.width, b, unit(a, b), 3, sty.Color, l.Size)
}

func (l *margin) Alt() string {
	if l.w == [2]float64{} {
		return l.plane.Alt()
	}
	return fmt.Sprintf("%s with its margin, dashed lines at distance %s", l.at(0).Alt(), pen.Short(marginLevel(&l.Look)/math.Hypot(l.w[0], l.w[1])))
}
