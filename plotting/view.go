package plotting

import (
	"cmp"
	"fmt"
	"math"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"

	"marginalia/plotting/internal/axis"
	"marginalia/plotting/internal/pen"
)

// view is a figure with everything settled: its axes, the colours of its
// layers, its legend. Every drawing makes a new one and leaves the figure as it
// was.
type view struct {
	title    string
	x, y     axis.Axis
	fixed    bool // Range fixed them
	equal    bool
	bare     bool // no ticks, numbers and grid
	traits   pen.Traits
	layers   []Layer
	keys     []pen.Entry
	ends     []ending // named at their ends, not in the legend
	bar      *colourBar
	outer    bool               // the legend is beside the axes
	under    bool               // the legend is below the axes
	columns  int                // of a legend beside them
	tight    int                // how much text is left out for lack of room
	long     vg.Length          // the longest label that the y axis has room for; 0 where it is not known yet
	more     vg.Length          // height that the canvas will get in addition, for a legend below
	fits     map[fitting]string // results of fitted, which takes a while and is asked the same again
	barLabel string             // before it is shortened
	free     *[4]float64        // the ranges before widening
	legend   *vg.Point
	room     vg.Point // for text; 0 where it is not known yet
}

func (f *Figure) view() *view {
	v := &view{title: f.title, fixed: f.fixed != nil, fits: map[fitting]string{}}
	next := 0
	all := pen.Traits{Geometry: len(f.layers) > 0}
	for _, l := range f.layers {
		if k, ok := l.(keeping); ok && !f.shown {
			l = k.fresh()
		}
		if t, ok := l.(tintable); ok {
			tinted, took := t.tint(next)
			if took {
				next++
			}
			l = tinted
		}
		v.layers = append(v.layers, l)
		if e, ok := l.(ending); ok && f.ends && e.Name() != "" {
			v.ends = append(v.ends, e)
		} else if k, ok := l.(keyed); ok {
			for _, e := range k.Entries() {
				v.keys = append(v.keys, e.Measured(pen.Shorten(e.Name, pen.LegendSize, 0))) // on one line
			}
		}
		if b, ok := l.(barred); ok && v.bar == nil {
			if v.bar = b.scaleBar(); v.bar != nil {
				v.barLabel = v.bar.Label
			}
		}
		t := traitsOf(l)
		all.Features = all.Features || t.Features
		all.Equal = all.Equal || t.Equal
		all.Plane, all.Normal = all.Plane || t.Plane, all.Normal || t.Normal
		all.Floor, all.Exact = all.Floor || t.Floor, all.Exact || t.Exact
		if all.Names == nil {
			all.Names = t.Names
		}
		if all.Rows == nil {
			all.Rows, all.RowsAt = t.Rows, t.RowsAt
		}
		all.Across, all.Down = cmp.Or(all.Across, t.Across), cmp.Or(all.Down, t.Down)
		all.Image, all.Sheet = all.Image || t.Image, all.Sheet || t.Sheet
		all.Geometry = all.Geometry && (t.Geometry || t.Plane)
	}
	v.traits = all
	v.bare = f.noTicks || all.Image && all.Rows == nil
	v.x, v.y = axis.Axis{Log: f.logX, Label: f.x, Names: all.Names}, axis.Axis{Log: f.logY, Label: f.y, Names: all.Rows, Places: all.RowsAt}
	if !f.labelled {
		v.x.Label, v.y.Label = all.Across, all.Down
	}
	if !f.labelled && all.Features {
		v.x.Label, v.y.Label = "x₁", "x₂"
	}
	v.equal = (f.equal || all.Equal || all.Image || all.Plane && all.Normal) && !f.logX && !f.logY
	if f.fixed != nil {
		r := *f.fixed
		v.x.Min, v.x.Max, v.y.Min, v.y.Max = r[0], r[1], r[2], r[3]
		for _, a := range []*axis.Axis{&v.x, &v.y} {
			if a.Log && a.Min <= 0 {
				panic(fmt.Sprintf("plotting: Range: a logarithmic axis from %g, want more than 0", a.Min))
			}
			a.Exact = true
			a.Settle(a.Min, a.Max)
		}
		return v
	}
	v.cover()
	return v
}

// cover finds the ranges: first that of x, then that of y with the curves over x.
func (v *view) cover() {
	var curves []*curve
	n := 0
	v.x.Min, v.x.Max, v.y.Min, v.y.Max = math.Inf(1), math.Inf(-1), math.Inf(1), math.Inf(-1)
	v.x.Whole, v.y.Whole = true, true
	v.x.Exact = v.traits.Exact
	for _, l := range v.layers {
		switch l := l.(type) {
		case covering:
			xs, ys := l.coords()
			n += len(xs)
			v.include(xs, ys)
		case *curve:
			curves = append(curves, l)
		case plot.DataRanger:
			x0, x1, y0, y1 := l.DataRange()
			v.include([]float64{x0, x1}, []float64{y0, y1})
		}
	}
	points := v.x.Min <= v.x.Max
	v.x.Settle(-3, 3)
	margin := 0.05
	switch {
	case v.traits.Image:
		margin = 0
	case v.traits.Features && n <= 50:
		margin = 0.12
	}
	if points {
		v.x.Pad(margin)
	}
	for _, l := range curves {
		_, ys := l.over(v.x.Min, v.x.Max, v.x.Log)
		for _, y := range ys {
			v.y.Include(y)
		}
		v.y.Whole = false
	}
	v.y.Settle(-3, 3)
	low, high := v.y.Min, v.y.Max
	v.y.Pad(margin)
	if v.traits.Floor && low == 0 {
		v.y.Min = 0
	}
	if v.traits.Floor && high == 0 {
		v.y.Max = 0
	}
	if v.traits.Geometry && !v.x.Log && !v.y.Log {
		room := 0.4 * math.Max(v.x.Length(), v.y.Length())
		v.x.Min, v.x.Max = v.x.Min-room, v.x.Max+room
		v.y.Min, v.y.Max = v.y.Min-room, v.y.Max+room
		v.x.Limit()
		v.y.Limit()
	}
}

// include widens the axes to samples. It skips those that are not drawn.
func (v *view) include(xs, ys []float64) {
	for i := range xs {
		if pen.Finite(xs[i]) && pen.Finite(ys[i]) {
			v.x.Include(xs[i])
			v.y.Include(ys[i])
		}
	}
}

// span returns the range of the samples, +Inf to −Inf if none is drawn.
func span(xs, ys []float64) (xmin, xmax, ymin, ymax float64) {
	v := view{x: axis.Axis{Min: math.Inf(1), Max: math.Inf(-1)}, y: axis.Axis{Min: math.Inf(1), Max: math.Inf(-1)}}
	v.include(xs, ys)
	return v.x.Min, v.x.Max, v.y.Min, v.y.Max
}

// plot returns the parts of a gonum plot that layers use: axes and text handler.
func (v *view) plot() *plot.Plot {
	p := plot.New()
	p.TextHandler = pen.Sans()
	p.X.Min, p.X.Max, p.X.Scale = v.x.Min, v.x.Max, v.x.Scale()
	p.Y.Min, p.Y.Max, p.Y.Scale = v.y.Min, v.y.Max, v.y.Scale()
	return p
}
