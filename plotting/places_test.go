package plotting

import (
	"bytes"
	"math"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	"pgregory.net/rapid"

	"marginalia/internal/testkit/property"
	"marginalia/plotting/internal/pen"
)

// The numbers are calculated by hand: pairs move apart by equal amounts.
func TestSpread(t *testing.T) {
	for _, c := range []struct{ want, got []float64 }{
		{[]float64{10, 30, 60}, []float64{10, 30, 60}},
		{[]float64{50, 50}, []float64{45, 55}},
		{[]float64{50, 50, 50, 90}, []float64{40, 50, 60, 90}},
		{[]float64{0, 1}, []float64{0, 10}},
		{[]float64{100, 100}, []float64{90, 100}},
		{[]float64{20, 28, 36}, []float64{18, 28, 38}},
		{nil, nil},
	} {
		if got := spread(c.want, 10, 0, 100); !slices.Equal(got, c.got) {
			t.Errorf("%v move to %v, want %v", c.want, got, c.got)
		}
	}
}

// For any desired positions, labels don't overlap, keep their order, and stay within the
// range if there is room for all.
func TestSpreadProperties(t *testing.T) {
	property.Check(t, func(t *rapid.T) {
		want := rapid.SliceOfN(rapid.Float64Range(0, 200), 1, 20).Draw(t, "want")
		slices.Sort(want)
		got := spread(want, 10, 0, 200)
		for i := range got {
			if i > 0 && got[i]-got[i-1] < 10-1e-9 {
				t.Fatalf("labels %d and %d are %g apart", i-1, i, got[i]-got[i-1])
			}
			if got[i] < -1e-9 || got[i] > 200+1e-9 {
				t.Fatalf("label %d is at %g", i, got[i])
			}
		}
		free := true
		for i := 1; i < len(want); i++ {
			free = free && want[i]-want[i-1] >= 10
		}
		if free && !slices.EqualFunc(got, want, func(a, b float64) bool { return math.Abs(a-b) < 1e-9 }) {
			t.Fatalf("labels with room moved from %v to %v", want, got)
		}
	})
}

// The legend keeps the layers without an end, and no name appears twice.
func TestEndLabelsLeaveTheLegend(t *testing.T) {
	fig := New("", Curve(math.Sin, Name("sine")), Points([]float64{0}, []float64{0}, Name("origin")))
	if v := fig.view(); len(v.keys) != 2 || len(v.ends) != 0 {
		t.Errorf("%d in the legend and %d at ends, want 2 and none without EndLabels", len(v.keys), len(v.ends))
	}
	v := fig.EndLabels().view()
	if len(v.keys) != 1 || v.keys[0].Name != "origin" || len(v.ends) != 1 {
		t.Errorf("%d in the legend and %d at ends, want the points alone in the legend", len(v.keys), len(v.ends))
	}
}

