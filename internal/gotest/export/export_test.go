package export_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"marginalia/internal/base/repo/repotest"
	"marginalia/internal/gotest/built"
	"marginalia/internal/gotest/celltest"
	"marginalia/internal/gotest/export"
	"marginalia/internal/notebook/nbformat"
	"marginalia/internal/notebook/nbformat/nbtest"
	"marginalia/internal/testkit/must"
	"marginalia/internal/testkit/owncache"
	"marginalia/internal/testkit/testfile"
	"marginalia/internal/testkit/tier"
)

// notebook writes a notebook of Go cells, given as id and source in turn, as if each had been executed.
func notebook(t *testing.T, dir string, cells ...string) string {
	t.Helper()
	nb := &nbformat.Notebook{Minor: 5, Metadata: map[string]any{"kernelspec": map[string]any{"name": "gonb", "display_name": "Go (gonb)", "language": "go"}}}
	for i := 0; i < len(cells); i += 2 {
		n := i/2 + 1
		nb.Cells = append(nb.Cells, &nbformat.Cell{ID: cells[i], Type: "code", Metadata: map[string]any{}, Source: cells[i+1], ExecutionCount: &n})
	}
	file := filepath.Join(dir, "nb.ipynb")
	nbtest.Write(t, nb, file)
	return file
}

func root(t *testing.T) string {
	t.Helper()
	root := repotest.Root(t)
	return root
}

// run builds a notebook and returns the result of each cell.
func run(t *testing.T, file string) map[string]celltest.Result {
	t.Helper()
	return runAll(t, build(t, file))
}

// build builds a notebook, which stays until the test ends.
func build(t *testing.T, file string) *built.Build {
	t.Helper()
	b := must.Get(built.Notebook(t.Context(), file, root(t))).Or(t)
	t.Cleanup(func() { b.Close() })
	return b
}

func runAll(t *testing.T, b *built.Build) map[string]celltest.Result {
	results := map[string]celltest.Result{}
	b.RunAll(t.Context(), b.IDs(), func(_ int, r celltest.Result) { results[r.ID] = r })
	return results
}

func stdout(r celltest.Result) string {
	var b strings.Builder
	for _, o := range r.Outputs {
		if o.Name == "stdout" {
			b.WriteString(o.Text)
		}
	}
	return b.String()
}

// One build serves the cells of a notebook, of all these kinds.
func TestOneBuildServesTheNotebook(t *testing.T) {
	owncache.Use(t)
	// What a cell declares as an earlier one did, word for word, is written once, in
	// the file of the earlier; the packages it names are imported there alone.
	again := "type size = big.Int\nvar half = math.Pi / 2\nfunc upper(s string) string {\n\treturn strings.ToUpper(s)\n}\n"
	file := notebook(t, t.TempDir(),
		"imports", "import (\n\t\"flag\"\n\t\"fmt\"\n\t\"reflect\"\n\t\"runtime\"\n\t\"testing\"\n)",
		"a", "var x = 1\nfunc f() int { return x }",
		"b", "type T struct{ n int }\nvar y = T{f()}",
		"c", "%%\nfmt.Println(y, strings.ToUpper(\"c\"))",
		"same", "func f() int { return x }\n%%\nfmt.Println(f())",
		"C", "type soft struct{ C float64 }\n%%\nfmt.Println(soft{C: 1}.C)", // no cgo
		"first", again,
		"second", "// once more\n"+again+"%%\nfmt.Println(upper(\"a\"), new(size), half > 1)",
		"fall", "// comment\n\nfunc fall() {\n\tpanic(\"down\")\n}",
		"call", "%env A 1\n%%\n// a comment\nfall()",
		"endless", "%%\nfmt.Println(\"started\")\nfor {\n}",
		"where", "type point struct{}\nfunc where() string {\n\tpc, _, _, _ := runtime.Caller(0)\n\treturn fmt.Sprint(reflect.TypeFor[point]().PkgPath(), \" \", runtime.FuncForPC(pc).Name(), \" \", testing.Testing())\n}",
		"program", "%%\nfmt.Println(where())\nflag.VisitAll(func(f *flag.Flag) { fmt.Println(f.Name) })")
	b := build(t, file)
	if len(b.Packages) != 1 {
		t.Errorf("%d packages, want one for all", len(b.Packages))
	}
	for _, c := range b.Packages[0].Cells {
		if c.Program != "" {
			t.Errorf("cell %s is built by itself", c.ID)
		}
	}
	for id, want := range map[string]string{
		"c": "{1} C\n", "same": "1\n", "C": "1\n",
		"second": "A 0 true\n",
		// A cell that asks where it runs hears what it hears on the kernel, which runs
		// the same cell in testdata/truth/process.ipynb: GoNB builds package main with
		// `go build`.
		"program": "main main.where false\n",
	} {
		if r := b.Run(t.Context(), id); stdout(r) != want {
			t.Errorf("%s prints %q, want %q; %v", id, stdout(r), want, r.Failures)
		}
	}
	// A panic names the place in the notebook, in the lines that the kernel would show too.
	var stderr string
	for _, o := range b.Run(t.Context(), "call").Outputs {
		if o.Name == "stderr" {
			stderr += o.Text
		}
	}
	for _, want := range []string{"nb.ipynb#fall:4", "nb.ipynb#call:4"} {
		if !strings.Contains(stderr, want) {
			t.Errorf("no %s in\n%s", want, stderr)
		}
	}
	b.Timeout = 300 * time.Millisecond
	if f := b.Run(t.Context(), "endless").Failures; len(f) != 1 || !strings.Contains(f[0], "did not end within 300ms") {
		t.Errorf("a cell that does not end: %v", f)
	}
}

