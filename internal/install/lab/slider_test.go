//go:build browser

package lab

import (
	"context"
	"fmt"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"marginalia/internal/base/setup/setuptest"
	"marginalia/internal/install/lab/labtest"
)

const (
	// Conditions on the first slider: its program serves it, or only stored frames do.
	liveSlider   = `document.querySelector('.marginalia-slider small')?.textContent === ''`
	storedSlider = `document.querySelector('.marginalia-slider small')?.textContent.endsWith('from 33 stored figures; run the cell for values between')`
)

// slider opens a notebook with stored sliders, which move by their frames. Then a cell with a
// slider runs, and its program draws every value: in two views, and after a reload of the page.
// After a restart of the kernel the slider moves by its frames again, until the cell runs. No
// move changes the file. Clearing the output closes the comm.
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
	writeNotebook(t, d.path, code(source), code("%%\nfmt.Println(\"the next cell\")", drawnOutputs(t)...))
	sent := listen(d.ctx, t)
	labtest.Open(d.ctx, t, r.server.Server, filepath.Base(d.path))
	checkDrawn(d.ctx, t)

	labtest.Choose(d.ctx, t, "Run", "runmenu:run-all")
	d.wait("the cell's program", liveSlider)
	saved := labtest.WaitUntilRun(d.ctx, t, d.path, d.code)
	if n := len(saved.Cells[0].Outputs); n != 1 || errorsOf(saved, 0) != "" || printedBy(saved, 1) != "the next cell\n" {
		t.Errorf("the slider's cell has %d outputs, error %q; the next cell printed %q", n, errorsOf(saved, 0), printedBy(saved, 1))
	}
	file := setuptest.Read(t, d.path)
	d.press(0, kb.ArrowRight, "1.01")
	grab(d.ctx, t, `document.querySelector('.marginalia-slider input')`, 0.7525, 0.2)
	const shown = `document.querySelector('.marginalia-slider output').innerText`
	d.wait("the figure to follow the mouse", shown+` < 0 && [...document.querySelectorAll('.marginalia-figure text')].some(e => e.textContent.replace('−', '-') === 'slope ' + Number(`+shown+`).toFixed(2))`)
	t.Log(d.picture("live"))
	d.do("looking at it in the dark", chromedp.Evaluate[chromedp.Void](`document.body.dataset.jpThemeLight = 'false'`))
	t.Log(d.picture("dark"))
	if got, err := chromedp.Run(d.ctx, chromedp.Evaluate[string](`getComputedStyle(document.querySelector('.marginalia-figure svg')).filter`)); err != nil || got != "invert(0.93) hue-rotate(180deg)" {
		t.Errorf("in a dark theme the figure has the filter %q (%v), want that of other figures", got, err)
	}

	labtest.Choose(d.ctx, t, "File", "docmanager:clone")
	d.wait("the other view", `document.querySelectorAll('.jp-NotebookPanel').length === 2 && document.querySelectorAll('.marginalia-slider').length === 2 &&
		[...document.querySelectorAll('.marginalia-slider small')].every(e => e.textContent === '')`)
	d.press(1, kb.Home, "−2.00")
	if got := d.text(".marginalia-slider output"); strings.HasPrefix(got, "-2\n") || !strings.HasSuffix(got, "\n-2") {
		t.Errorf("the values of both views are %q", got)
	}
	t.Log(d.picture("two-views"))

	d.saved()
	d.do("loading the page anew", chromedp.Reload())
	d.wait("the program of before", liveSlider)
	d.press(0, kb.ArrowLeft, "0.99")

	labtest.Choose(d.ctx, t, "Kernel", "kernelmenu:restart")
	d.do("saying yes to the restart", chromedp.Click(chromedp.CSS(`.jp-Dialog .jp-mod-accept`)))
	d.wait("the stored frames", storedSlider)
	d.press(0, kb.End, "2.00")
	d.saved()
	if got := setuptest.Read(t, d.path); got != file {
		t.Error("the notebook's file has changed, though no cell has run")
	}
	d.wait("the new kernel", idle)
	d.run(0)
	d.wait("the new program", liveSlider)
	d.press(0, kb.ArrowRight, "1.01")

	closed := func() int { return strings.Count(sent(), `"msg_type":"comm_close"`) }
	before := closed()
	labtest.Choose(d.ctx, t, "Edit", "editmenu:clear-all")
	d.wait("the sliders to go", `!document.querySelector('.marginalia-slider')`)
	if got := closed() - before; got != 1 {
		t.Errorf("with its output the page closed %d comms, want that of the slider", got)
	}
	if strings.Contains(sent(), "evil.example") {
		t.Error("the page asks for what the frames of others name")
	}
}

// press presses a key on a slider and waits for the figure for a value.
func (d *desk) press(slider int, key, value string) {
	d.t.Helper()
	d.do("moving a slider", chromedp.Evaluate[chromedp.Void](fmt.Sprintf(`document.querySelectorAll('.marginalia-slider input')[%d].focus()`, slider)), labtest.Keys(key))
	d.wait("the figure for "+value, fmt.Sprintf(`[...document.querySelectorAll('.marginalia-figure')[%d].querySelectorAll('text')].some(e => e.textContent === 'slope %s')`, slider, value))
}

// listen records what the page requests and sends to kernels from now on.
func listen(ctx context.Context, t *testing.T) (sent func() string) {
	t.Helper()
	var mu sync.Mutex
	var b strings.Builder
	if err := chromedp.Listen(ctx, func(event any) {
		mu.Lock()
		defer mu.Unlock()
		switch e := event.(type) {
		case *network.EventRequestWillBeSent:
			b.WriteString(e.Request.URL + "\n")
		case *network.EventWebSocketFrameSent:
			b.Write(e.Response.PayloadData)
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
