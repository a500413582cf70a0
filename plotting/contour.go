package plotting

import (
	"fmt"
	"math"
	"strings"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"marginalia/plotting/isoline"
)

// contour draws lines of equal values.
type contour struct {
	sampled
	levels []float64
	dashes bool // at all levels but 0
}

// Contour draws the lines on which a field has one of the levels. [Labelled] writes
// the levels on them.
func Contour(f Field, levels []float64, s ...Style) Layer {
	for i, v := range levels {
		if !finite(v) {
			panic(fmt.Sprintf("plotting: Contour: levels[%d] = %g, want a finite number", i, v))
		}
	}
	return &contour{sampled: sampled{look: newLook(s), f: f}, levels: levels}
}

// Boundary draws the decision boundary of a score, f = 0, and dashed on its two sides
// the lines f = ±1 on which the margin of a support vector machine ends.
func Boundary(f Field, s ...Style) Layer {
	l := Contour(f, []float64{-1, 0, 1}, s...).(*contour)
	l.dashes = true
	return l
}

// Labelled writes the level on each line of a [Contour].
func Labelled() Style { return func(l *look) { l.labelled = true } }

func (l *contour) fresh() Layer { return &contour{l.anew(), l.levels, l.dashes} }

func (l *contour) traits() traits { return traits{features: true} }

func (l *contour) style(level float64) draw.LineStyle {
	sty := l.line(ink, 1.6)
	if l.dashes && level != 0 {
		side := l.look
		side.dashed = true
		sty = side.line(ink, 1.1)
	}
	return sty
}

func (l *contour) Plot(c draw.Canvas, p *plot.Plot) {
	for _, level := range l.levels {
		paths := l.lines(p, level)
		for _, path := range paths {
			xs, ys := coordinates(path)
			lineAt(c, p, l.style(level), xs, ys)
		}
		if l.labelled {
			l.write(c, p, level, paths)
		}
	}
}

func coordinates(path isoline.Path) (xs, ys []float64) {
	for _, q := range path.Points {
		xs, ys = append(xs, q.X), append(ys, q.Y)
	}
	if path.Closed {
		xs, ys = append(xs, xs[0]), append(ys, ys[0])
	}
	return xs, ys
}

// write puts the level in the middle of the longest of its lines, on paper.
func (l *contour) write(c draw.Canvas, p *plot.Plot, level float64, paths []isoline.Path) {
	tx, ty := p.Transforms(&c)
	longest, length := isoline.Path{}, 0.0
	along := func(path isoline.Path) float64 {
		sum := 0.0
		for i := range len(path.Points) - 1 {
			a, b := path.Points[i], path.Points[i+1]
			sum += math.Hypot(float64(tx(b.X)-tx(a.X)), float64(ty(b.Y)-ty(a.Y)))
		}
		return sum
	}
	for _, path := range paths {
		if n := along(path); n > length {
			longest, length = path, n
		}
	}
	sty := style(tickSize - 1)
	text := short(level)
	w, h := sty.Width(text)+3, sty.Height(text)+1
	if length < 3*float64(w) {
		return
	}
	half := 0.0
	for i := range len(longest.Points) - 1 {
		a, b := longest.Points[i], longest.Points[i+1]
		half += math.Hypot(float64(tx(b.X)-tx(a.X)), float64(ty(b.Y)-ty(a.Y)))
		if half < length/2 {
			continue
		}
		at := vg.Point{X: tx(b.X), Y: ty(b.Y)}
		at.X = min(max(at.X, c.Min.X+w/2), c.Max.X-w/2)
		at.Y = min(max(at.Y, c.Min.Y+h/2), c.Max.Y-h/2)
		c.SetColor(fade(paper, 0.85))
		c.Fill(vg.Rectangle{Min: vg.Point{X: at.X - w/2, Y: at.Y - h/2}, Max: vg.Point{X: at.X + w/2, Y: at.Y + h/2}}.Path())
		c.FillText(sty, at, text)
		return
	}
}

func (l *contour) entries() []entry {
	return named(l.name(), func(c *draw.Canvas, at vg.Point, w vg.Length) {
		c.StrokeLine2(l.style(0), at.X-w/2, at.Y, at.X+w/2, at.Y)
	})
}

