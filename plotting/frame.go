package plotting

import (
	"math"

	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"marginalia/plotting/internal/pen"
)

// ground paints the canvas white.
func ground(c draw.Canvas) {
	c.SetColor(pen.Paper)
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
	if !v.traits.Sheet {
		c.SetLineStyle(draw.LineStyle{Color: pen.Edge, Width: pen.FrameWidth})
		c.Stroke(box.Path())
	}
	v.drawLabels(c, box, tx, ty)
	v.drawEnds(c, box, p)
	beside := box
	beside.Max.X += v.endWidth()
	if v.bar != nil {
		v.bar.draw(c, beside, v.notesAbove()-v.bar.NoteHeight())
	}
	switch {
	case v.under:
		drawKeyRows(c, keyRows(v.keys, v.room.X), c.Min.Y+pen.Border)
	case v.outer:
		x := beside.Max.X + keyGap
		if v.bar != nil {
			x += v.bar.width()
		}
		low := box.Max.Y - columnsSize(v.keys, v.columns).Y
		drawKeys(c, vg.Point{X: x, Y: max(low, c.Min.Y+pen.Border)}, v.keys, v.columns)
	case v.legend != nil:
		drawKeys(c, v.legend.Add(box.Min), v.keys, 1)
	}
}

func (v *view) drawGrid(c draw.Canvas, box vg.Rectangle, tx, ty func(float64) vg.Length) {
	shade := func(value float64, log bool) draw.LineStyle {
		if value == 0 && !log && v.traits.Features {
			return draw.LineStyle{Color: pen.Zero, Width: 0.7}
		}
		return draw.LineStyle{Color: pen.Grid, Width: 0.7}
	}
	for _, t := range v.x.Ticks {
		if !t.IsMinor() && v.x.Names == nil {
			c.StrokeLine2(shade(t.Value, v.x.Log), tx(t.Value), box.Min.Y, tx(t.Value), box.Max.Y)
		}
	}
	for _, t := range v.y.Ticks {
		if !t.IsMinor() {
			c.StrokeLine2(shade(t.Value, v.y.Log), box.Min.X, ty(t.Value), box.Max.X, ty(t.Value))
		}
	}
}

func (v *view) drawLabels(c draw.Canvas, box vg.Rectangle, tx, ty func(float64) vg.Length) {
	mid := vg.Point{X: (box.Min.X + box.Max.X) / 2, Y: (box.Min.Y + box.Max.Y) / 2}
	low, left := box.Min.Y, box.Min.X
	if !v.bare {
		tick := draw.LineStyle{Color: pen.Edge, Width: pen.FrameWidth}
		below, beside := v.x.LabelStyle(), pen.Style(pen.TickSize)
		beside.XAlign = text.XRight
		for _, t := range v.x.Ticks {
			n := pen.TickLength
			if t.IsMinor() {
				n /= 2
			}
			c.StrokeLine2(tick, tx(t.Value), low, tx(t.Value), low-n)
			c.FillText(below, vg.Point{X: tx(t.Value), Y: low - pen.TickLength - pen.TickGap}, t.Label)
		}
		for _, t := range v.y.Ticks {
			n := pen.TickLength
			if t.IsMinor() {
				n /= 2
			}
			c.StrokeLine2(tick, left, ty(t.Value), left-n, ty(t.Value))
			c.FillText(beside, vg.Point{X: left - pen.TickLength - pen.TickGap, Y: ty(t.Value)}, t.Label)
		}
		v.drawNotes(c, box)
		low -= pen.TickLength + pen.TickGap + v.x.LabelHeight() + v.x.NoteHeight()
		left -= pen.TickLength + pen.TickGap + v.y.LabelWidth()
	}
	label := pen.Style(pen.LabelSize)
	label.YAlign = text.YTop
	below, beside := v.below(), v.beside()
	c.FillText(label, vg.Point{X: onto(mid.X, label.Width(below), c.Min.X, c.Max.X), Y: low - pen.LabelGap}, below)
	bottom, top := v.between(c.Rectangle, box)
	y := onto(mid.Y, label.Width(beside), bottom-pen.Border, top+pen.Border)
	label.YAlign, label.Rotation = text.YBottom, math.Pi/2
	c.FillText(label, vg.Point{X: left - pen.LabelGap, Y: y}, beside)
	title := pen.Style(pen.TitleSize)
	title.YAlign = text.YBottom
	heading := v.heading()
	c.FillText(title, vg.Point{X: onto(mid.X, title.Width(heading), c.Min.X, c.Max.X), Y: box.Max.Y + v.notesAbove() + pen.TitleGap}, heading)
}

// drawNotes writes what the numbers of the axes are multiplied by and what is added to them: below
// the right end of the horizontal axis, and above the upper end of the vertical one.
func (v *view) drawNotes(c draw.Canvas, box vg.Rectangle) {
	sty := pen.Style(pen.TickSize)
	sty.YAlign = text.YTop
	wide := sty.Width(v.x.Note)
	at := vg.Point{X: onto(box.Max.X-wide/2, wide, c.Min.X, c.Max.X), Y: box.Min.Y - pen.TickLength - pen.TickGap - v.x.LabelHeight() - pen.LabelGap}
	c.FillText(sty, at, v.x.Note)
	sty.YAlign = text.YBottom
	wide = sty.Width(v.y.Note)
	left := box.Min.X - pen.TickLength - pen.TickGap - v.y.LabelWidth()
	c.FillText(sty, vg.Point{X: onto(left+wide/2, wide, c.Min.X, c.Max.X), Y: box.Max.Y + pen.LabelGap + sty.Height("0")/3}, v.y.Note)
}

// onto shifts the centre of text of length long as far as needed to keep it on the canvas.
func onto(middle, long, low, high vg.Length) vg.Length {
	reach := long/2 + pen.Border
	return max(min(middle, high-reach), min(low+reach, (low+high)/2))
}
