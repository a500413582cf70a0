package plotting

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// margin is a hyperplane with the two lines on which its margin ends.
type margin struct {
	plane
	width string
}

// Margin draws the hyperplane w·x + b = 0 and, dashed on its two sides, the lines
// w·x + b = ±1, at the distance 1/‖w‖ from it. The width is measured by an arrow with
// the label across it, such as "2/‖w‖"; none if the label is empty. With [Shade] the
// strip between the lines is tinted. The axes get equal scales.
func Margin(w []float64, b float64, label string, s ...Style) Layer {
	if len(w) != 2 {
		panic(fmt.Sprintf("plotting: Margin: w has %d components, want 2", len(w)))
	}
	return &margin{plane{newLook(s), [2]float64{w[0], w[1]}, b}, label}
}

func (l *margin) traits() traits { return traits{features: true, plane: true, normal: true} }

// at returns the plane shifted to w·x + b = level.
func (l *margin) at(level float64) *plane {
	p := l.plane
	p.shade = false
	p.b -= level
	if level != 0 {
		p.dashed = true
		if p.width == 0 {
			p.width = 1.1
		}
	}
	return &p
}

func (l *margin) Plot(c draw.Canvas, p *plot.Plot) {
	if l.w == [2]float64{} {
		return
	}
	if l.shade {
		l.strip(c, p)
	}
	for _, level := range []float64{-1, 1, 0} {
		l.at(level).Plot(c, p)
	}
	if l.width != "" {
		l.measure(c, p)
	}
}

// strip tints |w·x + b| < 1: the axes' rectangle cut along both lines.
func (l *margin) strip(c draw.Canvas, p *plot.Plot) {
	area := half(corners(p), func(q [2]float64) float64 { return 1 - l.score(q) })
	area = half(area, func(q [2]float64) float64 { return 1 + l.score(q) })
	colour := l.colour
	if colour == nil {
		colour = Orange
	}
	fillArea(c, p, fade(colour, 0.12), area)
}

// measure draws the arrow across the strip, a quarter of the visible part of the plane
// from its lower end.
func (l *margin) measure(c draw.Canvas, p *plot.Plot) {
	tx, ty := p.Transforms(&c)
	ends := l.at(0).cut(p)
	if len(ends) != 2 {
		return
	}
	low, high := ends[0], ends[1]
	if low[1] > high[1] || low[1] == high[1] && low[0] > high[0] {
		low, high = high, low
	}
	const along = 0.25
	foot := towards(low, high, along)
	square := l.w[0]*l.w[0] + l.w[1]*l.w[1]
	point := func(t float64) vg.Point {
		return vg.Point{X: tx(foot[0] + t*l.w[0]/square), Y: ty(foot[1] + t*l.w[1]/square)}
	}
	sty := draw.LineStyle{Color: l.paint(ink), Width: vg.Points(0.9)}
	arrow(c, point(0), point(1), sty)
	arrow(c, point(0), point(-1), sty)
	// The label stands beyond the end that has more room.
	d := point(1).Sub(point(-1))
	u := d.Scale(1 / vg.Length(math.Hypot(float64(d.X), float64(d.Y))))
	room := func(at vg.Point) vg.Length {
		return min(at.X-c.Min.X, c.Max.X-at.X, at.Y-c.Min.Y, c.Max.Y-at.Y)
	}
	if room(point(1).Add(u.Scale(20))) >= room(point(-1).Sub(u.Scale(20))) {
		tag(c, l.width, point(1), u, 3, sty.Color, l.size)
	} else {
		tag(c, l.width, point(-1), u.Scale(-1), 3, sty.Color, l.size)
	}
}

func (l *margin) alt() string {
	return fmt.Sprintf("%s with its margin, dashed lines at distance %s", l.at(0).alt(), short(1/math.Hypot(l.w[0], l.w[1])))
}

// slack joins samples with the line on which their margin ends.
type slack struct {
	look
	feet   [][2]float64
	points [][2]float64
	rows   []int
}

// Slack draws, for each row of x, n×2, with yᵢ(w·xᵢ + b) < 1, the perpendicular from
// the line w·x + b = yᵢ to it, whose length is ξᵢ/‖w‖. [Labelled] writes ξ with the
// row's number, from 1, beside it. The axes get equal scales.
func Slack(x mat.Matrix, y []int, w []float64, b float64, s ...Style) Layer {
	n, d := x.Dims()
	if d != 2 || len(w) != 2 {
		panic(fmt.Sprintf("plotting: Slack: x is %d×%d, w has %d components, want n×2 and 2", n, d, len(w)))
	}
	if len(y) != n {
		panic(fmt.Sprintf("plotting: Slack: %d rows, %d labels", n, len(y)))
	}
	l := &slack{look: newLook(s)}
	square := w[0]*w[0] + w[1]*w[1]
	for i, label := range y {
		if label != 1 && label != -1 {
			panic(fmt.Sprintf("plotting: Slack: y[%d] = %d, want -1 or +1", i, label))
		}
		p := [2]float64{x.At(i, 0), x.At(i, 1)}
		score := w[0]*p[0] + w[1]*p[1] + b
		if float64(label)*score >= 1 || square == 0 || !finite(score) {
			continue
		}
		t := (float64(label) - score) / square
		l.points = append(l.points, p)
		l.feet = append(l.feet, [2]float64{p[0] + t*w[0], p[1] + t*w[1]})
		l.rows = append(l.rows, i)
	}
	return l
}

func (l *slack) coords() (xs, ys []float64) {
	for _, p := range l.points {
		xs, ys = append(xs, p[0]), append(ys, p[1])
	}
	return xs, ys
}

func (l *slack) traits() traits { return traits{features: true, plane: true, normal: true} }

func (l *slack) style() draw.LineStyle { return l.line(Purple, 1.4) }

func (l *slack) Plot(c draw.Canvas, p *plot.Plot) {
	tx, ty := p.Transforms(&c)
	for k, q := range l.points {
		a, b := vg.Point{X: tx(l.feet[k][0]), Y: ty(l.feet[k][1])}, vg.Point{X: tx(q[0]), Y: ty(q[1])}
		c.StrokeLines(l.style(), c.ClipLinesXY([]vg.Point{a, b})...)
		if !l.labelled {
			continue
		}
		d := b.Sub(a)
		n := vg.Point{X: -d.Y, Y: d.X}
		if length := math.Hypot(float64(n.X), float64(n.Y)); length > 0 {
			tag(c, fmt.Sprintf("ξ_{%d}", l.rows[k]+1), a.Add(d.Scale(0.4)), n.Scale(vg.Length(1/length)), 2, l.style().Color, l.size)
		}
	}
}

func (l *slack) entries() []entry {
	return named(l.name(), func(c *draw.Canvas, at vg.Point, w vg.Length) {
		c.StrokeLine2(l.style(), at.X-w/2, at.Y, at.X+w/2, at.Y)
	})
}

func (l *slack) alt() string {
	return "slack" + called(l.name()) + " of " + count(len(l.points), "point", "points")
}
