package plotting

import (
	"fmt"
	"image/color"
	"math"
	"strings"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"marginalia/plotting/internal/pen"
)

// bars are groups of bars over categories.
type bars struct {
	pen.Look
	categories []string
	series     [][]float64
}

// Bars draws a bar for each value: series[j][i] is the value of series j in category i,
// named on the axis. The bars of a category stand side by side. The bars of a series
// share one colour and one hatching; [Name] names the series. Values may be negative; NaN
// leaves a gap. [Labeled] writes the values at the ends of the bars, if these are wide
// enough for a line of text. On a logarithmic axis the bars start at its lower end. Names
// of categories that would touch the one before are left out.
func Bars(categories []string, series [][]float64, s ...BarsStyle) Layer {
	l := &bars{pen.NewLooks("Bars", s), categories, series}
	if len(series) == 0 || len(categories) == 0 {
		panic(fmt.Sprintf("plotting: Bars: %d categories, %d series, want at least 1 of each", len(categories), len(series)))
	}
	for j, v := range series {
		if len(v) != len(categories) {
			panic(fmt.Sprintf("plotting: Bars: %d categories, %d values in series %d", len(categories), len(v), j))
		}
	}
	if len(l.Names) > 0 && len(l.Names) != len(series) {
		panic(fmt.Sprintf("plotting: Bars: %d names, %d series", len(l.Names), len(series)))
	}
	return l
}

func (l *bars) Traits() pen.Traits { return pen.Traits{Floor: true, Names: l.categories} }

func (l *bars) coords() (xs, ys []float64) {
	xs, ys = []float64{0.5, float64(len(l.categories)) + 0.5}, []float64{0, 0}
	low, high := 0.0, 0.0
	for _, v := range l.series {
		for _, y := range v {
			if pen.Finite(y) {
				low, high = math.Min(low, y), math.Max(high, y)
				xs, ys = append(xs, xs[0]), append(ys, y)
			}
		}
	}
	if l.Labeled { // room for a line of text, or for rotated numbers
		room := 0.12
		if len(l.series)*len(l.categories) > 8 {
			room = 0.22
		}
		if high > 0 {
			xs, ys = append(xs, xs[0]), append(ys, high+room*(high-low))
		}
		if low < 0 {
			xs, ys = append(xs, xs[0]), append(ys, low-room*(high-low))
		}
	}
	return xs, ys
}

func (l *bars) DataRange() (xmin, xmax, ymin, ymax float64) { return span(l.coords()) }

// span returns the share of a category that its group of bars fills.
func (l *bars) span() float64 {
	if len(l.series) == 1 {
		return 0.62
	}
	return 0.8
}

func (l *bars) colourOf(j int) color.Color { return l.Paint(pen.NthHue(j)) }

func (l *bars) Plot(c draw.Canvas, p *plot.Plot) {
	tx, ty := p.Transforms(&c)
	base := min(max(ty(0), c.Min.Y), c.Max.Y)
	wide := l.span() / float64(len(l.series))
	sty, turned := l.labels(tx(wide) - tx(0))
	for j, v := range l.series {
		for i, y := range v {
			if !pen.Finite(y) {
				continue
			}
			left := float64(i+1) - l.span()/2 + float64(j)*wide
			end := min(max(ty(y), c.Min.Y), c.Max.Y)
			r := vg.Rectangle{
				Min: vg.Point{X: max(tx(left), c.Min.X), Y: min(base, end)},
				Max: vg.Point{X: min(tx(left+wide), c.Max.X), Y: max(base, end)},
			}
			if r.Max.X <= r.Min.X {
				continue
			}
			swatch(c, r, j, l.colourOf(j), 5)
			if l.Labeled && end == ty(y) && (!turned || r.Max.X-r.Min.X >= 0.85*vg.Length(sty.Font.Size)) {
				l.write(c, r, y, sty, turned)
			}
		}
	}
	if low, _ := extremes(l.series); low < 0 {
		c.StrokeLine2(draw.LineStyle{Color: pen.Edge, Width: pen.FrameWidth}, c.Min.X, base, c.Max.X, base)
	}
}

// labels returns the style of the values, smaller if the bars are narrower than the
// numbers, and whether the numbers must be rotated.
func (l *bars) labels(wide vg.Length) (sty text.Style, turned bool) {
	const smallest = 6.5
	if len(l.series) == 1 {
		wide /= vg.Length(l.span())
	}
	longest := vg.Length(0)
	for _, v := range l.series {
		for _, y := range v {
			if pen.Finite(y) {
				longest = max(longest, pen.Style(pen.TickSize).Width(pen.Short(y)))
			}
		}
	}
	size := pen.TickSize * min(1, float64((wide-1)/longest))
	if turned = size < smallest; turned {
		size = pen.TickSize - 1
	}
	if l.Size > 0 {
		size = l.Size
	}
	return pen.Style(size), turned
}

