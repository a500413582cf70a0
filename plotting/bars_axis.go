package plotting

import (
	"math"
	"strings"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
)

// The angle of names that don't fit side by side, and of those that would touch even at
// that angle.
const (
	sloping = 40 * math.Pi / 180
	upright = math.Pi / 2
)

// leastLine is the least distance of names one below the other: they don't touch.
const leastLine = 0.95 * tickSize

// mostLines bounds the lines that a name is broken into.
const mostLines = 6

// setNames labels an axis of the given length with its names at 1, 2, 3, …. Names that
// are too long are broken at spaces or, if that doesn't help, set sloping or upright.
func (a *axis) setNames(length vg.Length) {
	const apart = 5
	sty := style(tickSize)
	a.slot, a.along = length/vg.Length(a.max-a.min), vg.Point{X: length}
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
	a.ticks, a.slope = nil, 0
	for i, name := range a.names {
		lines, fits := fold(name)
		if !fits {
			a.slope = sloping
		}
		a.ticks = append(a.ticks, plot.Tick{Value: float64(i + 1), Label: lines})
	}
	if a.slope == 0 {
		return
	}
	if a.slot*vg.Length(math.Sin(sloping)) < sty.Height("0") {
		a.slope = upright
	}
	for i := range a.ticks {
		a.ticks[i].Label = a.names[i]
	}
	if a.slope == upright {
		a.thin(length)
	}
}

// thin leaves out names that would touch the one before on an axis of the given length.
func (a *axis) thin(length vg.Length) {
	before := math.Inf(1)
	for i, t := range a.ticks {
		at := a.place(t.Value) * float64(length)
		if math.Abs(at-before) < leastLine {
			a.ticks[i].Label = ""
			continue
		}
		before = at
	}
}

// nameRows labels a vertical axis of the given length with its names at -1, -2, -3, … or at
// a.places.
func (a *axis) nameRows(length vg.Length) {
	a.ticks = nil
	for i, name := range a.names {
		at := -float64(i + 1)
		if a.places != nil {
			at = a.places[i]
		}
		a.ticks = append(a.ticks, plot.Tick{Value: at, Label: name})
	}
	a.thin(length)
}

// labelHeight returns the height of the tallest tick label of a horizontal axis.
func (a *axis) labelHeight() (h vg.Length) {
	sty := style(tickSize)
	h = sty.Height("0")
	for _, t := range a.ticks {
		if a.slope > 0 {
			h = max(h, sty.Width(t.Label)*vg.Length(math.Sin(a.slope))+sty.Height("0")*vg.Length(math.Cos(a.slope)))
		} else if t.Label != "" {
			h = max(h, sty.Height(t.Label))
		}
	}
	return h
}

// overhang returns how far tick labels extend beyond an end of a horizontal axis, 0 the lower
// one and 1 the upper one.
func (a *axis) overhang(end float64) (w vg.Length) {
	sty := style(tickSize)
	for _, t := range a.ticks {
		at := vg.Length(math.Abs(a.place(t.Value)-end)) * a.along.X
		if a.slope == 0 && at > a.along.X/2 {
			continue
		}
		switch wide := sty.Width(t.Label); {
		case a.slope == 0:
			w = max(w, wide/2-at)
		case end == 0:
			w = max(w, wide*vg.Length(math.Cos(a.slope))-at)
		}
	}
	return w
}

// labelStyle returns the style of the tick labels below the axis.
func (a *axis) labelStyle() text.Style {
	sty := style(tickSize)
	sty.YAlign = text.YTop
	if a.slope > 0 {
		sty.Rotation, sty.XAlign, sty.YAlign = a.slope, text.XRight, text.YCenter
	}
	return sty
}
