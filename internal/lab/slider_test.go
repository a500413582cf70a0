package lab

import (
	"context"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"marginalia/internal/lab/labtest"
	"marginalia/internal/setup/setuptest"
)

// slider opens a notebook with sliders of others, which move with their stored frames. Then
// a cell of its own runs, and its slider moves. Nothing of it changes the file.
func (r *room) slider(t *testing.T) {
	const source = `import (
	"fmt"

	"marginalia/plotting"
)

%%
plotting.Slide("line", plotting.Slider{Label: "slope", Min: -2, Max: 2, Start: 1, Step: 0.01}, func(a float64) plotting.Drawing {
	return plotting.New(fmt.Sprintf("slope %.2f", a), plotting.Line([]float64{0, 1}, []float64{0, a}), plotting.Points([]float64{0, 1}, []float64{0, a}))
})
`
	d := &desk{ctx: labtest.Window(t, r.browser), t: t, path: filepath.Join(r.dir, "slider.ipynb"), code: 2}
	writeNotebook(t, d.path, code(source), code("%%\nfmt.Println(\"the next cell\")", sliderOutputs(t)...))
	sent := listen(d.ctx, t)
	labtest.Open(d.ctx, t, r.server.Server, filepath.Base(d.path))
	checkSlider(d.ctx, t)

	labtest.Choose(d.ctx, t, "Run", "runmenu:run-all")
	saved := labtest.WaitUntilRun(d.ctx, t, d.path, d.code)
	if n := len(saved.Cells[0].Outputs); n != 1 || errorsOf(saved, 0) != "" || printedBy(saved, 1) != "the next cell\n" {
		t.Errorf("the slider's cell has %d outputs, error %q; the next cell printed %q", n, errorsOf(saved, 0), printedBy(saved, 1))
	}
	file := setuptest.Read(t, d.path)
	d.press(kb.ArrowRight, "1.13")
	d.press(kb.End, "2.00")
	t.Log(d.picture("moved"))
	d.do("looking at it in the dark", chromedp.Evaluate[chromedp.Void](`document.body.dataset.jpThemeLight = 'false'`))
	t.Log(d.picture("dark"))
	if got, err := chromedp.Run(d.ctx, chromedp.Evaluate[string](`getComputedStyle(document.querySelector('.marginalia-figure svg')).filter`)); err != nil || got != "brightness(0.85)" {
		t.Errorf("in a dark theme the figure has the filter %q (%v), want that of other figures", got, err)
	}

	d.saved()
	if got := setuptest.Read(t, d.path); got != file {
		t.Error("the notebook's file has changed, though the slider alone was moved")
	}
	if strings.Contains(sent(), "evil.example") {
		t.Error("the page asks for what the frames of others name")
	}
}

// press presses a key on the slider in front, and waits for the figure of a value.
func (d *desk) press(key, value string) {
	d.t.Helper()
	d.do("moving the slider", chromedp.Evaluate[chromedp.Void](`document.querySelector('.marginalia-slider input').focus()`), chromedp.KeyEvent(key))
	d.wait("the figure for "+value, `[...document.querySelectorAll('.marginalia-figure text')].some(e => e.textContent === 'slope `+value+`')`)
}

// listen returns what the page asks for from now on.
func listen(ctx context.Context, t *testing.T) (sent func() string) {
	t.Helper()
	var mu sync.Mutex
	var b strings.Builder
	if err := chromedp.Listen(ctx, func(event any) {
		if e, ok := event.(*network.EventRequestWillBeSent); ok {
			mu.Lock()
			defer mu.Unlock()
			b.WriteString(e.Request.URL + "\n")
		}
	}); err != nil {
		t.Fatal(err)
	}
	return func() string {
		mu.Lock()
		defer mu.Unlock()
		return b.String()
	}
}
