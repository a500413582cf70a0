//go:build browser

package lab

import (
	"errors"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"marginalia/internal/install/lab/labtest"
	"marginalia/internal/testkit/must"
)

// interrupt ends an endless loop from the menu: its process is gone, the cell says so,
// and the kernel is the same one, with its declarations.
func (r *room) interrupt(t *testing.T) {
	d := r.open(t, "interrupt.ipynb",
		"import (\n\t\"fmt\"\n\t\"os\"\n)\n\nvar kept = 42",
		"%%\nfmt.Println(\"process\", os.Getpid())\nfor {\n}",
		"%%\nfmt.Println(\"kept\", kept)")
	d.run(0)
	d.run(1)
	const printed = `.jp-OutputArea-output[data-mime-type="application/vnd.jupyter.stdout"]`
	d.wait("the loop", `document.querySelector('`+printed+`')?.innerText.includes('\n')`)
	process := must.Get(strconv.Atoi(strings.TrimSpace(strings.TrimPrefix(d.text(printed), "process ")))).Or(t)
	if err := syscall.Kill(process, 0); err != nil {
		t.Fatalf("the loop's process %d: %v", process, err)
	}
	labtest.Choose(d.ctx, t, "Kernel", "kernelmenu:interrupt")
	d.wait("the end of the loop", ran(1)+" && "+idle)
	t.Log(d.picture("interrupted"))
	if err := syscall.Kill(process, 0); !errors.Is(err, syscall.ESRCH) {
		t.Errorf("the loop's process %d after the interrupt: %v, want %v", process, err, syscall.ESRCH)
	}
	d.run(2)
	d.wait("the next cell", ran(2)+" && "+idle)
	saved := d.saved()
	// "signal: interrupt" is what os.ProcessState says of a process that SIGINT ended.
	if got := errorsOf(saved, 1); !strings.Contains(got, "signal: interrupt") {
		t.Errorf("the loop ended with error %q", got)
	}
	for _, o := range saved.Cells[1].Outputs {
		if o.Type == "stream" && o.Name == "stderr" {
			t.Errorf("beside that error it says %q", o.Text)
		}
	}
	if got := printedBy(saved, 2); got != "kept 42\n" {
		t.Errorf("the next cell printed %q", got)
	}
	// A new kernel would count from 1 again.
	if n := saved.Cells[2].ExecutionCount; n == nil || *n != 3 {
		t.Errorf("the next cell's count is %s, want 3", countOf(n))
	}
}
