//go:build browser

package cli

import (
	"bytes"
	"fmt"
	"image/png"
	"net/url"
	"path/filepath"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"

	"marginalia/internal/install/lab/labtest"
	"marginalia/internal/notebook/outputs"
	"marginalia/internal/notebook/report"
	"marginalia/internal/testkit/must"
	"marginalia/internal/testkit/tier"
	"marginalia/plotting"
)

// street is the file of a figure.
func street(slope float64) []byte {
	fig := plotting.New("A street", plotting.Line([]float64{0, 4}, []float64{0, 4 * slope}), plotting.Line([]float64{0, 4}, []float64{1, 1 + 4*slope}))
	return fig.PNG(192)
}

// TestReportInChromium reads a report as people do: on a desktop and a phone, light and dark. Nothing that cells
// have printed or drawn runs, and a button copies the command that accepts a cell.
func TestReportInChromium(t *testing.T) {
	tier.Browser(t)
	const update = "marginalia test a.ipynb --run street --update"
	evil := `</pre><script>window.hacked=1</script><img src=x onerror="hacked=1">`
	svg := []byte(`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 90 40" onload="parent.hacked=1"><script>parent.hacked=1</script><circle cx="20" cy="20" r="15"/><image href="http://127.0.0.1:1/x.png"/></svg>`)
	old, drawn := street(0.5), street(0.6)
	page := report.Page{Title: "Outputs that differ", Lead: "59 cells of a.ipynb ran.", Accept: "marginalia test a.ipynb --update", Cells: []report.Cell{
		{Name: "a.ipynb#table", Heading: "How many mistakes", Compared: "Text is compared exactly.", Accept: "marginalia test a.ipynb --run table --update",
			Differences: []outputs.Difference{{What: "stdout", Want: "epoch   changes   errors\n  0         30          9\n  1         17          3\n  2         10          1\n", Got: "epoch   changes   errors\n  0         31          9\n  1         17          3\n  2         10          0\n"}}},
		{Name: "a.ipynb#street", Heading: "The margin", Compared: "Pictures may differ.", Accept: update,
			Differences: []outputs.Difference{{What: "display 1, image/png", Note: "4711 pixels differ", Old: old, New: drawn}}},
		{Name: "a.ipynb#evil", Heading: evil, Compared: evil, Accept: evil, Differences: []outputs.Difference{
			{What: "display 1, text/html", Want: "<b>" + strings.Repeat("x", 3000), Got: evil},
			{What: "display 2, image/svg+xml", Want: "<svg/>", Got: string(svg), Old: svg, New: svg},
		}},
		{Name: "a.ipynb#panics", Failures: []string{"it failed: panic: index out of range [3] with length 3\n  at a.ipynb#panics:2"}},
	}}
	file := filepath.Join(t.TempDir(), "report.html")
	must.Do(t, page.Write(file))
	ctx := labtest.Window(t, labtest.Chromium(t))
	open := func(file string) {
		t.Helper()
		must.Do(t, chromedp.Do(ctx, chromedp.Navigate((&url.URL{Scheme: "file", Path: file}).String())))
	}
	draw := func(pictures string) { // pictures are decoded beside the page
		t.Helper()
		labtest.Value[bool](ctx, t, fmt.Sprintf(`(async () => { await Promise.all([...document.querySelectorAll(%q)].map(i => i.decode())); return true; })()`, pictures))
	}
	for _, screen := range []struct {
		name, theme   string
		width, height int64
	}{{"light", "light", 1300, 1500}, {"dark", "dark", 1300, 1500}, {"phone", "dark", 390, 1500}} {
		must.Get(chromedp.Call(ctx, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{Features: []*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: screen.theme}}})).Or(t)
		must.Get(chromedp.Call(ctx, emulation.SetDeviceMetricsOverride, emulation.SetDeviceMetricsOverrideParams{Width: screen.width, Height: screen.height, DeviceScaleFactor: 1, Mobile: screen.width < 600})).Or(t)
		open(file)
		if wide := labtest.Value[int64](ctx, t, `document.documentElement.scrollWidth`); wide > screen.width {
			t.Errorf("%s: the page is %d px wide", screen.name, wide)
		}
		draw("#c1 img")
		labtest.Picture(ctx, "report-"+screen.name)
	}
	if got := labtest.Value[string](ctx, t, `JSON.stringify([window.hacked ?? 0, performance.getEntriesByType("resource").filter(r => !r.name.startsWith("data:")).length,
		document.scripts.length, [...document.images].slice(0, 3).every(i => i.complete && i.naturalWidth > 100)])`); got != "[0,0,1,true]" {
		t.Errorf("hacked, resources from elsewhere, scripts, pictures that are there: %s, want [0,0,1,true]", got)
	}
	labtest.Value[bool](ctx, t, `document.addEventListener("copy", () => { window.copied = getSelection().toString(); }) ?? true`)
	must.Do(t, chromedp.Do(ctx, chromedp.Click(chromedp.CSS(`#c1 button`))))
	if copied := labtest.Value[string](ctx, t, `window.copied + "|" + document.querySelector("#c1 button").textContent`); copied != update+"|Copied" {
		t.Errorf("the button copies %q, want %q", copied, update)
	}

	// A page with many figures is bounded, and shows each.
	page.Cells = nil
	for i := range 200 {
		page.Cells = append(page.Cells, report.Cell{Name: fmt.Sprintf("a.ipynb#figure%d", i), Differences: []outputs.Difference{{What: "display 1, image/png", Note: "differs", Old: old, New: drawn}}})
	}
	must.Do(t, page.Write(file))
	open(file)
	size := must.Get(png.DecodeConfig(bytes.NewReader(old))).Or(t)
	must.Do(t, chromedp.Do(ctx, chromedp.Navigate("file://"+file+"#c150")))
	labtest.Wait(ctx, t, "a figure far below", fmt.Sprintf(`document.querySelector("#c150 img").naturalWidth === %d`, size.Width))
	draw("#c150 img")
	labtest.Picture(ctx, "report-many")
	if got := labtest.Value[int64](ctx, t, `document.images.length`); got != 600 {
		t.Errorf("%d pictures, want 600", got)
	}
}
