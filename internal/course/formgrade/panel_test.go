//go:build browser

package formgrade_test

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"

	"marginalia/internal/install/lab/labtest"
	"marginalia/internal/notebook/nbgrader"
	"marginalia/internal/testkit/tier"
)

// JupyterLab on a course's folder opens the first assignment. nbgrader's panel is there and shows kinds and points, which
// release writes for a notebook that says them in its text; what it changes is released. Formgrader is there too, and its
// button Generate is course release.
func TestPanel(t *testing.T) {
	tier.Browser(t)
	d := newDesk(t)
	file := filepath.Join(d.dir, "source", "ps1", "ps1.ipynb")
	if err := errors.Join(os.Mkdir(filepath.Dir(file), 0o755), os.WriteFile(file, []byte(spoken), 0o644)); err != nil {
		t.Fatal(err)
	}
	d.course("release", "ps1")
	s := d.serve("/lab/tree/source/ps0/ps0.ipynb", "lab", "--dir", d.dir)
	labtest.Open(s.ctx, t, s.Server, "source/ps1/ps1.ipynb")
	const panel = `document.querySelector('#nbgrader-create_assignemnt, .nbgrader-CreateAssignmentWidget')`
	s.do("the panel", chromedp.Click(chromedp.CSS(`.jp-SideBar .lm-TabBar-tab[title*="Create Assignment"]`)))
	s.wait("the panel", panel+`.offsetWidth > 0`)
	t.Log("panel", labtest.Picture(s.ctx, t.Name()))
	kinds, err := chromedp.Run(s.ctx, chromedp.Evaluate[[]string](`[...`+panel+`.querySelectorAll('.nbgrader-CellWidget')].map(
		c => [c.querySelector('select').value, ...[...c.querySelectorAll('input')].map(i => i.value)].join(' '))`))
	if want := []string{"  0", "solution twice 0", "tests twice-test 4", "manual manual-answer-1 2"}; err != nil || !slices.Equal(kinds, want) {
		t.Errorf("the panel shows %q, %v, want %q", kinds, err, want)
	}
	if total, err := chromedp.Run(s.ctx, chromedp.Evaluate[string](panel+`.querySelector('.nbgrader-TotalPointsInput').value`)); total != "6" {
		t.Errorf("the panel's total is %q, %v, want 6", total, err)
	}
	const validate = `[...document.querySelectorAll('.jp-NotebookPanel-toolbar button, .jp-NotebookPanel-toolbar jp-button')].some(b => /validate/i.test(b.innerText))`
	if there, err := chromedp.Run(s.ctx, chromedp.Evaluate[bool](validate)); there || err != nil {
		t.Errorf("a button runs nbgrader's own validation, which knows no Go: %t, %v", there, err)
	}

	// A first cell that the panel locks is locked in what formgrader's button releases.
	s.wait("the kind to be chosen", `(() => {
		const e = `+panel+`.querySelector('select');
		e.value = 'readonly';
		e.dispatchEvent(new Event('change', {bubbles: true}));
		return e.value === 'readonly';
	})()`)
	labtest.Save(s.ctx, t)
	s.open("manage", "/formgrader/manage_assignments", `document.querySelectorAll('.num-submissions').length >= 2`)
	s.do("generating", chromedp.Click(chromedp.Search(`//tr[contains(., "ps1")]//a[.//*[contains(@class, "glyphicon-education")]]`)))
	s.wait("the release", `document.querySelector('.modal-body')?.innerText.includes("'ps1'")`)
	t.Log("generated", labtest.Picture(s.ctx, t.Name()+"-generated"))
	nb := labtest.Read(t, filepath.Join(d.dir, "release", "ps1", "ps1.ipynb"))
	for i, want := range []string{"given", "answer", "tests", "manual answer"} {
		if m, err := nbgrader.Read(nb.Cells[i]); m.Kind().String() != want || m.ID == "" || i == 0 && (!m.Locked || m.ID == "a1") || err != nil {
			t.Errorf("cell %d is %+v, %v, want %s", i+1, m, err, want)
		}
	}
	if !strings.Contains(nb.Cells[1].Source, "YOUR CODE HERE") {
		t.Errorf("students get\n%s", nb.Cells[1].Source)
	}
}

// spoken is an assignment whose cells say in their texts what they are.
const spoken = `{
 "cells": [
  {"cell_type": "code", "id": "a1", "execution_count": null, "metadata": {}, "outputs": [], "source": "import \"testing\""},
  {"cell_type": "code", "id": "a2", "execution_count": null, "metadata": {}, "outputs": [],
   "source": "func Twice(x int) int {\n\t// BEGIN SOLUTION\n\treturn 2 * x\n\t// END SOLUTION\n}"},
  {"cell_type": "code", "id": "a3", "execution_count": null, "metadata": {}, "outputs": [],
   "source": "%test\n// POINTS: 4\n\nfunc TestTwice(t *testing.T) {\n\tif Twice(3) != 6 {\n\t\tt.Error(\"Twice(3) is not 6\")\n\t}\n}"},
  {"cell_type": "markdown", "id": "a4", "metadata": {},
   "source": "<!-- POINTS: 2 -->\n<!-- BEGIN SOLUTION -->\nIt doubles.\n<!-- END SOLUTION -->"}
 ],
 "metadata": {"kernelspec": {"display_name": "Go (gonb)", "language": "go", "name": "gonb"}},
 "nbformat": 4,
 "nbformat_minor": 5
}
`