func (l *contour) alt() string {
	var levels []string
	for _, v := range l.levels {
		levels = append(levels, short(v))
	}
	return "lines of equal value" + called(l.name()) + " at " + strings.Join(levels, ", ")
}

// ellipse is a Gaussian's lines of equal density.
type ellipse struct {
	look
	mean  [2]float64
	root  [2][2]float64 // lower triangular, times its transpose is the covariance
	radii []float64
}

// Ellipse draws the lines of equal density of a Gaussian with the given mean and 2×2
// covariance matrix: those at the given Mahalanobis distances r from its mean, which
// is marked. Within r lies the share 1 − e^{−r²/2} of the mass; without radii they are
// 1 and 2, for 39 % and 86 %. With [Shade] their insides are tinted.
func Ellipse(mean []float64, covariance [][]float64, radii []float64, s ...Style) Layer {
	if len(mean) != 2 || len(covariance) != 2 || len(covariance[0]) != 2 || len(covariance[1]) != 2 {
		panic(fmt.Sprintf("plotting: Ellipse: a mean of %d elements and a covariance of %d rows, want 2 and 2×2", len(mean), len(covariance)))
	}
	if radii == nil {
		radii = []float64{1, 2}
	}
	a, b, d := covariance[0][0], covariance[1][0], covariance[1][1]
	l11 := math.Sqrt(a)
	l21 := b / l11
	l22 := math.Sqrt(d - l21*l21)
	if !(l11 > 0) || !(d-l21*l21 >= 0) || b != covariance[0][1] {
		panic(fmt.Sprintf("plotting: Ellipse: %v is no covariance matrix, want a symmetric positive definite one", covariance))
	}
	return &ellipse{newLook(s), [2]float64{mean[0], mean[1]}, [2][2]float64{{l11, 0}, {l21, l22}}, radii}
}

func (l *ellipse) traits() traits { return traits{features: true} }

// outline returns the line at distance r, closed.
func (l *ellipse) outline(r float64) (xs, ys []float64) {
	const n = 180
	for k := range n + 1 {
		sin, cos := math.Sincos(2 * math.Pi * float64(k) / n)
		xs = append(xs, l.mean[0]+r*l.root[0][0]*cos)
		ys = append(ys, l.mean[1]+r*(l.root[1][0]*cos+l.root[1][1]*sin))
	}
	return xs, ys
}

func (l *ellipse) coords() (xs, ys []float64) {
	xs, ys = []float64{l.mean[0]}, []float64{l.mean[1]}
	for _, r := range l.radii {
		x, y := l.outline(r)
		xs, ys = append(xs, x...), append(ys, y...)
	}
	return xs, ys
}

func (l *ellipse) tint(c Hue) (Layer, bool) {
	if l.colour != nil {
		return l, false
	}
	t := *l
	t.colour = c
	return &t, true
}

func (l *ellipse) Plot(c draw.Canvas, p *plot.Plot) {
	tx, ty := p.Transforms(&c)
	for _, r := range l.radii {
		xs, ys := l.outline(r)
		if l.shade {
			var inside []vg.Point
			for i := range xs {
				inside = append(inside, vg.Point{X: tx(xs[i]), Y: ty(ys[i])})
			}
			c.FillPolygon(fade(l.paint(Blue), 0.1), c.ClipPolygonXY(inside))
		}
		lineAt(c, p, l.line(Blue, 1.4), xs, ys)
	}
	mark(&c, 5, vg.Point{X: tx(l.mean[0]), Y: ty(l.mean[1])}, l.radius(7), l.paint(Blue))
}

func (l *ellipse) entries() []entry {
	return named(l.name(), func(c *draw.Canvas, at vg.Point, w vg.Length) {
		c.StrokeLine2(l.line(Blue, 1.4), at.X-w/2, at.Y, at.X+w/2, at.Y)
	})
}

func (l *ellipse) alt() string {
	return fmt.Sprintf("%s%s around (%s, %s)", count(len(l.radii), "ellipse", "ellipses"), called(l.name()), short(l.mean[0]), short(l.mean[1]))
}
