package plotting

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"marginalia/plotting/internal/pen"
	"marginalia/plotting/isoline"
)

// contour draws isolines of a field.
type contour struct {
	sampled
	levels []float64
	dashes bool // at all levels except 0
}

// Contour draws the lines on which a field equals one of the levels. With
// [Labeled] each level is written on its line. A line ends where f is NaN, at most one
// step of the grid earlier (see [Samples]). −Inf is below and +Inf above every level: where
// f jumps across a level, the line follows the jump.
func Contour(f Field, levels []float64, s ...ContourStyle) Layer {
	for i, v := range levels {
		if !pen.Finite(v) {
			panic(fmt.Sprintf("plotting: Contour: levels[%d] = %g, want a finite number", i, v))
		}
	}
	return newContour("Contour", f, levels, s)
}

func newContour(what string, f Field, levels []float64, s []ContourStyle) *contour {
	l := pen.NewLook(what, s)
	return &contour{sampled: sampled{Look: l, f: f}, levels: levels}
}

// Boundary draws the decision boundary of a score, f = 0, and on its two sides,
// dashed, the margin of a support vector machine, f = ±1.
func Boundary(f Field, s ...ContourStyle) Layer {
	l := newContour("Boundary", f, []float64{-1, 0, 1}, s)
	l.dashes = true
	return l
}

// Labeled adds text to a layer: the levels on the lines of a [Contour], the values at
// the ends of [Bars], and ξ with the row's number beside each segment of [Slack].
func Labeled() interface {
	BarsStyle
	ContourStyle
	SlackStyle
} {
	return option(func(l *pen.Look) { l.Labeled = true })
}

func (l *contour) fresh() Layer { return &contour{l.anew(), l.levels, l.dashes} }

func (l *contour) Traits() pen.Traits { return pen.Traits{Features: true} }

func (l *contour) style(level float64) draw.LineStyle {
	sty := l.Line(pen.Ink, 1.6)
	if l.dashes && level != 0 {
		side := l.Look
		side.Dashed = true
		sty = side.Line(pen.Ink, 1.1)
	}
	return sty
}

func (l *contour) Plot(c draw.Canvas, p *plot.Plot) {
	var taken []vg.Rectangle
	for _, level := range l.levels {
		paths := l.lines(p, level)
		for _, path := range paths {
			xs, ys := coordinates(path)
			lineAt(c, p, l.style(level), xs, ys)
		}
		if l.Labeled {
			taken = l.write(c, p, level, paths, taken)
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

// write puts the level on the longest of its lines, over a white ground: in the
// middle or, if another level is already there, elsewhere on the line.
func (l *contour) write(c draw.Canvas, p *plot.Plot, level float64, paths []isoline.Path, taken []vg.Rectangle) []vg.Rectangle {
	var longest []vg.Point
	length := vg.Length(0)
	for _, path := range paths {
		xs, ys := coordinates(path)
		points, sum := onCanvas(c, p, xs, ys), vg.Length(0)
		for i := 1; i < len(points); i++ {
			sum += apartBy(points[i-1], points[i])
		}
		// Lines whose lengths agree within the accuracy of the crossings count as
		// equal, and the first wins: rounding errors, which differ between
		// processors, must not choose.
		if sum > length*(1+1e-4) {
			longest, length = points, sum
		}
	}
	sty := pen.Style(pen.TickSize - 1)
	text := pen.Short(level)
	w, h := sty.Width(text)+3, sty.Height(text)+1
	if length < 3*w {
		return taken
	}
	for _, share := range []vg.Length{0.5, 0.35, 0.65, 0.2, 0.8} {
		at := along(longest, share*length)
		at.X = min(max(at.X, c.Min.X+w/2+1), c.Max.X-w/2-1)
		at.Y = min(max(at.Y, c.Min.Y+h/2+1), c.Max.Y-h/2-1)
		box := vg.Rectangle{Min: vg.Point{X: at.X - w/2, Y: at.Y - h/2}, Max: vg.Point{X: at.X + w/2, Y: at.Y + h/2}}
		if slices.ContainsFunc(taken, func(r vg.Rectangle) bool { return overlap(r, box) }) {
			continue
		}
		c.SetColor(pen.Fade(pen.Paper, 0.85))
		c.Fill(box.Path())
		c.FillText(sty, at, text)
		return append(taken, box)
	}
	return taken
}

func apartBy(a, b vg.Point) vg.Length {
	return vg.Length(math.Hypot(float64(b.X-a.X), float64(b.Y-a.Y)))
}

// along returns the point of a polyline at the given length from its start.
func along(points []vg.Point, length vg.Length) vg.Point {
	for i := range len(points) - 1 {
		a, b := points[i], points[i+1]
		if d := apartBy(a, b); length > d {
			length -= d
		} else if d > 0 {
			return a.Add(b.Sub(a).Scale(length / d))
		}
	}
	return points[len(points)-1]
}

func (l *contour) Entries() []pen.Entry { return l.Rules(l.style(0)) }

func (l *contour) Alt() string {
	var levels []string
	for _, v := range l.levels {
		levels = append(levels, pen.Short(v))
	}
	return "lines of equal value" + pen.Called(l.Name()) + " at " + strings.Join(levels, ", ")
}
