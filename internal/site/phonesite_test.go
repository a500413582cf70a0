//go:build browser

package site

import (
	"context"
	"testing"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"

	"marginalia/internal/install/lab/labtest"
	"marginalia/internal/testkit/must"
)

// checkPhone reads a lecture on a phone, where no mouse makes buttons appear: they cover no text and no figure. Formulas
// shrink to the screen as far as they stay legible, the list of sections gives way to the one that is chosen, and the
// search says that it is loading.
func checkPhone(t *testing.T, browser context.Context, out string) {
	g := gated(t, out, "/search.js")
	ctx := labtest.Window(t, browser)
	must.Get(chromedp.Call(ctx, emulation.SetTouchEmulationEnabled, emulation.SetTouchEmulationEnabledParams{Enabled: true})).Or(t)
	w := watch(ctx, t, nil)
	w.screen(screens["phone"][0], screens["phone"][1])
	w.open(g.url + "notebooks/04-margins.html")
	none := func(what, list string) {
		t.Helper()
		if got := w.evaluate(`(` + list + `).join("; ")`); got != "" {
			t.Errorf("%s: %s", what, got)
		}
	}
	if w.evaluate(`matchMedia("(hover: none)").matches && document.querySelectorAll(".copy-box > .copy").length > 10 && document.querySelectorAll(".figure:not([data-slider]) > .marginalia-tools").length > 5`) != "true" {
		t.Fatal("the window is no phone with buttons")
	}
	none("Copy covers text", `[...document.querySelectorAll(".copy-box")].filter((box) => {
		const text = new Range();
		text.selectNodeContents(box.querySelector("pre"));
		return box.checkVisibility() && box.querySelector(".copy").getBoundingClientRect().bottom > text.getBoundingClientRect().top + 1;
	}).map((box) => box.textContent.slice(0, 40))`)
	none("the menu covers a figure", `[...document.querySelectorAll(".figure:not([data-slider]) > .marginalia-tools")].filter((tools) => {
		return tools.firstElementChild.getBoundingClientRect().bottom > tools.nextElementSibling.getBoundingClientRect().top + 1;
	}).map((tools) => tools.parentElement.dataset.figure)`)
	// As wide as the page at most, or else seven tenths of what MathJax made them.
	none("a formula is wider than the page", `[...document.querySelectorAll(".formula.display > svg")].filter((svg) => {
		const { width } = svg.getBoundingClientRect(), room = svg.parentElement.clientWidth, natural = parseFloat(svg.getAttribute("width"));
		const ex = Object.assign(document.createElement("div"), { style: "width: 1ex" });
		svg.after(ex);
		const most = Math.max(room, .7 * natural * ex.getBoundingClientRect().width);
		ex.remove();
		return width > most + 1;
	}).map((svg) => svg.nextElementSibling.textContent)`)
	t.Log(labtest.Picture(ctx, "site-phone"))

	const link = `.toc-tree a[href="#is-there-a-margin-of"]`
	w.evaluate(`document.getElementById("__toc").click()`)
	labtest.Wait(ctx, t, "the list of sections", `document.querySelector('`+link+`').getBoundingClientRect().left < innerWidth - 100`)
	if got := w.evaluate(`document.querySelector('` + link + `').textContent`); got != "Is there a margin of Δ?, more" {
		t.Errorf("a section that may be left out is listed as %q", got)
	}
	w.evaluate(`document.querySelector('` + link + `').click()`)
	labtest.Wait(ctx, t, "the section without the list", `!document.getElementById("__toc").checked && location.hash === "#is-there-a-margin-of" && document.querySelector('`+link+`').getBoundingClientRect().left >= innerWidth`)

	w.evaluate(`(() => {
		document.getElementById("__navigation").click();
		const asked = document.querySelector(".sidebar-search");
		asked.focus();
		asked.value = "hinge";
		asked.dispatchEvent(new Event("input"));
	})()`)
	labtest.Wait(ctx, t, "that the search loads", `document.querySelector(".found:not([hidden]) p")?.textContent === "Searching…"`)
	close(g.opened)
	labtest.Wait(ctx, t, "the way to all hits", `/^All \d+ sections$/.test(document.querySelector(".found li:last-child a")?.textContent)`)
	t.Log(labtest.Picture(ctx, "site-phone-search"))
	w.evaluate(`document.querySelector(".found li:last-child a").click()`)
	labtest.Wait(ctx, t, "all hits", `location.pathname === "/search.html" && document.querySelectorAll("#search-results li").length > 8`)
	w.quiet("phone")
}
