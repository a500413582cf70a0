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
	return w
}

// draw paints the bar to the right of the data rectangle, at the same height.
func (b *colourBar) draw(c draw.Canvas, box vg.Rectangle) {
	r := vg.Rectangle{Min: vg.Point{X: box.Max.X + vg.Points(barGap), Y: box.Min.Y}, Max: vg.Point{X: box.Max.X + vg.Points(barGap+barWidth), Y: box.Max.Y}}
	const shades = 256
	paintCells(c, r, 1, shades, func(i, _ int) color.NRGBA {
		return b.shadeOf(b.max + (float64(i)+0.5)/shades*(b.min-b.max))
	})
	c.SetLineStyle(draw.LineStyle{Color: edge, Width: frameWidth})
	c.Stroke(r.Path())
	sty := style(tickSize)
	sty.XAlign = text.XLeft
	for _, t := range b.ticks {
		y := r.Min.Y + vg.Length((t.Value-b.min)/(b.max-b.min))*(r.Max.Y-r.Min.Y)
		c.StrokeLine2(draw.LineStyle{Color: edge, Width: frameWidth}, r.Max.X, y, r.Max.X+tickLength, y)
		c.FillText(sty, vg.Point{X: r.Max.X + tickLength + tickGap, Y: y}, t.Label)
	}
	if b.label != "" {
		sty := style(labelSize)
		sty.Rotation = math.Pi / 2
		sty.YAlign = text.YTop
		c.FillText(sty, vg.Point{X: r.Max.X + tickLength + tickGap + b.labelWidth() + labelGap, Y: (r.Min.Y + r.Max.Y) / 2}, b.label)
	}
}
