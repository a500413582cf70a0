package program_test

import (
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"marginalia/internal/notebook/gonb"
	"marginalia/internal/notebook/program"
	"marginalia/internal/testkit/must"
)

// at returns where the first line that holds text comes from, or "" if there is none.
func at(p *program.Program, text string) gonb.Origin {
	for i, line := range strings.Split(p.File().Text, "\n") {
		if strings.Contains(line, text) {
			return p.File().Origins[i]
		}
	}
	return gonb.Origin{}
}

// %cd without a folder says where the cells run, also in the notebook's own.
func TestCurrentFolder(t *testing.T) {
	p := program.NewSession(t.TempDir()).Step("cd", "%cd")
	if want := (program.Print{Stream: "stdout", Text: "Current directory: %q\n", Dir: "."}); !slices.Equal(p.Prints, []program.Print{want}) {
		t.Errorf("it prints %+v, want %+v", p.Prints, want)
	}
}

// A cell composed in a clone leaves the session as it was, whatever it does: so
// several answers can be tried behind the same cell.
func TestCloneGoesOnByItself(t *testing.T) {
	s := program.NewSession(t.TempDir())
	for _, c := range [][2]string{{"env", "%env A 1"}, {"f", "func f() int { return 1 }"}, {"g", "var g = 2"}} {
		s.Remember(s.Step(c[0], c[1]))
	}
	for _, source := range []string{
		"%env A 2\n%rm g\nfunc f() int { return 3 }",
		"%env B 3\n%goflags -race\n%reset\nvar g = 4",
	} {
		c := s.Clone()
		c.Remember(c.Step("answer", source))
	}
	p := s.Step("use", "%%\nprintln(f(), g)")
	if got := at(p, "func f()"); got != (gonb.Origin{Cell: "f"}) {
		t.Errorf("f comes from %v, want cell f\n%s", got, p.File().Text)
	}
	if got := at(p, "g = 2"); got != (gonb.Origin{Cell: "g"}) {
		t.Errorf("g comes from %v, want cell g\n%s", got, p.File().Text)
	}
	if !slices.Equal(p.Env, []string{"A=1"}) || len(p.Flags) > 0 {
		t.Errorf("environment %q, flags %q, want A=1 alone", p.Env, p.Flags)
	}
}

// What a cell declares is remembered if its program compiled; its commands have
// been executed before anyone knew.
func TestRemember(t *testing.T) {
	s := program.NewSession(t.TempDir())
	s.Remember(s.Step("f", "func f() int { return 1 }\nfunc g() {}"))
	s.Step("fails", "%rm g\n%env A 1\nfunc f() int { return undefined }")
	p := s.Step("use", "%%\nf()")
	if got := at(p, "func f()"); got.Cell != "f" {
		t.Errorf("f comes from cell %q, want f: the cell after it was not remembered", got.Cell)
	}
	if p.Decls.Funcs["g"] != nil || !slices.Equal(p.Env, []string{"A=1"}) {
		t.Errorf("the commands of the cell that failed were not executed: environment %q\n%s", p.Env, p.File().Text)
	}
	if _, ok := p.Own.Funcs["f"]; ok {
		t.Error("f is among the cell's own declarations")
	}
}

// Cells for which GoNB builds nothing say why, and leave no declarations behind.
func TestNoProgram(t *testing.T) {
	s := program.NewSession(t.TempDir())
	for _, tt := range []struct{ source, fails, skip, problem string }{
		{source: "%env A 1"},
		{source: "%%bash\nls", skip: "line 1: %%bash is not Go"},
		{source: "%cd nowhere\nfunc f() {}", fails: "executing special commands in cell: `%cd \"nowhere\"` failed: chdir nowhere: no such file or directory"},
		{source: "x := 1", fails: "gonb_00000000/main.go:3:1: expected declaration, found x"},
		{source: "%%\n%%", problem: "a second main"},
	} {
		p := s.Step("id", tt.source)
		s.Remember(p)
		problem := ""
		if len(p.Problems) > 0 {
			problem = p.Problems[0].What
		}
		if !p.NoGo || p.Fails != tt.fails || p.Skip != tt.skip || !strings.HasPrefix(problem, tt.problem) || (problem == "") != (tt.problem == "") {
			t.Errorf("%q: NoGo %v, fails %q, skip %q, problem %q; want fails %q, skip %q, problem %q", tt.source, p.NoGo, p.Fails, p.Skip, problem, tt.fails, tt.skip, tt.problem)
		}
	}
}

