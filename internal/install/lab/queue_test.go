//go:build browser

package lab

import (
	"strconv"
	"testing"

	"marginalia/internal/install/lab/labtest"
)

// queue chooses Run All Cells, and then to run from the next cell on, again and again. A cell that fails ends it, and so does one interrupt: the cells
// behind it are not run and get no number. A cell that is to fail, by its tag, ends nothing.
func (r *room) queue(t *testing.T) {
	const (
		imports = "import (\n\t\"fmt\"\n\t\"log\"\n\t\"os\"\n\t\"testing\"\n\t\"time\"\n)"
		after   = "%%\nfmt.Println(\"after\")"
	)
	kinds := []struct{ name, fails string }{
		{"compiler", "%%\nfmt.Println(nothing)"},
		{"panic", "%%\npanic(\"no\")"},
		{"fatal", "%%\nlog.Fatal(\"no\")"},
		{"exit", "%%\nos.Exit(3)"},
		{"check", "%test\nfunc TestNo(t *testing.T) { t.Error(\"no\") }"},
		{"twice", "%%\nfmt.Println(1)\n%%\nfmt.Println(2)"},
		{"interrupt", "%%\nfmt.Println(\"sleeps\")\ntime.Sleep(time.Hour)"},
	}
	sources := []string{imports}
	for _, kind := range kinds {
		sources = append(sources, kind.fails)
	}
	d := r.open(t, "stops.ipynb", append(sources, after)...)
	for i, kind := range kinds {
		name, cell := kind.name, i+1
		if i == 0 {
			labtest.Choose(d.ctx, t, "Run", "runmenu:run-all")
		} else {
			d.edit(cell)
			labtest.Choose(d.ctx, t, "Run", "notebook:run-all-below")
		}
		if name == "interrupt" {
			d.wait("the cell that sleeps", `document.querySelector('`+cellAt(cell)+` .jp-OutputArea-output')?.innerText.includes('sleeps')`)
			labtest.Choose(d.ctx, t, "Kernel", "kernelmenu:interrupt")
		}
		d.wait("the end of the cell that fails", ran(cell)+" && "+idle)
		t.Log(d.picture(name))
		saved := d.saved()
		if got := countOf(saved.Cells[cell].ExecutionCount); errorsOf(saved, cell) == "" || got != strconv.Itoa(cell+1) {
			t.Errorf("%s: the cell that fails has the count %s and the error %q", name, got, errorsOf(saved, cell))
		}
		for k := cell + 1; k < d.code; k++ {
			if c := saved.Cells[k]; c.ExecutionCount != nil || len(c.Outputs) > 0 {
				t.Errorf("%s: cell %d behind it has the count %s and shows %v", name, k, countOf(c.ExecutionCount), c.Outputs)
			}
		}
	}
	if got := labtest.Value[string](d.ctx, t, `getComputedStyle(document.querySelector('[data-mime-type="application/vnd.jupyter.stderr"] pre')).wordBreak`); got != "normal" {
		t.Errorf("the lines of errors break at %q, want between words", got)
	}
	last := d.code - 1
	d.run(last)
	d.wait("the last cell", ran(last)+" && "+idle)
	if got := d.saved(); printedBy(got, last) != "after\n" || countOf(got.Cells[last].ExecutionCount) != strconv.Itoa(d.code) {
		t.Errorf("the last cell prints %q with the count %s", printedBy(got, last), countOf(got.Cells[last].ExecutionCount))
	}

	d = r.openTagged(t, "raises.ipynb", map[int]string{1: "raises-exception"}, imports, "%%\npanic(\"wanted\")", after)
	labtest.Choose(d.ctx, t, "Run", "runmenu:run-all")
	d.wait("the cell after one that is to fail", ran(2)+" && "+idle)
	if got := printedBy(d.saved(), 2); got != "after\n" {
		t.Errorf("the cell after one that is to fail prints %q", got)
	}
}
