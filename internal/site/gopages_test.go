//go:build browser

package site

import (
	"encoding/json"
	"path/filepath"
	"testing"

	"github.com/chromedp/chromedp"

	"marginalia/internal/base/repo/repotest"
	"marginalia/internal/install/lab/labtest"
	"marginalia/internal/notebook/nbformat"
	"marginalia/internal/testkit/must"
	"marginalia/internal/testkit/tier"
)

// TestGoPages is a reader of the first lecture who runs a cell, changes it, breaks it, reads what is
// wrong, mends it, and runs a cell below. The policy of the page admits all of that, and axe-core finds
// no fault with the editor and the outputs on a phone. With
// MARGINALIA_SCREENSHOTS set to a folder it leaves a picture of each step there.
func TestGoPages(t *testing.T) {
	tier.Browser(t)
	browser := labtest.Chromium(t)
	root := repotest.Root(t)
	out := filepath.Join(t.TempDir(), "site")
	must.Get(Build(t.Context(), root, Options{Out: out, Cells: true}, nil)).Or(t)
	address := served(t, out)
	ctx := labtest.Window(t, browser)
	w := watch(ctx, t, nil)
	picture := func(name string) { labtest.Picture(ctx, name) }
	must.Do(t, chromedp.Do(ctx, chromedp.Navigate(address+"/notebooks/01-perceptron.html")))
	w.wait("the buttons", `document.querySelectorAll(".go-offer").length > 30`)
	w.wait("no script of cells", `!performance.getEntriesByType("resource").some((e) => e.name.includes("/go/"))`)
	const cell = `document.getElementById("cell-id=score")`
	w.evaluate(cell + `.scrollIntoView()`)
	picture("1-before")
	w.evaluate(`[...` + cell + `.querySelectorAll("button")].find((b) => b.textContent === "Run").click()`)
	nb := must.Get(nbformat.Read(filepath.Join(root, "notebooks", "01-perceptron.ipynb"))).Or(t)
	stored := ""
	for _, c := range nb.Cells {
		if c.ID == "score" {
			for _, o := range c.Outputs {
				stored += o.Text
			}
		}
	}
	shows := func(what, condition string) {
		t.Helper()
		w.wait(what, `((out) => out && `+condition+`)(`+cell+`.querySelector(".go-outputs"))`)
	}
	shows("the output", `out.querySelector("pre") && !out.querySelector(".go-wait")`)
	if got := w.evaluate(cell + `.querySelector(".go-outputs").textContent`); got != stored || stored == "" {
		t.Errorf("the cell prints %q, stored is %q", got, stored)
	}
	picture("2-run")
	edit := func(from, to string) {
		t.Helper()
		w.evaluate(`((area) => { const before = area.value; area.value = before.replace(` + quote(from) + `, ` + quote(to) + `); area.dispatchEvent(new Event("input")); return before !== area.value; })(` + cell + `.querySelector("textarea"))`)
		w.evaluate(`[...` + cell + `.querySelectorAll("button")].find((b) => b.textContent === "Run").click()`)
	}
	w.evaluate(`[...` + cell + `.querySelectorAll("button")].find((b) => b.textContent === "Edit").click()`)
	edit("{4, 2}", "{4, 2, 7")
	shows("what is wrong", `out.querySelector(".error")?.textContent.includes("line ")`)
	picture("3-wrong")
	edit("{4, 2, 7", "{5, 2}")
	shows("the mended cell's output", `out.textContent.includes("(5, 2)")`)
	picture("4-mended")
	const figure = `document.getElementById("cell-id=signed-distance-figure")`
	w.evaluate(figure + `.scrollIntoView()`)
	w.evaluate(`[...` + figure + `.querySelectorAll("button")].find((b) => b.textContent === "Run").click()`)
	w.wait("the figure", figure+`.querySelector(".go-outputs img")?.naturalWidth > 0`)
	picture("5-figure")
	w.audit(axeCore(t), "notebooks/01-perceptron.html", 1)
	picture("6-phone")
	w.quiet("notebooks/01-perceptron.html")
}

// TestGoExercise does the first exercise: its check fails on what stands there, and passes with the solution.
func TestGoExercise(t *testing.T) {
	tier.Browser(t)
	browser := labtest.Chromium(t)
	root := repotest.Root(t)
	out := filepath.Join(t.TempDir(), "site")
	must.Get(Build(t.Context(), root, Options{Out: out, Cells: true}, nil)).Or(t)
	address := served(t, out)
	ctx := labtest.Window(t, browser)
	w := watch(ctx, t, nil)
	must.Do(t, chromedp.Do(ctx, chromedp.Navigate(address+"/notebooks/exercises/01-perceptron.html")))
	w.wait("the buttons", `document.querySelectorAll(".go-offer").length > 10`)
	cell := func(id string) string { return `document.getElementById("cell-id=` + id + `")` }
	click := func(id, button string) {
		w.evaluate(`[...` + cell(id) + `.querySelectorAll("button")].find((b) => b.textContent === ` + quote(button) + `).click()`)
	}
	check := func(what, condition string) {
		t.Helper()
		click("check-1", "Run")
		w.wait(what, `((out) => out && !out.querySelector(".go-wait") && `+condition+`)(`+cell("check-1")+`.querySelector(".go-outputs"))`)
	}
	check("the check to fail", `out.textContent.includes("✗ TestMistakesByOrder")`)
	nb := must.Get(nbformat.Read(filepath.Join(root, "notebooks", "solutions", "01-perceptron.ipynb"))).Or(t)
	click("answer-1", "Edit")
	for _, c := range nb.Cells {
		if c.ID == "answer-1" {
			w.evaluate(`((area) => { area.value = ` + quote(c.Source) + `; area.dispatchEvent(new Event("input")); })(` + cell(c.ID) + `.querySelector("textarea"))`)
		}
	}
	check("the check to pass", `out.textContent.includes("✓ TestMistakesByOrder")`)
	labtest.Picture(ctx, "exercise")
	w.quiet("notebooks/exercises/01-perceptron.html")
}

// quote is a string of JavaScript.
func quote(s string) string {
	text, _ := json.Marshal(s) // strings can be marshalled
	return string(text)
}
