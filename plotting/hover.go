package plotting

import (
	"math"
	"strings"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg/draw"
)

// hover calls paint. In an SVG document what paint draws shows words while the mouse is
// over it, without a script. Other canvases don't call words.
//
// Source: Scalable Vector Graphics (SVG) 2, W3C 2018, section 5.8 (title).
func hover(c *draw.Canvas, words func() string, paint func()) {
	if svg, ok := c.Canvas.(*svgCanvas); ok {
		svg.flush()
		svg.title = words()
		defer func() {
			svg.flush()
			svg.title = ""
		}()
	}
	paint()
}

// at returns the words for a point: its coordinates, on axes of the given lengths. A coordinate
// below a billionth of its axis is rounding error, whose digits differ between processors. It
// is written as 0.
func at(coordinates, lengths []float64) string {
	var parts []string
	for k, v := range coordinates {
		if math.Abs(v) < 1e-9*lengths[k] {
			v = 0
		}
		parts = append(parts, short(v))
	}
	return "(" + strings.Join(parts, ", ") + ")"
}

// lengths returns the lengths of both axes, 0 for one that is not linear.
func lengths(p *plot.Plot) []float64 {
	var all []float64
	for _, a := range []plot.Axis{p.X, p.Y} {
		length := 0.0
		switch a.Scale.(type) {
		case plot.LinearScale, linearScale:
			length = math.Min(a.Max-a.Min, math.MaxFloat64)
		}
		all = append(all, length)
	}
	return all
}

// titled returns an empty element with a title.
func titled(element, title string) string {
	name, _, _ := strings.Cut(element[1:], " ")
	return strings.TrimSuffix(element, "/>") + "><title>" + xmlText(title) + "</title></" + name + ">"
}
