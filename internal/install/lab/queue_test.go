//go:build browser

package lab

import (
	"testing"

	"marginalia/internal/install/lab/labtest"
)

// queue chooses Run All Cells. A cell that fails ends it, and so does one interrupt: the cells
// behind it are not run and get no number. A cell that is to fail, by its tag, ends nothing.
func (r *room) queue(t *testing.T) {
	const (
		imports = "import (\n\t\"fmt\"\n\t\"log\"\n\t\"os\"\n\t\"testing\"\n\t\"time\"\n)"
		sleeps  = "%%\nfmt.Println(\"sleeps\")\ntime.Sleep(time.Hour)"
		after   = "%%\nfmt.Println(\"after\")"
	)
	for name, fails := range map[string]string{
		"compiler":  "%%\nfmt.Println(nothing)",
		"panic":     "%%\npanic(\"no\")",
		"fatal":     "%%\nlog.Fatal(\"no\")",
		"exit":      "%%\nos.Exit(3)",
		"check":     "%test\nfunc TestNo(t *testing.T) { t.Error(\"no\") }",
		"twice":     "%%\nfmt.Println(1)\n%%\nfmt.Println(2)",
		"interrupt": sleeps,
	} {
		d := r.open(t, "stops-by-"+name+".ipynb", imports, fails, after, sleeps)
		labtest.Choose(d.ctx, t, "Run", "runmenu:run-all")
		if name == "interrupt" {
			d.wait("the cell that sleeps", `document.querySelector('`+cellAt(1)+` .jp-OutputArea-output')?.innerText.includes('sleeps')`)
			labtest.Choose(d.ctx, t, "Kernel", "kernelmenu:interrupt")
		}
		d.wait("the end of the cell that fails", ran(1)+" && "+idle)
		t.Log(d.picture(name))
		saved := d.saved()
		if errorsOf(saved, 1) == "" {
			t.Errorf("%s: the cell that fails has no error", name)
		}
		for i := 2; i < d.code; i++ {
			if c := saved.Cells[i]; c.ExecutionCount != nil || len(c.Outputs) > 0 {
				t.Errorf("%s: cell %d behind it has the count %s and shows %v", name, i, countOf(c.ExecutionCount), c.Outputs)
			}
		}
		d.run(2)
		d.wait("the next cell", ran(2)+" && "+idle)
		if got := d.saved(); printedBy(got, 2) != "after\n" || countOf(got.Cells[2].ExecutionCount) != "3" {
			t.Errorf("%s: the next cell prints %q with the count %s", name, printedBy(got, 2), countOf(got.Cells[2].ExecutionCount))
		}
	}

	d := r.openTagged(t, "raises.ipynb", map[int]string{1: "raises-exception"}, imports, "%%\npanic(\"wanted\")", after)
	labtest.Choose(d.ctx, t, "Run", "runmenu:run-all")
	d.wait("the cell after one that is to fail", ran(2)+" && "+idle)
	if got := printedBy(d.saved(), 2); got != "after\n" {
		t.Errorf("the cell after one that is to fail prints %q", got)
	}
}
