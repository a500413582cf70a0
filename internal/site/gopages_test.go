//go:build browser

package site

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/input"
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
	for what, reader := range map[string]struct {
		name  string
		width int64
		read  func(p *goPage)
	}{
		"lecture":            {"01-perceptron", views[0].width, readLecture},
		"lecture on a phone": {"01-perceptron", views[phone].width, readLecture},
		"derivation":         {"02-least-squares", views[0].width, derive},
		"exercise":           {"exercises/01-perceptron", views[phone].width, doExercise},
	} {
		t.Run(what, func(t *testing.T) {
			ctx := labtest.Window(t, labtest.Chromium(t)) // the browser has nothing of the others
			p := &goPage{watch(ctx, t, nil), reader.width}
			p.view(p.width, "light")
			must.Do(t, chromedp.Do(ctx, chromedp.Navigate(address+"/notebooks/"+reader.name+".html")))
			p.wait("the buttons", `document.querySelectorAll(".go-offer").length > 10`)
			p.evaluate(`(() => { const shown = document.getElementById("show-code"); if (!shown.checked) shown.click(); })()`) // a phone begins without
			p.wait("no script of cells", `!performance.getEntriesByType("resource").some((e) => e.name.includes("/go/"))`)
			reader.read(p)
			p.quiet(reader.name + ".html")
			openLab(p, reader.name)
		})
	}
	t.Run("mnist", func(t *testing.T) { readMNIST(t, labtest.Chromium(t), out) })
	t.Run("lacking", func(t *testing.T) {
		const name = "notebooks/02-least-squares.html"
		saysWhatIsMissing(t, labtest.Chromium(t), address+"/"+name, "file://"+filepath.ToSlash(filepath.Join(out, filepath.FromSlash(name))))
	})
}

// readMNIST runs a cell that has no MNIST, while the server holds it back, and then one that has.
func readMNIST(t *testing.T, browser context.Context, out string) {
	if _, err := os.Stat(filepath.Join(out, "go", mnistFolder)); err != nil {
		t.Skip("MARGINALIA_DATA names no folder with MNIST, and the site has none")
	}
	g := gated(t, out, ".gzip")
	p := &goPage{watch(labtest.Window(t, browser), t, nil), views[0].width}
	p.open(g.url + "notebooks/01-perceptron.html")
	p.wait("the buttons", `document.querySelectorAll(".go-offer").length > 10`)
	p.shows("score", "a cell without MNIST", `out.querySelector("pre")`)
	p.click("mnist-load", "Run")
	close(g.opened)
	stored := p.cell("01-perceptron.ipynb", "mnist-load").Outputs[0].Text
	p.wait("MNIST", `((out) => out?.querySelector(".figure :is(img, svg)") && out.textContent.includes(`+quote(stored)+`))(`+inPage("mnist-load")+`.querySelector(".go-outputs"))`)
	p.picture("mnist")
	p.shows("mnist-order", "the changes", `out.textContent.includes("test error at the end: 0.05 %")`) // as stored
	p.quiet("01-perceptron.html")
}

// A goPage is a page whose cells run.
type goPage struct {
	*watcher
	width int64 // of the window
}

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
	p.picture(what)
}

// picture leaves a picture of the window.
func (p *goPage) picture(what string) { labtest.Picture(p.ctx, fmt.Sprintf("go %d %s", p.width, what)) }

// keys presses keys, as a reader does where the cursor is.
func (p *goPage) keys(keys string, modifiers ...chromedp.Modifier) {
	p.t.Helper()
	p.check("pressing keys", chromedp.Do(p.ctx, labtest.Keys(keys, modifiers...)))
}

// paste replaces all of the code in the editor that has the focus.
func (p *goPage) paste(code string) {
	p.t.Helper()
	p.keys("a", chromedp.ModifierCtrl)
	must.Get(chromedp.Call(p.ctx, input.InsertText, input.InsertTextParams{Text: code})).Or(p.t)
}

// code is that of the editor of a cell, "" without one. A long code is not all in the page; those here are short.
func (p *goPage) code(id string) string {
	p.t.Helper()
	return p.evaluate(`[...` + inPage(id) + `.querySelectorAll(".cm-line")].map((line) => {
		const copy = line.cloneNode(true);
		copy.querySelector(".go-wrong-why")?.remove();
		return copy.textContent;
	}).join("\n")`)
}

// reload opens the page again, at an address, and waits until its editors are there.
func (p *goPage) reload(address string) {
	p.t.Helper()
	must.Do(p.t, chromedp.Do(p.ctx, chromedp.Navigate("about:blank"), chromedp.Navigate(address)))
	p.wait("the buttons", `document.querySelectorAll(".go-offer").length > 0`)
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
	if got := p.evaluate(`document.querySelector(".jp-NotebookPanel:not(.lm-mod-hidden)") && document.querySelector(".lm-TabBar-tab.jp-mod-current").title.includes(` + quote("Path: "+name+".ipynb") + `)`); got != "true" {
		p.t.Errorf("the lab has not opened %s", name)
	}
	if got := p.evaluate(`(await (await fetch("../api/contents/all.json")).json()).content.filter(({ name }) => ["exercises", "mlkit", "solutions", "05-kernels.ipynb"].includes(name)).length`); got != "4" {
		p.t.Errorf("of four files and folders the lab lists %s", got)
	}
	p.picture("lab " + name)
}

// derive runs a cell that shows Markdown: its formulas are those that the page has drawn.
func derive(p *goPage) {
	p.shows("normal-equations-derived", "the derivation", `out.querySelectorAll(".formula svg").length > 20 && !out.querySelector("pre")`)
}

// doExercise runs the check of the first exercise: it fails on what stands there, and passes with the solution. What
// is wrong above is said with its cell.
func doExercise(p *goPage) {
	p.shows("check-1", "the check that fails", `out.textContent.includes("✗ TestMistakesByOrder")`)
	p.click("answer-1", "Edit")
	p.wait("the cursor in the editor", inPage("answer-1")+`.querySelector(".cm-content") === document.activeElement`)
	solution := p.cell(filepath.Join("solutions", "01-perceptron.ipynb"), "answer-1").Source
	for _, broken := range []string{solution + "\n\nvar none = nowhere", "func ( {\n" + solution} {
		p.paste(broken)
		p.shows("check-1", "what is wrong above", `out.querySelector(".error")?.textContent.includes("cell [") && `+inPage("check-1")+`.querySelector(".go-where a")?.hash === "#cell-id=answer-1"`)
		p.wait("the mark above", inPage("answer-1")+`.querySelector(".go-wrong .go-wrong-place") !== null`)
	}
	p.paste(solution)
	p.shows("check-1", "the check that passes", `out.textContent.includes("✓ TestMistakesByOrder")`)
}

// quote is a string of JavaScript.
func quote(s string) string {
	text, _ := json.Marshal(s) // strings can be marshalled
	return string(text)
}
