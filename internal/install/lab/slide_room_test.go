//go:build browser

package lab

import (
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"

	"marginalia/internal/install/lab/labtest"
)

// slideRoom is what a slide has and takes, in pixels.
type slideRoom struct {
	Width, High, Room float64
	Outputs           []float64 // their heights
}

// TestSlideRoom has nbconvert make slides with figures of 200×200 pixels, alone, below output of
// 80 letters a line, and below text. A line of output must not wrap. A figure takes the room that
// is left, at most twice its size, and does not make its slide scroll.
func TestSlideRoom(t *testing.T) {
	_, python := nbconvert(t)
	figure := map[string]any{"output_type": "display_data", "data": map[string]any{"image/png": still},
		"metadata": map[string]any{"image/png": map[string]any{"width": 200, "height": 200}}}
	printed := func(letters, lines int) map[string]any {
		return map[string]any{"output_type": "stream", "name": "stdout", "text": strings.Repeat(strings.Repeat("m", letters)+"\n", lines)}
	}
	notebook := filepath.Join(t.TempDir(), "room.ipynb")
	writeNotebook(t, notebook,
		slide("slide", code("x := 1", figure)),
		slide("slide", code("x := 1", printed(1, 1))), slide("-", code("x := 1", printed(80, 1))), slide("-", code("x := 1", printed(80, 11), figure)),
		slide("slide", markdown(strings.Repeat("A paragraph.\n\n", 6))), slide("-", code("x := 1", figure)))
	page := convert(t, python, "slides", notebook)
	ctx := labtest.Window(t, labtest.Chromium(t))
	if err := chromedp.Do(ctx, chromedp.EmulateViewport(1280, 720), chromedp.Navigate("file://"+page)); err != nil {
		t.Fatal(err)
	}
	labtest.Wait(ctx, t, "reveal.js", `window.Reveal?.isReady()`)
	for i := range 3 {
		got := labtest.Value[slideRoom](ctx, t, `(() => {
			Reveal.slide(`+strconv.Itoa(i)+`);
			const s = Reveal.getCurrentSlide();
			return { Width: s.querySelector('img').offsetWidth, High: s.scrollHeight, Room: s.clientHeight,
				Outputs: [...s.querySelectorAll('.jp-OutputArea-output pre')].map((p) => p.offsetHeight) };
		})()`)
		t.Log(labtest.Picture(ctx, t.Name()+"-"+strconv.Itoa(i)), got)
		if got.High > got.Room {
			t.Errorf("slide %d is %g pixels high, and there is room for %g", i, got.High, got.Room)
		}
		if i == 0 && got.Width != 400 {
			t.Errorf("a figure alone is %g pixels wide, want twice its 200", got.Width)
		} else if i > 0 && (got.Width < 220 || got.Width > 390) {
			t.Errorf("slide %d: the figure is %g pixels wide, want more than its 200 and less than twice as much", i, got.Width)
		}
		if i == 1 && (len(got.Outputs) != 3 || got.Outputs[0] != got.Outputs[1]) {
			t.Errorf("outputs are %g pixels high, want 80 letters to be as high as one", got.Outputs)
		}
	}
}
