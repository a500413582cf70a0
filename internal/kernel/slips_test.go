package kernel

import (
	"testing"

	"marginalia/internal/base/repo/repotest"
	"marginalia/internal/base/setup/setuptest"
	"marginalia/internal/kernel/jupyter"
	"marginalia/internal/notebook/mistake"
	"marginalia/internal/testkit/must"
	"marginalia/internal/testkit/tier"
)

// Below a cell that has run stand vet's words for its own lines, and what GoNB makes of them. A cell gets none that fails, that only
// calls what an earlier one declared, or whose client wants GoNB's words.
func TestSlips(t *testing.T) {
	tier.Kernel(t)
	spec := must.Get(Spec(t.Context(), repotest.Root(t), setuptest.Steps(new([]string)))).Or(t)
	spec.Dir, spec.Env = t.TempDir(), append(spec.Env, "MARGINALIA_ERRORS=") // as for people
	k := must.Get(jupyter.Start(t.Context(), spec)).Or(t)
	defer k.Shutdown()
	for _, c := range []struct{ name, code, stdout, stderr string }{
		{"a verb", "import (\n\t\"fmt\"\n\t\"os\"\n)\n\n%%\nfmt.Printf(\"%d\\n\", 2.5)\nfmt.Fprintln(os.Stderr, \"done\")", "%!d(float64=2.5)\n",
			"done\n" + mistake.Slip(7, "fmt.Printf format %d has arg 2.5 of wrong type float64 (go vet)")},
		{"a declaration", "func say(n int) string { return string(n) }", "",
			mistake.Slip(1, "conversion from int to string yields a string of one rune, not a string of digits (go vet)")},
		{"a call of it", "%%\nfmt.Println(say(65))", "A\n", ""},
		{"no import", "%%\nx := math.Pi\nlog.SetFlags(0)\nfmt.Printf(\"%s\\n\", x)", "%!s(float64=3.141592653589793)\n",
			mistake.Slip(4, "fmt.Printf format %s has arg x of wrong type float64 (go vet)")},
		{"IPython's %timeit", "%timeit say(65)", "", "\"%timeit\" unknown or not implemented yet.\n→ %%time alone in the first line of a cell times one run of it, %%bench many\n"},
		{"a matrix", "import \"gonum.org/v1/gonum/mat\"\n\n%%\nfmt.Println(mat.NewVecDense(1, nil))", "&{{1 [0] 1}}\n",
			mistake.Slip(4, "fmt.Println prints the fields of a *mat.VecDense: as the last line of a cell it is a table, and mat.Formatted(…) is its text")},
		{"Python's print", "%%\nprint(\"hi\")", "", "hi\n" + mistake.Slip(2, "print writes to the error stream: fmt.Println prints")},
		{"a function twice", "func one() int { return 1 }\nfunc one() int { return 2 }\n\n%%\nfmt.Println(one())", "2\n",
			mistake.Slip(2, "one is declared in line 1 too, and GoNB keeps the last one only; give one of them another name")},
		{"what fails", "%%\nfmt.Printf(\"%d\\n\", 2.5)\nos.Exit(3)", "%!d(float64=2.5)\n", ""},
		{"a command alone", "%env MARGINALIA_ERRORS=raw", "Set: MARGINALIA_ERRORS=\"raw\"\n", ""},
		{"GoNB's words", "%%\nfmt.Printf(\"%d\\n\", 2.5)", "%!d(float64=2.5)\n", ""},
	} {
		r := must.Get(k.Execute(t.Context(), c.code)).Or(t)
		if r.Text("stdout") != c.stdout || r.Text("stderr") != c.stderr {
			t.Errorf("%s: it prints %q and %q, want %q and %q", c.name, r.Text("stdout"), r.Text("stderr"), c.stdout, c.stderr)
		}
	}
}
