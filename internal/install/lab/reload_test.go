//go:build browser

package lab

import (
	"fmt"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"

	"marginalia/internal/install/lab/labtest"
)

// A notebook with one figure, and its text alternative.
var oneFigure = []string{"import (\n\t\"fmt\"\n\n\t\"marginalia/plotting\"\n)", `%%
fmt.Println("a line & its figure")
plotting.Show("line", plotting.New("", plotting.Line([]float64{0, 1}, []float64{0, 1})), "A rising line")`}

// reload saves a notebook and loads the page anew: the outputs are there, the figure is
// the same, and nothing was run for it. The figure is shown in another window, too, by a
// kernel that has run nothing. A dark theme inverts the figure and dims an image.
func (r *room) reload(t *testing.T) {
	d := r.open(t, "reload.ipynb", oneFigure...)
	labtest.Choose(d.ctx, t, "Run", "runmenu:run-all")
	labtest.WaitUntilRun(d.ctx, t, d.path, d.code)
	before := d.figure()
	d.do("loading the page anew", chromedp.Reload())
	d.wait("the figure", figureShown)
	t.Log(d.picture("reloaded"))
	if after := d.figure(); after != before {
		t.Errorf("the figure has %d bytes after the reload and %d before, or others", len(after), len(before))
	}
	if got := d.text(".jp-OutputArea-output"); !strings.HasPrefix(got, "a line & its figure\n") {
		t.Errorf("the output after the reload is %q", got)
	}
	// A film and another program's picture are images.
	d.do("adding an image", chromedp.Evaluate[chromedp.Void](`document.querySelector('.jp-RenderedImage').append(document.createElement('img'))`))
	filter := func(light bool) string {
		// The theme is that of all windows, so only what its styles look at is changed.
		got := labtest.Value[string](d.ctx, t, fmt.Sprintf(`(document.body.dataset.jpThemeLight = '%v',
			['.marginalia-figure > svg', 'img'].map(e => getComputedStyle(document.querySelector('.jp-RenderedImage ' + e)).filter).join())`, light))
		return got
	}
	if dark, light := filter(false), filter(true); dark != "invert(0.93) hue-rotate(180deg),brightness(0.85)" || light != "none,none" {
		t.Errorf("the figure and an image have the filters %s in a dark theme, %s in a light one; want the figure inverted and the image dimmed, and none", dark, light)
	}
	d.wait("the page to be ready", idle)
	for i, c := range d.saved().Cells {
		if c.ExecutionCount == nil || *c.ExecutionCount != i+1 {
			t.Errorf("cell %d has count %s after the reload, want %d", i, countOf(c.ExecutionCount), i+1)
		}
	}
}

// figureShown says that a figure is displayed, in place of its still.
const figureShown = `document.querySelector('.jp-OutputArea-output .marginalia-figure > svg')`

// figure is the figure that is displayed, as SVG.
func (d *desk) figure() string {
	d.t.Helper()
	d.wait("a figure", figureShown)
	return labtest.Value[string](d.ctx, d.t, figureShown+`.outerHTML`)
}