// The label of an arrow, a segment or a perpendicular goes to its first place that is free:
// beyond the head or above the middle if nothing is there, otherwise elsewhere. If all
// places have ink, it takes one with at most twice the least. An arrow whose head is beyond
// the axes has its label within them.
func TestSegmentLabelsAvoidInk(t *testing.T) {
	at := func(x, y float64) Layer { return Points([]float64{x}, []float64{y}) }
	// The axes have 100 points a unit; the labels are about 0.3 units long.
	for _, c := range []struct {
		name   string
		layers []Layer // the first has the label
		choice int
	}{
		{"free arrow", []Layer{Arrow(0, 0, 1, 0, "label")}, 0},
		{"ink beyond the head", []Layer{Arrow(0, 0, 1, 0, "label"), at(1.2, 0)}, 1},
		{"ink beyond and above it", []Layer{Arrow(0, 0, 1, 0, "label"), at(1.2, 0), at(1.2, 0.12)}, 2},
		{"free segment", []Layer{Segment(0, 0, 1, 0, "label")}, 0},
		{"ink above the middle", []Layer{Segment(0, 0, 1, 0, "label"), at(0.5, 0.1)}, 1},
		{"ink above and below it", []Layer{Segment(0, 0, 1, 0, "i"), at(0.5, 0.1), at(0.5, -0.1)}, 2},
		{"ink beside a perpendicular", []Layer{Perpendicular([]float64{0, 1}, 0, []float64{0.5, 1}, "i"), at(0.56, 0.5)}, 1},
		{"head beyond the axes", []Layer{Arrow(0, 0, 3, 0, "label")}, 5},
		{"no length", []Layer{Arrow(0, 0, 0, 0, "0"), at(0, 0.1)}, 0},
	} {
		v := New("", c.layers...).Range(-0.5, 2, -0.5, 1.5).view()
		v.settle(vg.Point{X: 250, Y: 200})
		l := v.layers[0]
		if p, ok := l.(*perpendicular); ok {
			l = &p.segment
		}
		if got := l.(*segment).choice; got != c.choice {
			t.Errorf("%s: place %d, want %d", c.name, got, c.choice)
		}
	}
	// A wall of ink with one thin gap: some dots, but fewer than elsewhere.
	wall := painted(func(c draw.Canvas, p *plot.Plot) {
		tx, ty := p.Transforms(&c)
		c.SetColor(pen.Black)
		c.Fill(vg.Rectangle{Min: c.Min, Max: vg.Point{X: c.Max.X, Y: ty(-0.04)}}.Path())
		c.Fill(vg.Rectangle{Min: vg.Point{X: c.Min.X, Y: ty(0.04)}, Max: c.Max}.Path())
		c.Fill(vg.Rectangle{Min: vg.Point{X: tx(1.3), Y: c.Min.Y}, Max: c.Max}.Path())
	})
	v := New("", Arrow(0, 0, 1.2, 0, "i"), wall).Range(-0.5, 2, -0.5, 1.5).view()
	v.settle(vg.Point{X: 250, Y: 200})
	k := newInk(vg.Point{X: 250, Y: 200})
	p := v.plot()
	wall.Plot(k.c, p)
	l := v.layers[0].(*segment)
	a, b := l.ends(k.c, p)
	least := math.MaxInt
	for _, q := range l.places(a, b) {
		least = min(least, k.in(pen.TagBox("i", q.at, q.off, q.gap, 0)))
	}
	q := l.places(a, b)[l.choice]
	if got := k.in(pen.TagBox("i", q.at, q.off, q.gap, 0)); got > 2*least || least == 0 {
		t.Errorf("the label covers %d dots of ink, the least is %d", got, least)
	}
}

// painted is a function as a layer.
type painted func(c draw.Canvas, p *plot.Plot)

func (f painted) Plot(c draw.Canvas, p *plot.Plot) { f(c, p) }

// The foot of a sample lies on the border of its margin. The segment from there runs along
// w and has length ξ/‖w‖ (Hastie, Tibshirani and Friedman, The Elements of Statistical
// Learning, 2009, figure 12.1). Here ‖w‖ = 5, and the scores of the samples are 0, 11
// and −9.
func TestSlackFeet(t *testing.T) {
	w, b := [2]float64{3, 4}, -5.0
	x := mat.NewDense(4, 2, []float64{0.6, 0.8, 0, 4, 0, -1, 4, 4})
	y := []int{1, -1, 1, 1}
	for _, m := range []float64{1, 2.5} {
		l := Slack(x, y, w[:], b, MarginAt(m)).(*slack)
		if len(l.rows) != 3 { // the fourth scores 23
			t.Fatalf("m = %g: slack of %d samples, want 3", m, len(l.rows))
		}
		for k, i := range l.rows {
			p, f := l.points[k], l.feet[k]
			want := m - float64(y[i])*(w[0]*p[0]+w[1]*p[1]+b)
			dx, dy := f[0]-p[0], f[1]-p[1]
			if score := w[0]*f[0] + w[1]*f[1] + b; math.Abs(score-m*float64(y[i])) > 1e-12 {
				t.Errorf("m = %g, sample %d: the foot scores %g, want %g", m, i, score, m*float64(y[i]))
			}
			if math.Abs(math.Hypot(dx, dy)-want/5) > 1e-12 || math.Abs(dx*w[1]-dy*w[0]) > 1e-12 || math.Abs(l.xi[k]-want) > 1e-12 {
				t.Errorf("m = %g, sample %d: way (%g, %g) and ξ = %g, want along w, %g long, and %g", m, i, dx, dy, l.xi[k], want/5, want)
			}
		}
	}
}

