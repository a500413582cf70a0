package kernel

import (
	"regexp"
	"strings"
	"testing"

	"marginalia/internal/base/repo/repotest"
	"marginalia/internal/base/setup/setuptest"
	"marginalia/internal/kernel/jupyter"
	"marginalia/internal/testkit/must"
	"marginalia/internal/testkit/tier"
)

// Cells with %%time and %%bench run on the kernel as others do: declarations are there, errors have the lines of
// the cell, what is shown comes once, and nothing of the measuring is left in later cells.
func TestTimed(t *testing.T) {
	tier.Kernel(t)
	spec := must.Get(Spec(t.Context(), repotest.Root(t), setuptest.Steps(new([]string)))).Or(t)
	spec.Dir = t.TempDir()
	k := must.Get(jupyter.Start(t.Context(), spec)).Or(t)
	defer k.Shutdown()
	run := func(code string) *jupyter.Result { return must.Get(k.Execute(t.Context(), code)).Or(t) }
	run("import (\n\t\"fmt\"\n\t\"marginalia/plotting\"\n)\n\nfunc sum(n int) (s int) {\n\tfor i := range n {\n\t\ts += i\n\t}\n\treturn s\n}")
	for _, c := range []struct {
		code, prints string
		displays     int
	}{
		{"%%time\nfmt.Println(sum(10)) // once", `^45\n⏱ [\d.]+ (µs|ms|s), processor [\d.]+ (ns|µs|ms|s), [\d.]+ k?B in \d+ allocations?\n$`, 0},
		{"%%time\nif sum(3) == 3 {\n\treturn\n}\nfmt.Println(1)", `^⏱ .*\n$`, 0},
		{"%%bench\nfmt.Println(sum(10))\nplotting.Show(\"a\", plotting.New(\"a\"))", `^45\n⏱ [\d.]+ \S+ a run, the median of \d+; quartiles .*\n$`, 1},
		{"\n%%time\nfmt.Println(sum(3))", `^3\n⏱ .*\n$`, 0},
		{"%%\nfmt.Println(sum(3))", `^3\n$`, 0},
	} {
		r := run(c.code)
		displays := 0
		for _, o := range r.Outputs {
			if o.Type == "display_data" {
				displays++
			}
		}
		if r.Failed || !regexp.MustCompile(c.prints).MatchString(r.Text("stdout")) || displays != c.displays {
			t.Errorf("%q prints %q and shows %d, want a match of %q and %d: %q", c.code, r.Text("stdout"), displays, c.prints, c.displays, r.EValue)
		}
	}
	if r := run("%%time\nfmt.Println(1)\nundefined(2)"); !r.Failed || !strings.Contains(strings.Join(r.Traceback, "\n"), "Line 3") {
		t.Errorf("an error in line 3: %q", r.Traceback)
	}
}
