package main

import (
	"math"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// axes are where the axes of a figure lie in its drawing, and what they cover. A page knows
// fractions of the drawing, from its upper left corner.
type axes struct {
	left, right, top, bottom float64 // fractions of the drawing
	x0, x1, y0, y1           float64
	ratio                    float64 // height of the drawing over its width
}

// data returns the place in the plane at a fraction of the drawing, within the axes.
func (a axes) data(u, v float64) (x, y float64) {
	s, t := unit((u-a.left)/(a.right-a.left)), unit((a.bottom-v)/(a.bottom-a.top))
	return a.x0 + s*(a.x1-a.x0), a.y0 + t*(a.y1-a.y0)
}

// page returns the fractions of the drawing for a place in the plane.
func (a axes) page(x, y float64) (u, v float64) {
	return a.left + (x-a.x0)/(a.x1-a.x0)*(a.right-a.left), a.bottom - (y-a.y0)/(a.y1-a.y0)*(a.bottom-a.top)
}

// within reports whether a fraction of the drawing is between the axes.
func (a axes) within(u, v float64) bool {
	return u >= a.left && u <= a.right && v >= a.top && v <= a.bottom
}

// round rounds a place to a thousandth of the axes, in a decimal digit.
func (a axes) round(x, y float64) (float64, float64) {
	return to(x, a.x1-a.x0), to(y, a.y1-a.y0)
}

// to rounds to the power of ten that is at least a thousandth of a length.
func to(v, length float64) float64 {
	digits := -math.Ceil(math.Log10(length / 1000))
	if digits >= 0 {
		scale := math.Pow(10, digits)
		return math.Round(v*scale) / scale
	}
	unit := math.Pow(10, -digits)
	return math.Round(v/unit) * unit
}

func unit(t float64) float64 { return min(1, max(0, t)) }

// A probe is a layer that draws nothing and finds the axes of its figure in the drawing.
type probe struct{ axes }

// Plot implements plot.Plotter.
func (p *probe) Plot(c draw.Canvas, on *plot.Plot) {
	w, h := c.Canvas.(vg.CanvasSizer).Size() // as all canvases of package plotting have it
	across, up := func(x vg.Length) float64 { return float64(x / w) }, func(y vg.Length) float64 { return 1 - float64(y/h) }
	p.axes = axes{across(c.Min.X), across(c.Max.X), up(c.Max.Y), up(c.Min.Y), on.X.Min, on.X.Max, on.Y.Min, on.Y.Max, float64(h / w)}
}
