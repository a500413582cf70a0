package canvas

import (
	"cmp"
	"fmt"
	"html"
	"math"
	"strings"

	xfont "golang.org/x/image/font"
	"golang.org/x/image/font/sfnt"
	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

func (c *svgCanvas) FillString(f font.Face, at vg.Point, text string) { c.text(f, at, text, "") }

// FillForeign writes text that our fonts lack on the canvas of an SVG document, and reports false
// for other canvases. The fonts of the reader's machine fit it into the width.
//
// Source: Scalable Vector Graphics (SVG) 1.1, 2nd edition, W3C 2011, section 10.5 (textLength).
func FillForeign(on vg.Canvas, f font.Face, at vg.Point, text string, width vg.Length) bool {
	if d, ok := on.(*draw.Canvas); ok {
		on = d.Canvas
	}
	c, ok := on.(*svgCanvas)
	if !ok {
		return false
	}
	fits := ""
	if width > 0 {
		fits = fmt.Sprintf(` textLength="%s" lengthAdjust="spacingAndGlyphs"`, svgNumber(width.Points()))
	}
	c.text(f, at, text, fits)
	return true
}

func (c *svgCanvas) text(f font.Face, at vg.Point, text, attributes string) {
	if f.Font.Size == 0 || text == "" {
		return
	}
	c.flush()
	x, y := c.page(at)
	place := fmt.Sprintf(`x="%s" y="%s"`, svgNumber(x), svgNumber(y))
	if !c.upright() {
		m := c.state.matrix
		for i, v := range m {
			m[i] = math.Round(1e5*v)/1e5 + 0 // no -0
		}
		place = fmt.Sprintf(`transform="matrix(%g %g %g %g %s %s)"`, m[0], 0-m[1], 0-m[2], m[3], svgNumber(x), svgNumber(y))
	}
	if strings.TrimSpace(text) != text || strings.Contains(text, "  ") {
		place += ` xml:space="preserve"`
	}
	c.write(fmt.Sprintf(`%s font-size="%s"%s`, c.paint("fill"), svgNumber(f.Font.Size.Points()), svgFont(f)),
		"<text "+place+attributes+">"+xmlText(text)+"</text>")
}

// xmlText escapes a text for XML, and replaces what XML can't hold.
func xmlText(txt string) string { return html.EscapeString(Legible(txt)) }

// svgFont returns the font attributes of text that isn't in the document's font.
//
// Source: CSS Fonts Module Level 3, W3C 2018, sections 3.1 (families), 3.2 (weights: 400
// is normal, 700 bold) and 3.4 (styles).
func svgFont(f font.Face) string {
	if f.Font.Typeface == Typeface {
		return ""
	}
	family, err := f.Face.Name(nil, sfnt.NameIDFamily)
	if err != nil {
		family = string(f.Font.Typeface)
	}
	generic := map[font.Variant]string{"Mono": "monospace", "Sans": "sans-serif"}[f.Font.Variant]
	s := fmt.Sprintf(` font-family="%s"`, xmlText("'"+family+"',"+cmp.Or(generic, "serif")))
	if f.Font.Weight != xfont.WeightNormal {
		s += fmt.Sprintf(` font-weight="%d"`, 400+100*f.Font.Weight)
	}
	if f.Font.Style != xfont.StyleNormal {
		s += ` font-style="italic"`
	}
	return s
}
