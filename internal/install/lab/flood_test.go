//go:build browser

package lab

import (
	"fmt"
	"strings"
	"testing"

	"marginalia/internal/install/lab/labtest"
	"marginalia/internal/notebook/excerpt"
	"marginalia/internal/notebook/nbformat"
	"marginalia/internal/notebook/outputs"
)

// flood runs cells that print more than a page can show, one of them without end. The page
// answers, shows and stores an excerpt, and the notebook passes the comparison with all that
// the cells print.
func (r *room) flood(t *testing.T) {
	const lines = 200000
	d := r.open(t, "flood.ipynb",
		"%%\nfor i := range 200000 {\n\tfmt.Printf(\"line %6d €\\n\", i)\n}",
		"%%\nfor {\n\tfmt.Println(\"line\")\n}",
		"%%\nfmt.Println(\"after\")")
	d.run(0)
	d.wait("the end of the lines", ran(0)+" && "+idle)
	t.Log(d.picture("lines"))
	d.run(1)
	d.wait("the gap", `document.querySelector('`+cellAt(1)+` .jp-OutputArea-output')?.innerText.includes('the rest is left out')`)
	labtest.Choose(d.ctx, t, "Kernel", "kernelmenu:interrupt")
	d.wait("the end of the loop", ran(1)+" && "+idle)
	d.run(2)
	d.wait("the next cell", ran(2)+" && "+idle)
	t.Log(d.picture("loop"))
	saved := d.saved()
	var whole strings.Builder
	for i := range lines {
		fmt.Fprintf(&whole, "line %6d €\n", i)
	}
	if got, want := printedBy(saved, 0), excerpt.Of(whole.String()); got != want {
		t.Errorf("%d bytes are stored, want %d", len(got), len(want))
	}
	all := []nbformat.Output{{Type: "stream", Name: "stdout", Text: whole.String()}}
	if diff := outputs.Compare(saved.Cells[0].Outputs, all, outputs.Options{}); len(diff) > 0 {
		t.Errorf("what is stored differs: %v", diff)
	}
	if got := printedBy(saved, 1); len(got) > 2<<20 || !strings.HasPrefix(got, "line\nline\n") || !strings.HasSuffix(got, "line\nline\n") || strings.Count(got, "[Left out: ") != 1 {
		t.Errorf("%d bytes are stored of the loop: %.20q…", len(got), got)
	}
	if got := printedBy(saved, 2); got != "after\n" {
		t.Errorf("the next cell prints %q", got)
	}
}
