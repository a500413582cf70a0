package plotting

import (
	"slices"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"marginalia/plotting/internal/axis"
	"marginalia/plotting/internal/canvas"
	"marginalia/plotting/internal/notebook"
)

// Drawing is anything that [Show] can show, that is, draws on a canvas of gonum/plot: a
// [Figure], [Panels], or a *plot.Plot of gonum.org/v1/plot, which keeps its own fonts and
// layout.
//
// An optional method Extent() (w, h vg.Length) sets the size; the default is 5 by 3.75
// inches. An optional method Alt() string describes the drawing in words, as a Figure's
// does.
type Drawing interface {
	Draw(c draw.Canvas)
}

// drawing is a Drawing with a size and a description.
type drawing interface {
	Drawing
	Extent() (w, h vg.Length)
	Alt() string
	PNG(dpi int) []byte
	column(w vg.Length) drawing // resized to width w
}

func (f *Figure) column(w vg.Length) drawing { return f.Resized(w) }
func (p *Panels) column(w vg.Length) drawing { return p.Resized(w) }

// guest is a drawing from another package.
type guest struct {
	Drawing
	w, h vg.Length
}

func complete(d Drawing) drawing {
	if full, ok := d.(drawing); ok {
		return full
	}
	g := guest{d, panelWidth(1), panelWidth(1) * 3 / 4}
	if sized, ok := d.(interface{ Extent() (w, h vg.Length) }); ok {
		g.w, g.h = sized.Extent()
	}
	return g
}

// once is a drawing that renders its PNG for the screen only once: a notebook and a folder
// of figures get the same bytes. Its fields are evaluated once for all formats.
type once struct {
	drawing
	picture []byte
}

func newOnce(d Drawing) *once {
	switch d := d.(type) {
	case *Figure:
		return &once{drawing: d.shownOnce()}
	case *Panels:
		q := *d
		q.figs, q.sizes = make([]*Figure, len(d.figs)), make([]vg.Point, len(d.figs))
		for i, f := range d.figs {
			q.figs[i] = f.shownOnce()
		}
		return &once{drawing: &q}
	}
	return &once{drawing: complete(d)}
}

// Thin leaves the fields fewer samples, and reports whether there were more.
func (o *once) Thin() (some bool) {
	var figs []*Figure
	switch d := o.drawing.(type) {
	case *Figure:
		figs = []*Figure{d}
	case *Panels:
		figs = d.figs
	}
	for _, f := range figs {
		for _, l := range f.layers {
			if k, ok := l.(keeping); ok && k.thin() {
				some = true
			}
		}
	}
	return some
}

// shownOnce returns the figure with layers that cache their values from one drawing to
// the next.
func (f *Figure) shownOnce() *Figure {
	g := *f
	g.shown = true
	g.layers = slices.Clone(f.layers)
	for i, l := range g.layers {
		if k, ok := l.(keeping); ok {
			g.layers[i] = k.fresh()
		}
	}
	return &g
}

func (o *once) PNG(dpi int) []byte {
	if dpi != notebook.Screen {
		return o.drawing.PNG(dpi)
	}
	if o.picture == nil {
		o.picture = o.drawing.PNG(notebook.Screen)
	}
	return o.picture
}

func (g guest) Extent() (w, h vg.Length) { return g.w, g.h }

func (g guest) column(w vg.Length) drawing { return guest{g.Drawing, w, wholePixels(g.h * w / g.w)} }

func (g guest) PNG(dpi int) []byte { return canvas.PaintPNG(g.Draw, g.w, g.h, dpi) }

// Alt describes the axes of a *plot.Plot after it has been drawn. Before that, they may
// have no range.
func (g guest) Alt() string {
	switch d := g.Drawing.(type) {
	case interface{ Alt() string }:
		return d.Alt()
	case *plot.Plot:
		named := func(a *plot.Axis) axis.Axis {
			_, log := a.Scale.(plot.LogScale)
			return axis.Axis{Min: a.Min, Max: a.Max, Label: a.Label.Text, Log: log}
		}
		return (&view{title: d.Title.Text, x: named(&d.X), y: named(&d.Y)}).Alt()
	}
	return "Figure."
}

// The other forms of a notebook.Picture.

func (o *once) SVG() []byte { return canvas.EncodeSVG(o, false) }

func (o *once) Frame() []byte { return canvas.EncodeSVG(o, true) }

func (o *once) PDF() []byte { return canvas.EncodePDF(o) }

func (o *once) Column(w vg.Length) notebook.Picture { return newOnce(o.drawing.column(w)) }
