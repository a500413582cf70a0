package plotting

import (
	"bytes"
	"image"
	"image/draw"
	"image/png"
	"testing"

	"gonum.org/v1/plot/vg"

	"marginalia/plotting/internal/notebook"
)

// The picture of a slider in a notebook is that of the figure with the slider above it, within
// the figure's width however long the label is. It differs for other values and labels.
func TestStill(t *testing.T) {
	got := inNotebook(t)
	field := Score(func(x, y float64) float64 { return x*x - y }, Samples(50))
	fig := New("", field, Line(nil, []float64{1, 2})).Size(3*vg.Inch, 2*vg.Inch)
	want, err := png.Decode(bytes.NewReader(fig.PNG(notebook.Screen)))
	if err != nil {
		t.Fatal(err)
	}
	const above = 2 * 36
	tops := map[string]bool{}
	for _, s := range []Slider{
		{Label: "C", Max: 1},
		{Label: "C", Max: 1, Start: 0.5},
		{Label: "log₁₀ C", Max: 1},
		{Label: "the logarithm of the penalty for a sample on the wrong side", Max: 1},
	} {
		Slide("slider", s, func(float64) Drawing { return fig })
		img, err := png.Decode(bytes.NewReader((<-got).Data["image/png"].([]byte)))
		if err != nil {
			t.Fatal(err)
		}
		if size := img.Bounds().Size(); size != want.Bounds().Size().Add(image.Pt(0, above)) {
			t.Fatalf("%v: the picture has %v pixels, the figure %v; want %d more above", s, size, want.Bounds().Size(), above)
		}
		part := func(r image.Rectangle) string {
			p := image.NewRGBA(image.Rectangle{Max: r.Size()})
			draw.Draw(p, p.Rect, img, r.Min, draw.Src)
			return string(p.Pix)
		}
		whole := image.NewRGBA(want.Bounds())
		draw.Draw(whole, whole.Rect, want, image.Point{}, draw.Src)
		if part(want.Bounds().Add(image.Pt(0, above))) != string(whole.Pix) {
			t.Errorf("%v: what is below the slider is not the figure", s)
		}
		tops[part(image.Rect(0, 0, want.Bounds().Dx(), above))] = true
	}
	if len(tops) != 4 {
		t.Errorf("%d pictures of four sliders", len(tops))
	}
}