// write puts a value beyond the end of its bar.
func (l *bars) write(c draw.Canvas, r vg.Rectangle, y float64, sty text.Style, turned bool) {
	const gap = 2
	at := vg.Point{X: (r.Min.X + r.Max.X) / 2, Y: r.Max.Y + gap}
	if y < 0 {
		at.Y = r.Min.Y - gap
	}
	switch {
	case turned && y < 0:
		sty.Rotation, sty.XAlign = math.Pi/2, text.XRight
	case turned:
		sty.Rotation, sty.XAlign = math.Pi/2, text.XLeft
	case y < 0:
		sty.YAlign = text.YTop
	default:
		sty.YAlign = text.YBottom
	}
	// Keep the number inside the frame.
	box := sty.Rectangle(pen.Short(y)).Add(at)
	if box.Size().Y > c.Size().Y-2 {
		return // it is longer than the axis
	}
	at.Y += max(0, c.Min.Y+1-box.Min.Y) - max(0, box.Max.Y-c.Max.Y+1)
	c.FillText(sty, at, pen.Short(y))
}

// extremes returns the least and the greatest finite number; without one they are +Inf and -Inf.
func extremes(series [][]float64) (low, high float64) {
	low, high = math.Inf(1), math.Inf(-1)
	for _, v := range series {
		for _, y := range v {
			if pen.Finite(y) {
				low, high = math.Min(low, y), math.Max(high, y)
			}
		}
	}
	return low, high
}

// swatch fills a rectangle in a colour with white hatching of kind k, which identifies the
// series in greyscale print; kind 0 has none. The lines of neighbours continue each other.
func swatch(c draw.Canvas, r vg.Rectangle, k int, colour color.Color, apart vg.Length) {
	c.SetColor(colour)
	c.Fill(r.Path())
	hatch(c, r, k, draw.LineStyle{Color: pen.Fade(pen.Paper, 0.75), Width: vg.Points(0.9)}, apart)
}

// hatching returns the directions of the lines of kind k and how dense they are. The first six are:
// none, rising, falling, level, upright, rising and falling. The next two repeat the first, in other
// colours. Then come more directions at once, and the single ones twice as dense.
func hatching(k int) (dirs []vg.Point, dense vg.Length) {
	rising, falling, level, upright := vg.Point{X: 1, Y: 1}, vg.Point{X: 1, Y: -1}, vg.Point{X: 1}, vg.Point{Y: 1}
	some := [][]vg.Point{
		{}, {rising}, {falling}, {level}, {upright}, {rising, falling}, {}, {rising},
		{level, upright}, {rising, level}, {falling, level}, {rising, upright}, {falling, upright},
		{rising, falling, level}, {rising, falling, upright}, {rising, level, upright}, {falling, level, upright},
		{rising, falling, level, upright},
	}
	if k %= pen.ClassLooks; k < len(some) {
		return some[k], 1
	}
	return some[[]int{1, 2, 3, 4, 5, 8, 9, 10}[k-len(some)]], 2
}

// hatch strokes lines of kind k across a rectangle, at the distance apart.
func hatch(c draw.Canvas, r vg.Rectangle, k int, sty draw.LineStyle, apart vg.Length) {
	inner := draw.Canvas{Canvas: c.Canvas, Rectangle: r}
	dirs, dense := hatching(k)
	apart /= dense
	for _, d := range dirs {
		n := vg.Point{X: -d.Y, Y: d.X}
		step := apart * vg.Length(math.Hypot(float64(d.X), float64(d.Y)))
		low, high := vg.Length(math.Inf(1)), vg.Length(math.Inf(-1))
		for _, q := range []vg.Point{r.Min, r.Max, {X: r.Min.X, Y: r.Max.Y}, {X: r.Max.X, Y: r.Min.Y}} {
			low, high = min(low, q.X*n.X+q.Y*n.Y), max(high, q.X*n.X+q.Y*n.Y)
		}
		far := r.Size().X + r.Size().Y
		middle := r.Min.Add(r.Max).Scale(0.5)
		for m := math.Ceil(float64(low / step)); vg.Length(m)*step < high; m++ {
			// The point of the line nearest to the centre of the rectangle.
			off := (vg.Length(m)*step - middle.X*n.X - middle.Y*n.Y) / (n.X*n.X + n.Y*n.Y)
			at := middle.Add(n.Scale(off))
			c.StrokeLines(sty, inner.ClipLinesXY([]vg.Point{at.Sub(d.Scale(far)), at.Add(d.Scale(far))})...)
		}
	}
}

func (l *bars) Entries() []pen.Entry {
	var all []pen.Entry
	for j, name := range l.Names {
		all = append(all, pen.Named(name, func(c *draw.Canvas, at vg.Point, _ vg.Length) {
			swatch(*c, keySwatch(at), j, l.colourOf(j), 3.5)
		})...)
	}
	return all
}

// keySwatch returns the rectangle of a swatch in the legend.
func keySwatch(at vg.Point) vg.Rectangle {
	half := vg.Point{X: 7, Y: 4}
	return vg.Rectangle{Min: at.Sub(half), Max: at.Add(half)}
}

func (l *bars) Alt() string {
	const most = 24 // values that are read out one by one
	var parts []string
	for j, v := range l.series {
		what := pen.Count(len(v), "bar", "bars")
		if len(l.Names) > 0 {
			what = "bars" + pen.Called(l.Names[j])
		}
		if len(l.series)*len(v) > most {
			low, high := extremes([][]float64{v})
			parts = append(parts, fmt.Sprintf("%s from %s to %s", what, pen.Short(low), pen.Short(high)))
			continue
		}
		var values []string
		for i, y := range v {
			values = append(values, pen.Spoken(l.categories[i])+" "+pen.Short(y))
		}
		parts = append(parts, what+": "+strings.Join(values, ", "))
	}
	return strings.Join(parts, "; ")
}