func TestExportedPackageRunsByItself(t *testing.T) {
	tier.Long(t)
	dir := t.TempDir()
	file := notebook(t, dir,
		"greet", "func greet(who string) {\n\tfmt.Println(\"hello\", who)\n}",
		"use", "%%\ngreet(\"margin\")",
		"redefined", "func greet(who string) {\n\tfmt.Println(\"goodbye\", who)\n}\n%%\ngreet(\"margin\")",
		"panics", "%%\npanic(\"here\")",
		"broken", "%%\nundefined()",
		"shell", "!ls")
	store(t, file, "use", "hello margin\n")
	store(t, file, "redefined", "goodbye margin\n")
	tag(t, file, "panics", "raises-exception", "nbval-ignore-output")
	tag(t, file, "broken", "raises-exception", "nbval-ignore-output")

	out := filepath.Join(dir, "out")
	e := exported(t, file)
	must.Do(t, e.Write(out, root(t)))
	// A repository around it is no matter of its own, be it one that git can't read.
	t.Setenv("GOFLAGS", "-buildvcs=auto") // what the go command does by itself
	must.Do(t, os.Mkdir(filepath.Join(out, ".git"), 0o755))
	text, err := goTest(out, "-v")
	if err != nil {
		t.Fatalf("go test: %v\n%s", err, text)
	}
	for _, want := range []string{"--- PASS: TestNotebook/cells/use", "--- PASS: TestNotebook/cells/redefined", "--- SKIP: TestNotebook/cells/shell",
		"not testable: line 1 runs a shell command (!ls)", "1 not testable shell"} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q in\n%s", want, text)
		}
	}

	// A stored output that is not what comes fails that cell alone.
	copied := filepath.Join(out, "testdata", "nb.ipynb")
	store(t, copied, "use", "hello marge\n")
	text, err = goTest(out)
	if err == nil || !strings.Contains(text, "FAIL: TestNotebook/cells/use") || !strings.Contains(text, "- hello marge") || strings.Contains(text, "FAIL: TestNotebook/cells/redefined") {
		t.Errorf("with another output stored: %v\n%s", err, text)
	}

	// Exporting again removes what is no longer in the notebook, keeps what is not ours.
	testfile.Write(t, filepath.Join(out, "mine.go"), "package main\n")
	notebook(t, dir, "greet", "func greet() {}")
	must.Do(t, exported(t, file).Write(out, root(t)))
	if stale, _ := filepath.Glob(filepath.Join(out, "*", "*.go")); len(stale) > 0 {
		t.Errorf("left of the earlier export: %v", stale)
	}
	if _, err := os.Stat(filepath.Join(out, "mine.go")); err != nil {
		t.Error(err)
	}
	if text, err := goTest(out); err != nil {
		t.Errorf("after exporting again: %v\n%s", err, text)
	}
}

