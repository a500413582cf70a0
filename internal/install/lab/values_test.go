//go:build browser

package lab

import (
	"strings"
	"testing"

	"github.com/chromedp/chromedp"

	"marginalia/internal/install/lab/labtest"
)

// readable lists the text of outputs that has a contrast below 4.5 to 1 on its ground (WCAG 2.2, 1.4.3).
const readable = `(() => {
	const light = c => { const [r, g, b] = c.map(v => (v /= 255) <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4); return 0.2126 * r + 0.7152 * g + 0.0722 * b; };
	const rgba = c => { const v = c.match(/[\d.]+/g).map(Number); return [v.slice(0, 3), v[3] ?? 1]; };
	const ground = e => { if (!e) return [255, 255, 255];
		const [c, a] = rgba(getComputedStyle(e).backgroundColor);
		if (a === 1) return c;
		const below = ground(e.parentElement);
		return c.map((v, i) => a * v + (1 - a) * below[i]); };
	return [...document.querySelectorAll('.jp-OutputArea-output :is(td, th, pre, div)')].filter(e => [...e.childNodes].some(n => n.nodeType === 3 && n.data.trim()) && e.offsetParent).map(e => {
		const [a, b] = [light(rgba(getComputedStyle(e).color)[0]), light(ground(e))].sort((x, y) => y - x);
		return [(a + 0.05) / (b + 0.05), e.innerText];
	}).filter(([ratio]) => ratio < 4.5).map(([ratio, text]) => ratio.toFixed(2) + ' ' + text);
})()`

// values runs cells whose last expression shows itself: numbers, tables, a figure, an error. All can be read in
// the light and in the dark theme.
func (r *room) values(t *testing.T) {
	d := r.open(t, "values.ipynb", `import (
	"errors"

	"gonum.org/v1/gonum/mat"

	"marginalia/datasets"
	"marginalia/mlkit/perceptron"
	"marginalia/plotting"
)`,
		"%%\n22.0 / 7 // pi, by Archimedes", "%%\nmat.NewDense(4, 2, []float64{-1, 0, 0, 1, 0, -1, 1, 0.5})", "%%\ndatasets.Iris()",
		"%%\nd := datasets.Must(datasets.Iris().Binary(0, 1))\nperceptron.Perceptron{}.Fit(d.X, d.Y)",
		"%%\nerr := errors.New(\"datasets: x[3] is < 0\")\nerr", "%%\nmap[string]int{\"<b>\": 2, \"a\": 1}",
		"%%\nplotting.New(\"A line\", plotting.Line([]float64{0, 1}, []float64{0, 1}))")
	labtest.Choose(d.ctx, t, "Run", "runmenu:run-all")
	labtest.WaitUntilRun(d.ctx, t, d.path, d.code)
	nb := d.saved()
	for i, c := range nb.Cells[1:] {
		if len(c.Outputs) != 1 || c.Outputs[0].Type != "display_data" {
			t.Errorf("cell %d has the outputs %+v, want one that it displays", i+1, c.Outputs)
		}
	}
	d.wait("the figure", figureShown)
	all := ""
	look := func(theme string) {
		for i := range d.code {
			d.do("scrolling", chromedp.Evaluate[chromedp.Void](`document.querySelector('`+cellAt(i)+`')?.scrollIntoView()`))
			if found := labtest.Value[[]string](d.ctx, t, readable); len(found) > 0 { // of the cells that are in the window
				t.Errorf("in the %s theme cannot be read: %q", theme, found)
			}
			all += d.text(".jp-OutputArea-output td")
			if i%3 == 1 {
				t.Log(d.picture(theme + "-" + string(rune('0'+i))))
			}
		}
	}
	look("light")
	// The theme chosen in the menu is that of all windows, so this one alone gets the other's styles.
	d.do("the dark theme", chromedp.Evaluate[chromedp.Void](`(() => {
		const link = document.querySelector('link[href*="theme-light-extension"]');
		link.href = link.href.replace('light', 'dark');
		document.body.dataset.jpThemeLight = 'false'; })()`))
	d.wait("the dark ground", `getComputedStyle(document.body).getPropertyValue('--jp-layout-color0').trim() === '#111'`)
	look("dark")
	if !strings.Contains(all, "<b>") {
		t.Errorf("the key <b> is not shown as text: %s", all)
	}
}
