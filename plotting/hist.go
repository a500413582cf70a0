package plotting

import (
	"fmt"
	"image/color"
	"math"
	"slices"
	"strings"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"marginalia/plotting/internal/pen"
)

// hist draws histograms over common bins.
type hist struct {
	pen.Look
	edges   []float64
	heights [][]float64 // per class and bin
	counts  []int       // per class
}

// Hist draws a histogram of each class: samples[k] are the values of class k. All classes
// share the bins. Where histograms overlap all remain visible, since the outlines are on
// top and each class has its own hatching. [Name] names the classes. NaN and infinite
// values are left out.
//
// Without [Edges] the bins have equal widths, and a value on the border between two bins
// belongs to the upper one. Without [Bins] their number is the larger of two rules,
// applied to all values x₁ … xₙ: Sturges (1926), 1 + log₂ n bins, and Freedman and Diaconis
// (1981), bins of width 2·IQR/∛n but at most 100. With [Density] a bar's height is
// its share divided by its width, which gives each class the area 1. On a logarithmic
// axis the bars start at its lower end.
func Hist(samples [][]float64, s ...HistStyle) Layer {
	l := &hist{Look: pen.NewLooks("Hist", s)}
	if len(samples) == 0 {
		panic("plotting: Hist: no samples, want one slice for each class")
	}
	if len(l.Names) > 0 && len(l.Names) != len(samples) {
		panic(fmt.Sprintf("plotting: Hist: %d names, %d classes", len(l.Names), len(samples)))
	}
	var all []float64
	for _, v := range samples {
		for _, x := range v {
			if pen.Finite(x) {
				all = append(all, x)
			}
		}
	}
	slices.Sort(all)
	l.edges = l.edgesFor(all)
	for _, v := range samples {
		heights, n := l.bin(v)
		l.heights, l.counts = append(l.heights, heights), append(l.counts, n)
	}
	return l
}

// Bins sets the number of bins of a [Hist], all of equal width. There are fewer if the range
// has fewer floating-point numbers than that, or a single value.
func Bins(n int) HistStyle {
	if n < 1 || n > 10000 {
		panic(fmt.Sprintf("plotting: Bins: %d, want 1 to 10000", n))
	}
	return option(func(l *pen.Look) { l.Bins = n })
}

// Edges sets the borders of the bins of a [Hist], strictly increasing. Each bin includes
// its lower border, the last one both. Values beyond the first and last border are left
// out.
func Edges(at ...float64) HistStyle {
	for i, x := range at {
		if !pen.Finite(x) || i > 0 && x <= at[i-1] {
			panic(fmt.Sprintf("plotting: Edges: at[%d] = %g, want rising finite numbers", i, x))
		}
	}
	if len(at) < 2 {
		panic(fmt.Sprintf("plotting: Edges: %d borders, want at least 2", len(at)))
	}
	return option(func(l *pen.Look) { l.Edges = at })
}

// Density scales the histogram of each class of a [Hist] to area 1.
func Density() HistStyle { return option(func(l *pen.Look) { l.Density = true }) }

// edgesFor chooses bins for sorted values.
func (l *hist) edgesFor(all []float64) []float64 {
	if l.Look.Edges != nil {
		return l.Look.Edges
	}
	n := len(all)
	if n == 0 {
		return []float64{0, 1}
	}
	low, high := all[0], all[n-1]
	if low == high {
		below := math.Min(low-0.5, math.Nextafter(low, math.Inf(-1)))
		above := math.Max(low+0.5, math.Nextafter(low, math.Inf(1)))
		return []float64{math.Max(below, -math.MaxFloat64), math.Min(above, math.MaxFloat64)}
	}
	bins := l.Bins
	if bins == 0 {
		bins = binsFor(all)
	}
	return equalEdges(low, high, bins)
}

// binsFor returns the number of bins for sorted values, by the rules of [Hist].
func binsFor(v []float64) int {
	n := len(v)
	if math.IsInf(4*(v[n-1]-v[0]), 0) { // in another unit the number is the same
		v = slices.Clone(v)
		for i := range v {
			v[i] /= 8
		}
	}
	bins := int(math.Ceil(math.Log2(float64(n)))) + 1
	iqr := quantile(v, 0.75) - quantile(v, 0.25)
	if width := 2 * iqr / math.Cbrt(float64(n)); width > 0 && !math.IsInf(width, 0) {
		bins = max(bins, int(math.Min(100, math.Ceil((v[n-1]-v[0])/width))))
	}
	return bins
}

// quantile interpolates the q-quantile of sorted values.
func quantile(v []float64, q float64) float64 {
	at := q * float64(len(v)-1)
	k := min(int(at), len(v)-1)
	if k == len(v)-1 {
		return v[k]
	}
	return v[k] + (at-float64(k))*(v[k+1]-v[k])
}

