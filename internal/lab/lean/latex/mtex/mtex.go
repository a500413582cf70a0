// Package mtex stands in for the parser of formulas: see package drawtex.
package mtex

import (
	"errors"

	"codeberg.org/go-latex/latex/drawtex"
	"codeberg.org/go-latex/latex/font/ttf"
	"codeberg.org/go-latex/latex/tex"
)

// Renderer draws what a canvas has.
type Renderer interface {
	Render(width, height, dpi float64, c *drawtex.Canvas) error
}

// Parse returns an error.
func Parse(string, float64, float64, *ttf.Backend) (tex.Node, error) {
	return nil, errors.New("this cell is linked without TeX: name a package of gonum.org/v1/plot in its imports")
}
