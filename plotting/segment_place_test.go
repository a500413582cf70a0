package plotting

import (
	"math"
	"testing"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"marginalia/plotting/internal/pen"
)

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
