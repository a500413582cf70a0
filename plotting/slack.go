package plotting

import (
	"fmt"
	"image/color"
	"math"
	"slices"
	"strings"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"marginalia/plotting/internal/pen"
)

// slack joins samples to the border of their margin.
type slack struct {
	pen.Look
	feet   [][2]float64
	points [][2]float64
	rows   []int
	xi     []float64
	spots  []spot // of the labels; side 0 where there is no room; nil before place chooses
	plain  bool   // without labels
}

// Slack draws the slack ξᵢ of each row of x, n×2, with yᵢ(w·xᵢ + b) < 1: the
// perpendicular from the line w·x + b = yᵢ to xᵢ, of length ξᵢ/‖w‖. [Labeled] writes ξ
// with the row's number, from 1, beside it, unless it would hide another label or ξ is too
// small to see. A support vector that is below 1 by rounding alone has no slack.
// [MarginAt] sets a margin other than 1. The axes get equal scales and must be linear.
func Slack(x mat.Matrix, y []int, w []float64, b float64, s ...SlackStyle) Layer {
	n, d := x.Dims()
	if d != 2 || len(w) != 2 {
		panic(fmt.Sprintf("plotting: Slack: x is %d×%d, w has %d components, want n×2 and 2", n, d, len(w)))
	}
	if len(y) != n {
		panic(fmt.Sprintf("plotting: Slack: %d rows, %d labels", n, len(y)))
	}
	l := &slack{Look: pen.NewLook("Slack", s)}
	square := w[0]*w[0] + w[1]*w[1]
	for i, label := range y {
		if label != 1 && label != -1 {
			panic(fmt.Sprintf("plotting: Slack: y[%d] = %d, want -1 or +1", i, label))
		}
		p := [2]float64{x.At(i, 0), x.At(i, 1)}
		score := w[0]*p[0] + w[1]*p[1] + b
		// The score is off by a few times 1e-16 of its terms, and b, which a fit sums over samples, by more.
		rounding := 1e-12 * (math.Abs(w[0]*p[0]) + math.Abs(w[1]*p[1]) + math.Abs(b))
		if float64(label)*score >= marginLevel(&l.Look)-rounding || square == 0 || !pen.Finite(score) {
			continue
		}
		t := (float64(label)*marginLevel(&l.Look) - score) / square
		l.points = append(l.points, p)
		l.feet = append(l.feet, [2]float64{p[0] + t*w[0], p[1] + t*w[1]})
		l.rows = append(l.rows, i)
		l.xi = append(l.xi, marginLevel(&l.Look)-float64(label)*score)
	}
	return l
}

func (l *slack) coords() (xs, ys []float64) {
	for _, p := range l.points {
		xs, ys = append(xs, p[0]), append(ys, p[1])
	}
	return xs, ys
}

func (l *slack) DataRange() (xmin, xmax, ymin, ymax float64) { return span(l.coords()) }

func (l *slack) Traits() pen.Traits { return pen.Traits{Features: true, Plane: true, Normal: true} }

func (l *slack) style() draw.LineStyle { return l.Line(pen.Purple, 1.4) }

func (l *slack) Plot(c draw.Canvas, p *plot.Plot) {
	for k := range l.points {
		a, b := l.stretch(k, c, p)
		c.StrokeLines(l.style(), c.ClipLinesXY([]vg.Point{a, b})...)
	}
	for k := range l.labels() {
		s := spot{0.4, 1}
		if l.spots != nil {
			s = l.spots[k]
		}
		if s.side == 0 {
			continue
		}
		a, b := l.stretch(k, c, p)
		at, n := s.beside(a, b)
		pen.Tag(c, l.label(k), at, n, slackGap, l.ink(), l.Size)
	}
}

// stretch returns the ends of segment k on the canvas, first the one on the margin's border.
func (l *slack) stretch(k int, c draw.Canvas, p *plot.Plot) (a, b vg.Point) {
	tx, ty := p.Transforms(&c)
	return vg.Point{X: tx(l.feet[k][0]), Y: ty(l.feet[k][1])}, vg.Point{X: tx(l.points[k][0]), Y: ty(l.points[k][1])}
}

func (l *slack) label(k int) string { return fmt.Sprintf("ξ_{%d}", l.rows[k]+1) }

// ink returns the colour of the labels, darker than the lines.
func (l *slack) ink() color.Color {
	return l.Paint(darkPurple)
}

// slackGap is the distance between a segment and its label, in points.
const slackGap = 3

// darkPurple is [Purple] for text: its contrast to white is 6.4 to 1, that of Purple 3.1 to 1.
const darkPurple pen.Hue = 0x8A4A72

// beside returns the anchor of a label on the line from a to b and the direction in which
// it is offset.
func (s spot) beside(a, b vg.Point) (at, off vg.Point) {
	u := unit(a, b)
	return a.Add(b.Sub(a).Scale(vg.Length(s.along))), vg.Point{X: -u.Y, Y: u.X}.Scale(vg.Length(s.side))
}

func (l *slack) labels() int {
	if !l.Labeled || l.plain {
		return 0
	}
	return len(l.points)
}

func (l *slack) bare() Layer {
	t := *l
	t.plain = true
	return &t
}

func (l *slack) place(ink func(vg.Rectangle) int, c draw.Canvas, p *plot.Plot) Layer {
	t := *l
	t.spots = nil
	var taken []vg.Rectangle
	for k := range t.points {
		a, b := t.stretch(k, c, p)
		var best spot // none
		least, room := math.MaxInt, vg.Rectangle{}
		all := spots(0.4, 0.6, 0.2, 0.8, 0, 1)
		if apartBy(a, b) < 1 { // a rounding error of a sample on the border
			all = nil
		}
		for _, s := range all {
			at, n := s.beside(a, b)
			r := pen.TagBox(t.label(k), at, n, slackGap, t.Size)
			if slices.ContainsFunc(taken, func(q vg.Rectangle) bool { return overlap(q, r) }) {
				continue
			}
			if n := ink(r); n < least {
				best, least, room = s, n, r
			}
		}
		t.spots, taken = append(t.spots, best), append(taken, room)
	}
	return &t
}

func overlap(a, b vg.Rectangle) bool {
	return a.Min.X < b.Max.X && b.Min.X < a.Max.X && a.Min.Y < b.Max.Y && b.Min.Y < a.Max.Y
}

func (l *slack) Entries() []pen.Entry { return l.Rules(l.style()) }

func (l *slack) Alt() string {
	const most = 12 // values that are read out one by one
	s := "slack" + pen.Called(l.Name()) + " of " + pen.Count(len(l.points), "point", "points")
	if len(l.points) == 0 || len(l.points) > most {
		return s
	}
	var all []string
	for k := range l.points {
		all = append(all, fmt.Sprintf("ξ%d = %s", l.rows[k]+1, pen.Short(l.xi[k])))
	}
	return s + ": " + strings.Join(all, ", ")
}
