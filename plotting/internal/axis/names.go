package axis

import (
	"math"
	"strings"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"

	"marginalia/plotting/internal/pen"
)

// The angle of names that don't fit side by side, and of those that would touch even at
// that angle.
const (
	Sloping = 40 * math.Pi / 180
	Upright = math.Pi / 2
)

// leastLine is the least distance of names one below the other: they don't touch.
const leastLine = 0.95 * pen.TickSize

// mostLines bounds the lines that a name is broken into.
const mostLines = 6

// SetNames labels an axis of the given length with its names at 1, 2, 3, …. Names that
// are too long are broken at spaces or, if that doesn't help, set sloping or upright.
func (a *Axis) SetNames(length vg.Length) {
	const apart = 5
	sty := pen.Style(pen.TickSize)
	a.slot, a.along = length/vg.Length(a.Max-a.Min), vg.Point{X: length}
	fold := func(name string) (lines string, fits bool) {
		width := sty.Width(name)
		if width <= a.slot-apart {
			return name, true
		}
		line := ""
		for _, word := range strings.Fields(name) {
			if sty.Width(word) > a.slot-apart {
				return name, false
			}
			if line != "" && sty.Width(line+" "+word) > a.slot-apart {
				lines, line = lines+line+"\n", word
				continue
			}
			line = strings.TrimPrefix(line+" "+word, " ")
		}
		return lines + line, strings.Count(lines, "\n") < mostLines
	}
	a.Ticks, a.Slope = nil, 0
	for i, name := range a.Names {
		lines, fits := fold(name)
		if !fits {
			a.Slope = Sloping
		}
		a.Ticks = append(a.Ticks, plot.Tick{Value: float64(i + 1), Label: lines})
	}
	if a.Slope == 0 {
		return
	}
	if a.slot*vg.Length(math.Sin(Sloping)) < sty.Height("0") {
		a.Slope = Upright
	}
	for i := range a.Ticks {
		a.Ticks[i].Label = a.Names[i]
	}
	if a.Slope == Upright {
		a.thin(length)
	}
}

// thin leaves out names that would touch the one before on an axis of the given length.
func (a *Axis) thin(length vg.Length) {
	before := math.Inf(1)
	for i, t := range a.Ticks {
		at := a.Place(t.Value) * float64(length)
		if math.Abs(at-before) < leastLine {
			a.Ticks[i].Label = ""
			continue
		}
		before = at
	}
}

// NameRows labels a vertical axis of the given length with its names at -1, -2, -3, … or at
// a.places.
func (a *Axis) NameRows(length vg.Length) {
	a.Ticks = nil
	for i, name := range a.Names {
		at := -float64(i + 1)
		if a.Places != nil {
			at = a.Places[i]
		}
		a.Ticks = append(a.Ticks, plot.Tick{Value: at, Label: name})
	}
	a.thin(length)
}

// LabelHeight returns the height of the tallest tick label of a horizontal axis.
func (a *Axis) LabelHeight() (h vg.Length) {
	sty := pen.Style(pen.TickSize)
	h = sty.Height("0")
	for _, t := range a.Ticks {
		if a.Slope > 0 {
			h = max(h, sty.Width(t.Label)*vg.Length(math.Sin(a.Slope))+sty.Height("0")*vg.Length(math.Cos(a.Slope)))
		} else if t.Label != "" {
			h = max(h, sty.Height(t.Label))
		}
	}
	return h
}

// Overhang returns how far tick labels extend beyond an end of a horizontal axis, 0 the lower
// one and 1 the upper one.
func (a *Axis) Overhang(end float64) (w vg.Length) {
	sty := pen.Style(pen.TickSize)
	for _, t := range a.Ticks {
		at := vg.Length(math.Abs(a.Place(t.Value)-end)) * a.along.X
		if a.Slope == 0 && at > a.along.X/2 {
			continue
		}
		switch wide := sty.Width(t.Label); {
		case a.Slope == 0:
			w = max(w, wide/2-at)
		case end == 0:
			w = max(w, wide*vg.Length(math.Cos(a.Slope))-at)
		}
	}
	return w
}

// LabelStyle returns the style of the tick labels below the axis.
func (a *Axis) LabelStyle() text.Style {
	sty := pen.Style(pen.TickSize)
	sty.YAlign = text.YTop
	if a.Slope > 0 {
		sty.Rotation, sty.XAlign, sty.YAlign = a.Slope, text.XRight, text.YCenter
	}
	return sty
}
