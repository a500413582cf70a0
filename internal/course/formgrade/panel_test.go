package formgrade_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"

	"marginalia/internal/lab/labtest"
	"marginalia/internal/tier"
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
	text, err := chromedp.Run(s.ctx, chromedp.Evaluate[string](panel+`.outerHTML`))
	fmt.Println(text, err, strings.Count(text, "x"))
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
