package plotting

import (
	"html"
	"strings"

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

// at returns the words for a point: its coordinates.
func at(coordinates ...float64) string {
	var parts []string
	for _, v := range coordinates {
		parts = append(parts, short(v))
	}
	return "(" + strings.Join(parts, ", ") + ")"
}

// titled returns an empty element with a title.
func titled(element, title string) string {
	name, _, _ := strings.Cut(element[1:], " ")
	return strings.TrimSuffix(element, "/>") + "><title>" + html.EscapeString(title) + "</title></" + name + ">"
}
