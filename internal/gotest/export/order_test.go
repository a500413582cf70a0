package export_test

import (
	"path/filepath"
	"strings"
	"testing"

	"marginalia/internal/gotest/built"
	"marginalia/internal/gotest/celltest"
	"marginalia/internal/notebook/nbformat"
	"marginalia/internal/testkit/must"
	"marginalia/internal/testkit/owncache"
	"marginalia/internal/testkit/testfile"
	"marginalia/internal/testkit/tier"
)

// together is a notebook whose cells hand values on by files, a socket and GoNB's cache. Each fails
// unless those before it have run; a redefinition puts the last into another program.
var together = []string{
	"imports", "import (\n\t\"fmt\"\n\t\"net\"\n\t\"os\"\n\t\"os/exec\"\n\t\"path/filepath\"\n\t\"time\"\n\t\"github.com/janpfeifer/gonb/cache\"\n)",
	"helpers", "func note(s string) {\n\tf, err := os.OpenFile(\"log.txt\", os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o644)\n\tif err == nil {\n\t\t_, err = f.WriteString(s)\n\t}\n\tfmt.Println(err)\n}\nfunc noted() string {\n\tb, err := os.ReadFile(\"log.txt\")\n\treturn fmt.Sprint(string(b), \" \", err)\n}\nfunc version() int { return 1 }",
	"one", "%%\nnote(\"one \")",
	"port", "%%\nl, err := net.Listen(\"unix\", \"socket\")\nfmt.Println(err)\nnote(\"port \")\nl.Close()",
	"write", "%%writefile made.txt\nfirst\n",
	"see", "%%\nb, _ := os.ReadFile(\"made.txt\")\nfmt.Printf(\"%q\", b)",
	"again", "%%writefile made.txt\nsecond\n",
	"see-again", "%%\nb, _ := os.ReadFile(\"made.txt\")\nfmt.Printf(\"%q\", b)",
	"fill", "%%\nfmt.Println(cache.Cache(\"numbers\", func() int { fmt.Println(\"computing\"); return 7 }))",
	"use", "%%\nfmt.Println(cache.Cache(\"numbers\", func() int { fmt.Println(\"computing\"); return 8 }))",
	"tmp", "%%\nfmt.Println(os.WriteFile(filepath.Join(os.Getenv(\"GONB_TMP_DIR\"), \"t\"), nil, 0o644))",
	"tmp-again", "%%\n_, err := os.Stat(filepath.Join(os.Getenv(\"GONB_TMP_DIR\"), \"t\"))\nfmt.Println(err)",
	"leaves", "%%\nfmt.Println(exec.Command(\"sh\", \"-c\", \"while ! test -e ask; do sleep 0.01; done; echo > told\").Start())",
	"asks", "%%\nos.WriteFile(\"ask\", nil, 0o644)\nfor range 1000 {\n\tif _, err := os.Stat(\"told\"); err == nil {\n\t\tbreak\n\t}\n\ttime.Sleep(10 * time.Millisecond)\n}\nfmt.Println(os.Remove(\"ask\"), os.Remove(\"told\"))",
	"other", "%%\nl, err := net.Listen(\"unix\", \"socket\")\nfmt.Println(err)\nl.Close()",
	"redefined", "func version() int { return 2 }\n%%\nfmt.Println(noted(), version(), os.Remove(\"log.txt\"), os.Remove(\"made.txt\"))",
}

var togetherPrints = map[string]string{
	"one": "<nil>\n", "port": "<nil>\n<nil>\n", "see": `"first\n\n"`, "see-again": `"second\n\n"`,
	"fill": "computing\n7\n", "use": "7\n", "tmp": "<nil>\n", "tmp-again": "<nil>\n", "leaves": "<nil>\n", "asks": "<nil> <nil>\n", "other": "<nil>\n",
	"redefined": "one port  <nil> 2 <nil> <nil>\n",
}

// What the kernel runs in order passes in order, whichever cells are asked for.
func TestCellsThatShareFilesRunInOrder(t *testing.T) {
	owncache.Use(t)
	file := notebook(t, t.TempDir(), together...)
	for _, only := range []string{"", "redefined"} {
		b := must.Get(built.Notebook(t.Context(), file, root(t))).Or(t)
		ids := b.IDs()
		if only != "" {
			ids = []string{only}
		}
		b.RunAll(t.Context(), ids, func(_ int, r celltest.Result) {
			if want := togetherPrints[r.ID]; stdout(r) != want {
				t.Errorf("%s prints %q, want %q; %q", r.ID, stdout(r), want, r.Failures)
			}
		})
		if err := b.Close(); err != nil {
			t.Error(err)
		}
	}
}

