package plotting

import (
	"math"

	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// The measures of the parts around the data, in points.
const (
	border     vg.Length = 5 // white around everything
	frameWidth vg.Length = 0.7
	tickLength vg.Length = 3.5
	tickGap    vg.Length = 2.5 // between tick and number
	labelGap   vg.Length = 3   // between numbers and label
	titleGap   vg.Length = 5
)

// ground paints the canvas white.
func ground(c draw.Canvas) {
	c.SetColor(paper)
	c.Fill(c.Rectangle.Path())
}

// draw draws the whole figure, with the data within box.
func (v *view) draw(c draw.Canvas, box vg.Rectangle) {
	v.settle(box.Size())
	p := v.plot()
	data := draw.Canvas{Canvas: c.Canvas, Rectangle: box}
	tx, ty := p.Transforms(&data)
	if !v.bare {
		v.drawGrid(c, box, tx, ty)
	}
	for _, l := range v.layers {
		l.Plot(data, p)
	}
	if !v.traits.sheet {
		c.SetLineStyle(draw.LineStyle{Color: edge, Width: frameWidth})
		c.Stroke(box.Path())
	}
	v.drawLabels(c, box, tx, ty)
	v.drawEnds(c, box, p)
	beside := box
	beside.Max.X += v.endWidth()
	if v.bar != nil {
		v.bar.draw(c, beside, v.notesAbove()-v.bar.noteHeight())
	}
	switch {
	case v.under:
		drawKeyRows(c, keyRows(v.keys, v.room.X), c.Min.Y+border)
	case v.outer:
		x := beside.Max.X + keyGap
		if v.bar != nil {
			x += v.bar.width()
		}
		low := box.Max.Y - columnsSize(v.keys, v.columns).Y
		drawKeys(c, vg.Point{X: x, Y: max(low, c.Min.Y+border)}, v.keys, v.columns)
	case v.legend != nil:
		drawKeys(c, v.legend.Add(box.Min), v.keys, 1)
	}
}

func (v *view) drawGrid(c draw.Canvas, box vg.Rectangle, tx, ty func(float64) vg.Length) {
	shade := func(value float64, log bool) draw.LineStyle {
		if value == 0 && !log && v.traits.features {
			return draw.LineStyle{Color: zero, Width: 0.7}
		}
		return draw.LineStyle{Color: grid, Width: 0.7}
	}
	for _, t := range v.x.ticks {
		if !t.IsMinor() && v.x.names == nil {
			c.StrokeLine2(shade(t.Value, v.x.log), tx(t.Value), box.Min.Y, tx(t.Value), box.Max.Y)
		}
	}
	for _, t := range v.y.ticks {
		if !t.IsMinor() {
			c.StrokeLine2(shade(t.Value, v.y.log), box.Min.X, ty(t.Value), box.Max.X, ty(t.Value))
		}
	}
}

func (v *view) drawLabels(c draw.Canvas, box vg.Rectangle, tx, ty func(float64) vg.Length) {
	mid := vg.Point{X: (box.Min.X + box.Max.X) / 2, Y: (box.Min.Y + box.Max.Y) / 2}
	low, left := box.Min.Y, box.Min.X
	if !v.bare {
		tick := draw.LineStyle{Color: edge, Width: frameWidth}
		below, beside := v.x.labelStyle(), style(tickSize)
		beside.XAlign = text.XRight
		for _, t := range v.x.ticks {
			n := tickLength
			if t.IsMinor() {
				n /= 2
			}
			c.StrokeLine2(tick, tx(t.Value), low, tx(t.Value), low-n)
			c.FillText(below, vg.Point{X: tx(t.Value), Y: low - tickLength - tickGap}, t.Label)
		}
		for _, t := range v.y.ticks {
			n := tickLength
			if t.IsMinor() {
				n /= 2
			}
			c.StrokeLine2(tick, left, ty(t.Value), left-n, ty(t.Value))
			c.FillText(beside, vg.Point{X: left - tickLength - tickGap, Y: ty(t.Value)}, t.Label)
		}
		v.drawNotes(c, box)
		low -= tickLength + tickGap + v.x.labelHeight() + v.x.noteHeight()
		left -= tickLength + tickGap + v.y.labelWidth()
	}
	label := style(labelSize)
	label.YAlign = text.YTop
	below, beside := v.below(), v.beside()
	c.FillText(label, vg.Point{X: onto(mid.X, label.Width(below), c.Min.X, c.Max.X), Y: low - labelGap}, below)
	bottom, top := v.between(c.Rectangle, box)
	y := onto(mid.Y, label.Width(beside), bottom-border, top+border)
	label.YAlign, label.Rotation = text.YBottom, math.Pi/2
	c.FillText(label, vg.Point{X: left - labelGap, Y: y}, beside)
	title := style(titleSize)
	title.YAlign = text.YBottom
	heading := v.heading()
	c.FillText(title, vg.Point{X: onto(mid.X, title.Width(heading), c.Min.X, c.Max.X), Y: box.Max.Y + v.notesAbove() + titleGap}, heading)
}

// drawNotes writes what the numbers of the axes are multiplied by and what is added to them: below
// the right end of the horizontal axis, and above the upper end of the vertical one.
func (v *view) drawNotes(c draw.Canvas, box vg.Rectangle) {
	sty := style(tickSize)
	sty.YAlign = text.YTop
	wide := sty.Width(v.x.note)
	at := vg.Point{X: onto(box.Max.X-wide/2, wide, c.Min.X, c.Max.X), Y: box.Min.Y - tickLength - tickGap - v.x.labelHeight() - labelGap}
	c.FillText(sty, at, v.x.note)
	sty.YAlign = text.YBottom
	wide = sty.Width(v.y.note)
	left := box.Min.X - tickLength - tickGap - v.y.labelWidth()
	c.FillText(sty, vg.Point{X: onto(left+wide/2, wide, c.Min.X, c.Max.X), Y: box.Max.Y + labelGap + sty.Height("0")/3}, v.y.note)
}

// onto shifts the centre of text of length long as far as needed to keep it on the canvas.
func onto(middle, long, low, high vg.Length) vg.Length {
	reach := long/2 + border
	return max(min(middle, high-reach), min(low+reach, (low+high)/2))
}
