//go:build browser

package lab

import (
	"testing"

	"marginalia/internal/install/lab/labtest"
)

// indent types a cell without a blank at the beginning of a line: it stands as gofmt would have it.
func (r *room) indent(t *testing.T) {
	d := r.open(t, "indent.ipynb", "")
	d.edit(0)
	d.do("typing", labtest.Keys("%%\nfor i := range 3 {\nif i > 1 {\nprintln(i)\n}\n}"))
	want := "%%\nfor i := range 3 {\n\tif i > 1 {\n\t\tprintln(i)\n\t}\n}"
	if got := d.saved().Cells[0].Source; got != want {
		t.Errorf("what is typed becomes %q, want %q", got, want)
	}
}
