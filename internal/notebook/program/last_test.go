package program_test

import (
	"go/parser"
	"go/token"
	"regexp"
	"strings"
	"testing"

	"marginalia/internal/base/repo/repotest"
	"marginalia/internal/notebook/program"
	"marginalia/internal/testkit/must"
)

// declared stands before each cell of TestLast.
const declared = `import (
	"errors"
	"fmt"
	"io"
	"os"
	"sort"
	"strconv"
	"strings"
	"sync"

	"gonum.org/v1/gonum/mat"

	"marginalia/plotting"
)

type pt struct{ X, Y float64 }

func (p pt) Norm() float64 { return p.X }
func (p *pt) Move()        { p.X++ }

func none()                           {}
func one() int                        { return 1 }
func fails() error                    { return nil }
func both() (*pt, error)              { return nil, nil }
func pair() (int, string)             { return 1, "" }
func of[T any](v T) T                 { return v }
func all[T any](v ...T)               {}
func run(f func())                    { f() }
func apply(f func() int) int          { return f() }

var (
	_ = errors.New
	_ = io.EOF
	_ = os.Args
	_ = sort.Ints
	_ = strconv.Atoi
	_ strings.Builder
	_ sync.Mutex
	_ = mat.NewDense
	_ = plotting.New
	_ = fmt.Sprint
)
`

// The last expression shows itself if Go would refuse it as not used, or if it is a call that returns
// something else than an error or a count of bytes. The words are the compiler's for what stays refused;
// "" stands for a cell that compiles as GoNB builds it, and * for one that shows its last expression.
func TestLast(t *testing.T) {
	root := repotest.Root(t)
	c := program.NewChecker(root, root)
	s := program.NewSession(root)
	must.Get(c.Step(t.Context(), s, "declared", declared)).Or(t)
	for cell, want := range map[string]string{
		// What Go refuses.
		"x := 3\nx":                 "*",
		"x := 3; x":                 "*",
		"x := 3\nx // it is three":  "*",
		"x := 3\nx;":                "*",
		"x := 3\n(x)":               "*",
		"x := 3\n\tx\n\n// the end": "*",
		"x := 3\nx /* a */ // b":    "*",
		"1 + 2":                     "*",
		"1 +\n\t2":                  "*",
		"\"text\"":                  "*",
		"`raw\n  text`":             "*",
		"nil":                       "*",
		"x := 3\nx == 3":            "*",
		"pt{1, 2}":                  "*",
		"&pt{\n\t1,\n\t2,\n}":       "*",
		"[]int{1, 2}":               "*",
		"map[string]int{\"a\": 1}":  "*",
		"struct{ A int }{1}":        "*",
		"[]int{1, 2}[1:]":           "*",
		"var a any = 1\na.(int)":    "*",
		"p := &pt{}\n*p":            "*",
		"p := &pt{}\np.X":           "*",
		"len(\"ab\")":               "*",
		"append([]int{1}, 2)":       "*",
		"float64(3)":                "*",
		"[]byte(\"ab\")":            "*",
		"'a'":                       "*",
		"2i":                        "*",
		"none":                      "*",
		"of[int]":                   "*",
		"pt.Norm":                   "*",
		"-x()\nfunc y":              "expected",
		"len([]int{apply(func() int { 1; return 2 })})": "len([]int{…}) (value of type int) is not used",
		// Calls.
		"one()":                               "*",
		"both()":                              "*",
		"pair()":                              "*",
		"of(3)":                               "*",
		"of[float64](\n\t3)":                  "*",
		"pt{}.Norm()":                         "*",
		"fmt.Sprint(1)":                       "*",
		"strconv.Atoi(\"1\")":                 "*",
		"mat.NewDense(2, 2, nil)":             "*",
		"plotting.New(\"a\")":                 "*",
		"(func() int { return 1 })()":         "*",
		"func() int { return 1 }()":           "*",
		"apply(func() int { return 1 })":      "*",
		"new(pt)":                             "*",
		"none()":                              "",
		"fails()":                             "",
		"all(1, 2)":                           "",
		"run(func() {})":                      "",
		"run(func() { 1 })":                   "1 (untyped int constant) is not used",
		"apply(func() int { 1; return 2 })":   "1 (untyped int constant) is not used",
		"(&pt{}).Move()":                      "",
		"fmt.Println(1)":                      "",
		"fmt.Fprintf(os.Stdout, \"\")":        "",
		"os.Stdout.Write(nil)":                "",
		"io.Copy(io.Discard, os.Stdin)":       "",
		"copy([]int{1}, []int{2})":            "",
		"recover()":                           "",
		"panic(1)":                            "",
		"c := make(chan int, 1)\nc <- 1\n<-c": "",
		"_ = one()":                           "",
		// What stays refused, in the compiler's words.
		"x := 3\nx\nfmt.Println(x)": "x (variable of type int) is not used",
		"if true {\n\t3\n}":         "3 (untyped int constant) is not used",
		"func() {}":                 "(func() literal) (value of type func()) is not used",
		"int":                       "int (type) is not an expression",
		"len":                       "len (built-in) must be called",
		"y":                         "undefined: y",
		"y.Z":                       "undefined: y",
		"1 << 100":                  "1 << 100 (untyped int constant 1267650600228229401496703205376) is not used",
		"3 + \"a\"":                 "invalid operation: 3 + \"a\" (mismatched types untyped int and untyped string)",
		"of":                        "cannot use generic function of without instantiation",
		"x := 3\ny := 4\nx":         "declared and not used: y",
		"undefined()\nx := 3\nx":    "undefined: undefined",
	} {
		p := must.Get(c.Step(t.Context(), s.Clone(), "cell", "%%\n"+cell)).Or(t)
		got := p.Fails
		switch {
		case len(p.Errors) > 0:
			got = p.Errors[0].Msg
		case p.Compiles && strings.Contains(p.File().Text, "marginalia_show.Value("):
			got = "*"
		}
		if got != want && (want != "expected" || !strings.Contains(got, want)) {
			t.Errorf("%q: %q, want %q\n%s", cell, got, want, p.File().Text[strings.Index(p.File().Text, "func main"):])
		}
		sameText(t, c, s, "%%\n"+cell, p)
	}
	for cell, want := range map[string]string{
		"%% a b\none()":                          "*",
		"func two() int { return 2 }\n%%\ntwo()": "*",
		"%exec one\nvar z = 1":                   "*",
		"%main\none()":                           "*",
		"%%time\none()":                          "*",
		"%%time\nx := 3\nx":                      "*",
		"%%time":                                 "",
		"%%bench\none()":                         "*",
		"%%bench\nx := 3\nx; // it is three":     "*",
		"%%bench\nfails()":                       "",
		"%%bench":                                "",
		"var timing = 3":                         "",
		"var marginalia_show = 3\n%%\nmarginalia_show":  "*",
		"%%\nmarginalia_show := 3\nmarginalia_show":     "*",
		"func main() {\n\tone()\n}":                     "",
		"func main() {\n\t3\n}":                         "3 (untyped int constant) is not used",
		"%test\nfunc TestA(t *testing.T) {}\n%%\none()": "",
	} {
		p := must.Get(c.Step(t.Context(), s.Clone(), "cell", cell)).Or(t)
		got := ""
		if len(p.Errors) > 0 {
			got = p.Errors[0].Msg
		} else if p.Shows != "" {
			got = "*"
		}
		if got != want {
			t.Errorf("%q: %q, want %q", cell, got, want)
		}
		if !p.Test {
			sameText(t, c, s, cell, p)
		}
	}
}

