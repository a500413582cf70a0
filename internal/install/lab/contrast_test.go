//go:build browser

package lab

import (
	"fmt"
	"path/filepath"
	"testing"

	"github.com/chromedp/chromedp"

	"marginalia/internal/install/lab/labtest"
)

// contrast is JavaScript: the texts of output whose colour has less than 4.5 to 1 on what is behind them, by the
// formula of the Web Content Accessibility Guidelines 2.2 (W3C 2023, "contrast ratio").
const contrast = `(() => {
	const parse = (colour) => { const [r, g, b, a = 1] = colour.match(/[\d.]+/g).map(Number); return [r, g, b, a]; };
	const over = ([r, g, b, a], under) => a === 1 ? [r, g, b] : [r, g, b].map((v, i) => a * v + (1 - a) * under[i]);
	const ground = (e) => e ? over(parse(getComputedStyle(e).backgroundColor), parse(getComputedStyle(e).backgroundColor)[3] === 1 ? [] : ground(e.parentElement)) : [255, 255, 255];
	const light = (colour) => { const [r, g, b] = colour.map((v) => v / 255).map((v) => v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4); return 0.2126 * r + 0.7152 * g + 0.0722 * b; };
	return [...document.querySelectorAll(".jp-OutputArea-output pre, .jp-OutputArea-output pre *")].map((e) => {
		const under = ground(e), [a, b] = [light(over(parse(getComputedStyle(e).color), under)), light(under)];
		return [(Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05), e.className];
	}).filter(([ratio]) => ratio < 4.5).map(([ratio, name]) => ratio.toFixed(2) + " " + name);
})()`

// TestContrast has nbconvert make pages and slides of output in all colours of a terminal, in both themes: each can
// be read on the ground of the page, and of an error.
func TestContrast(t *testing.T) {
	_, python := nbconvert(t)
	text := "plain "
	for colour := 30; colour < 38; colour++ {
		text += fmt.Sprintf("\x1b[%dm dull \x1b[0m\x1b[%dm bright \x1b[0m\x1b[1;%[1]dm bold \x1b[0m", colour, colour+60)
	}
	notebook := filepath.Join(t.TempDir(), "colours.ipynb")
	writeNotebook(t, notebook, slide("slide", code("x := 1",
		map[string]any{"output_type": "stream", "name": "stdout", "text": text},
		map[string]any{"output_type": "stream", "name": "stderr", "text": text},
		map[string]any{"output_type": "error", "ename": "ERROR", "evalue": "", "traceback": []any{text}})))
	browser := labtest.Chromium(t)
	for _, format := range []string{"html", "slides"} {
		for _, theme := range []string{"light", "dark"} {
			t.Run(format+" "+theme, func(t *testing.T) {
				page := convert(t, python, format, notebook, "--HTMLExporter.theme="+theme)
				ctx := labtest.Window(t, browser)
				if err := chromedp.Do(ctx, chromedp.Navigate("file://"+page)); err != nil {
					t.Fatal(err)
				}
				found := labtest.Value[[]string](ctx, t, contrast)
				if len(found) > 0 {
					t.Errorf("too little contrast: %q%s", found, labtest.Picture(ctx, "contrast-"+theme))
				}
				t.Log(labtest.Picture(ctx, "contrast-"+format+"-"+theme))
			})
		}
	}
}
