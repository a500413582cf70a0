package plotting

import (
	"gonum.org/v1/plot"

	"marginalia/plotting/internal/pen"
)

// Layer is one element of a figure: anything that gonum/plot can draw. The
// functions of this package that return a Layer suffice for most figures. A
// plotter of gonum.org/v1/plot/plotter or of your own is a layer as well: the figure's axes
// cover its DataRange. A layer can also be added to a *plot.Plot, whose axes then cover the
// layer's data. [Plane], [Margin], [Curve] and fields have no data. They extend over the axes'
// range, as plotter.Function does.
type Layer = plot.Plotter

// Optional interfaces of a layer, through which the figure learns about it.
type (
	// coords returns the values that the axes should cover. DataRange tells
	// their range to a *plot.Plot, as gonum's plotters tell theirs to a figure.
	covering interface {
		coords() (xs, ys []float64)
		plot.DataRanger
	}
	// tint returns the layer with the look of the next line or points of the figure, 0, 1, 2, …,
	// and whether the layer used it.
	tintable interface{ tint(next int) (Layer, bool) }
	keyed    interface{ Entries() []pen.Entry }
	barred   interface{ scaleBar() *colourBar }
	telling  interface{ Alt() string }
	featured interface{ Traits() pen.Traits }
)

func traitsOf(l Layer) (t pen.Traits) {
	if q, ok := l.(featured); ok {
		t = q.Traits()
	}
	return t
}
