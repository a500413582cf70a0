package plotting

import (
	"image/color"
	"math"

	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"marginalia/plotting/internal/axis"
	"marginalia/plotting/internal/pen"
)

// colourBar is the key to a palette.
type colourBar struct {
	axis.Axis
	shadeOf func(float64) color.NRGBA
}

// barOf returns the key to the palette of a layer, or nil if it has none.
func barOf(l *pen.Look, shadeOf func(float64) color.NRGBA) *colourBar {
	if !l.Bar {
		return nil
	}
	return &colourBar{axis.Axis{Min: l.Lo, Max: l.Hi, Label: l.BarLabel}, shadeOf}
}

// The measures of the colour bar in points.
const (
	barGap   = 10
	barWidth = 11
)

func (b *colourBar) width() vg.Length {
	w := vg.Points(barGap+barWidth) + pen.TickLength + pen.TickGap + b.LabelWidth()
	if b.Label != "" {
		w += pen.Style(pen.LabelSize).Height(b.Label) + pen.LabelGap
	}
	return max(w, vg.Points(barGap)+pen.Style(pen.TickSize).Width(b.Note))
}

// draw paints the bar to the right of the data rectangle, at the same height. Its note starts at
// a height above.
func (b *colourBar) draw(c draw.Canvas, box vg.Rectangle, above vg.Length) {
	r := vg.Rectangle{Min: vg.Point{X: box.Max.X + vg.Points(barGap), Y: box.Min.Y}, Max: vg.Point{X: box.Max.X + vg.Points(barGap+barWidth), Y: box.Max.Y}}
	const shades = 256
	paintCells(c, r, 1, shades, func(i, _ int) color.NRGBA {
		return b.shadeOf(between(b.Max, b.Min, (float64(i)+0.5)/shades, false))
	})
	c.SetLineStyle(draw.LineStyle{Color: pen.Edge, Width: pen.FrameWidth})
	c.Stroke(r.Path())
	sty := pen.Style(pen.TickSize)
	sty.XAlign = text.XLeft
	for _, t := range b.Ticks {
		y := r.Min.Y + vg.Length(b.Place(t.Value))*(r.Max.Y-r.Min.Y)
		long := pen.TickLength
		if t.IsMinor() {
			long /= 2
		}
		c.StrokeLine2(draw.LineStyle{Color: pen.Edge, Width: pen.FrameWidth}, r.Max.X, y, r.Max.X+long, y)
		c.FillText(sty, vg.Point{X: r.Max.X + pen.TickLength + pen.TickGap, Y: y}, t.Label)
	}
	note := sty
	note.YAlign = text.YBottom
	c.FillText(note, vg.Point{X: r.Min.X, Y: r.Max.Y + above + pen.LabelGap + sty.Height("0")/3}, b.Note)
	if b.Label != "" {
		sty := pen.Style(pen.LabelSize)
		sty.Rotation = math.Pi / 2
		sty.YAlign = text.YTop
		c.FillText(sty, vg.Point{X: r.Max.X + pen.TickLength + pen.TickGap + b.LabelWidth() + pen.LabelGap, Y: (r.Min.Y + r.Max.Y) / 2}, b.Label)
	}
}
