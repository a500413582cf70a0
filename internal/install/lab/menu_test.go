//go:build browser

package lab

import (
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"marginalia/internal/install/lab/labtest"
)

// menus saves figures from their menus, and plays a slider of steps, by keys, which JupyterLab does not hear: the
// notebook stays as it is. A stored figure has a menu as well, before a cell has run, and so has a PNG.
func (r *room) menus(t *testing.T) {
	d := r.open(t, "menus.ipynb", `import "marginalia/plotting"

%%
plotting.Show("squares", plotting.New("", plotting.Line(nil, []float64{1, 4, 9})))
plotting.Slide("steps", plotting.Slider{Label: "step", Min: 0, Max: 6, Start: 6, Step: 1}, func(k float64) plotting.Drawing {
	return plotting.New("", plotting.Points([]float64{k}, []float64{k}))
})`, `%%
v := make([]float64, 20000)
for i := range v {
	v[i] = math.Sin(float64(i * i))
}
plotting.Show("cloud", plotting.New("cloud", plotting.Points(v[1:], v[:len(v)-1])))`)
	d.run(0)
	const player, names = `document.querySelector('.marginalia-player')`, `[...document.querySelectorAll('.marginalia-menu button')].map((e) => e.textContent).join()`
	d.wait("the menus and the player", `document.querySelectorAll('.marginalia-tools + .marginalia-figure svg').length === 2 && `+player)
	d.wait("the program", `document.querySelector('.marginalia-slider small').textContent === ''`)
	const notebook = `document.querySelectorAll('.jp-Notebook .jp-Cell').length + ' cells, ' + document.querySelectorAll('.jp-Dialog').length + ' dialogs'`
	before := labtest.Value[string](d.ctx, t, notebook)
	d.do("keeping what is saved", chromedp.Evaluate[chromedp.Void](`globalThis.saved = []; HTMLAnchorElement.prototype.click = function () { saved.push(this.download); }`))
	for i, c := range []struct {
		downs int
		file  string
	}{{1, "squares.png"}, {2, "squares.svg"}, {4, "squares.csv"}} {
		d.do("opening the menu", chromedp.Evaluate[chromedp.Void](`document.querySelector('.marginalia-tools > button').focus()`), labtest.Keys(kb.Enter))
		d.wait("the menu", names+` === 'Copy as PNG,Save as PNG,Save as SVG,Print or save as PDF,Save the data as CSV'`)
		if i == 0 {
			t.Log(d.picture("menu"))
		}
		for range c.downs {
			d.do("the next", labtest.Keys(kb.ArrowDown))
		}
		d.do("choosing", labtest.Keys(kb.Enter))
		d.wait(c.file, `saved.at(-1) === '`+c.file+`'`)
	}
	d.do("playing", chromedp.Evaluate[chromedp.Void](player+`.querySelector('select').value = '20', document.querySelector('.marginalia-slider input').focus()`), labtest.Keys(" "))
	d.wait("the first step", `[...document.querySelectorAll('.marginalia-figure')].at(-1).querySelector('title').textContent !== '(6, 6)'`)
	d.wait("the last step", player+`.querySelectorAll('button')[1].ariaLabel === 'Play' && [...document.querySelectorAll('.marginalia-figure')].at(-1).querySelector('title').textContent === '(6, 6)'`)
	if after := labtest.Value[string](d.ctx, t, notebook); after != before {
		t.Errorf("the notebook has changed from %s to %s", before, after)
	}
	d.do("looking at it in the dark", chromedp.Evaluate[chromedp.Void](`document.body.dataset.jpThemeLight = 'false'`))
	t.Log(d.picture("dark"))
	// A figure whose SVG would be too large is a PNG, and its menu offers what can be made of that.
	d.do("to the second cell", chromedp.Evaluate[chromedp.Void](`document.querySelector('.jp-WindowedPanel-outer').scrollTop = 1e6`))
	d.run(1)
	d.wait("its menu", `document.querySelector('.marginalia-tools + img')?.alt.includes('cloud')`)
	d.do("opening the menu", chromedp.Evaluate[chromedp.Void](`document.querySelector('.marginalia-tools:has(+ img) > button').focus()`), labtest.Keys(kb.Enter))
	d.wait("the menu of a PNG", names+` === 'Copy as PNG,Save as PNG'`)
	t.Log(d.picture("still"))
	d.do("saving", labtest.Keys(kb.ArrowDown), labtest.Keys(kb.Enter))
	d.wait("cloud.png", `saved.at(-1) === 'cloud.png'`)
	d.saved()
	d.do("opening it anew", chromedp.Reload())
	d.wait("the stored figures with their menus", `document.querySelectorAll('.marginalia-tools + .marginalia-figure svg').length === 2`)
}