// A checker finds what goimports finds and remembers what compiles; a problem of
// a cell is reported once.
func TestCheckerStep(t *testing.T) {
	// A module of its own: in this one goimports reads all folders, and go test would run this
	// again after an edit in any.
	root := t.TempDir()
	must.Do(t, os.MkdirAll(filepath.Join(root, "internal", "notebook", "nbformat"), 0o700))
	for name, text := range map[string]string{
		"go.mod":                                 "module own\n\ngo 1.26.0\n",
		"internal/notebook/nbformat/nbformat.go": "package nbformat\n\nfunc Read(string) {}\n",
	} {
		must.Do(t, os.WriteFile(filepath.Join(root, name), []byte(text), 0o600))
	}
	t.Chdir(root)
	types, s := program.NewChecker(root, root), program.NewSession(root)
	step := func(id, source string) *program.Program {
		t.Helper()
		p := must.Get(types.Step(t.Context(), s, id, source)).Or(t)
		return p
	}
	if p := step("imports", "import (\n\t\"os\"\n\t\"fmt\"\n)"); !p.Compiles || p.Decls.Imports["os"] != nil {
		t.Errorf("compiles %v, want an import that is not used left out\n%s", p.Compiles, p.File().Text)
	}
	if p := step("fails", "func up() string { return undefined }"); p.Compiles || len(p.Errors) != 1 || p.Errors[0].Msg != "undefined: undefined" {
		t.Errorf("compiles %v, errors %v", p.Compiles, p.Errors)
	}
	if p := step("up", "func up() string { return strings.ToUpper(\"a\") }\nvar _ = up()"); !p.Compiles || len(p.Problems) != 1 {
		t.Errorf("compiles %v, problems %v, want one\n%s", p.Compiles, p.Problems, p.File().Text)
	}
	p := step("use", "%%\nfmt.Println(up())")
	if got := at(p, "func up()"); !p.Compiles || got.Cell != "up" || p.Pkg.Scope().Lookup("up") == nil {
		t.Errorf("compiles %v, up from cell %q, want up\n%s", p.Compiles, got.Cell, p.File().Text)
	}
	step("cgo", "import \"C\"\nfunc two() int { return int(C.int(2)) }")
	if p := step("use cgo", "%%\nprintln(two())"); !p.Compiles || p.Decls.Imports["C"] == nil {
		t.Errorf("a function with types of C was not remembered\n%s\n%v", p.File().Text, p.Errors)
	}
	// On the kernel a cell is its own module, so goimports proposes no internal packages.
	if p := step("internal", "%%\nnbformat.Read(\"x.ipynb\")"); p.Compiles || p.Decls.Imports["nbformat"] != nil {
		t.Errorf("goimports found an internal package\n%s", p.File().Text)
	}
	if i := p.Decls.Imports["fmt"]; i == nil || len(i.At) == 0 || i.At[0] != (gonb.Origin{Cell: "imports", Line: 2}) {
		t.Errorf("the import of fmt is %v, want that of cell imports", i)
	}
}

// Of the imports that are remembered a program has those that it names, and goimports
// finds what else it does.
func TestImportsOfAProgram(t *testing.T) {
	root := t.TempDir()
	must.Do(t, os.WriteFile(filepath.Join(root, "go.mod"), []byte("module own\n\ngo 1.26.0\n"), 0o600))
	t.Chdir(root)
	types := program.NewChecker(root, root)
	for _, tt := range []struct{ cell, imports string }{
		{"func f() {}", "flag"},                                // which the main that GoNB writes needs
		{"%%\nfmt.Println(m.Pi, rand.Int())", "flag fmt m v2"}, // GoNB's name for math/rand/v2
		{"%%\nfmt := os.Args\nprintln(len(fmt))", "flag os"},
		{"%%\nvar m error\nm.Error()", "flag"},
		{"import _ \"embed\"\n%%\nprintln(1)", "_ flag"},
		{"import . \"strings\"\n%%\nprintln(ToUpper(\"a\"))", ".~strings flag"},
		{"%%\nfmt.Println(strings.ToUpper(\"a\"))", "flag fmt strings"}, // found
	} {
		s := program.NewSession(root)
		if _, err := types.Step(t.Context(), s, "imports", "import (\n\t\"flag\"\n\t\"os\"\n\t\"fmt\"\n\tm \"math\"\n\t\"math/rand/v2\"\n)"); err != nil {
			t.Fatal(err)
		}
		p := must.Get(types.Step(t.Context(), s, "use", tt.cell)).Or(t)
		if got := strings.Join(slices.Sorted(maps.Keys(p.Decls.Imports)), " "); got != tt.imports || !p.Compiles {
			t.Errorf("%q imports %q, want %q; compiles %v, %v", tt.cell, got, tt.imports, p.Compiles, p.Errors)
		}
	}
}

// A cell that needs a newer language than go.mod names does not compile, as when
// the package that it is exported to is built.
func TestLanguageOfGoMod(t *testing.T) {
	for version, want := range map[string]bool{"1.21": false, "1.22.0": true} { // ranging over integers came with Go 1.22
		root := t.TempDir()
		must.Do(t, os.WriteFile(filepath.Join(root, "go.mod"), []byte("module old\n\ngo "+version+"\n"), 0o600))
		p, err := program.NewChecker(root, root).Step(t.Context(), program.NewSession(root), "loop", "%%\nfor i := range 3 {\n\tprintln(i)\n}")
		if err != nil {
			t.Fatal(err)
		}
		if p.Compiles != want {
			t.Errorf("go %s: compiles %v, want %v; %v", version, p.Compiles, want, p.Errors)
		}
	}
}
