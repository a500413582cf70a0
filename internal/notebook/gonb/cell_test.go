package gonb_test

import (
	"slices"
	"strings"
	"testing"

	"marginalia/internal/notebook/gonb"
)

// The rules are GoNB v0.11.5's (internal/specialcmd/specialcmd.go and
// internal/goexec/composer.go); package export compares them with the real kernel.
func TestRead(t *testing.T) {
	tests := []struct {
		name, source string
		args         []string
		test, hasGo  bool
		commands     int
	}{
		{name: "main", source: "%% -n 3 \"a b\"\nhi()", args: []string{"-n", "3", "a b"}, hasGo: true, commands: 1},
		{name: "%% resets %args", source: "%args x y\n%%\nhi()", args: []string{}, hasGo: true, commands: 2},
		{name: "args after %%", source: "%%\nhi()\n%args x", args: []string{"x"}, hasGo: true, commands: 2},
		{name: "exec", source: "%exec hi a b\n", args: []string{"a", "b"}, commands: 1},
		{name: "prefix", source: "//gonb:%% one\nhi()", args: []string{"one"}, hasGo: true, commands: 1},
		{name: "continued", source: "%args a \\\nb\nfunc f() {}", args: []string{"a", "b"}, hasGo: true, commands: 1},
		{name: "escapes", source: `%args "x\n\"y\"" ""` + "\nfunc f() {}", args: []string{"x\n\"y\"", ""}, hasGo: true, commands: 1},
		{name: "test alone", source: "%test", args: []string{}, test: true, hasGo: true, commands: 1},
		{name: "commands only", source: "%env A 1\n\n!ls\n", commands: 2},
		{name: "magic", source: "%%bash\nls", commands: 1},
		{name: "a single percent is Go", source: "%", hasGo: true},
		{name: "empty", source: ""},
		{name: "carriage return", source: "%%\r\nhi()", hasGo: true, commands: 1},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			c := gonb.Read("id", tt.source)
			if !slices.Equal(c.Args, tt.args) || c.Test != tt.test || c.HasGo() != tt.hasGo || len(c.Commands) != tt.commands {
				t.Errorf("args %q test %v go %v, %d commands; want %q %v %v, %d",
					c.Args, c.Test, c.HasGo(), len(c.Commands), tt.args, tt.test, tt.hasGo, tt.commands)
			}
		})
	}
}

func TestComposeMergedCells(t *testing.T) {
	decls := gonb.NewDecls()
	for i, source := range []string{
		"import \"fmt\"\n// greet says hello.\nfunc greet(s string) { fmt.Println(s) }\nvar b, a = 1, 2\ntype T struct{}\nconst (\n\tx = iota\n\ty\n)",
		"func greet(s string) { fmt.Println(\"hello\", s) }\nfunc (t *T) M() {}\nfunc init_z() {}",
	} {
		d, _, err := gonb.Read(string(rune('a'+i)), source).Parse()
		if err != nil {
			t.Fatal(err)
		}
		decls.Merge(d)
	}
	_, main, err := gonb.Read("c", "%%\ngreet(\"x\")").Parse()
	if err != nil {
		t.Fatal(err)
	}
	file := decls.Compose(main)
	want := `package main

import (
	"fmt"
)

type T struct{}

const (
	x = iota
	y
)

var (
	a = 2
	b = 1
)

func (t *T) M() {}

func greet(s string) { fmt.Println("hello", s) }

func init() {}


func main() {
	flag.Parse()
greet("x")

}
`
	if file.Text != want {
		t.Errorf("got\n%s\nwant\n%s", file.Text, want)
	}
	lines := strings.Split(file.Text, "\n")
	for i, o := range file.Origins {
		if strings.HasPrefix(lines[i], "greet") && o != (gonb.Origin{"c", 1}) {
			t.Errorf("line %d %q comes from %v, want line 1 of cell c", i, lines[i], o)
		}
		if strings.HasPrefix(lines[i], "\ty") && o != (gonb.Origin{"a", 7}) {
			t.Errorf("line %d %q comes from %v, want line 7 of cell a", i, lines[i], o)
		}
	}
}

func TestMergeForgetsTheTuple(t *testing.T) {
	d, _, err := gonb.Read("a", "var x, y = f()\nvar z = 1").Parse()
	if err != nil {
		t.Fatal(err)
	}
	newer, _, err := gonb.Read("b", "var y = 2").Parse()
	if err != nil {
		t.Fatal(err)
	}
	d.Merge(newer)
	if d.Vars["x"] != nil || d.Vars["y"].Value != "2" || d.Vars["z"] == nil {
		t.Errorf("after redefining y of `var x, y = f()`: %v", d.Vars)
	}
}

