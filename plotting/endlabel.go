package plotting

import (
	"cmp"
	"image/color"
	"math"
	"slices"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"marginalia/plotting/internal/axis"
	"marginalia/plotting/internal/pen"
)

// EndLabels writes the names of lines, curves and bands beside the axes, at their right
// ends, instead of in a legend. Names that would overlap move apart, and a thin line
// leads to each name. If there are more names than fit beside the axes, they go into the legend.
func (f *Figure) EndLabels() *Figure {
	f.ends = true
	return f
}

// ending is a layer with an end on the right: the last of its points within the axes.
type ending interface {
	keyed
	end(c draw.Canvas, p *plot.Plot) (at vg.Point, visible bool)
	Name() string
	Paint(otherwise color.Color) color.Color
}

func (l *line) end(c draw.Canvas, p *plot.Plot) (vg.Point, bool) {
	return lastPoint(c, p, l.xs, l.ys, l.Steps)
}

func (l *curve) end(c draw.Canvas, p *plot.Plot) (vg.Point, bool) {
	_, log := p.X.Scale.(axis.LogScale)
	xs, ys := l.over(p.X.Min, p.X.Max, log)
	return lastPoint(c, p, xs, ys, l.Steps)
}

func (l *band) end(c draw.Canvas, p *plot.Plot) (vg.Point, bool) {
	ys := l.ys
	if ys == nil {
		ys = make([]float64, len(l.lo))
		for i := range ys {
			ys[i] = l.lo[i] + (l.hi[i]-l.lo[i])/2
		}
	}
	return lastPoint(c, p, l.xs, ys, l.Steps && !l.bars)
}

// lastPoint returns the rightmost point of a line within the axes.
func lastPoint(c draw.Canvas, p *plot.Plot, xs, ys []float64, steps bool) (last vg.Point, visible bool) {
	for _, run := range runs(c, p, xs, ys, steps) {
		for _, piece := range c.ClipLinesXY(run) {
			for _, at := range piece {
				if !visible || at.X >= last.X {
					last, visible = at, true
				}
			}
		}
	}
	return last, visible
}

// The measures of end labels in points.
const (
	endGap  vg.Length = 9 // between the frame and the labels
	endLine vg.Length = 12
)

// endWidth returns the width that the labels take beside the axes.
func (v *view) endWidth() (w vg.Length) {
	for _, l := range v.ends {
		w = max(w, endGap+pen.Style(pen.LegendSize).Width(v.endName(l)))
	}
	return w
}

// endName returns the name of a layer, shortened if it would take too much of the width.
func (v *view) endName(l ending) string { return pen.Shorten(l.Name(), pen.LegendSize, 0.4*v.room.X) }

// endsToKeys moves the names to the legend if there are more of them than fit beside axes of the
// given height. It reports whether it did.
func (v *view) endsToKeys(height vg.Length) bool {
	if n := vg.Length(len(v.ends)); n == 0 || (n-1)*endLine <= height-2*endLine/3 {
		return false
	}
	for _, l := range v.ends {
		for _, e := range l.Entries() {
			v.keys = append(v.keys[:len(v.keys):len(v.keys)], e.Measured(pen.Shorten(e.Name, pen.LegendSize, 0)))
		}
	}
	v.ends = nil
	return true
}

func (v *view) drawEnds(c draw.Canvas, box vg.Rectangle, p *plot.Plot) {
	type label struct {
		ending
		from vg.Point
	}
	var labels []label
	for _, l := range v.ends {
		if at, ok := l.end(draw.Canvas{Canvas: c.Canvas, Rectangle: box}, p); ok {
			labels = append(labels, label{l, at})
		}
	}
	slices.SortStableFunc(labels, func(a, b label) int { return cmp.Compare(a.from.Y, b.from.Y) })
	want := make([]float64, len(labels))
	for i, l := range labels {
		want[i] = float64(l.from.Y)
	}
	sty := pen.Style(pen.LegendSize)
	sty.XAlign = text.XLeft
	for i, y := range spread(want, float64(endLine), float64(box.Min.Y+endLine/3), float64(box.Max.Y-endLine/3)) {
		l, at := labels[i], vg.Point{X: box.Max.X + endGap, Y: vg.Length(y)}
		c.StrokeLine2(draw.LineStyle{Color: l.Paint(pen.Blue), Width: vg.Points(0.8)}, l.from.X, l.from.Y, at.X-2, at.Y)
		c.FillText(sty, at, v.endName(l.ending))
	}
}

// spread moves ascending numbers as little as possible, in the least-squares sense, until
// neighbours are at least step apart, and into the range from lo to hi if they fit.
//
// After subtracting i·step the numbers must not decrease. This is isotonic regression,
// solved by pooling adjacent violators (Ayer et al., An Empirical Distribution Function
// for Sampling with Incomplete Information, 1955).
func spread(want []float64, step, lo, hi float64) []float64 {
	type pool struct {
		sum float64
		n   int
	}
	mean := func(p pool) float64 { return p.sum / float64(p.n) }
	var pools []pool
	for i, y := range want {
		pools = append(pools, pool{y - float64(i)*step, 1})
		for k := len(pools) - 1; k > 0 && mean(pools[k]) < mean(pools[k-1]); k-- {
			pools[k-1].sum += pools[k].sum
			pools[k-1].n += pools[k].n
			pools = pools[:k]
		}
	}
	top := hi - float64(len(want)-1)*step
	var at []float64
	for _, p := range pools {
		y := math.Max(lo, math.Min(top, mean(p)))
		for range p.n {
			at = append(at, y+float64(len(at))*step)
		}
	}
	return at
}
