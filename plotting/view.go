package plotting

import (
	"cmp"
	"fmt"
	"math"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
)

// view is a figure with everything settled: its axes, the colours of its
// layers, its legend. Every drawing makes a new one and leaves the figure as it
// was.
type view struct {
	title    string
	x, y     axis
	fixed    bool // Range fixed them
	equal    bool
	bare     bool // no ticks, numbers and grid
	traits   traits
	layers   []Layer
	keys     []entry
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
	all := traits{geometry: len(f.layers) > 0}
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
		if e, ok := l.(ending); ok && f.ends && e.name() != "" {
			v.ends = append(v.ends, e)
		} else if k, ok := l.(keyed); ok {
			for _, e := range k.entries() {
				v.keys = append(v.keys, e.measured(shorten(e.name, legendSize, 0))) // on one line
			}
		}
		if b, ok := l.(barred); ok && v.bar == nil {
			if v.bar = b.scaleBar(); v.bar != nil {
				v.barLabel = v.bar.label
			}
		}
		t := traitsOf(l)
		all.features = all.features || t.features
		all.equal = all.equal || t.equal
		all.plane, all.normal = all.plane || t.plane, all.normal || t.normal
		all.floor, all.exact = all.floor || t.floor, all.exact || t.exact
		if all.names == nil {
			all.names = t.names
		}
		if all.rows == nil {
			all.rows, all.rowsAt = t.rows, t.rowsAt
		}
		all.across, all.down = cmp.Or(all.across, t.across), cmp.Or(all.down, t.down)
		all.image, all.sheet = all.image || t.image, all.sheet || t.sheet
		all.geometry = all.geometry && (t.geometry || t.plane)
	}
	v.traits = all
	v.bare = f.noTicks || all.image && all.rows == nil
	v.x, v.y = axis{log: f.logX, label: f.x, names: all.names}, axis{log: f.logY, label: f.y, names: all.rows, places: all.rowsAt}
	if !f.labelled {
		v.x.label, v.y.label = all.across, all.down
	}
	if !f.labelled && all.features {
		v.x.label, v.y.label = "x₁", "x₂"
	}
	v.equal = (f.equal || all.equal || all.image || all.plane && all.normal) && !f.logX && !f.logY
	if f.fixed != nil {
		r := *f.fixed
		v.x.min, v.x.max, v.y.min, v.y.max = r[0], r[1], r[2], r[3]
		for _, a := range []*axis{&v.x, &v.y} {
			if a.log && a.min <= 0 {
				panic(fmt.Sprintf("plotting: Range: a logarithmic axis from %g, want more than 0", a.min))
			}
			a.exact = true
			a.settle(a.min, a.max)
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
	v.x.min, v.x.max, v.y.min, v.y.max = math.Inf(1), math.Inf(-1), math.Inf(1), math.Inf(-1)
	v.x.whole, v.y.whole = true, true
	v.x.exact = v.traits.exact
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
	points := v.x.min <= v.x.max
	v.x.settle(-3, 3)
	margin := 0.05
	switch {
	case v.traits.image:
		margin = 0
	case v.traits.features && n <= 50:
		margin = 0.12
	}
	if points {
		v.x.pad(margin)
	}
	for _, l := range curves {
		_, ys := l.over(v.x.min, v.x.max, v.x.log)
		for _, y := range ys {
			v.y.include(y)
		}
		v.y.whole = false
	}
	v.y.settle(-3, 3)
	low, high := v.y.min, v.y.max
	v.y.pad(margin)
	if v.traits.floor && low == 0 {
		v.y.min = 0
	}
	if v.traits.floor && high == 0 {
		v.y.max = 0
	}
	if v.traits.geometry && !v.x.log && !v.y.log {
		room := 0.4 * math.Max(v.x.length(), v.y.length())
		v.x.min, v.x.max = v.x.min-room, v.x.max+room
		v.y.min, v.y.max = v.y.min-room, v.y.max+room
		v.x.limit()
		v.y.limit()
	}
}

// include widens the axes to samples. It skips those that are not drawn.
func (v *view) include(xs, ys []float64) {
	for i := range xs {
		if finite(xs[i]) && finite(ys[i]) {
			v.x.include(xs[i])
			v.y.include(ys[i])
		}
	}
}

// span returns the range of the samples, +Inf to −Inf if none is drawn.
func span(xs, ys []float64) (xmin, xmax, ymin, ymax float64) {
	v := view{x: axis{min: math.Inf(1), max: math.Inf(-1)}, y: axis{min: math.Inf(1), max: math.Inf(-1)}}
	v.include(xs, ys)
	return v.x.min, v.x.max, v.y.min, v.y.max
}

// include widens an axis to a value, if the axis can show it.
func (a *axis) include(v float64) {
	if !finite(v) || a.log && v <= 0 {
		return
	}
	a.min, a.max = math.Min(a.min, v), math.Max(a.max, v)
	// On some processors rounding errors leave an integer off by a last bit.
	a.whole = a.whole && math.Abs(v-math.Round(v)) <= math.Max(1e-9, 1e-15*math.Abs(v))
}

// plot returns the parts of a gonum plot that layers use: axes and text handler.
func (v *view) plot() *plot.Plot {
	p := plot.New()
	p.TextHandler = sans()
	p.X.Min, p.X.Max, p.X.Scale = v.x.min, v.x.max, v.x.scale()
	p.Y.Min, p.Y.Max, p.Y.Scale = v.y.min, v.y.max, v.y.scale()
	return p
}
