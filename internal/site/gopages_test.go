//go:build browser

package site

import (
	"encoding/json"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"

	"marginalia/internal/base/repo/repotest"
	"marginalia/internal/install/lab/labtest"
	"marginalia/internal/notebook/nbformat"
	"marginalia/internal/testkit/must"
	"marginalia/internal/testkit/tier"
)

// TestGoPages runs cells of a lecture and of an exercise in their pages. With MARGINALIA_SCREENSHOTS set to
// a folder it leaves a picture of each step there.
func TestGoPages(t *testing.T) {
	tier.Browser(t)
	out := filepath.Join(t.TempDir(), "site")
	must.Get(Build(t.Context(), repotest.Root(t), Options{Out: out, Cells: true}, nil)).Or(t)
	address := strings.TrimSuffix(served(t, out), "/")
	for name, read := range map[string]func(p *goPage){"notebooks/01-perceptron": readLecture, "notebooks/exercises/01-perceptron": doExercise} {
		t.Run(name, func(t *testing.T) {
			ctx := labtest.Window(t, labtest.Chromium(t)) // a browser each, since the lab keeps its layout
			p := &goPage{watch(ctx, t, nil)}
			must.Do(t, chromedp.Do(ctx, chromedp.Navigate(address+"/"+name+".html")))
			p.wait("the buttons", `document.querySelectorAll(".go-offer").length > 10`)
			p.wait("no script of cells", `!performance.getEntriesByType("resource").some((e) => e.name.includes("/go/"))`)
			read(p)
			p.quiet(name + ".html")
			openLab(p, strings.TrimPrefix(name, "notebooks/"))
		})
	}
}

// A goPage is a page whose cells run.
type goPage struct{ *watcher }

func inPage(id string) string { return `document.getElementById("cell-id=` + id + `")` }

func (p *goPage) click(id, button string) {
	p.t.Helper()
	p.evaluate(inPage(id) + `.scrollIntoView()`)
	p.evaluate(`[...` + inPage(id) + `.querySelectorAll("button")].find((b) => b.textContent === ` + quote(button) + `).click()`)
}

// shows runs a cell, and waits until a condition holds for the element with its outputs, out.
func (p *goPage) shows(id, what, condition string) {
	p.t.Helper()
	p.click(id, "Run")
	p.wait(what, `((out) => out && !out.querySelector(".go-wait") && `+condition+`)(`+inPage(id)+`.querySelector(".go-outputs"))`)
	labtest.Picture(p.ctx, "go "+what)
}

// edit replaces a part of the code in an editor, all of it if from is "".
func (p *goPage) edit(id, from, to string) {
	p.t.Helper()
	if changed := p.evaluate(`((area) => {
		const before = area.value;
		area.value = ` + quote(from) + ` ? before.replace(` + quote(from) + `, () => ` + quote(to) + `) : ` + quote(to) + `;
		area.dispatchEvent(new Event("input"));
		return before !== area.value;
	})(` + inPage(id) + `.querySelector("textarea"))`); changed != "true" {
		p.t.Errorf("the code of %s has no %q", id, from)
	}
}

// cell reads a cell of a notebook of the repository.
func (p *goPage) cell(notebook, id string) *nbformat.Cell {
	p.t.Helper()
	nb := must.Get(nbformat.Read(filepath.Join(repotest.Root(p.t), "notebooks", notebook))).Or(p.t)
	i := slices.IndexFunc(nb.Cells, func(c *nbformat.Cell) bool { return c.ID == id })
	if i < 0 {
		p.t.Fatalf("%s has no cell %s", notebook, id)
	}
	return nb.Cells[i]
}

// openLab follows the page's link to the lab, which opens the notebook with its kernel, and has the others, too.
func openLab(p *goPage, name string) {
	p.evaluate(`[...document.querySelectorAll(".run-box a")].find((a) => a.textContent === "Open in the lab").click()`)
	p.wait("the lab", `location.pathname.startsWith("/lab/lab/") && document.querySelector(".jp-Notebook .jp-Cell") && document.querySelector("#jp-main-statusbar")?.innerText.includes("Go (gonb) | Idle")`)
	if got := p.evaluate(`document.querySelector(".jp-NotebookPanel:not(.lm-mod-hidden)") && document.querySelector(".lm-TabBar-tab.jp-mod-current").title.includes(` + quote(path.Base(name)) + `)`); got != "true" {
		p.t.Errorf("the lab has not opened %s", name)
	}
	if got := p.evaluate(`(await (await fetch("../api/contents/all.json")).json()).content.filter(({ name }) => ["exercises", "mlkit", "solutions", "05-kernels.ipynb"].includes(name)).length`); got != "4" {
		p.t.Errorf("of four files and folders the lab lists %s", got)
	}
	labtest.Picture(p.ctx, "go lab "+name)
}

// readLecture runs a cell, breaks it, reads what is wrong, mends it, and runs a cell below. The policy of
// the page admits all of that, and axe-core finds no fault with the editor and the outputs on a phone.
func readLecture(p *goPage) {
	stored := ""
	for _, o := range p.cell("01-perceptron.ipynb", "score").Outputs {
		stored += o.Text
	}
	p.shows("score", "the output", `out.querySelector("pre")`)
	if got := p.evaluate(inPage("score") + `.querySelector(".go-outputs").textContent`); got != stored || stored == "" {
		p.t.Errorf("the cell prints %q, stored is %q", got, stored)
	}
	p.click("score", "Edit")
	p.edit("score", "{4, 2}", "{4, 2, 7")
	p.shows("score", "what is wrong", `out.querySelector(".error")?.textContent.includes("line ")`)
	p.edit("score", "{4, 2, 7", "{5, 2}")
	p.shows("score", "the mended cell's output", `out.textContent.includes("(5, 2)")`)
	p.shows("signed-distance-figure", "the figure", `out.querySelector("img")?.naturalWidth > 0`)
	p.audit(axeCore(p.t), "notebooks/01-perceptron.html", 1)
}

// doExercise runs the check of the first exercise: it fails on what stands there, and passes with the solution.
func doExercise(p *goPage) {
	p.shows("check-1", "the check that fails", `out.textContent.includes("✗ TestMistakesByOrder")`)
	p.click("answer-1", "Edit")
	p.edit("answer-1", "", p.cell(filepath.Join("solutions", "01-perceptron.ipynb"), "answer-1").Source)
	p.shows("check-1", "the check that passes", `out.textContent.includes("✓ TestMistakesByOrder")`)
}

// quote is a string of JavaScript.
func quote(s string) string {
	text, _ := json.Marshal(s) // strings can be marshalled
	return string(text)
}
