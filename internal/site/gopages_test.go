//go:build browser

package site

import (
	"bytes"
	"compress/flate"
	"context"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

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
	browser := labtest.Chromium(t)
	out := filepath.Join(t.TempDir(), "site")
	must.Get(Build(t.Context(), repotest.Root(t), Options{Out: out, Cells: true}, nil)).Or(t)
	address := strings.TrimSuffix(served(t, out), "/")
	for name, read := range map[string]func(p *goPage){"notebooks/01-perceptron": readLecture, "notebooks/exercises/01-perceptron": doExercise} {
		t.Run(name, func(t *testing.T) {
			ctx := labtest.Window(t, browser)
			p := &goPage{watch(ctx, t, nil)}
			must.Do(t, chromedp.Do(ctx, chromedp.Navigate(address+"/"+name+".html")))
			p.wait("the buttons", `document.querySelectorAll(".go-offer").length > 10`)
			p.wait("no script of cells", `!performance.getEntriesByType("resource").some((e) => e.name.includes("/go/"))`)
			read(p)
			p.quiet(name + ".html")
			openLab(p, strings.TrimPrefix(name, "notebooks/"))
		})
	}
	t.Run("lacking", func(t *testing.T) {
		const name = "notebooks/02-least-squares.html"
		saysWhatIsMissing(t, browser, address+"/"+name, "file://"+filepath.ToSlash(filepath.Join(out, filepath.FromSlash(name))))
	})
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
	p.picture(what)
}

// picture leaves a picture of the window.
func (p *goPage) picture(what string) { labtest.Picture(p.ctx, "go "+what) }

// keys presses keys, as a reader does where the cursor is.
func (p *goPage) keys(keys string, modifiers ...chromedp.Modifier) {
	p.t.Helper()
	p.check("pressing keys", chromedp.Do(p.ctx, chromedp.KeyEvent(keys, chromedp.KeyModifiers(modifiers...), enterOnce)))
}

