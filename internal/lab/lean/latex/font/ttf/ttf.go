// Package ttf stands in for TeX's fonts: see package drawtex.
package ttf

import (
	"codeberg.org/go-latex/latex/drawtex"
	"golang.org/x/image/font/opentype"
)

// Fonts are the faces of a formula.
type Fonts struct{ Default, Rm, It, Bf, BfIt *opentype.Font }

// Backend would draw with fonts on a canvas.
type Backend struct{}

// NewFrom returns a backend that does nothing.
func NewFrom(*drawtex.Canvas, *Fonts) *Backend { return new(Backend) }
