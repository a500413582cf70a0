package canvas

import (
	"strings"

	"gonum.org/v1/plot/vg/draw"
)

// Hover calls paint. In an SVG document what paint draws shows words while the mouse is
// over it, without a script. Other canvases don't call words.
//
// Source: Scalable Vector Graphics (SVG) 2, W3C 2018, section 5.8 (title).
func Hover(c *draw.Canvas, words func() string, paint func()) {
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

// titled returns an empty element with a title.
func titled(element, title string) string {
	name, _, _ := strings.Cut(element[1:], " ")
	return strings.TrimSuffix(element, "/>") + "><title>" + xmlText(title) + "</title></" + name + ">"
}
