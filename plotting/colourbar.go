package plotting

import (
	"image/color"
	"math"

	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// colourBar is the key to a palette.
type colourBar struct {
	axis
	shadeOf func(float64) color.NRGBA
}

// The measures of the colour bar in points.
const (
	barGap   = 10
	barWidth = 11
)

func (b *colourBar) width() vg.Length {
	w := vg.Points(barGap+barWidth) + tickLength + tickGap + b.labelWidth()
	if b.label != "" {
		w += style(labelSize).Height(b.label) + labelGap
	}
	return max(w, vg.Points(barGap)+style(tickSize).Width(b.note))
}

// draw paints the bar to the right of the data rectangle, at the same height. Its note starts at
// a height above.
func (b *colourBar) draw(c draw.Canvas, box vg.Rectangle, above vg.Length) {
	r := vg.Rectangle{Min: vg.Point{X: box.Max.X + vg.Points(barGap), Y: box.Min.Y}, Max: vg.Point{X: box.Max.X + vg.Points(barGap+barWidth), Y: box.Max.Y}}
	const shades = 256
	paintCells(c, r, 1, shades, func(i, _ int) color.NRGBA {
		return b.shadeOf(between(b.max, b.min, (float64(i)+0.5)/shades, false))
	})
	c.SetLineStyle(draw.LineStyle{Color: edge, Width: frameWidth})
	c.Stroke(r.Path())
	sty := style(tickSize)
	sty.XAlign = text.XLeft
	for _, t := range b.ticks {
		y := r.Min.Y + vg.Length(b.place(t.Value))*(r.Max.Y-r.Min.Y)
		long := tickLength
		if t.IsMinor() {
			long /= 2
		}
		c.StrokeLine2(draw.LineStyle{Color: edge, Width: frameWidth}, r.Max.X, y, r.Max.X+long, y)
		c.FillText(sty, vg.Point{X: r.Max.X + tickLength + tickGap, Y: y}, t.Label)
	}
	note := sty
	note.YAlign = text.YBottom
	c.FillText(note, vg.Point{X: r.Min.X, Y: r.Max.Y + above + labelGap + sty.Height("0")/3}, b.note)
	if b.label != "" {
		sty := style(labelSize)
		sty.Rotation = math.Pi / 2
		sty.YAlign = text.YTop
		c.FillText(sty, vg.Point{X: r.Max.X + tickLength + tickGap + b.labelWidth() + labelGap, Y: (r.Min.Y + r.Max.Y) / 2}, b.label)
	}
}
