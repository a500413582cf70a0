package plotting

import (
	"math"
	"slices"

	"gonum.org/v1/plot/vg"

	"marginalia/plotting/internal/canvas"
	"marginalia/plotting/internal/pen"
)

// natural returns the default size of a view, in whole pixels of a screen; w is the width
// of a figure with axes.
func (v *view) natural(w vg.Length) (width, height vg.Length) {
	width, height = v.wish(w)
	return wholePixels(width), wholePixels(height + v.keysBelow(width, height) - v.spare(width, height))
}

// spare returns the height that axes with equal scales and fixed ranges leave unused when
// a legend beside them takes part of the width.
func (v *view) spare(w, h vg.Length) vg.Length {
	if !v.equal || !v.fixed || len(v.keys) == 0 {
		return 0
	}
	q, r := *v, vg.Rectangle{Max: vg.Point{X: w, Y: h}}
	if q.fit(r); !q.outer {
		return 0
	}
	m := q.margins()
	return h - m.bottom - m.top - q.box(r, m).Size().Y
}

// wholePixels rounds a length to whole pixels of a screen.
func wholePixels(l vg.Length) vg.Length {
	const pixel = vg.Inch / 96
	return pixel * vg.Length(math.Round(float64(l/pixel)))
}

// heightFor returns the height at width w of a view of size w0×h0 whose axes keep their
// proportions.
func (v *view) heightFor(w, w0, h0 vg.Length) vg.Length {
	q := *v
	r := vg.Rectangle{Max: vg.Point{X: w0, Y: h0}}
	q.fit(r)
	axes := q.box(r, q.margins()).Size()
	h := h0 * w / w0
	q = *v
	q.room.X = w - 2*pen.Border
	q.ticksFor(vg.Point{X: 0.8 * w, Y: 0.6 * h})
	m := q.margins()
	h = (w-m.left-m.right)*axes.Y/axes.X + m.bottom + m.top
	return wholePixels(h + v.keysBelow(w, h))
}

// mostKeys is the most that the legend may add to a figure's height, as a share of its width.
const mostKeys = 0.6

// keysBelow returns the height of the legend if it goes below the axes on a canvas of the
// given size, otherwise 0.
func (v *view) keysBelow(w, h vg.Length) vg.Length {
	r := vg.Rectangle{Max: vg.Point{X: w, Y: h}}
	q := *v
	q.more = mostKeys * w
	if len(v.keys) == 0 || q.moveWhole(r) && !q.under {
		return 0
	}
	q = *v
	q.more = mostKeys * w
	if q.fit(r); !q.under {
		return 0
	}
	return keyGap + q.rowsHeight()
}

func (v *view) wish(w vg.Length) (width, height vg.Length) {
	dx, dy := vg.Length(v.x.Length()), vg.Length(v.y.Length())
	v.room.X = w - 2*pen.Border
	v.ticksFor(vg.Point{X: 0.8 * w, Y: 0.6 * w})
	m := v.margins()
	across, along := m.left+m.right, m.bottom+m.top
	switch {
	case v.traits.Sheet:
		// At most an inch per image.
		images := dx
		for _, l := range v.layers {
			if r, ok := l.(*raster); ok {
				images = min(images, dx/vg.Length(r.w))
			}
		}
		inner := min(w-across, images*vg.Inch)
		return inner + across, inner*dy/dx + along
	case v.traits.Image:
		inner := 0.62 * w / max(dx, dy)
		return inner*dx + across, inner*dy + along
	case v.equal:
		return w, (w-across)*min(max(dy/dx, 0.55), 0.95) + along
	}
	// Sloping names and additional lines of text don't take room from the data.
	more := pen.Style(pen.TitleSize).Height(v.heading()) - pen.Style(pen.TitleSize).Height("0")
	more += pen.Style(pen.LabelSize).Height(v.below()) - pen.Style(pen.LabelSize).Height("0")
	return w, 0.68*w + v.x.LabelHeight() - pen.Style(pen.TickSize).Height("0") + more
}

// Extent returns the size of the figure: the one set by [Figure.Size] or, by default, a
// width of 5 inches and a height that depends on the content.
func (f *Figure) Extent() (w, h vg.Length) {
	if f.w > 0 {
		return f.w, f.h
	}
	return f.view().natural(panelWidth(1))
}

// Resized returns the figure for a column of width w. Its height depends on the content
// or, if [Figure.Size] has set one, keeps the proportions of the axes. Images leave part
// of the column free. Text and lines keep their size: a narrow figure has less room and
// breaks titles and legends into more lines. A sheet of images gets more rows if its
// images would be less than half an inch wide.
func (f *Figure) Resized(w vg.Length) *Figure {
	g := *f
	g.layers = slices.Clone(f.layers)
	for i, l := range g.layers {
		if r, ok := l.(*raster); ok && r.sheet {
			g.layers[i] = r.within(w)
		}
	}
	if f.w > 0 {
		g.w, g.h = w, g.view().heightFor(w, f.w, f.h)
	} else {
		g.w, g.h = g.view().natural(w)
	}
	return &g
}

// PNG returns the figure as a PNG file with dpi pixels per inch. Notebooks and screens
// have 96 per inch; [Show] sends twice that. The same figure gives the same bytes on the
// same kind of processor.
func (f *Figure) PNG(dpi int) []byte {
	w, h := f.Extent()
	return canvas.PaintPNG(f.paint, w, h, dpi)
}

// SVG returns the figure as an SVG document. Text remains text, in DejaVu Sans or, where
// that isn't installed, in Verdana, which has the same widths. The text alternative is the
// accessible name of the image. On a dark page the figure is light on dark. The same figure
// gives the same bytes. The points of [Points], [Classes] and their like show their values
// under the mouse where the document is on a page by itself or as an element, not as an
// img.
func (f *Figure) SVG() []byte { return newOnce(f).SVG() }

// PDF returns the figure as a PDF document of one page, for slides and print: vector
// graphics with the used glyphs of the font embedded. The same figure gives the same
// bytes. PDF panics in a program built with the tag minimal, as a grader's guest is.
func (f *Figure) PDF() []byte { return newOnce(f).PDF() }

// PNG returns the panels as a PNG file with dpi pixels per inch.
func (p *Panels) PNG(dpi int) []byte {
	w, h := p.Extent()
	return canvas.PaintPNG(p.paint, w, h, dpi)
}

// SVG returns the panels as an SVG document; see [Figure.SVG].
func (p *Panels) SVG() []byte { return newOnce(p).SVG() }

// PDF returns the panels as a PDF document; see [Figure.PDF].
func (p *Panels) PDF() []byte { return newOnce(p).PDF() }
