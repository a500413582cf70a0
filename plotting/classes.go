package plotting

import (
	"fmt"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"marginalia/plotting/internal/axis"
	"marginalia/plotting/internal/pen"
)

// classes draws samples with one colour and glyph per class.
type classes struct {
	pen.Groups
	xs, ys []float64
}

// Classes draws the rows of x, n×2, each with the colour and the glyph of its
// label y[i]. Of two classes labelled -1 and +1 or 0 and 1, the lower is always
// a blue disc and the upper a vermilion square. Labels 0 to 25 always look the
// same, no matter which of them occur, and no two alike: without their colours too, their
// glyphs differ. Of more classes than 26 the looks repeat, and the legend says so.
func Classes(x mat.Matrix, y []int, s ...PointsStyle) Layer {
	n, d := x.Dims()
	if d != 2 {
		panic(fmt.Sprintf("plotting: Classes: x is %d×%d, want n×2", n, d))
	}
	if len(y) != n {
		panic(fmt.Sprintf("plotting: Classes: %d rows, %d labels", n, len(y)))
	}
	l := &classes{Groups: pen.NewGroups("Classes", y, pen.NewLooks("Classes", s))}
	for i := range n {
		l.xs, l.ys = append(l.xs, x.At(i, 0)), append(l.ys, x.At(i, 1))
	}
	return l
}

func (l *classes) coords() (xs, ys []float64) { return l.xs, l.ys }

func (l *classes) DataRange() (xmin, xmax, ymin, ymax float64) { return span(l.coords()) }

func (l *classes) Traits() pen.Traits { return pen.Traits{Features: true} }

func (l *classes) Plot(c draw.Canvas, p *plot.Plot) {
	tx, ty := p.Transforms(&c)
	stamp := pen.NewStamps(&c, len(l.xs))
	for i := range l.xs {
		k := l.Index(i)
		stamp.Mark(l.Kinds[k], vg.Point{X: tx(l.xs[i]), Y: ty(l.ys[i])}, l.Radius(l.Diameter()), l.ColourOf(k), func() string {
			return pen.At([]float64{l.xs[i], l.ys[i]}, axis.Lengths(p)) + " " + pen.Spoken(l.NameOf(k))
		})
	}
}
