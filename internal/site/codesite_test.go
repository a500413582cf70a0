//go:build browser

package site

import (
	"context"
	"testing"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"marginalia/internal/install/lab/labtest"
	"marginalia/internal/testkit/must"
)

// checkCode shows and hides the code of a lecture: a desktop begins with it, a phone without, and nothing moves
// while the page loads. What the reader chooses holds in other pages. A link to a hidden cell opens it, and paper has
// all code.
func checkCode(t *testing.T, browser context.Context, address string) {
	ctx := labtest.Window(t, browser)
	w := watch(ctx, t, nil)
	const shown, all = `[...document.querySelectorAll("details.code")].filter(e => e.open && e.querySelector("pre").checkVisibility({ contentVisibilityAuto: false })).length`, `document.querySelectorAll("details.code").length`
	has := func(what, want string) {
		t.Helper()
		if got := w.evaluate(shown); got != want {
			t.Errorf("%s: %s cells show their code, want %s", what, got, want)
		}
	}
	for _, name := range []string{"desktop", "phone"} {
		w.screen(screens[name][0], screens[name][1])
		w.open(address + "notebooks/04-margins.html")
		want := w.evaluate(all)
		if want == "0" {
			t.Fatal("no cell of the lecture can be folded")
		}
		if name == "phone" {
			want = "0"
		}
		has(name, want)
		const moved = `await new Promise((said) => new PerformanceObserver((list) => said(list.getEntries().reduce((sum, e) => sum + e.value, 0))).observe({ type: "layout-shift", buffered: true }) || setTimeout(() => said(0), 300))`
		if got := w.evaluate(moved); got != "0" {
			t.Errorf("%s: the layout shifts by %s while the page loads", name, got)
		}
		t.Log(labtest.Picture(ctx, "site-code-"+name))
	}
	w.open(address + "notebooks/04-margins.html?again#cell-id=c-slider")
	labtest.Wait(ctx, t, "the code of the cell that the link names", `document.getElementById("cell-id=c-slider").querySelector("details.code").open`)
	has("a link", "1")
	w.screen(screens["desktop"][0], screens["desktop"][1])
	w.open(address + "notebooks/04-margins.html")
	must.Do(t, chromedp.Do(ctx, chromedp.Focus("#show-code"), labtest.Keys(" ")))
	has("switched off by the space bar", "0")
	w.open(address + "notebooks/05-kernels.html")
	has("another page", "0")
	must.Get(chromedp.Call(ctx, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{Media: "print"})).Or(t)
	if hidden := w.evaluate(`[...document.querySelectorAll("details.code pre")].filter(e => !e.checkVisibility()).length`); hidden != "0" {
		t.Errorf("%s cells have no code on paper", hidden)
	}
	must.Get(chromedp.Call(ctx, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{Media: "screen"})).Or(t)
	must.Do(t, chromedp.Do(ctx, chromedp.Focus("details.code > summary"), labtest.Keys(kb.Enter)))
	has("one that is opened", "1")
	must.Do(t, chromedp.Do(ctx, chromedp.Click("#show-code")))
	has("switched on", w.evaluate(all))
	w.quiet("code")
}

// checkCopy copies the code of a cell and its output, each alone, by the keys.
func checkCopy(t *testing.T, browser context.Context, address string) {
	ctx := labtest.Window(t, browser)
	w := watch(ctx, t, nil)
	w.open(address + "notebooks/04-margins.html")
	w.evaluate(`(() => { localStorage.clear(); navigator.clipboard.writeText = async (text) => { globalThis.copied = text; }; })()`)
	for place, want := range map[string]string{".cell_input": "the code", ".cell_output": "the output"} {
		// The first cell with code and text has both.
		w.evaluate(`(() => {
			const cell = [...document.querySelectorAll("div.cell")].find(e => e.querySelector("details.code") && e.querySelector(".cell_output pre"));
			globalThis.place = cell.querySelector("` + place + `");
			globalThis.button = globalThis.place.querySelector(".copy");
			globalThis.button.focus();
		})()`)
		if name := w.evaluate(`button.getAttribute("aria-label")`); name != "Copy "+want {
			t.Errorf("the button of %s is called %q", want, name)
		}
		must.Do(t, chromedp.Do(ctx, labtest.Keys(kb.Enter)))
		labtest.Wait(ctx, t, "the word Copied", `button.textContent === "Copied" && document.querySelector(".copy-said").textContent === "Copied"`)
		if same := w.evaluate(`copied === place.querySelector("pre").textContent.replace(/\n$/, "") && copied.length > 10`); same != "true" {
			t.Errorf("of %s %q is copied", want, w.evaluate(`copied`))
		}
	}
	w.quiet("copy")
}

// checkHero watches the first page play, and stop: by its button, and for readers who want less motion.
func checkHero(t *testing.T, browser context.Context, address string) {
	ctx := labtest.Window(t, browser)
	w := watch(ctx, t, nil)
	w.screen(screens["desktop"][0], screens["desktop"][1])
	w.open(address)
	const at = `document.querySelector(".hero input")?.value`
	labtest.Wait(ctx, t, "the figure", at+` !== undefined`)
	w.evaluate(`(() => { globalThis.before = ` + at + `; })()`)
	labtest.Wait(ctx, t, "a step", at+` !== before`)
	if below := w.evaluate(`document.querySelector(".start a").getBoundingClientRect().bottom < innerHeight`); below != "true" {
		t.Error("the button of the playgrounds is below the first screen")
	}
	t.Log(labtest.Picture(ctx, "site-first"))
	const beats = `(() => { const kept = setInterval; globalThis.beats = 0; globalThis.setInterval = (...args) => { globalThis.beats++; return kept(...args); }; })()`
	w.evaluate(beats)
	must.Do(t, chromedp.Do(ctx, chromedp.Click(".hero > p button")))
	if got := w.evaluate(`document.querySelector(".hero > p button").textContent + beats`); got != "Play0" {
		t.Errorf("after a click on Pause the button and the timers that start are %s", got)
	}
	must.Get(chromedp.Call(ctx, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{Features: []*emulation.MediaFeature{{Name: "prefers-reduced-motion", Value: "reduce"}}})).Or(t)
	w.open(address + "index.html")
	if got := w.evaluate(`document.querySelector(".hero > p button").textContent`); got != "Play" {
		t.Errorf("with less motion the button says %s", got)
	}
	w.quiet("hero")
}
