// Package drawtex stands in for the one that keeps what TeX draws, in cells
// that draw with package plotting: see internal/lab/goshim.sh. It has what
// gonum.org/v1/plot/text names of it.
package drawtex

import "golang.org/x/image/font/opentype"

// Canvas is always empty.
type Canvas struct{}

// New returns a canvas.
func New() *Canvas { return new(Canvas) }

// Ops returns what was drawn on the canvas: nothing.
func (*Canvas) Ops() []Op { return nil }

// Op is a GlyphOp or a RectOp.
type Op any

// Glyph is a sign of a font.
type Glyph struct {
	Size   float64
	Font   *opentype.Font
	Symbol string
}

// GlyphOp draws a sign.
type GlyphOp struct {
	X, Y  float64
	Glyph Glyph
}

// RectOp fills a rectangle.
type RectOp struct{ X1, Y1, X2, Y2 float64 }