// course writes a module with packages beside a notebook.
func course(t *testing.T, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range files {
		file := filepath.Join(dir, name)
		testfile.Write(t, file, text)
	}
	return dir
}

// The packages that one cell imports start in no other cell: what they print, the flags that they
// register, the image formats, a panic.
func TestImportsOfOtherCells(t *testing.T) {
	owncache.Use(t)
	dir := course(t, map[string]string{
		"go.mod":          "module example.org/course\n\ngo 1.26\n",
		"prints/p.go":     "package prints\n\nimport (\n\t\"flag\"\n\t\"fmt\"\n)\n\nvar Verbose = flag.Bool(\"verbose\", false, \"\")\n\nfunc init() { fmt.Println(\"prints loaded\") }\n",
		"panics/p.go":     "package panics\n\nvar V = map[string]func() int{}[\"none\"]()\n",
		"deep/d.go":       "package deep\n\nimport \"example.org/course/prints\"\n\nfunc V() bool { return *prints.Verbose }\n",
		"plain/p.go":      "package plain\n\nfunc V() int { return 1 }\n",
		"registers/pi.go": "package registers\n\nimport _ \"image/png\"\n\nfunc V() int { return 1 }\n",
	})
	const decode = "_, name, err := image.Decode(strings.NewReader(\"\\x89PNG\\r\\n\\x1a\\n\"))\nfmt.Printf(\"%q %v\\n\", name, err)"
	file := notebook(t, dir,
		"imports", "import (\n\t\"flag\"\n\t\"fmt\"\n\t\"image\"\n\t\"strings\"\n\t\"example.org/course/deep\"\n\t\"example.org/course/panics\"\n\t\"example.org/course/plain\"\n\t\"example.org/course/prints\"\n)",
		"before", "%%\nfmt.Println(\"before\")",
		"uses", "%%\nfmt.Println(*prints.Verbose)",
		"panics", "%%\nfmt.Println(panics.V)",
		"deep", "%%\nfmt.Println(deep.V())",
		"plain", "%%\nfmt.Println(plain.V(), flag.Lookup(\"verbose\"))",
		"decode", "%%\n"+decode,
		"registers", "import \"example.org/course/registers\"\n%%\nfmt.Println(registers.V())\n"+decode,
		"own", "var verbose = flag.Bool(\"verbose\", true, \"mine\")\n%%\nfmt.Println(*verbose)")
	b := build(t, file)
	for id, want := range map[string]string{
		"before": "before\n", "uses": "prints loaded\nfalse\n", "panics": "", "deep": "prints loaded\nfalse\n", "plain": "1 <nil>\n",
		"decode": "\"\" image: unknown format\n", "registers": "1\n\"png\" unexpected EOF\n", "own": "true\n",
	} {
		r := b.Run(t.Context(), id)
		if stdout(r) != want {
			t.Errorf("%s prints %q, want %q; %q", id, stdout(r), want, r.Failures)
		}
		if said := strings.Contains(strings.Join(r.Failures, "\n"), "nil pointer dereference"); said != (id == "panics") {
			t.Errorf("%s fails with %q", id, r.Failures)
		}
	}
	// One program is for what starts silently, one for prints, one for panics, and two decode.
	if len(b.Packages) != 5 {
		t.Errorf("%d programs, want 5", len(b.Packages))
	}
}

