//go:build browser

package lab

import (
	"strconv"
	"testing"

	"github.com/chromedp/chromedp"

	"marginalia/internal/install/lab/labtest"
)

// restart chooses Restart Kernel and Run All Cells, and says yes: another kernel runs
// them, and counts from 1.
func (r *room) restart(t *testing.T) {
	d := r.open(t, "restart.ipynb",
		"import (\n\t\"fmt\"\n\t\"os\"\n)\n\nfunc kernel() int { return os.Getppid() }",
		"%%\nfmt.Println(\"kernel\", kernel())")
	labtest.Choose(d.ctx, t, "Run", "runmenu:run-all")
	before := printedBy(labtest.WaitUntilRun(d.ctx, t, d.path, d.code), 1)
	labtest.Choose(d.ctx, t, "Run", "runmenu:restart-and-run-all")
	d.do("saying yes to the restart", chromedp.Click(chromedp.CSS(`.jp-Dialog .jp-mod-accept`)))
	d.wait("another kernel's output", `(text => text && text !== `+strconv.Quote(before)+`)(document.querySelector('.jp-OutputArea-output')?.textContent)`)
	after := labtest.WaitUntilRun(d.ctx, t, d.path, d.code)
	if got := printedBy(after, 1); got == before || got == "" {
		t.Errorf("the cell printed %q, and %q before the restart", got, before)
	}
	for i, c := range after.Cells {
		if c.ExecutionCount == nil || *c.ExecutionCount != i+1 {
			t.Errorf("cell %d has count %s, want %d", i, countOf(c.ExecutionCount), i+1)
		}
	}
}
