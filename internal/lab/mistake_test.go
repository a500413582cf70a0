package lab

import (
	"strings"
	"testing"
)

// mistakes runs cells that don't compile. GoNB says in which cell and line the mistake
// is, by the number that stands beside the cell.
func (r *room) mistakes(t *testing.T) {
	cells := []string{
		"import \"fmt\"\n\nfunc area(a, b float64) float64 { return a * b }",
		"// Twice the area.\n\nfunc twice(a float64) float64 {\n\treturn 2 * area(a, a)\n}",
		"// The mistake is in this cell, in line 4.\n%%\nfmt.Println(area(1, 2))\nfmt.Println(wrong)",
		"// This cell is in order, and cell 2 is wrong with it, in line 4.\nfunc area(a float64) float64 { return a * a }",
	}
	wants := map[int][]string{
		2: {"Cell[3]: Line 4\n", "fmt.Println(wrong)\n", "undefined: wrong"},
		3: {"Cell[2]: Line 4\n", "return 2 * area(a, a)\n", "too many arguments in call to area"},
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
	}
	t.Log(d.picture("shown"))
}
