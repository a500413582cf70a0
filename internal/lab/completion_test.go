package lab

import (
	"slices"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"marginalia/internal/lab/labtest"
)

// completion types svm. and presses Tab: the list has what the package exports. Then it
// takes one from the list, and Shift+Tab shows its documentation. GoNB first speaks to
// gopls 12 seconds after its start, and gopls then reads the packages, which on a busy
// computer takes longer than either GoNB or JupyterLab waits: so Tab is pressed again.
func (r *room) completion(t *testing.T) {
	d := r.open(t, "completion.ipynb", "import \"marginalia/mlkit/svm\"\n\nvar m svm.Classifier", "")
	d.run(0)
	d.wait("the first cell", ran(0)+" && "+idle)
	d.edit(1)
	d.do("typing", chromedp.KeyEvent("%%\n_ = svm."))
	const shown = `document.querySelector('.jp-Completer-item')`
	for presses := 1; ; presses++ {
		d.do("Tab", chromedp.KeyEvent(kb.Tab))
		err := labtest.Until(d.ctx, completionPatience, shown)
		if err == nil {
			t.Logf("Tab was pressed %d times", presses)
			break
		}
		if presses == 5 {
			t.Fatalf("no completions after Tab was pressed %d times: %v%s", presses, err, d.picture("failed"))
		}
	}
	list := strings.Fields(d.text(".jp-Completer-item"))
	for _, name := range []string{"Classifier", "Model", "HingeDescent"} {
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
	d.do("Shift+Tab", chromedp.KeyEvent(kb.Tab, chromedp.KeyModifiers(chromedp.ModifierShift)))
	d.wait("the documentation", `document.querySelector('.jp-Tooltip')?.innerText`)
	t.Log(d.picture("help"))
	if help := d.text(".jp-Tooltip"); !strings.Contains(help, "type Classifier struct") || !strings.Contains(help, "Classifier is the support vector machine") {
		t.Errorf("the documentation of svm.Classifier is shown as:\n%s", help)
	}
}