// bin returns the heights of the bins for the values of one class, and the number of
// values in them.
func (l *hist) bin(v []float64) (heights []float64, n int) {
	last := len(l.edges) - 1
	heights = make([]float64, last)
	for _, x := range v {
		if !(x >= l.edges[0] && x <= l.edges[last]) {
			continue
		}
		k, found := slices.BinarySearch(l.edges, x)
		if !found {
			k--
		}
		heights[min(k, last-1)]++
		n++
	}
	if l.Density && n > 0 {
		for k := range heights {
			heights[k] /= float64(n)
			heights[k] /= math.Min(l.edges[k+1]-l.edges[k], math.MaxFloat64)
		}
	}
	return heights, n
}

func (l *hist) Traits() pen.Traits { return pen.Traits{Floor: true, Exact: true} }

func (l *hist) coords() (xs, ys []float64) {
	for _, h := range l.heights {
		for k, y := range h {
			xs, ys = append(xs, l.edges[k], l.edges[k+1]), append(ys, 0, y)
		}
	}
	return xs, ys
}

func (l *hist) DataRange() (xmin, xmax, ymin, ymax float64) { return span(l.coords()) }

func (l *hist) colourOf(k int) color.Color { return l.Paint(pen.NthHue(k)) }

func (l *hist) Plot(c draw.Canvas, p *plot.Plot) {
	tx, ty := p.Transforms(&c)
	base := min(max(ty(0), c.Min.Y), c.Max.Y)
	for k, heights := range l.heights {
		c.FillPolygon(l.tone(k), c.ClipPolygonXY(l.stairs(heights, base, tx, ty)))
		for i, y := range heights {
			r := vg.Rectangle{
				Min: vg.Point{X: max(tx(l.edges[i]), c.Min.X), Y: base},
				Max: vg.Point{X: min(tx(l.edges[i+1]), c.Max.X), Y: min(max(ty(y), c.Min.Y), c.Max.Y)},
			}
			if r.Max.X > r.Min.X && r.Max.Y > r.Min.Y {
				l.hatch(c, r, k, 5)
			}
		}
	}
	for k, heights := range l.heights {
		c.StrokeLines(l.outline(k), c.ClipLinesXY(l.stairs(heights, base, tx, ty))...)
	}
}

// tone returns the tint of the area of class k.
func (l *hist) tone(k int) color.Color { return pen.Fade(l.colourOf(k), 0.3) }

func (l *hist) hatch(c draw.Canvas, r vg.Rectangle, k int, apart vg.Length) {
	hatch(c, r, k, draw.LineStyle{Color: pen.Fade(l.colourOf(k), 0.75), Width: vg.Points(0.7)}, apart)
}

func (l *hist) outline(k int) draw.LineStyle {
	o := l.Look
	o.Dashed = false
	sty := o.Line(pen.NthHue(k), 1.4)
	sty.Color = l.colourOf(k)
	return sty
}

// stairs returns the upper border of a histogram, which starts and ends at base.
func (l *hist) stairs(heights []float64, base vg.Length, tx, ty func(float64) vg.Length) []vg.Point {
	at := []vg.Point{{X: tx(l.edges[0]), Y: base}}
	for i, y := range heights {
		top := max(ty(y), base)
		at = append(at, vg.Point{X: tx(l.edges[i]), Y: top}, vg.Point{X: tx(l.edges[i+1]), Y: top})
	}
	return append(at, vg.Point{X: tx(l.edges[len(heights)]), Y: base})
}

func (l *hist) Entries() []pen.Entry {
	var all []pen.Entry
	for k, name := range l.Names {
		all = append(all, pen.Named(name, func(c *draw.Canvas, at vg.Point, _ vg.Length) {
			r := keySwatch(at)
			c.SetColor(l.tone(k))
			c.Fill(r.Path())
			l.hatch(*c, r, k, 3.5)
			c.SetLineStyle(l.outline(k))
			c.Stroke(r.Path())
		})...)
	}
	return all
}

func (l *hist) Alt() string {
	var parts []string
	for k, h := range l.heights {
		name := ""
		if len(l.Names) > 0 {
			name = pen.Called(l.Names[k])
		}
		highest := 0
		for i := range h {
			if h[i] > h[highest] {
				highest = i
			}
		}
		parts = append(parts, fmt.Sprintf("histogram%s of %s in %s, highest %s", name,
			pen.Count(l.counts[k], "value", "values"), pen.Count(len(h), "bin", "bins"), pen.FromTo(l.edges[highest], l.edges[highest+1])))
	}
	return strings.Join(parts, "; ")
}