func TestProblems(t *testing.T) {
	tests := []struct {
		name, source, want string
		line               int
		fatal              bool
	}{
		{"two mains", "%%\nf()\n%%\ng()", "second main", 2, true},
		{"main in a comment before", "/*\n%% x\n*/\n%%\ng()", "indent it", 1, true},
		{"main in a string after", "%%\ns := `\n%%\n`", "indent it", 2, true},
		{"main and exec", "%exec f\n%main", "second main", 1, true},
		{"exec with a tab", "%exec\tf", "%exec and the function", 0, true},
		{"bare bang", "func f() {}\n!  ", "without a name", 1, true},
		{"percent and blank", "% ", "without a name", 0, true},
		{"package in a string", "var s = `\npackage x\n`", "starts with \"package\"", 1, false},
		{"packages", "func f() {\npackages := 3\n_ = packages\n}", "starts with \"package\"", 1, false},
		{"bang in a string", "var s = `\n!echo hi\n`", "within a string", 1, false},
		{"percent in a comment", "/*\n%env A 1\n*/\nvar s = 1", "within a string or comment", 1, false},
		{"line directive", "func f() int {\n//line foo.go:100\n\treturn 1\n}", "line directive", 1, true},
		{"line directive within a line", "func f() int { return /*line foo.go:100:1*/ 1 }", "line directive", 0, true},
		{"iota", "const (\n\ta, b = iota, iota + 10\n\tc, d\n)", "changes iota", 1, false},
		{"two blank imports", "import (\n\t_ \"image/png\"\n\t_ \"image/gif\"\n)", "last `_` import", 2, false},
		{"embed", "import _ \"embed\"\n\n//go:embed x\nvar s string", "go:embed", 3, false},
		{"two functions", "func f() int { return 1 }\nfunc f() int { return 2 }", "f is declared in line 1 too", 1, false},
		{"two inits", "func init() {}\nvar x = 1\nfunc init() {}", "name them init_a and init_b", 2, false},
		{"two variables", "var x = 1\nvar x, y = 2, 3", "x is declared in line 1 too", 1, false},
		{"two types", "type T int\ntype T string", "T is declared in line 1 too", 1, false},
		{"main and %%", "func main() {}\n%%\nf()", "main is declared in line 1 too", 1, false},
		{"cgo", "/*\nint three(void) { return 3; }\n*/\nimport \"C\"\n%%\nprintln(C.three())", "which is the C code", 3, false},
		{"exec alone", "%exec f\n\n", "runs no function of a cell that has only commands", 0, false},
		{"ends its parent", "%%\nsyscall.Kill(\nsyscall.Getppid(), syscall.SIGKILL)", "to its parent", 2, true},
		{"generic values", "type A[T any] struct{}\ntype B[T any] struct{}\nfunc (A[T]) M() {}\nfunc (B[T]) M() {}", "one method M", 3, false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			for _, p := range gonb.Read("id", tt.source).Problems() {
				if p.Line == tt.line && p.Fatal == tt.fatal && strings.Contains(p.What, tt.want) {
					return
				}
			}
			t.Errorf("no problem %q at line %d; got %v", tt.want, tt.line, gonb.Read("id", tt.source).Problems())
		})
	}
	if p := gonb.Read("id", "// runs it\n%exec f").Problems(); len(p) != 0 {
		t.Errorf("%%exec beside Go has problems: %v", p)
	}
	clean := "package main\nimport \"fmt\"\nfunc f() { os.Getppid(); fmt.Printf(`%d\n`, 3) } //line x:9 is none here\n// line 3\nvar a, b = 1, 2\nvar _, _ = 1, 2\nfunc (t T) f() {}\n%% -x\nf()"
	if p := gonb.Read("id", clean).Problems(); len(p) != 0 {
		t.Errorf("a clean cell has problems: %v", p)
	}
}

func TestSyntaxErrorNamesTheFileOfTheCell(t *testing.T) {
	_, _, err := gonb.Read("id", "x := 1").Parse()
	// The text go/parser gives for a statement outside a function, at line 3 behind `package main` and a blank line.
	if err == nil || !strings.HasPrefix(err.Error(), "main.go:3:1: expected declaration") {
		t.Errorf("got %v", err)
	}
}

func FuzzCell(f *testing.F) {
	f.Add("%% a\nfoo()\n")
	f.Add("!\\\n\\\n")
	f.Add("func f() {\n//line x:100\n}\n//line y:1\nvar x = 1")
	f.Add("var x = `\n%\n`\npackage")
	f.Fuzz(func(t *testing.T, source string) {
		c := gonb.Read("id", source)
		c.Problems()
		if d, main, err := c.Parse(); err == nil {
			file := d.Compose(main)
			if n := strings.Count(file.Text, "\n"); n != len(file.Origins) {
				t.Errorf("%d lines, %d origins", n, len(file.Origins))
			}
		}
	})
}
