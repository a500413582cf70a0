//go:build unix

package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"marginalia/internal/kernel/jupyter"
	"marginalia/internal/kernel/jupyter/jupytertest"
	"marginalia/internal/testkit/must"
)

// However GoNB ends, and whatever cells have declared until then, the cell after it runs before
// it is answered, and the cells after that have its declarations.
func TestNextCellRuns(t *testing.T) {
	p := openPage(t)
	defer p.Shutdown()
	const parent = "!kill -9 $PPID; sleep 1000"
	n := 0
	check := func(after string) {
		t.Helper()
		n++
		file := filepath.Join(t.TempDir(), "side")
		text, failed := p.run(fmt.Sprintf("import (\n\"fmt\"\n\"os\"\n)\n\nfunc kept%d() int { return %d }\n%%%%\nos.WriteFile(%q, nil, 0o644)\nfmt.Print(\"ran \", kept%[1]d())", n, n, file))
		if _, err := os.Stat(file); text != fmt.Sprint("ran ", n) || failed != "" || err != nil {
			t.Errorf("after %s: the cell prints %q, fails with %q, and its file: %v", after, text, failed, err)
		}
	}
	const twice = "%%\nfmt.Println(1)\n%%\nfmt.Println(2)"
	for _, c := range []struct {
		before string
		ways   []string
	}{
		{"", []string{twice}},
		{"%reset", []string{twice, "%%\nfmt.Println(1)\n%exec f", "%exec f\n%exec g\nvar x int", "! ", "% ", parent}},
		{"import \"fmt\"\n\ntype a int", []string{twice, parent}},
		{"%goflags -tags=x", []string{twice}},
	} {
		before := c.before
		for _, ends := range c.ways {
			if before != "" {
				if text, failed := p.run(before); failed != "" {
					t.Fatalf("%q prints %q and fails with %q", before, text, failed)
				}
			}
			if text, failed := p.run(ends); !strings.Contains(failed, "has ended") {
				t.Errorf("%q after %q prints %q and fails with %q, want that GoNB has ended", ends, before, text, failed)
			}
			if ends == parent { // and once more, with nothing in between
				if _, failed := p.run(parent); !strings.Contains(failed, "has ended") {
					t.Errorf("killed twice: %q", failed)
				}
			}
			check(fmt.Sprintf("%q and %q", before, ends))
			check("that")
			if text, failed := p.run(fmt.Sprintf("%%%%\nfmt.Print(kept%d()+kept%d())", n-1, n)); text != fmt.Sprint(2*n-1) {
				t.Errorf("after %q and %q the declarations of two cells give %q and %q", before, ends, text, failed)
			}
		}
	}
}

// A GoNB that is killed while no cell runs is started again, too: the next cell runs, or says
// that GoNB has ended.
func TestNextCellRunsAfterIdleDeath(t *testing.T) {
	marker := jupytertest.Marker()
	p := openPage(t, marker)
	defer p.Shutdown()
	if text, failed := p.run("import \"fmt\"\n%%\nfmt.Print(1)"); text != "1" {
		t.Fatalf("%q, %q", text, failed)
	}
	for _, process := range jupytertest.Strays(marker) {
		var pid int
		if _, err := fmt.Sscan(process, &pid); err == nil && strings.Contains(process, "/gonb -kernel") {
			must.Do(t, syscall.Kill(pid, syscall.SIGKILL))
			break
		}
	}
	if text, failed := p.run("%%\nfmt.Print(2)"); !strings.HasSuffix(text, "2") && !strings.Contains(failed, "has ended") {
		t.Errorf("after it was killed: %q, %q", text, failed)
	}
}

// A cell that is interrupted while a command runs does not go on to its Go code, and the
// interrupt does not meet the cell after it.
func TestInterruptedCommand(t *testing.T) {
	p := openPage(t)
	defer p.Shutdown()
	if text, failed := p.run("import \"fmt\"\n%%\nfmt.Print(1)"); text != "1" {
		t.Fatalf("%q, %q", text, failed)
	}
	for i := range 5 {
		id := p.execute("!echo begun; sleep 1000\n%%\nfmt.Print(1)")
		for p.next().Header.Type != "stream" {
		}
		must.Get(p.Request(jupyter.Control, "interrupt_request", struct{}{})).Or(t)
		if text, failed := p.ends(id); failed != "interrupted" || strings.HasSuffix(text, "1") {
			t.Errorf("the interrupted cell: %q, %q", text, failed)
		}
		if text, failed := p.run(fmt.Sprintf("%%%%\nfmt.Print(%d)", i)); text != fmt.Sprint(i) {
			t.Errorf("the cell after an interrupt: %q, %q", text, failed)
		}
	}
}
