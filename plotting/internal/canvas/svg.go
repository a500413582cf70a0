package canvas

import (
	"bytes"
	"encoding/base64"
	"fmt"
	"image"
	"image/color"
	"math"
	"strconv"
	"strings"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"marginalia/plotting/internal/affine"
)

// EncodeSVG returns a drawing as an SVG document, for a file or as a frame of a slider.
//
// gonum/plot's own vgsvg gives every fill and every stroke an element with a long style
// of its own. For a figure of thousands of points that makes half a megabyte and takes
// most of the time. It also has no generic font families, swallows spaces between pieces
// of text, and labels PNG data as JPEG.
//
// Source: Scalable Vector Graphics (SVG) 2, W3C 2018, chapters 9 (paths), 10 (shapes),
// 11 (text) and 13 (painting).
//
// A screen reader reads an image's accessible name, which an element desc doesn't set.
// aria-label and title do, but a title pops up under the mouse (SVG Accessibility API
// Mappings, W3C 2018, section 8).
func EncodeSVG(d document, frame bool) []byte {
	w, h := d.Extent()
	c := &svgCanvas{w: w, h: h, state: svgState{matrix: affine.Identity}, frame: frame}
	vg.Initialize(c)
	d.Draw(draw.New(c))
	c.flush()
	c.group("")
	width, height := svgNumber(w.Points()), svgNumber(h.Points())
	return fmt.Appendf(nil, `<svg class="figure" width="%spt" height="%spt" viewBox="0 0 %s %s" xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" style="font-family:'DejaVu Sans',Verdana,sans-serif" role="img" aria-label="%s">
<style>%s</style>
%s</svg>
`, width, height, width, height, xmlText(d.Alt()), dark, c.body.Bytes())
}

// IsFrame reports whether a canvas is that of a slider's frame.
func IsFrame(c vg.Canvas) bool {
	s, ok := c.(*svgCanvas)
	return ok && s.frame
}

// dark is the style of a document on a dark page. It exchanges light and dark and keeps the
// hues: classes stay blue and vermilion, in the pictures of fields too. White becomes
// #121212, about the ground of dark pages (JupyterLab's is #111). The ground stays opaque,
// since a program may show the document on a dark ground and not know the media feature.
//
// An image on a page has the colour scheme of the page, not that of the system: Chromium
// takes it from the property color-scheme of the img element, which JupyterLab's dark
// theme sets. A document inside a page has the system's.
//
// Source: Media Queries Level 5, W3C 2021, prefers-color-scheme, and Filter Effects Module
// Level 1, W3C 2018, invert and hue-rotate.
const dark = `@media (prefers-color-scheme:dark){svg.figure{filter:invert(.93) hue-rotate(180deg)}}`

// svgCanvas is a vg.Canvas. Its origin is the lower left corner, that of the document the
// upper left one. It writes page coordinates to a hundredth of a point, and groups
// successive elements with the same look.
type svgCanvas struct {
	w, h  vg.Length
	body  bytes.Buffer
	state svgState
	stack []svgState
	looks string // of the open group; "" if none is open
	// A filled shape that is not written yet: if its outline is stroked next, as for
	// every glyph, fill and stroke become one element.
	shape, fill string
	joined      int    // length of the body after a line that the next may join, or 0
	title       string // of what is drawn; see hover
	frame       bool   // of a slider, whose fields are coarser
}

// svgState is the state that Push saves and Pop restores.
type svgState struct {
	colour color.NRGBA
	width  vg.Length
	dashes []vg.Length
	offset vg.Length
	matrix affine.Matrix
}

var _ vg.CanvasSizer = (*svgCanvas)(nil)

func (c *svgCanvas) Size() (w, h vg.Length) { return c.w, c.h }

func (c *svgCanvas) SetLineWidth(w vg.Length) { c.state.width = w }

func (c *svgCanvas) SetLineDash(pattern []vg.Length, offset vg.Length) {
	c.state.dashes, c.state.offset = pattern, offset
}

func (c *svgCanvas) SetColor(col color.Color) {
	if col == nil {
		col = color.Black
	}
	c.state.colour = color.NRGBAModel.Convert(col).(color.NRGBA)
}

func (c *svgCanvas) Rotate(rad float64) { c.state.matrix = c.state.matrix.Rotate(rad) }

func (c *svgCanvas) Translate(p vg.Point) {
	c.state.matrix = c.state.matrix.Translate(p.X.Points(), p.Y.Points())
}

func (c *svgCanvas) Scale(x, y float64) { c.state.matrix = c.state.matrix.Scale(x, y) }

// upright reports whether the coordinate system is neither rotated nor scaled.
func (c *svgCanvas) upright() bool {
	m := c.state.matrix
	return m[0] == 1 && m[1] == 0 && m[2] == 0 && m[3] == 1
}

func (c *svgCanvas) Push() { c.stack = append(c.stack, c.state) }

func (c *svgCanvas) Pop() {
	c.state = c.stack[len(c.stack)-1]
	c.stack = c.stack[:len(c.stack)-1]
}

// page converts a point to coordinates of the page.
func (c *svgCanvas) page(p vg.Point) (x, y float64) {
	x, y = c.state.matrix.At(p.X.Points(), p.Y.Points())
	return x, c.h.Points() - y
}

