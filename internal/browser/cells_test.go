//go:build browser

package browser_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"

	"marginalia/internal/install/lab/labtest"
	"marginalia/internal/testkit/must"
	"marginalia/internal/testkit/tier"
)

// TestPage runs a cell of a page without those above it, as a reader does. A figure has its values under the mouse, a
// loop is stopped by its button, and what does not compile is reported at its line. A second visit loads nothing again, and a third has no network.
func TestPage(t *testing.T) {
	tier.Browser(t)
	site := serve(t)
	address := site.address
	p := live(t, address, "page",
		"func twice(x int) int { return 2 * x }",
		"%%\nfmt.Println(twice(21))",
		"%%\nplotting.Show(\"line\", plotting.New(\"a line\", plotting.Line(nil, []float64{1, 2, 4})))",
		"%%\nfmt.Print(\"<b>begun</b>\")\nfor {\n}",
		"func thrice(x int) int {\n\treturn y\n}")
	if files, _ := site.loaded(); files > 0 {
		t.Errorf("the page loads %d files before anybody runs a cell", files)
	}
	p.click(1)
	p.shows(1, "42", `out.textContent === "42\n"`)
	files, bytes := site.loaded()
	t.Logf("the first cell loads %d files, %.2f MB", files, float64(bytes)/1e6)
	if bytes < 5_000_000 || bytes > 10_000_000 {
		t.Errorf("the first cell loads %d bytes, want at most 10 MB", bytes)
	}
	p.click(2)
	p.shows(2, "the figure", `out.querySelector(".marginalia-figure > svg path")`)
	if alt := labtest.Value[string](p, t, `document.querySelector(".go-outputs svg").ariaLabel`); !strings.HasPrefix(alt, "Figure “a line”") {
		t.Errorf("the figure's text is %q", alt)
	}
	p.click(3)
	p.shows(3, "the loop to begin", `out.textContent === "<b>begun</b>"`)
	p.click(3)
	p.shows(3, "the loop to end", `out.textContent.endsWith("the program was ended by interrupt")`)
	p.click(4)
	p.shows(4, "the error", `out.textContent.startsWith("line 2: undefined: y")`)
	// On the second visit nothing is loaded again.
	site.loaded()
	must.Do(t, chromedp.Do(p, chromedp.Reload()))
	p.click(1)
	p.shows(1, "42 again", `out.textContent === "42\n"`)
	if files, bytes := site.loaded(); files > 0 {
		t.Errorf("the second visit loads %d files again, %d bytes", files, bytes)
	}
	// Without network the page opens and its cells run, also after a visit to another page.
	labtest.Wait(p, t, "all to be kept", `(async () => {
		const kept = (await (await caches.open("marginalia-pages")).keys()).map(({ url }) => new URL(url).pathname);
		return ["/cells-page.html", "/cells.css", "/cells-page.js", "/editing.js", "/editor.js", "/figure.js", "/world.js", "/go.json.lzma"].every((name) => kept.includes(name));
	})()`)
	site.server.CloseClientConnections()
	site.server.Close()
	must.Do(t, chromedp.Do(p, chromedp.Navigate("about:blank"), chromedp.Navigate(address+"/cells-page.html?without=network")))
	for cell, shown := range map[int]string{1: `out.textContent === "42\n"`, 2: `out.querySelector(".marginalia-figure > svg path")`, 4: `out.textContent.startsWith("line 2: undefined: y")`} {
		p.click(cell)
		p.shows(cell, fmt.Sprintf("what cell %d shows without network", cell), shown)
	}
}