func TestWriteRefusesAForeignFolder(t *testing.T) {
	dir := t.TempDir()
	file := notebook(t, dir, "f", "func f() {}")
	if err := exported(t, file).Write(dir, root(t)); err == nil || !strings.Contains(err.Error(), "not an earlier export") {
		t.Errorf("writing among other files: %v", err)
	}
	if entries, _ := os.ReadDir(dir); len(entries) != 1 {
		t.Errorf("something was written: %v", entries)
	}
}

func exported(t *testing.T, file string) *export.Exported {
	t.Helper()
	mod := t.TempDir()
	must.Do(t, export.WriteModule(mod, root(t), nil))
	e := must.Get(export.Notebook(t.Context(), file, mod, root(t))).Or(t)
	return e
}

func goTest(dir string, flags ...string) (string, error) {
	return command(dir, "go", append(append([]string{"test", "-count=1"}, flags...), "./...")...)
}

func command(dir, name string, args ...string) (string, error) {
	cmd := exec.Command(name, args...)
	cmd.Dir = dir
	out, err := cmd.CombinedOutput()
	return string(out), err
}

// edit changes one cell of a notebook file.
func edit(t *testing.T, file, id string, change func(c *nbformat.Cell)) {
	t.Helper()
	nb := nbtest.Read(t, file)
	for _, c := range nb.Cells {
		if c.ID == id {
			change(c)
		}
	}
	nbtest.Write(t, nb, file)
}

func store(t *testing.T, file, id, text string) {
	t.Helper()
	edit(t, file, id, func(c *nbformat.Cell) { c.Outputs = []nbformat.Output{{Type: "stream", Name: "stdout", Text: text}} })
}

func tag(t *testing.T, file, id string, tags ...any) {
	t.Helper()
	edit(t, file, id, func(c *nbformat.Cell) { c.Metadata["tags"] = tags })
}