var showing = regexp.MustCompile(`marginalia_show_*\.Value\(`)

// sameText: the program that the kernel makes of the text that GoNB writes has the lines of the one that tests make
// of the cell, and columns move on no line but that of the expression.
func sameText(t *testing.T, c *program.Checker, s *program.Session, cell string, p *program.Program) {
	t.Helper()
	plain := s.Clone().Step("cell", cell)
	if plain.NoGo {
		return
	}
	must.Do(t, c.Imports(t.Context(), plain))
	text := plain.File().Text
	edited := must.Get(c.ShowLast(t.Context(), "main.go", []byte(text))).Or(t)
	main := func(text string) string { return text[strings.Index(text, "func main"):] }
	if edited == nil {
		if p.Shows != "" {
			t.Errorf("%q: the kernel does not show what tests show", cell)
		}
		return
	}
	if got, want := main(string(edited)), main(p.File().Text); got != want {
		t.Errorf("%q: the kernel builds\n%s\nand tests\n%s", cell, got, want)
	}
	if _, err := parser.ParseFile(token.NewFileSet(), "", edited, 0); err != nil {
		t.Errorf("%q: %v", cell, err)
	}
	before, after := strings.Split(text, "\n"), strings.Split(string(edited), "\n")
	if len(before) != len(after) {
		t.Errorf("%q: %d lines have become %d", cell, len(before), len(after))
		return
	}
	for i, line := range after[1:] {
		line = showing.ReplaceAllString(line, "")
		if !strings.HasPrefix(line, before[i+1]) && !strings.HasPrefix(strings.Replace(line, ")", "", 1), before[i+1]) && strings.Count(line, ")") != strings.Count(before[i+1], ")")+1 {
			t.Errorf("%q: line %d, %q, has become %q", cell, i+2, before[i+1], line)
		}
	}
}
