//go:build browser

package lab

import (
	"slices"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"marginalia/internal/install/lab/labtest"
)

// completion types svm. and presses Tab: the list has what the package exports. Then it
// takes one from the list, and Shift+Tab shows its documentation. The first Tab starts gopls,
// which then reads the packages, which on a busy computer takes longer than JupyterLab waits:
// it then lists the words of the notebook alone, or nothing, and Tab is pressed again.
func (r *room) completion(t *testing.T) {
	d := r.open(t, "completion.ipynb", "import \"marginalia/mlkit/svm\"\n\nvar m svm.Classifier", "")
	d.run(0)
	d.wait("the first cell", ran(0)+" && "+idle)
	d.edit(1)
	d.do("typing", labtest.Keys("%%\n_ = svm."))
	// SubgradientDescent is no word of the notebook: gopls has answered.
	const answered = `[...document.querySelectorAll('.jp-Completer-item')].some(item => item.innerText.includes('SubgradientDescent'))`
	d.pressUntil("completions", answered, labtest.Keys(kb.Tab))
	// JupyterLab draws a long list in parts, a frame each. Step is among the last.
	const last = `[...document.querySelectorAll('.jp-Completer-match')].some(item => item.innerText.startsWith("Step"))`
	d.wait("the end of the list", last)
	list := strings.Fields(d.text(".jp-Completer-match"))
	for _, name := range []string{"Classifier", "Model", "SubgradientDescent"} {
		if !slices.Contains(list, name) {
			t.Errorf("%s is not among the completions %q", name, list)
		}
	}
	if slices.Contains(list, "m") {
		t.Errorf("the completions %q have what is no part of the package", list)
	}
	t.Log(d.picture("list"))
	d.do("taking one from the list", chromedp.Click(chromedp.Search(`//li[contains(@class,"jp-Completer-item")][.//*[text()="Classifier"]]`)))
	d.wait("the name to be whole", `document.querySelectorAll('.jp-Cell .cm-content')[1].innerText.endsWith('svm.Classifier')`)
	d.pressUntil("the documentation", `document.querySelector('.jp-Tooltip')?.innerText.includes('type Classifier struct')`,
		labtest.Keys(kb.Tab, chromedp.ModifierShift))
	t.Log(d.picture("help"))
	if help := d.text(".jp-Tooltip"); !strings.Contains(help, "type Classifier struct") || !strings.Contains(help, "Classifier is the support vector machine") {
		t.Errorf("the documentation of svm.Classifier is shown as:\n%s", help)
	}
}

// pressUntil presses keys that ask gopls something, again and again, until it has answered.
func (d *desk) pressUntil(what, answered string, keys chromedp.Action[chromedp.Void]) {
	d.t.Helper()
	for presses := 1; ; presses++ {
		d.do("asking for "+what, keys)
		err := labtest.Until(d.ctx, completionPatience, answered)
		if err == nil {
			d.t.Logf("%s: asked %d times", what, presses)
			return
		}
		if d.ctx.Err() != nil {
			d.t.Fatalf("no %s, asked %d times: %v%s", what, presses, err, d.picture("failed"))
		}
		d.closeList()
	}
}

// closeList closes the list of completions, if there is one. Escape without one would
// leave the cell's editor.
func (d *desk) closeList() {
	d.t.Helper()
	const open = `document.querySelector('.jp-Completer-item')`
	shown := labtest.Value[bool](d.ctx, d.t, "!!"+open)
	if shown {
		d.do("Escape", labtest.Keys(kb.Escape))
		d.wait("the list to close", "!"+open)
	}
}
