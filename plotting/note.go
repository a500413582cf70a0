package plotting

import (
	"fmt"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"marginalia/plotting/internal/pen"
)

// note is a text at a point.
type note struct {
	pen.Look
	at   [2]float64
	text string
}

// Note writes a text centred at (x, y). Like all text in a figure it may
// contain _{…}, ^{…} and line breaks.
//
// A character that no font of ours has, such as 日, shows as a box with its code point (65E5) in PNG
// and PDF; SVG leaves it to the fonts of the reader's machine. Letters aren't joined or turned for
// scripts that need it, such as Arabic, except in SVG. Bytes that are not UTF-8 and control
// characters show as U+FFFD (�).
func Note(x, y float64, text string, s ...NoteStyle) Layer {
	return &note{pen.NewLook("Note", s), [2]float64{x, y}, text}
}

func (l *note) coords() (xs, ys []float64) { return l.at[:1], l.at[1:] }

func (l *note) DataRange() (xmin, xmax, ymin, ymax float64) { return span(l.coords()) }

func (l *note) Traits() pen.Traits { return pen.Traits{Geometry: true} }

func (l *note) Plot(c draw.Canvas, p *plot.Plot) {
	tx, ty := p.Transforms(&c)
	pen.Tag(c, l.text, vg.Point{X: tx(l.at[0]), Y: ty(l.at[1])}, vg.Point{}, 0, l.Paint(pen.Ink), l.Size)
}

func (l *note) Alt() string {
	return fmt.Sprintf("note “%s” at (%s, %s)", pen.Spoken(l.text), pen.Short(l.at[0]), pen.Short(l.at[1]))
}
