package canvas

import (
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// document is a drawing that knows its size and describes itself in words.
type document interface {
	Draw(c draw.Canvas)
	Extent() (w, h vg.Length)
	Alt() string
}
