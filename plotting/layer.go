package plotting

import (
	"gonum.org/v1/plot"
)

// Layer is one element of a figure: anything that gonum/plot can draw. The
// functions of this package that return a Layer suffice for most figures. A
// plotter of gonum.org/v1/plot/plotter or of your own is a layer as well. A layer
// can also be added to a *plot.Plot.
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
	keyed    interface{ entries() []entry }
	barred   interface{ scaleBar() *colourBar }
	telling  interface{ alt() string }
	featured interface{ traits() traits }
)

// traits are the effects of a layer on the axes.
type traits struct {
	features      bool     // the axes are features x₁ and x₂
	equal         bool     // the axes have equal scales
	plane, normal bool     // both together, even in different layers, show a right angle
	geometry      bool     // if all layers have it, the figure needs room around them
	image, sheet  bool     // cells up to the border, no numbers; no frame
	exact         bool     // no part of the x range is rounding error
	floor         bool     // no padding at y = 0 unless there are values on both sides
	names         []string // of x = 1, 2, 3, …
	rows          []string // of y = -1, -2, -3, … or of rowsAt if that is set
	rowsAt        []float64
	across, down  string // labels of the axes, unless Labels sets others
	ground        bool   // paints the whole plane; the legend may hide a part of it
}

func traitsOf(l Layer) (t traits) {
	if q, ok := l.(featured); ok {
		t = q.traits()
	}
	return t
}
