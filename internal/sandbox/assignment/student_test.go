package assignment_test

import (
	"encoding/json"
	"path/filepath"
	"strings"
	"testing"

	"marginalia/internal/notebook/nbformat"
	"marginalia/internal/sandbox/assignment"
	"marginalia/internal/testkit/must"
)

// A cell for the student's id holds that alone, and both programs take the id of the one who is judged.
func TestStudent(t *testing.T) {
	var ids map[string]any // of nbgrader's panel, where a lecturer has looked at the cell with it
	cellOf := func(source string) *nbformat.Cell {
		c := &nbformat.Cell{ID: "who", Type: "code", Source: source, Metadata: map[string]any{"marginalia": map[string]any{"student": true}}}
		if ids != nil {
			c.Metadata["nbgrader"] = ids
		}
		return c
	}
	root := must.Get(filepath.Abs("../../..")).Or(t)
	for source, wrong := range map[string]string{
		"var student = \"your id\"":         "",
		"var student string = `your id`":    "",
		"const student = \"your id\"":       "want a cell that declares one variable",
		"var student = 7":                   "want a cell that declares one variable",
		"var student, more = \"ada\", 1":    "want a cell that declares one variable",
		"var student, more = \"ada\", \"\"": "want a cell that declares one variable",
		"":                                  "want a cell that declares one variable",
	} {
		if ids = nil; strings.Contains(source, "string") {
			ids = map[string]any{"schema_version": json.Number("3"), "grade_id": "who", "grade": false, "solution": false, "locked": false, "task": false}
		}
		nb := notebook(t, lecturer...)
		nb.Cells = append(nb.Cells, cellOf(source))
		a, err := assignment.Read(t.Context(), nb, root)
		if wrong != "" {
			if err == nil || !strings.Contains(err.Error(), wrong) {
				t.Errorf("%q: %v, want %q", source, err, wrong)
			}
			continue
		}
		if err != nil || !a.Individual() {
			t.Errorf("%q: %v", source, err)
			continue
		}
		files := must.Get(a.Judge(t.Context())).Or(t)
		if g, err := a.Assemble(t.Context(), nb, nil, nil); err != nil || g.Student != "" || len(g.Notes) > 0 {
			t.Errorf("as it was handed out: %v, %q, %v", err, g.Student, g.Notes)
		}
		handed := notebook(t, answers()...)
		handed.Cells = append(handed.Cells, cellOf("var student = \"ada\""), notebook(t, part{"extra", "", "func mine() string { return student }"}).Cells[0])
		g := must.Get(a.Assemble(t.Context(), handed, nil, nil)).Or(t)
		for side, text := range map[string][]byte{"judge": files["cells.go"], "guest": g.Files["cells.go"]} {
			if !strings.Contains(string(text), "marginalia_student(") || strings.Contains(string(text), `"ada"`) {
				t.Errorf("%s:\n%s", side, text)
			}
		}
		if says := a.Says(handed); says != "ada" {
			t.Errorf("the notebook says %q, want ada", says)
		}
		if g.Student != "ada" || len(g.Notes) > 0 {
			t.Errorf("the notebook says %q, notes %v", g.Student, g.Notes)
		}
	}
	nb := notebook(t, lecturer...)
	second := cellOf("var other = \"your id\"")
	second.ID = "again"
	nb.Cells = append(nb.Cells, cellOf("var student = \"your id\""), second)
	if _, err := assignment.Read(t.Context(), nb, root); err == nil || !strings.Contains(err.Error(), "cell who has the student's id already") {
		t.Errorf("two such cells: %v", err)
	}
}