// enterOnce has the browser make the letter of the Enter key, which it does unless a script takes the key. chromedp
// (v0.22.1) would send the letter in any case.
func enterOnce(k *input.DispatchKeyEventParams) {
	switch {
	case k.Key == "Enter" && k.Type == kb.KeyDown:
		k.Text = "\r"
	case k.Key == "Enter" && k.Type == kb.KeyChar:
		k.Type = kb.KeyUp
	}
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

// openLab follows the page's link to the lab, which opens the notebook with its kernel, and lists the others of its folder.
func openLab(p *goPage, name string) {
	p.evaluate(`[...document.querySelectorAll(".run-box a")].find((a) => a.textContent === "Open in the lab").click()`)
	p.wait("the lab", `location.pathname.startsWith("/lab/lab/") && document.querySelector(".jp-Notebook .jp-Cell") && document.querySelector("#jp-main-statusbar")?.innerText.includes("Go (gonb) | Idle")`)
	if got := p.evaluate(`document.querySelector(".jp-NotebookPanel:not(.lm-mod-hidden)") && document.querySelector(".lm-TabBar-tab.jp-mod-current").title.includes(` + quote(path.Base(name)) + `)`); got != "true" {
		p.t.Errorf("the lab has not opened %s", name)
	}
	p.wait("the files", `["05-kernels.ipynb", "08-digits.ipynb"].every((name) => [...document.querySelectorAll(".jp-DirListing-itemText")].some((e) => e.innerText === name))`)
	labtest.Picture(p.ctx, "go lab "+name)
}

// readLecture runs a cell, breaks it with the keys, reads what is wrong at its line, mends it, and runs a cell below.
// The policy of the page admits all of that, and axe-core finds no fault with the editor and the outputs, in the light
// theme and in the dark one on a phone.
func readLecture(p *goPage) {
	stored := ""
	for _, o := range p.cell("01-perceptron.ipynb", "score").Outputs {
		stored += o.Text
	}
	// What the page says of loading: bytes of bytes, all of them in the end.
	p.evaluate(`(globalThis.progress = [], new MutationObserver((changes) => {
		for (const { target } of changes) if (target.localName === "progress" && target.max > 1) progress.push([target.value, target.max]);
	}).observe(document.querySelector("article"), { subtree: true, attributes: true, attributeFilter: ["value"] }))`)
	p.shows("score", "the output", `out.querySelector("pre")`)
	if got := p.evaluate(inPage("score") + `.querySelector(".go-outputs").textContent`); got != stored || stored == "" {
		p.t.Errorf("the cell prints %q, stored is %q", got, stored)
	}
	if got := p.evaluate(`progress.length > 10 && progress.every(([value, max], i) => value <= max && (i === 0 || value >= progress[i - 1][0])) && progress.at(-1)[0] === progress.at(-1)[1]`); got != "true" {
		p.t.Errorf("the progress is %s", p.evaluate(`JSON.stringify(progress)`))
	}
	p.wait("no editor yet", `!performance.getEntriesByType("resource").some((e) => e.name.endsWith("/editor.js"))`)
	if moved := p.evaluate(`await (async () => ` + sameLooks + `)()`); moved != "" {
		p.t.Errorf("with the editor, the code of %s", moved)
	}

	p.click("score", "Edit")
	p.wait("the cursor in the editor", inPage("score")+`.querySelector(".cm-content") === document.activeElement`)
	p.keys(kb.End, chromedp.ModifierCtrl)
	p.keys("\r\tfmt.Println(nowhere)")
	p.keys(kb.Enter, chromedp.ModifierShift)
	p.wait("the mark", inPage("score")+`.querySelector(".go-wrong .go-wrong-place")?.textContent === "nowhere"`)
	p.wait("the words", inPage("score")+`.querySelector(".go-wrong-why").textContent === "undefined: nowhere" && `+inPage("score")+`.querySelector(".go-outputs .error")?.textContent.includes("undefined: nowhere")`)
	p.picture("the mark")
	if got := p.evaluate(inPage("score") + `.querySelector(".cm-content").ariaInvalid`); got != "true" {
		p.t.Errorf("the editor with a mark says aria-invalid=%s", got)
	}
	axe := axeCore(p.t)
	for view := range views {
		p.audit(axe, "notebooks/01-perceptron.html", view)
		p.evaluate(inPage("score") + `.scrollIntoView()`)
		p.picture(fmt.Sprint("the editor ", views[view].theme))
	}
	p.keys(kb.Backspace)
	p.wait("no mark after an edit", `!document.querySelector(".go-wrong, .go-wrong-why, [aria-invalid]")`)

	source := p.cell("01-perceptron.ipynb", "score").Source
	mended := strings.Replace(source, "{4, 2}", "{5, 2}", 1)
	p.paste(mended)
	p.keys(kb.Escape)
	p.keys(kb.Tab)
	p.wait("the focus behind the editor", inPage("score")+`.querySelector(".go-bar").contains(document.activeElement)`)
	p.shows("score", "the mended cell's output", `out.textContent.includes("(5, 2)")`)
	p.shows("signed-distance-figure", "the figure", `out.querySelector(".marginalia-figure > svg path")`)
	p.view(1280, "light")
	p.print("notebooks/01-perceptron.html")
	p.view(1280, "light")
	keepEdits(p, mended)
}

// sameLooks compares each letter of all short cells in the page and in their editors: where it is, to half a
// pixel, its font and its colour. It returns what differs first, and leaves no editor.
const sameLooks = `{
	const looks = (code) => {
		const walk = document.createTreeWalker(code, NodeFilter.SHOW_TEXT), range = document.createRange(), found = [];
		while (walk.nextNode()) for (let i = 0; i < walk.currentNode.length; i++) {
			const letter = walk.currentNode.data[i];
			if (/\s/.test(letter)) continue;
			range.setStart(walk.currentNode, i);
			range.setEnd(walk.currentNode, i + 1);
			const { x, y, width } = range.getBoundingClientRect(), { color, fontFamily, fontSize } = getComputedStyle(walk.currentNode.parentElement), top = code.getBoundingClientRect();
			found.push({ at: [x - top.x, y - top.y, width], looks: [letter, color, fontFamily, fontSize].join(" ") });
		}
		return found;
	};
	for (const cell of document.querySelectorAll("div.cell:has(.go-offer)")) {
		const code = cell.querySelector(".highlight"), pre = code.querySelector("pre");
		if (code.getBoundingClientRect().height > innerHeight / 2 || !code.checkVisibility()) continue;
		cell.scrollIntoView({ block: "center" });
		for (const lines of pre.querySelectorAll(".lines")) lines.style.contentVisibility = "visible";
		const before = looks(pre), height = code.getBoundingClientRect().height;
		cell.querySelector("[data-does=Edit]").click();
		while (!cell.querySelector(".cm-content")) await new Promise((done) => setTimeout(done, 20));
		await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
		const after = looks(cell.querySelector(".cm-content")), i = before.findIndex(({ at, looks }, i) => looks !== after[i]?.looks || at.some((x, j) => Math.abs(x - after[i].at[j]) > 0.5));
		if (i >= 0 || before.length !== after.length) return cell.id + " has " + JSON.stringify(after[i]) + " where the page has " + JSON.stringify(before[i]);
		if (code.getBoundingClientRect().height !== height) return cell.id + " is " + code.getBoundingClientRect().height + " pixels high, in the page " + height;
		[...cell.querySelectorAll(".go-bar button")].find((b) => b.textContent === "Close").click();
	}
	return "";
}`

// keepEdits has an edit of the cell score survive a reload, sends it as a link, offers it when the lecture's code is
// another, and goes back to the page's code. Nothing of a link is HTML, and none runs by itself.
func keepEdits(p *goPage, mended string) {
	address, _, _ := strings.Cut(p.evaluate(`location.href`), "#")
	p.reload(address)
	p.wait("the kept edit", inPage("score")+`.querySelector(".cm-content") !== null`)
	if got := p.code("score"); got != mended {
		p.t.Errorf("after a reload the editor has %q, want %q", got, mended)
	}
	p.click("score", "Share")
	p.wait("the link", inPage("score")+`.querySelector(".go-said a") !== null`)
	p.picture("the link")
	link := p.evaluate(inPage("score") + `.querySelector(".go-said a").href`)

	// The page's code is another than the one that was edited.
	const record = "`marginalia-cell ${location.pathname}#score`"
	p.evaluate(`localStorage.setItem(` + record + `, localStorage.getItem(` + record + `).replace(/"of":"/, '"of":"// '))`)
	p.reload(address)
	p.wait("the offer", inPage("score")+`.querySelector(".go-note")?.textContent.startsWith("The page’s code has changed since you edited it. An earlier edit is kept.")`)
	p.picture("the changed page")
	if p.evaluate(`document.querySelector(".go-editor")`) != "null" {
		p.t.Error("an edit of other code stands in the place of the page's")
	}
	p.click("score", "Show it")
	p.wait("the edit that was offered", inPage("score")+`.querySelector(".cm-content") !== null`)
	if got := p.code("score"); got != mended {
		p.t.Errorf("offered is %q, want %q", got, mended)
	}
	p.click("score", "Reset")
	p.wait("the page's code", `!document.querySelector(".go-editor") && `+inPage("score")+`.querySelector("pre").checkVisibility() && `+inPage("score")+`.querySelector("[data-does=Edit]") === document.activeElement`)
	p.click("score", "Forget it")
	p.wait("nothing is kept", `Object.keys(localStorage).every((key) => !key.startsWith("marginalia-cell"))`)

	p.reload(link)
	p.wait("the code of the link", `document.querySelector(".go-notice")?.textContent === "The link brought code for score. Nothing of it has run."`)
	if got := p.code("score"); got != mended {
		p.t.Errorf("the link brings %q, want %q", got, mended)
	}
	p.picture("from the link")
	if ran := p.evaluate(`performance.getEntriesByType("resource").some((e) => e.name.endsWith("/kernel.js")) || document.querySelector(".go-outputs:not(:empty)") !== null`); ran != "false" {
		p.t.Error("the code of a link runs by itself")
	}
	if kept := p.evaluate(`Object.keys(localStorage).length`); kept != "0" {
		p.t.Errorf("a link that was only opened leaves %s records", kept)
	}
	const attack = "// <img src=x onerror=alert(1)></textarea><script>alert(1)</script>"
	p.click("score", "Edit")
	p.wait("the cursor in the editor", inPage("score")+`.querySelector(".cm-content") === document.activeElement`)
	p.paste(attack)
	p.wait("the reader's own code", `location.hash === "" && !document.querySelector(".go-notice") && !document.querySelector(".go-note:not([hidden])")`)
	p.click("score", "Share")
	p.wait("the link", inPage("score")+`.querySelector(".go-said a") !== null`)
	link = p.evaluate(inPage("score") + `.querySelector(".go-said a").href`)
	p.evaluate(`localStorage.clear()`)
	p.reload(link)
	p.wait("the code of the link", `document.querySelector(".go-notice") !== null`)
	if got := p.code("score"); got != attack || p.evaluate(`document.querySelectorAll("article img[src=x], article script").length`) != "0" {
		p.t.Errorf("the link brings %q, want %q as text", got, attack)
	}
	for link, why := range map[string]string{
		link[:len(link)-9]:                     "a part of it is missing or changed",
		strings.Replace(link, "v=1", "v=2", 1): "it is of another version",
		address + "#cells&v":                   "it wants each setting once, as name=value",
		address + "#cells&v=1&code=" + packed(p.t, `{"nowhere": ""}`):                          "this page has none of its cells",
		address + "#cells&v=1&code=" + packed(p.t, `{"score": 1}`):                             "a part of it is missing or changed",
		address + "#cells&v=1&code=" + packed(p.t, strings.Repeat(" ", 2<<20)+`{"score": ""}`): "a part of it is missing or changed", // 2 MB in 3,000 letters
	} {
		p.reload(link)
		p.wait("what is wrong with "+link, `document.querySelector(".go-notice[role=alert]")?.textContent.includes(`+quote(why)+`)`)
		if p.evaluate(`document.querySelector(".go-editor")`) != "null" {
			p.t.Errorf("the broken link %s changes the page", link)
		}
	}
	p.picture("the broken link")
	p.reload(address)
	p.evaluate(`Storage.prototype.setItem = () => { throw new DOMException("", "QuotaExceededError"); }`)
	p.click("score", "Edit")
	p.wait("the cursor in the editor", inPage("score")+`.querySelector(".cm-content") === document.activeElement`)
	p.keys("x")
	p.wait("what is not kept", inPage("score")+`.querySelector(".go-said").textContent.includes("storage for this site is full")`)
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

// packed is what a link carries for a text.
func packed(t *testing.T, text string) string {
	t.Helper()
	var b bytes.Buffer
	w := must.Get(flate.NewWriter(&b, flate.BestCompression)).Or(t)
	must.Get(w.Write([]byte(text))).Or(t)
	must.Do(t, w.Close())
	return base64.RawURLEncoding.EncodeToString(b.Bytes())
}

// A page says what keeps its cells from running, in one line, and has no buttons then.
func saysWhatIsMissing(t *testing.T, browser context.Context, address, file string) {
	for opened, want := range map[string]string{
		address: "The cells of this page do not run here: this browser has no WebAssembly, DecompressionStream.",
		file:    "The cells of this page do not run here: this page was opened as a file: they run when it comes from a web server.",
	} {
		ctx := labtest.Window(t, browser)
		p := &goPage{watch(ctx, t, nil)}
		must.Get(chromedp.Call(ctx, page.AddScriptToEvaluateOnNewDocument, page.AddScriptToEvaluateOnNewDocumentParams{Source: `delete globalThis.WebAssembly; delete globalThis.DecompressionStream`})).Or(t)
		p.open(opened)
		p.wait("what is missing", `document.querySelectorAll(".go-lacking").length === 1 && document.querySelector(".go-lacking").checkVisibility()`)
		if got := p.evaluate(`document.querySelector(".go-lacking").textContent`); got != want {
			t.Errorf("%s says %q, want %q", opened, got, want)
		}
		if got := p.evaluate(`document.querySelectorAll(".go-offer").length`); got != "0" {
			t.Errorf("%s has %s cells with buttons", opened, got)
		}
		p.evaluate(`document.querySelector(".go-lacking").scrollIntoView({ block: "center" })`)
		p.picture("what is missing")
		p.audit(axeCore(t), "a page that lacks something", 1)
	}
}

// quote is a string of JavaScript.
func quote(s string) string {
	text, _ := json.Marshal(s) // strings can be marshalled
	return string(text)
}