// The arrow across the margin has length 2m/‖w‖ and is perpendicular to the plane on paper.
func TestMarginArrow(t *testing.T) {
	for _, m := range []float64{1, 0.5} {
		l := Margin([]float64{3, 4}, -5, "width", MarginAt(m)).(*margin)
		v := New("", l).Range(-1, 4, -1, 3).view()
		c := draw.Canvas{Rectangle: vg.Rectangle{Max: vg.Point{X: 500, Y: 400}}}
		a, b := l.arrow(spot{0.3, -1}, c, v.plot())
		d := b.Sub(a)
		// A unit is 100 points. w points up and right; the arrow points to the other side.
		if math.Abs(float64(d.X)+100*2*m/5*0.6) > 1e-6 || math.Abs(float64(d.Y)+100*2*m/5*0.8) > 1e-6 {
			t.Errorf("m = %g: arrow along %v, want (%g, %g)", m, d, -24*m, -32*m)
		}
	}
}

// Labels avoid samples in any figure, as long as there is room.
func TestLabelsAvoidInk(t *testing.T) {
	// Samples at both of the preferred places of the label ξ₁.
	x := mat.NewDense(3, 2, []float64{0, 0, 0.45, 0.2, 0.45, -0.2})
	l := Slack(x, []int{1, 1, 1}, []float64{1, 0}, 0, Labeled()).(*slack)
	v := New("", l, Points([]float64{0.6, 0.6}, []float64{0.08, -0.08})).Range(-0.5, 1.5, -0.8, 0.8).view()
	v.settle(vg.Point{X: 300, Y: 240})
	p := v.plot()
	c := draw.Canvas{Rectangle: vg.Rectangle{Max: vg.Point{X: 300, Y: 240}}}
	tx, ty := p.Transforms(&c)
	placed := v.layers[0].(*slack)
	var boxes []vg.Rectangle
	for k := range placed.points {
		a, b := placed.stretch(k, c, p)
		at, n := placed.spots[k].beside(a, b)
		boxes = append(boxes, pen.TagBox(placed.label(k), at, n, slackGap, pen.LabelSize))
	}
	for k, r := range boxes {
		for _, q := range [][2]float64{{0.6, 0.08}, {0.6, -0.08}} {
			if pt := (vg.Point{X: tx(q[0]), Y: ty(q[1])}); pt.X > r.Min.X && pt.X < r.Max.X && pt.Y > r.Min.Y && pt.Y < r.Max.Y {
				t.Errorf("the label %s hides the point %v", placed.label(k), q)
			}
		}
		for j := range k {
			if overlap(r, boxes[j]) {
				t.Errorf("labels %d and %d overlap", j, k)
			}
		}
	}
	if l.spots != nil {
		t.Error("placing labels changed the layer")
	}
}

// The slack of a sample that is off the border by a rounding error has no label: it would
// stand beside nothing.
func TestSlackTooSmallToSee(t *testing.T) {
	for off, want := range map[float64]int{1e-5: 1, 0.3: 2} {
		x := mat.NewDense(2, 2, []float64{0.2, 1, 1 - off, -1})
		svg := New("", Slack(x, []int{1, 1}, []float64{1, 0}, 0, Labeled())).Range(-2, 2, -2, 2).SVG()
		if got := bytes.Count(svg, []byte(">ξ</text>")) / 9; got != want { // the text and its halo, eight times
			t.Errorf("ξ = 0.8 and %g: %d labels, want %d", off, got, want)
		}
	}
}

// A support vector stands on the border up to the rounding of its score, and has no slack then, in
// whatever unit x is.
func TestSlackOfRounding(t *testing.T) {
	for _, unit := range []float64{1e-6, 1, 1e6} {
		x := mat.NewDense(2, 2, []float64{1.1 * unit, 2.2 * unit, 0.5 * unit, 0})
		w := []float64{3 / unit, 0.1 / unit}
		score := func(i int, b float64) float64 { return w[0]*x.At(i, 0) + w[1]*x.At(i, 1) + b }
		b := 1 - score(0, 0)
		for score(0, b) >= 1 {
			b = math.Nextafter(b, math.Inf(-1))
		}
		l := Slack(x, []int{1, 1}, w, b).(*slack)
		if !slices.Equal(l.rows, []int{1}) || math.Abs(l.xi[0]-2.02) > 1e-9 { // 1 − (3·0.5 − 2.52)
			t.Errorf("unit %g: slack %v of the rows %v, want 2.02 of row 1 alone", unit, l.xi, l.rows)
		}
	}
}
