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
)

// points draws one glyph per sample.
type points struct {
	look
	xs, ys []float64
}

// Points draws a dot at every (xs[i], ys[i]). If xs is nil, it counts from 1.
// Samples with a NaN or infinite coordinate are left out.
func Points(xs, ys []float64, s ...Style) Layer {
	xs = abscissae("Points", xs, ys)
	return &points{newLook("Points", s, "Name", "Colour", "Size", "Alpha"), xs, ys}
}

func abscissae(who string, xs, ys []float64) []float64 {
	if xs == nil {
		xs = make([]float64, len(ys))
		for i := range xs {
			xs[i] = float64(i + 1)
		}
	}
	if len(xs) != len(ys) {
		panic(fmt.Sprintf("plotting: %s: %d xs, %d ys", who, len(xs), len(ys)))
	}
	return xs
}

func (l *points) coords() (xs, ys []float64) { return l.xs, l.ys }

func (l *points) DataRange() (xmin, xmax, ymin, ymax float64) { return span(l.coords()) }

func (l *points) tint(c Hue) (Layer, bool) {
	if l.colour != nil {
		return l, false
	}
	t := *l
	t.colour = c
	return &t, true
}

func (l *points) Plot(c draw.Canvas, p *plot.Plot) {
	tx, ty := p.Transforms(&c)
	pen := newStamps(&c, len(l.xs))
	for i := range l.xs {
		pen.mark(0, vg.Point{X: tx(l.xs[i]), Y: ty(l.ys[i])}, l.radius(5.5), l.paint(Blue))
	}
}

func (l *points) entries() []entry {
	return named(l.name(), func(c *draw.Canvas, at vg.Point, _ vg.Length) {
		mark(c, 0, at, max(keyMark, l.radius(5.5)), l.paint(Blue))
	})
}

func (l *points) alt() string {
	return count(len(l.xs), "point", "points") + called(l.name())
}

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

func (l *line) tint(c Hue) (Layer, bool) {
	if l.colour != nil {
		return l, false
	}
	t := *l
	t.colour = c
	return &t, true
}

