//go:build browser

package lab

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"

	"marginalia/internal/install/lab/labtest"
	"marginalia/internal/testkit/testfile"
)

// markdown holds JupyterLab to the table that the site's pages are held to. An upgrade of JupyterLab that reads a
// kind of Markdown otherwise fails here, and the site follows.
func (r *room) markdown(t *testing.T) {
	table := filepath.Join("..", "..", "site", "testdata")
	path := filepath.Join(r.dir, "markdown.ipynb")
	picture := testfile.Read(t, filepath.Join("..", "..", "..", "docs", "slider.gif"))
	for file, content := range map[string]string{
		path:                                     testfile.Read(t, filepath.Join(table, "markdown.ipynb")),
		filepath.Join(r.dir, "img", "plain.png"): picture,
		filepath.Join(r.dir, "img", "my pic.png"): picture,
	} {
		testfile.Write(t, file, content)
	}
	ctx := labtest.Window(t, r.browser)
	if _, err := chromedp.Call(ctx, emulation.SetDeviceMetricsOverride, emulation.SetDeviceMetricsOverrideParams{
		Width: 1400, Height: 20000, DeviceScaleFactor: 1, // JupyterLab draws the cells that are in sight
	}); err != nil {
		t.Fatal(err)
	}
	labtest.Open(ctx, t, r.server.Server, "markdown.ipynb")
	labtest.Wait(ctx, t, "all cells with formulas and pictures", fmt.Sprintf(`(() => {
		const texts = [...document.querySelectorAll('.jp-Notebook .jp-RenderedMarkdown')];
		return texts.length === %d && texts.every(e => e.childElementCount) && texts.some(e => e.querySelector('mjx-container')) &&
			texts.every(e => [...e.querySelectorAll('img')].every(i => i.complete && !i.src.startsWith('attachment:')));
	})()`, len(labtest.Read(t, path).Cells)))
	t.Log(labtest.Picture(ctx, t.Name()))
	filters := labtest.Value[string](ctx, t, `(document.body.dataset.jpThemeLight = 'false', getComputedStyle(document.querySelector('.jp-RenderedMarkdown img')).filter)`)
	if filters != "brightness(0.85)" {
		t.Errorf("a picture in a text has the filter %s in a dark theme, want it dimmed", filters)
	}
	got := strings.Split(labtest.Reading(ctx, t, `document.querySelectorAll('.jp-Notebook .jp-RenderedMarkdown')`), "\n")
	want := strings.Split(strings.TrimSpace(testfile.Read(t, filepath.Join(table, "markdown.txt"))), "\n")
	for i := range max(len(got), len(want)) {
		if i >= len(got) || i >= len(want) || got[i] != want[i] {
			t.Fatalf("line %d of %d is %q, and the table of %d lines has %q", i+1, len(got), got[min(i, len(got)-1)], len(want), want[min(i, len(want)-1)])
		}
	}
}