// One notebook has the cells that fail and that are skipped, and is built once. The tests below
// look at their results.
func TestFailures(t *testing.T) {
	owncache.Use(t)
	file := notebook(t, t.TempDir(),
		"imports", "import (\n\t\"flag\"\n\t\"fmt\"\n\t\"os\"\n\t\"testing\"\n\t\"time\"\n\t\"github.com/janpfeifer/gonb/gonbui\"\n\t\"github.com/janpfeifer/gonb/gonbui/comms\"\n\t\"github.com/janpfeifer/gonb/gonbui/dom\"\n)",
		// words
		"undefined", "\nfunc f() { undefinedFn() }",
		"syntax", "func g() {}\nx := 1",
		"open", "%%\nfmt.Println(1",
		"own", "func boom() {\n\tpanic(\"boom\")\n}\n%%\nboom()",
		"tested", "%test\nfunc TestBoom(t *testing.T) {\n\tboom()\n}",
		"checked", "func want(t *testing.T, x, y int) {\n\tif x != y {\n\t\tt.Errorf(\"%d, want %d\", x, y)\n\t}\n}\n%test\nfunc TestGood(t *testing.T) {\n\twant(t, 1, 1)\n}",
		"check", "%test\n\nfunc TestSum(t *testing.T) {\n\twant(t, 1, 2)\n\tt.Fatal(\"first\\nsecond\")\n}\nfunc TestWell(t *testing.T) {}",
		"shell", "!*echo hi > f.txt",
		"written", "%%writefile -a f.txt\nhi",
		"read", "%%\n_, err := os.ReadFile(\"f.txt\")\nif err != nil {\n\tpanic(err)\n}",
		// verdicts
		"skipped", "%%\npanic(\"not run\")",
		"tagged-and-fails", "%%\npanic(\"as it should\")",
		"tagged-and-does-not", "%%\nfmt.Println(\"well\")",
		"fails", "%%\npanic(\"unforeseen\")",
		"fails-as-stored", "%%\npanic(\"seen before\")",
		"tagged-as-stored", "%%\npanic(\"seen before\")",
		"never-run", "%%\nfmt.Println(\"whatever\")",
		"never-run-and-fails", "%%\npanic(\"new\")",
		"needs", "%%\npanic(\"not run without moonlight\")",
		"asks", "%%\nos.Stdout.WriteString(\"name? \")\ngonbui.RequestInput(\"name?\", false)\ngonbui.Sync()\nvar name string\nfmt.Println(fmt.Scanln(&name))",
		"listens", "%%\nvalues := comms.Listen[int](\"a\")\nfmt.Println(1)\n<-values.C",
		"asks-a-page", "%%\nfmt.Println(dom.GetInnerHtml(\"a\"))",
		"only-sends", "%%\ncomms.Send(\"a\", 1)\ntime.Sleep(time.Second)\nfmt.Println(2)",
		// problems; what they print, cells after them print too
		"assert", "type T int\nfunc (T) String() string { return \"T\" }\nvar _ fmt.Stringer = T(0)\nvar _ = flag.Parse",
		"two", "%%\nfmt.Println(1)\n%%\nfmt.Println(2)",
		"first", "import _ \"image/png\"",
		"second", "import _ \"image/gif\"",
		"directive", "func one() int {\n//line foo.go:100\n\treturn 1\n}",
		"blank", "func say(s string) int { fmt.Println(s); return 0 }\nvar _ = say(\"x\")",
		"fine", "%%\nfmt.Println(3)",
		"again", "var _ = say(\"y\")")
	tag(t, file, "skipped", "skip-execution")
	tag(t, file, "tagged-and-fails", "raises-exception", "nbval-ignore-output")
	tag(t, file, "tagged-and-does-not", "raises-exception", "nbval-ignore-output")
	tag(t, file, "asks", "nbval-ignore-output")
	asStored := func(c *nbformat.Cell) {
		// As JupyterLab saves it, with the kernel's words around.
		c.Outputs = []nbformat.Output{
			{Type: "stream", Name: "stderr", Text: "panic: seen before\n\ngoroutine 1 [running]:\nmain.main()\n\t \x1b[7m[[ Cell [5] Line 2 ]]\x1b[0m /var/gonb_01234567/main.go:9 +0x25\nexit status 2\n"},
			{Type: "error", EName: "ERROR", EValue: "exit status 2", Traceback: []string{"exit status 2"}}}
	}
	edit(t, file, "fails-as-stored", asStored)
	edit(t, file, "tagged-as-stored", asStored)
	tag(t, file, "tagged-as-stored", "nbval-raises-exception")
	for _, id := range []string{"never-run", "never-run-and-fails"} {
		edit(t, file, id, func(c *nbformat.Cell) { c.ExecutionCount = nil })
	}
	edit(t, file, "needs", func(c *nbformat.Cell) { c.Metadata["marginalia"] = map[string]any{"needs": []any{"moonlight"}} })

	b := build(t, file)
	b.PageTime = 500 * time.Millisecond
	b.Lacks = func(need string) string { return "no " + need + " tonight" }
	results := runAll(t, b) // together, since some of them only wait
	t.Run("words", func(t *testing.T) { testWords(t, results) })
	t.Run("verdicts", func(t *testing.T) { testVerdicts(t, results) })
	t.Run("problems", func(t *testing.T) { testProblems(t, results) })
}

// A cell that fails says why and where in the notebook, without a stack, and what
// before it did not run here.
func testWords(t *testing.T, results map[string]celltest.Result) {
	for id, want := range map[string]string{
		"undefined": "it failed: nb.ipynb#undefined:2: undefined: undefinedFn",
		"syntax":    "it failed: nb.ipynb#syntax:2: expected declaration, found x\n→ statements go below a line with %%: what stands there runs, and what stands above it is declared for later cells too",
		"open":      "it failed: nb.ipynb#open:2: missing ',' before newline in argument list (and 1 more errors)\n→ a comma or a closing bracket is missing",
		"own":       "it failed: panic: boom\n  at nb.ipynb#own:2\n  at nb.ipynb#own:5\nexit status 2",
		"check":     "it failed: ✗ TestSum, cell checked, line 3: 1, want 2\n    line 5: first\n        second",
		"read":      "it failed: panic: open f.txt: no such file or directory\n  at nb.ipynb#read:4\nexit status 2",
	} {
		if f := results[id].Failures; len(f) == 0 || f[0] != want {
			t.Errorf("%s fails with\n%q, want\n%q", id, f, want)
		}
	}
	if f := results["tested"].Failures; len(f) == 0 || !strings.Contains(f[0], "  at nb.ipynb#own:2\n  at nb.ipynb#tested:3\n") || strings.Contains(f[0], "goroutine") {
		t.Errorf("tested fails with\n%q", f)
	}
	if got := stdout(results["checked"]); got != "✓ TestGood\n" {
		t.Errorf("checked prints %q", got)
	}
	want := "cells before it did not run here, so that what they leave behind is missing: shell (line 1 runs a shell command (!*echo hi > f.txt)), written (line 1: %%writefile -a f.txt is not Go)"
	if w := results["read"].Warnings; len(w) != 1 || w[0] != want {
		t.Errorf("read warns\n%q, want\n%q", w, want)
	}
}

