//go:build browser

package browser_test

import (
	"fmt"
	"html"
	"path/filepath"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"marginalia/internal/install/lab/labtest"
	"marginalia/internal/testkit/must"
	"marginalia/internal/testkit/testfile"
	"marginalia/internal/testkit/tier"
)

// A livePage has cells that run.
type livePage struct{ *kernel }

// live opens the page cells-NAME.html with cells. Nobody has run one.
func live(t *testing.T, address, name string, sources ...string) *livePage {
	t.Helper()
	page := `<!DOCTYPE html><html lang="en"><meta charset="utf-8"><meta http-equiv="Content-Security-Policy" content="` + policy +
		`"><meta name="viewport" content="width=device-width"><link rel="icon" href="data:,"><link rel="stylesheet" href="cells.css"><title>Cells</title><main><h1>Cells</h1>`
	for i, source := range sources {
		page += fmt.Sprintf(`<div><pre id="cell%d">%s</pre></div><div class="go-offer"><button data-does="Run">Run</button></div>`, i, html.EscapeString(source))
	}
	testfile.Write(t, filepath.Join(served(t), "cells-"+name+".html"), page+`</main><script type="module" src="cells-`+name+`.js"></script>`)
	testfile.Write(t, filepath.Join(served(t), "cells-"+name+".js"),
		`import { enliven } from "./cells.js"; globalThis.buttons = await enliven("./", "/notebooks", [...document.querySelectorAll("pre")].map((code) => ({ id: code.id, source: code.textContent, code: code.parentElement, offer: code.parentElement.nextElementSibling, stored: [] })));`)
	p := &livePage{open(t, address)}
	must.Do(t, chromedp.Do(p, chromedp.Navigate(address+"/cells-"+name+".html")))
	return p
}

// click does what the first button of a cell does, which runs it, or stops it.
func (p *livePage) click(cell int) {
	p.t.Helper()
	labtest.Wait(p, p.t, "the buttons", `globalThis.buttons`)
	labtest.Value[bool](p, p.t, fmt.Sprintf(`(void buttons.Run("cell%d"), true)`, cell))
}

// shows waits until a condition holds for the element with the outputs of a cell, out.
func (p *livePage) shows(cell int, what, condition string) {
	p.t.Helper()
	labtest.Wait(p, p.t, what, fmt.Sprintf(`((out) => %s)(document.querySelectorAll(".go-outputs")[%d])`, condition, cell))
}

// ended waits until a cell has ended, and returns its text.
func (p *livePage) ended(cell int) string {
	p.t.Helper()
	labtest.Wait(p, p.t, "the end", fmt.Sprintf(`document.querySelectorAll("[data-does=Run]")[%d].textContent === "Run"`, cell))
	return labtest.Value[string](p, p.t, fmt.Sprintf(`document.querySelectorAll(".go-outputs")[%d].textContent`, cell))
}

// TestInput types what cells read: a box comes for each line, as in JupyterLab, Enter sends it, Ctrl+D ends
// the input, and stopping a cell removes it.
func TestInput(t *testing.T) {
	tier.Browser(t)
	const box = `.go-input input`
	p := live(t, serve(t).address, "input",
		"import (\n\t\"bufio\"\n\t\"fmt\"\n\t\"os\"\n\n\t\"github.com/janpfeifer/gonb/gonbui\"\n)\n\n%%\nvar name string\nfmt.Scanln(&name)\n"+
			"s := bufio.NewScanner(os.Stdin)\ns.Scan()\ngonbui.RequestInput(\"town\", false)\nline := s.Text()\ns.Scan()\nfmt.Printf(\"%s|%s|%s\\n\", name, line, s.Text())",
		"%%\ntext, err := io.ReadAll(os.Stdin)\nfmt.Printf(\"%q %v\\n\", text, err)",
		"%%\ngonbui.RequestInput(\"secret\", true)\nvar word string\nfmt.Scan(&word)\nfmt.Println(len(word))",
		"%%\nfmt.Scanln()",
		"%%\ntick := time.Now()\ngo fmt.Scanln()\nfor time.Since(tick) < 20*time.Millisecond {\n\ttime.Sleep(time.Millisecond)\n}\nfmt.Println(\"goes on\")",
		"import \"github.com/janpfeifer/gonb/gonbui/widgets\"\n\n%%\n<-widgets.Button(\"press\").Done().Listen().C")
	typed := func(prompt, text string) {
		t.Helper()
		labtest.Wait(p, t, "the box for "+prompt, fmt.Sprintf(`document.querySelector(".go-input label")?.textContent.startsWith(%q) && document.activeElement === document.querySelector(%q)`, prompt, box))
		must.Do(t, chromedp.Do(p, chromedp.SendKeys(chromedp.CSS(box), text)))
	}
	p.click(0)
	labtest.Wait(p, t, "the first box", `document.querySelector(".go-input")`)
	labtest.Picture(p, "input")
	typed("The cell reads", "Ada"+kb.Enter)
	typed("The cell reads", "two words"+kb.Enter)
	typed("town", "Málaga"+kb.Enter)
	if got := p.ended(0); got != "Ada\ntwo words\ntown Málaga\nAda|two words|Málaga\n" {
		t.Errorf("it shows %q", got)
	}
	p.click(1)
	typed("The cell reads", "<b>"+kb.Enter)
	labtest.Wait(p, t, "the line", `document.querySelectorAll(".go-outputs")[1].textContent.startsWith("<b>\n")`)
	typed("The cell reads", "")
	labtest.Value[bool](p, t, `document.querySelector(".go-input input").dispatchEvent(new KeyboardEvent("keydown", { key: "d", ctrlKey: true, bubbles: true, cancelable: true })) || true`)
	if got := p.ended(1); got != "<b>\n\"<b>\\n\" <nil>\n" {
		t.Errorf("it shows %q", got)
	}
	p.click(2)
	labtest.Wait(p, t, "the box for a secret", `document.querySelector(".go-input input")?.type === "password"`)
	typed("secret", "hush"+kb.Enter)
	if got := p.ended(2); got != "secret ········\n4\n" {
		t.Errorf("it shows %q", got)
	}
	p.click(3)
	labtest.Wait(p, t, "the box", `document.querySelector(".go-input")`)
	p.click(3) // stops it
	if got := p.ended(3); !strings.HasSuffix(got, "the program was ended by interrupt") {
		t.Errorf("it shows %q", got)
	}
	p.click(4) // a program that ends while it reads leaves no box
	if got := p.ended(4); got != "goes on\n" {
		t.Errorf("it shows %q", got)
	}
	p.click(5) // a button of gonbui is none here
	p.shows(5, "what is said of widgets", `out.querySelector(".go-stderr")?.textContent.startsWith("This cell waits for a widget of gonbui.")`)
	p.click(5)
	if got := p.ended(5); !strings.HasSuffix(got, "the program was ended by interrupt") {
		t.Errorf("it shows %q", got)
	}
	if left := labtest.Value[int](p, t, `document.querySelectorAll(".go-input").length`); left != 0 {
		t.Errorf("%d boxes are left", left)
	}
}