func (c *svgCanvas) Fill(p vg.Path) {
	c.flush()
	c.shape, c.fill = c.element(p), c.paint("fill")
}

func (c *svgCanvas) Stroke(p vg.Path) {
	if c.state.width <= 0 {
		return
	}
	looks := c.paint("stroke") + ` stroke-width="` + svgNumber(c.state.width.Points()) + `"`
	if len(c.state.dashes) > 0 {
		var lengths []string
		for _, d := range c.state.dashes {
			lengths = append(lengths, svgNumber(d.Points()))
		}
		looks += ` stroke-dasharray="` + strings.Join(lengths, " ") + `"`
		if c.state.offset != 0 {
			looks += ` stroke-dashoffset="` + svgNumber(c.state.offset.Points()) + `"`
		}
	}
	shape, fill := c.element(p), `fill="none"`
	if shape == c.shape {
		fill, c.shape = c.fill, ""
	}
	c.flush()
	c.line(fill+" "+looks, shape)
}

// line writes an element that is stroked. Successive lines become one path if nobody can tell:
// they are opaque, are not filled, and say nothing under the mouse. A page shows a path of a
// thousand lines sooner than a thousand paths.
func (c *svgCanvas) line(looks, element string) {
	const begin, end = `<path d="`, `"/>` + "\n"
	d, isPath := strings.CutPrefix(element, begin)
	joins := isPath && c.state.colour.A == 0xFF && c.title == "" && strings.HasPrefix(looks, `fill="none"`)
	if joins && c.joined == c.body.Len() && c.looks == looks {
		c.body.Truncate(c.joined - len(end))
		c.body.WriteString(d + "\n")
	} else {
		c.write(looks, element)
	}
	c.joined = 0
	if joins {
		c.joined = c.body.Len()
	}
}

// flush writes the pending filled shape, which is not stroked.
func (c *svgCanvas) flush() {
	if c.shape != "" {
		c.write(c.fill, c.shape)
		c.shape = ""
	}
}

// write writes an element into a group with its looks.
func (c *svgCanvas) write(looks, element string) {
	if element == "" {
		return
	}
	c.group(looks)
	if c.title != "" {
		element = titled(element, c.title)
	}
	c.body.WriteString(element)
	c.body.WriteByte('\n')
}

// group closes the open group if its looks differ, and opens one with the given looks.
func (c *svgCanvas) group(looks string) {
	if c.looks == looks {
		return
	}
	if c.looks != "" {
		c.body.WriteString("</g>\n")
	}
	if c.looks = looks; looks != "" {
		c.body.WriteString("<g " + looks + ">\n")
	}
}

// paint returns the current colour as an attribute.
func (c *svgCanvas) paint(what string) string {
	const hex = "0123456789abcdef"
	k := c.state.colour
	b := append(make([]byte, 0, 48), what...)
	b = append(b, `="#`...)
	for _, v := range []uint8{k.R, k.G, k.B} {
		b = append(b, hex[v>>4], hex[v&15])
	}
	if b = append(b, '"'); k.A != 0xFF {
		b = append(append(append(b, ' '), what...), `-opacity="`...)
		b = append(strconv.AppendFloat(b, float64(k.A)/0xFF, 'f', 3, 64), '"')
	}
	return string(b)
}

// element returns a path as an element, a circle if it is one, and "" if there is nothing
// to see.
func (c *svgCanvas) element(p vg.Path) string {
	if len(p) == 3 && p[0].Type == vg.MoveComp && p[1].Type == vg.ArcComp && p[2].Type == vg.CloseComp &&
		math.Abs(p[1].Angle) >= 2*math.Pi && c.upright() {
		b := append(make([]byte, 0, 64), `<circle cx="`...)
		x, y := c.page(p[1].Pos)
		b = append(svgAppend(b, x), `" cy="`...)
		b = append(svgAppend(b, y), `" r="`...)
		return string(append(svgAppend(b, p[1].Radius.Points()), `"/>`...))
	}
	d := c.outline(p)
	if d == "" {
		return ""
	}
	return `<path d="` + d + `"/>`
}

func (c *svgCanvas) DrawImage(r vg.Rectangle, img image.Image) {
	if img.Bounds().Empty() {
		return
	}
	c.flush()
	c.group("")
	x0, y0 := c.page(r.Min)
	x1, y1 := c.page(r.Max)
	fmt.Fprintf(&c.body, `<image x="%s" y="%s" width="%s" height="%s" preserveAspectRatio="none" style="image-rendering:pixelated" xlink:href="data:image/png;base64,%s"/>`+"\n",
		svgNumber(min(x0, x1)), svgNumber(min(y0, y1)), svgNumber(math.Abs(x1-x0)), svgNumber(math.Abs(y1-y0)), base64.StdEncoding.EncodeToString(embedPNG(img)))
}

// svgNumber formats a length in points to a hundredth.
func svgNumber(v float64) string { return string(svgAppend(nil, v)) }

func svgAppend(b []byte, v float64) []byte {
	k := int64(math.Round(v * 100))
	if k < 0 {
		b, k = append(b, '-'), -k
	}
	b = strconv.AppendInt(b, k/100, 10)
	if k %= 100; k == 0 {
		return b
	}
	b = append(b, '.', byte('0'+k/10))
	if k %= 10; k != 0 {
		b = append(b, byte('0'+k))
	}
	return b
}
