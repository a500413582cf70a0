package plotting

import (
	"fmt"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"marginalia/plotting/internal/pen"
)

// Figure is one pair of axes with layers. Its methods return the figure, which
// makes a figure one expression. The zero value is an empty figure.
type Figure struct {
	title      string
	x, y       string
	labelled   bool
	layers     []Layer
	w, h       vg.Length
	fixed      *[4]float64 // Range
	equal      bool
	ends       bool // EndLabels
	noTicks    bool
	logX, logY bool
	shown      bool // see shownOnce
}

// New returns a figure of layers, drawn in order. The title may be empty.
func New(title string, layers ...Layer) *Figure {
	return new(Figure{title: title}).With(layers...)
}

// With adds layers on top.
func (f *Figure) With(layers ...Layer) *Figure {
	for i, l := range layers {
		if l == nil {
			panic(fmt.Sprintf("plotting: With: layer %d is nil", i))
		}
	}
	f.layers = append(f.layers, layers...)
	return f
}

// Labels names the axes. By default they are x₁ and x₂ if a layer shows the
// space of two features, and have no names otherwise.
func (f *Figure) Labels(x, y string) *Figure {
	f.x, f.y, f.labelled = x, y, true
	return f
}

// Range fixes the axes: x0 to x1 and y0 to y1. By default they cover the layers
// with some padding. Range panics unless all four are finite, x0 < x1 and y0 < y1.
func (f *Figure) Range(x0, x1, y0, y1 float64) *Figure {
	if !(x0 < x1 && y0 < y1) || !pen.Finite(x0) || !pen.Finite(x1) || !pen.Finite(y0) || !pen.Finite(y1) {
		panic(fmt.Sprintf("plotting: Range: x from %g to %g, y from %g to %g, want rising finite numbers", x0, x1, y0, y1))
	}
	f.fixed = &[4]float64{x0, x1, y0, y1}
	return f
}

// Equal gives both axes the same scale, which keeps right angles right. It is
// the default for figures that show one, with [Perpendicular], [RightAngle],
// [Margin], [Slack], or a [Plane] and an [Arrow], and for images.
func (f *Figure) Equal() *Figure {
	f.equal = true
	return f
}

// LogX makes the x axis logarithmic.
func (f *Figure) LogX() *Figure {
	f.logX = true
	return f
}

// LogY makes the y axis logarithmic.
func (f *Figure) LogY() *Figure {
	f.logY = true
	return f
}

// NoTicks leaves out the numbers and the grid of the axes, for coordinates that mean
// nothing, as in the drawing of a graph.
func (f *Figure) NoTicks() *Figure {
	f.noTicks = true
	return f
}

// Size sets the size of the whole figure in lengths such as 4*vg.Inch or
// 10*vg.Centimeter. By default it is 5 inches wide, and the content determines
// its height. Size panics if a side is shorter than half an inch. In a figure too small
// for its text, the axes keep a quarter of each side: the legend gets smaller letters and
// shorter names, then the title and the labels of the axes one line, and what still has
// no room is left out. [Figure.Alt] has all of it.
func (f *Figure) Size(w, h vg.Length) *Figure {
	if !(w >= vg.Inch/2 && h >= vg.Inch/2) {
		panic(fmt.Sprintf("plotting: Size: %g×%g points, want at least half an inch (36 points) each way", w.Points(), h.Points()))
	}
	f.w, f.h = w, h
	return f
}

// Draw draws the figure on a canvas of any of gonum/plot's back ends.
func (f *Figure) Draw(c draw.Canvas) {
	ground(c)
	f.paint(c)
}

func (f *Figure) paint(c draw.Canvas) {
	v := f.view()
	v.fit(c.Rectangle)
	v.draw(c, v.box(c.Rectangle, v.margins()))
}