// What decides whether a cell passes, beside its outputs.
func testVerdicts(t *testing.T, results map[string]celltest.Result) {
	for id, want := range map[string]struct{ skipped, failure string }{
		"skipped":             {skipped: "tagged skip-execution"},
		"tagged-and-fails":    {},
		"tagged-and-does-not": {failure: "tagged raises-exception and did not fail"},
		"fails":               {failure: "it failed: panic: unforeseen"},
		"fails-as-stored":     {failure: "it failed, as when it was stored; tag it raises-exception if it should: panic: seen before"},
		"tagged-as-stored":    {},
		"never-run":           {},
		"never-run-and-fails": {failure: "it failed: panic: new"},
		"needs":               {skipped: "needs moonlight: no moonlight tonight"},
		"asks":                {},
		"listens":             {failure: "waits for a page in a browser"},
		"asks-a-page":         {failure: "waits for a page in a browser"},
	} {
		res := results[id]
		if res.Skipped != want.skipped {
			t.Errorf("%s: skipped %q, want %q", id, res.Skipped, want.skipped)
		}
		switch {
		case want.failure == "" && len(res.Failures) > 0:
			t.Errorf("%s: %v", id, res.Failures)
		case want.failure != "" && (len(res.Failures) == 0 || !strings.Contains(res.Failures[0], want.failure)):
			t.Errorf("%s: %v, want %q", id, res.Failures, want.failure)
		}
	}
	// What a cell died of is said once.
	if f := strings.Join(results["fails"].Failures, "\n"); strings.Count(f, "exit status 2") != 1 || strings.Count(f, "unforeseen") != 1 {
		t.Errorf("fails: %s", f)
	}
	// One that asks for input learns that it has ended.
	if r := results["asks"]; stdout(r) != "name? 0 EOF\n" {
		t.Errorf("asks prints %q: %q", stdout(r), r.Failures)
	}
	// One that only sends to a page goes on to its end.
	if r := results["only-sends"]; stdout(r) != "2\n" {
		t.Errorf("only-sends prints %q: %q", stdout(r), r.Failures)

	}
}

// Cells that the kernel dies of, and those that it does not run twice alike, fail
// by themselves. What is strange and the same on both sides is a warning.
func testProblems(t *testing.T, results map[string]celltest.Result) {
	for id, want := range map[string]string{"two": "line 3: a second main", "directive": "line 2: a line directive", "again": "line 1: GoNB runs each `var _ = …` twice in every cell, and several in a random order"} {
		if f := results[id].Failures; len(f) == 0 || !strings.Contains(f[0], want) {
			t.Errorf("%s: %v, want %q", id, f, want)
		}
	}
	for id, want := range map[string]string{"assert": "", "first": "", "second": "replaces \"image/png\" of cell first", "blank": "line 2: GoNB runs `var _ = …` twice"} {
		r := results[id]
		if len(r.Failures) > len(r.Differences) || (want == "") != (r.Warnings == nil) || !strings.Contains(strings.Join(r.Warnings, "\n"), want) {
			t.Errorf("%s: failures %v, warnings %v, want the warning %q", id, r.Failures, r.Warnings, want)
		}
	}
	if got := stdout(results["fine"]); got != "x\nx\n3\n" { // twice, as the kernel does it
		t.Errorf("the cell behind them: %q", got)
	}
}