// An import that does not build is a failure of its cell, in the words of the go command, whoever
// finds out: the type checker, the go command by the path, the compiler, the linker.
func TestBadImports(t *testing.T) {
	owncache.Use(t)
	dir := course(t, map[string]string{
		"go.mod":             "module example.org/course\n\ngo 1.26\n",
		"internal/ours/o.go": "package ours\n\nfunc V() int { return 1 }\n",
		"program/p.go":       "package main\n\nfunc V() int { return 1 }\n\nfunc main() {}\n",
		"broken/b.go":        "package broken\n\nfunc V() int { return x }\n",
		"unlinked/u.go":      "package unlinked\n\nfunc V() int\n",
		"unlinked/u.s":       "",
		"tests/t_test.go":    "package tests\n",
	})
	bad := func(path string) string {
		return "import \"" + path + "\"\n%%\nfmt.Println(" + filepath.Base(path) + ".V())"
	}
	file := notebook(t, dir,
		"good", "import \"fmt\"\n%%\nfmt.Println(\"good\")",
		"internal", bad("example.org/course/internal/ours"),
		"ours", "import \"marginalia/internal/cell/display\"\n%%\nfmt.Println(display.Active())",
		"std", "import \"internal/goos\"\n%%\nfmt.Println(goos.GOOS)",
		"program", "import prog \"example.org/course/program\"\n%%\nfmt.Println(prog.V())",
		"broken", bad("example.org/course/broken"),
		"unlinked", bad("example.org/course/unlinked"),
		"tests", bad("example.org/course/tests"),
		"none", bad("example.org/course/none"),
		"gone", bad("example.invalid/gone"),
		"gone-std", bad("no/such"),
		"gone-own", bad("example.org/course/gone"),
		"gone-relative", bad("./none"),
		"after", "%%\nfmt.Println(\"after\")")
	// What GoNB's go get says depends on the network. Those that should fail pass with it.
	gone := []string{"gone", "gone-std", "gone-own", "gone-relative"}
	for _, id := range gone {
		tag(t, file, id, "raises-exception")
		edit(t, file, id, func(c *nbformat.Cell) {
			c.Outputs = []nbformat.Output{{Type: "error", EName: "ERROR", EValue: "failed to run \"/a b/bin/go get\": exit status 1\n\ngo: …"}}
		})
	}
	results := run(t, file)
	for _, id := range gone {
		if f := results[id].Failures; len(f) > 0 {
			t.Errorf("%s is stored with go get's words, and fails with %q", id, f)
		}
	}
	for id, want := range map[string]string{"good": "good\n", "after": "after\n"} {
		if r := results[id]; stdout(r) != want {
			t.Errorf("%s prints %q, want %q; %q", id, stdout(r), want, r.Failures)
		}
	}
	for id, want := range map[string]string{
		"internal": "nb.ipynb#internal:1: use of internal package example.org/course/internal/ours not allowed",
		"ours":     "nb.ipynb#ours:1: use of internal package marginalia/internal/cell/display not allowed",
		"std":      "nb.ipynb#std:1: use of internal package internal/goos not allowed",
		"program":  "nb.ipynb#program:1: import \"example.org/course/program\" is a program, not an importable package",
		"broken":   "b.go:3:23: undefined: x",
		"unlinked": "example.org/course/unlinked.V not defined",
		"tests":    "no non-test Go files in",
		"none":     "line 1: package example.org/course/none, and the module example.org/course has none of this path: check the spelling of the import",
	} {
		if f := results[id].Failures; len(f) == 0 || !strings.Contains(f[0], want) {
			t.Errorf("%s fails with %q, want %q", id, f, want)
		}
	}
}

// Plain go test of the package that export writes agrees with the command test: on cells that
// share files, on cells that import gonbui, and on what vet refuses in code that is not a cell.
func TestGoTestAgrees(t *testing.T) {
	tier.Long(t)
	owncache.Use(t)
	dir := t.TempDir()
	file := notebook(t, dir, append(together,
		"gonbui", "import \"github.com/janpfeifer/gonb/gonbui\"\n%%\ngonbui.DisplayHTML(\"<i>one</i>\")",
		"newline", "%%\nfmt.Println(\"a\\n\")",
		"verb", "%%\nfmt.Printf(\"%d\\n\", \"x\")",
		"errors", "import \"errors\"\ntype fault struct{}\nfunc (*fault) Error() string { return \"f\" }\n%%\nfmt.Println(errors.As(fmt.Errorf(\"x\"), new(fault)))",
		"ifacemethod", "type lines struct{}\nfunc (lines) ReadByte() byte { return 0 }\n%%\nfmt.Println(lines{}.ReadByte())",
		"buildtag", "func tagged() int {\n\t// +build ignore\n\treturn 1\n}\n%%\nfmt.Println(tagged())")...)
	for id, text := range togetherPrints {
		store(t, file, id, text)
	}
	// errors.As panics, on the kernel too.
	tag(t, file, "errors", "raises-exception", "nbval-ignore-output")
	for id, text := range map[string]string{"newline": "a\n\n", "verb": "%!d(string=x)\n", "ifacemethod": "0\n", "buildtag": "1\n"} {
		store(t, file, id, text)
	}
	for _, id := range []string{"gonbui", "write", "again"} {
		tag(t, file, id, "nbval-ignore-output")
	}
	for id, r := range run(t, file) {
		if len(r.Failures) > 0 {
			t.Errorf("test: %s fails with %q", id, r.Failures)
		}
	}
	out := filepath.Join(dir, "out")
	must.Do(t, exported(t, file).Write(out, root(t)))
	for range 2 { // the second is not taken from the cache: the first has run cells that write
		if text, err := command(out, "go", "test", "./..."); err != nil || strings.Contains(text, "(cached)") {
			t.Errorf("go test: %v\n%s", err, text)
		}
	}
}
