package plotting

import (
	"testing"

	"gonum.org/v1/plot/vg"

	"marginalia/plotting/internal/pen"
)

// A title beside whose axes the legend stands is hardly wider than the axes.
func TestHeadingBesideLegend(t *testing.T) {
	var xs, ys []float64
	for i := range 400 {
		xs, ys = append(xs, float64(i%20)), append(ys, float64(i/20))
	}
	long := "γ = 1: 16 support vectors, 32 of 1000 fresh points wrong"
	v := New(long, Points(xs, ys, Name("a cloud"))).view()
	r := vg.Rectangle{Max: vg.Point{X: 360, Y: 300}}
	v.fit(r)
	axes := v.box(r, v.margins()).Size().X
	if wide := pen.Style(pen.TitleSize).Width(v.heading()); !v.outer || wide > 1.2*axes || pen.Style(pen.TitleSize).Width(long) < 1.2*axes {
		t.Errorf("legend beside the axes: %v; the title is %v wide, the axes %v", v.outer, wide, axes)
	}
}