func (l *line) Plot(c draw.Canvas, p *plot.Plot) {
	trace(c, p, l.xs, l.ys, l.steps, l.line(Blue, 1.6))
	if l.size > 0 {
		tx, ty := p.Transforms(&c)
		for i := range l.xs {
			mark(&c, 0, vg.Point{X: tx(l.xs[i]), Y: ty(l.ys[i])}, l.radius(0), l.paint(Blue))
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
	s := "line" + called(l.name()) + " through " + count(len(l.xs), "point", "points")
	if n := len(l.xs); n > 1 {
		s += fmt.Sprintf(", from (%s, %s) to (%s, %s)", short(l.xs[0]), short(l.ys[0]), short(l.xs[n-1]), short(l.ys[n-1]))
	}
	return s
}

// trace strokes a polyline inside the axes.
func trace(c draw.Canvas, p *plot.Plot, xs, ys []float64, steps bool, sty draw.LineStyle) {
	for _, run := range runs(c, p, xs, ys, steps) {
		c.StrokeLines(sty, c.ClipLinesXY(run)...)
	}
}

// runs splits a polyline at its gaps.
func runs(c draw.Canvas, p *plot.Plot, xs, ys []float64, steps bool) (all [][]vg.Point) {
	tx, ty := p.Transforms(&c)
	var run []vg.Point
	end := func() {
		if len(run) > 1 {
			all = append(all, run)
		}
		run = nil
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

// curve is the graph of a function over the whole x axis.
type curve struct {
	look
	f func(float64) float64
}

// Curve draws the graph of f over the final x range of the figure, -3 to 3 if
// no other layer has data. Where f is NaN or infinite there is a gap.
func Curve(f func(x float64) float64, s ...Style) Layer {
	return &curve{newLook("Curve", s, "Name", "Colour", "Width", "Alpha", "Dashed", "Steps"), f}
}

// samples is the resolution of a curve: about one sample per point of a wide figure.
const samples = 480

// over samples f from x0 to x1, at equal ratios if the axis is logarithmic. Where f jumps,
// there are two samples more, one on each side, between which the line is upright.
func (l *curve) over(x0, x1 float64, log bool) (xs, ys []float64) {
	for i := range samples + 1 {
		t := float64(i) / samples
		x := x0 + t*(x1-x0)
		if log {
			x = x0 * math.Pow(x1/x0, t)
		}
		xs, ys = append(xs, x), append(ys, l.f(x))
	}
	for i := len(ys) - 2; i >= 0; i-- {
		step := math.Abs(ys[i+1] - ys[i])
		before, after := 0.0, 0.0
		if i > 0 {
			before = math.Abs(ys[i] - ys[i-1])
		}
		if i+2 < len(ys) {
			after = math.Abs(ys[i+2] - ys[i+1])
		}
		if !(step > 4*math.Max(before, after)) {
			continue
		}
		if a, b, fa, fb := l.halve(xs[i], xs[i+1], ys[i], ys[i+1]); math.Abs(fb-fa) > step/2 {
			xs, ys = slices.Insert(xs, i+1, a, b), slices.Insert(ys, i+1, fa, fb)
		}
	}
	return xs, ys
}

// halve narrows the interval from a to b to where f changes most.
func (l *curve) halve(a, b, fa, fb float64) (a1, b1, fa1, fb1 float64) {
	for range 30 {
		m := a + (b-a)/2
		if fm := l.f(m); math.Abs(fm-fa) > math.Abs(fb-fm) {
			b, fb = m, fm
		} else {
			a, fa = m, fm
		}
	}
	return a, b, fa, fb
}

func (l *curve) tint(c Hue) (Layer, bool) {
	if l.colour != nil {
		return l, false
	}
	t := *l
	t.colour = c
	return &t, true
}

func (l *curve) Plot(c draw.Canvas, p *plot.Plot) {
	_, log := p.X.Scale.(logScale)
	xs, ys := l.over(p.X.Min, p.X.Max, log)
	trace(c, p, xs, ys, l.steps, l.line(Blue, 1.8))
}

func (l *curve) entries() []entry {
	return named(l.name(), func(c *draw.Canvas, at vg.Point, w vg.Length) {
		c.StrokeLine2(l.line(Blue, 1.8), at.X-w/2, at.Y, at.X+w/2, at.Y)
	})
}

func (l *curve) alt() string { return "curve" + called(l.name()) }

// classes draws samples with one colour and glyph per class.
type classes struct {
	look
	xs, ys []float64
	y      []int
	labels []int // the distinct labels, ascending
	kinds  []int // for each label, the index of its colour and glyph
}

// Classes draws the rows of x, n×2, each with the colour and the glyph of its
// label y[i]. Of two classes labelled -1 and +1 or 0 and 1, the lower is always
// a blue disc and the upper a vermilion square. Labels 0, 1, 2, … always look the
// same, no matter which of them occur.
func Classes(x mat.Matrix, y []int, s ...Style) Layer {
	n, d := x.Dims()
	if d != 2 {
		panic(fmt.Sprintf("plotting: Classes: x is %d×%d, want n×2", n, d))
	}
	if len(y) != n {
		panic(fmt.Sprintf("plotting: Classes: %d rows, %d labels", n, len(y)))
	}
	l := newClasses("Classes", y, s)
	for i := range n {
		l.xs, l.ys = append(l.xs, x.At(i, 0)), append(l.ys, x.At(i, 1))
	}
	return l
}

// newClasses returns the layer without its samples.
func newClasses(what string, y []int, s []Style) *classes {
	l := &classes{look: newLook(what, s, "Names", "Colour", "Size", "Alpha"), y: y}
	l.labels = slices.Compact(slices.Sorted(slices.Values(y)))
	l.kinds = kindsOf(l.labels)
	if len(l.names) > 0 && len(l.names) != len(l.labels) {
		panic(fmt.Sprintf("plotting: %s: %d names, %d classes", what, len(l.names), len(l.labels)))
	}
	return l
}

// kindsOf returns the index of colour and glyph for each of the ascending labels.
func kindsOf(labels []int) []int {
	var kinds []int
	for k, label := range labels {
		kind := label
		switch {
		case signed(labels):
			kind = (label + 1) / 2
		case labels[0] < 0 || labels[len(labels)-1] >= len(hues):
			kind = k
		}
		kinds = append(kinds, kind%len(hues))
	}
	return kinds
}

// signed reports whether every label is -1 or +1.
func signed(labels []int) bool {
	return !slices.ContainsFunc(labels, func(y int) bool { return y != -1 && y != 1 })
}

func (l *classes) coords() (xs, ys []float64) { return l.xs, l.ys }

func (l *classes) DataRange() (xmin, xmax, ymin, ymax float64) { return span(l.coords()) }

func (l *classes) traits() traits { return traits{features: true} }

func (l *classes) colourOf(k int) color.Color { return l.paint(hue(l.kinds[k])) }

func (l *classes) diameter() float64 {
	switch n := len(l.y); {
	case n <= 100:
		return 7.5
	case n <= 500:
		return 5.5
	}
	return 4
}

// index returns the index of sample i's class in l.labels.
func (l *classes) index(i int) int {
	k, _ := slices.BinarySearch(l.labels, l.y[i])
	return k
}

func (l *classes) Plot(c draw.Canvas, p *plot.Plot) {
	tx, ty := p.Transforms(&c)
	pen := newStamps(&c, len(l.xs))
	for i := range l.xs {
		k := l.index(i)
		pen.mark(l.kinds[k], vg.Point{X: tx(l.xs[i]), Y: ty(l.ys[i])}, l.radius(l.diameter()), l.colourOf(k))
	}
}

func (l *classes) nameOf(k int) string {
	switch y := l.labels[k]; {
	case len(l.names) > 0:
		return l.names[k]
	case signed(l.labels) && y > 0:
		return "y = +1"
	case y < 0:
		return fmt.Sprintf("y = −%d", -y)
	default:
		return fmt.Sprintf("y = %d", y)
	}
}

func (l *classes) entries() []entry {
	var es []entry
	for k := range l.labels {
		es = append(es, named(l.nameOf(k), func(c *draw.Canvas, at vg.Point, _ vg.Length) {
			mark(c, l.kinds[k], at, max(keyMark, l.radius(7)), l.colourOf(k))
		})...)
	}
	return es
}

// sizes returns the number of samples in each class.
func (l *classes) sizes() []int {
	n := make([]int, len(l.labels))
	for _, y := range l.y {
		k, _ := slices.BinarySearch(l.labels, y)
		n[k]++
	}
	return n
}

func (l *classes) alt() string {
	var parts []string
	for k, n := range l.sizes() {
		kind := l.kinds[k]
		look := glyphNames[kind%len(glyphNames)]
		if l.colour == nil {
			look = hueNames[kind] + " " + look
		}
		parts = append(parts, fmt.Sprintf("%d with %s (%s)", n, spoken(l.nameOf(k)), look))
	}
	return count(len(l.y), "point", "points") + ": " + strings.Join(parts, ", ")
}

func finite(x float64) bool { return !math.IsNaN(x) && !math.IsInf(x, 0) }

func count(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %s", n, many)
}

// called returns a name in quotes for a text alternative, or nothing.
func called(name string) string {
	if name == "" {
		return ""
	}
	return " “" + spoken(name) + "”"
}
