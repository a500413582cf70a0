package plotting

import (
	"bytes"
	"image"
	"image/draw"
	"image/png"
	"testing"
	"time"

	"gonum.org/v1/plot/vg"

	"marginalia/internal/cell/display"
	"marginalia/internal/testkit/tier"
	"marginalia/plotting/internal/notebook"
)

func TestLive(t *testing.T) {
	got := inNotebook(t)
	clock := time.Unix(0, 0)
	live := Live("loss")
	live.live.Now = func() time.Time { return clock }
	drawn := 0
	// A frame that takes no time is followed by the next after 0.1 s, and one that takes
	// 0.2 s by the next 0.8 s after its start.
	for _, f := range []struct {
		at, takes time.Duration // milliseconds
		drawn     int
	}{{0, 0, 1}, {99, 0, 1}, {100, 200, 2}, {899, 0, 2}, {900, 0, 3}, {950, 0, 3}} {
		clock = time.Unix(0, 0).Add(f.at * time.Millisecond)
		live.Draw(func() Drawing {
			drawn++
			clock = clock.Add(f.takes * time.Millisecond)
			return New("", Line(nil, []float64{1, float64(drawn)}))
		})
		if drawn != f.drawn {
			t.Errorf("at %d ms: %d frames drawn, want %d", f.at, drawn, f.drawn)
		}
	}
	live.End(New("", Line(nil, []float64{1, 4})), "the loss falls")
	if again := Live("loss"); again.live.ID == live.live.ID {
		t.Error("a cell that is run again has the same display")
	}
	if len(got) != 4 {
		t.Fatalf("%d displays, want 4", len(got))
	}
	for i := range 4 {
		d := <-got
		file := d.Data["image/png"].([]byte)
		if d.DisplayID != live.live.ID || d.Metadata["figure"] != "loss" {
			t.Errorf("display %d has id %q, %v", i, d.DisplayID, d.Metadata)
		}
		if i == 3 { // the same as Show
			if !bytes.Equal(file, New("", Line(nil, []float64{1, 4})).PNG(notebook.Screen)) || d.Data["text/plain"] != "the loss falls" {
				t.Error("what stays is not what End was given")
			}
		} else if size, err := png.DecodeConfig(bytes.NewReader(file)); err != nil || size.Width != 480 {
			t.Errorf("frame %d is %d pixels wide, %v, want 480: 5 inches of 96", i, size.Width, err)
		}
	}
}

// Without a notebook no frame is drawn.
func TestLiveOutsideNotebook(t *testing.T) {
	t.Setenv(display.PipeEnv, "")
	t.Setenv(FiguresEnv, "")
	live := Live("loss")
	live.Draw(func() Drawing { t.Error("a frame is drawn"); return New("") })
	live.End(New(""))
}

// What shows the figures gets them in turn. For a slider that is the still of its start value. A live frame has half the
// resolution.
func TestFiguresAreSent(t *testing.T) {
	got := inNotebook(t)
	fig := New("", Line(nil, []float64{4, 2, 1}))
	Show("loss", fig)
	Slide("slider", Slider{Label: "C", Max: 1}, func(float64) Drawing { return fig })
	live := Live("live")
	live.Draw(func() Drawing { return fig })
	live.End(fig)
	for i, name := range []string{"loss", "slider", "live", "live"} {
		if len(got) != 4-i {
			t.Fatalf("%d messages after %d, want 4 in all", len(got), i)
		}
		d := <-got
		if d.Metadata["figure"] != name || (d.DisplayID != "") != (i >= 2) {
			t.Errorf("message %d: the figure %v with the id %q, want %s", i, d.Metadata["figure"], d.DisplayID, name)
		}
		want := [][]byte{fig.PNG(notebook.Screen), notebook.Slider{Label: "C", Max: 1}.Still(newOnce(fig)).PNG(notebook.Screen), fig.PNG(notebook.Screen / 2), fig.PNG(notebook.Screen)}
		if !bytes.Equal(d.Data["image/png"].([]byte), want[i]) {
			t.Errorf("%s: not the figure as a notebook shows it", name)
		}
	}
}

// The picture of a slider in a notebook is that of the figure with the slider above it, within
// the figure's width however long the label is. It differs for other values and labels.
func TestStill(t *testing.T) {
	tier.NoRace(t)
	got := inNotebook(t)
	field := Score(func(x, y float64) float64 { return x*x - y }, Samples(50))
	fig := New("", field, Line(nil, []float64{1, 2})).Size(3*vg.Inch, 2*vg.Inch)
	want := decoded(t, fig.PNG(notebook.Screen))
	const above = 2 * 36
	tops := map[string]bool{}
	for _, s := range []Slider{
		{Label: "C", Max: 1},
		{Label: "C", Max: 1, Start: 0.5},
		{Label: "log₁₀ C", Max: 1},
		{Label: "the logarithm of the penalty for a sample on the wrong side", Max: 1},
	} {
		Slide("slider", s, func(float64) Drawing { return fig })
		img := decoded(t, (<-got).Data["image/png"].([]byte))
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
