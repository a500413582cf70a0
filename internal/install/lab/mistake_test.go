//go:build browser

package lab

import (
	"strings"
	"testing"
)

// mistakes runs cells with mistakes. Each error is short: the line and, if the mistake is in
// another cell, the number beside that cell.
func (r *room) mistakes(t *testing.T) {
	cells := []string{
		"import \"fmt\"\n\nfunc area(a, b float64) float64 { return a * b }",
		"// Twice the area.\n\nfunc twice(a float64) float64 {\n\treturn 2 * area(a, a)\n}",
		"// The mistake is in this cell, in line 4.\n%%\nfmt.Println(area(1, 2))\nfmt.Println(wrong)",
		"// This cell is in order, and cell 2 is wrong with it, in line 4.\nfunc area(a float64) float64 { return a * a }",
		"// The program panics.\nfunc last(v []float64) float64 {\n\treturn v[len(v)]\n}\n%%\nfmt.Println(last([]float64{1, 2}))",
	}
	wants := map[int][]string{
		2: {"line 4: undefined: wrong\n", "  fmt.Println(wrong)\n", "              ^"},
		3: {"cell [2], line 4: too many arguments in call to area\n", "return 2 * area(a, a)\n"},
		4: {"panic: index out of range [2] with length 2\n", "line 3: return v[len(v)]\n", "→ the indices of a slice"},
	}
	d := r.open(t, "mistakes.ipynb", cells...)
	for i := range cells {
		d.run(i)
		d.wait("a cell", ran(i)+" && "+idle)
		shown := d.text(cellAt(i) + " .jp-OutputArea-output")
		if wants[i] == nil && shown != "" {
			t.Errorf("cell %d shows\n%s", i+1, shown)
		}
		for _, want := range wants[i] {
			if !strings.Contains(shown, want) {
				t.Errorf("cell %d shows\n%swithout %q", i+1, shown, want)
			}
		}
		if strings.Contains(shown, "goroutine") {
			t.Errorf("cell %d shows the stack\n%s", i+1, shown)
		}
	}
	t.Log(d.picture("shown"))
}
