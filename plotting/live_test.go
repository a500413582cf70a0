package plotting

import (
	"bytes"
	"image/png"
	"testing"
	"time"

	"marginalia/internal/cell/display"
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
