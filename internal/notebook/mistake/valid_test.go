package mistake_test

import (
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"marginalia/internal/notebook/gonb"
	"marginalia/internal/notebook/mistake"
	"marginalia/internal/testkit/must"
)

// stubs are the packages of the cells of testdata/valid, as far as they use them.
type stubs map[string]*types.Package

func (s stubs) Import(path string) (*types.Package, error) { return s[path], nil }

func newStubs(t *testing.T) stubs {
	s := stubs{}
	for path, body := range map[string]string{
		"fmt": "func Println(a ...any) (n int, err error) { return }", "flag": "func Parse() {}",
	} {
		fset := token.NewFileSet()
		file := must.Get(parser.ParseFile(fset, "", "package "+path+"\n"+body, 0)).Or(t)
		s[path] = must.Get(new(types.Config).Check(path, fset, []*ast.File{file}, nil)).Or(t)
	}
	return s
}

// explained explains the first mistake that the type checker finds in a cell, which says what
// the compiler says. ok is false if there is none, or if the cell does not parse.
func explained(packages stubs, source string) (e mistake.Explanation, ok bool) {
	file := gonb.Read("cell", source).File()
	text := strings.Replace(file.Text, "\n", "\nimport \"fmt\"; import \"flag\"; var _, _ = fmt.Println, flag.Parse; ", 1)
	fset := token.NewFileSet()
	parsed, err := parser.ParseFile(fset, "main.go", text, parser.SkipObjectResolution)
	if err != nil {
		return nil, false
	}
	var found types.Error
	_, err = (&types.Config{Importer: packages}).Check("main", fset, []*ast.File{parsed}, nil)
	if !errors.As(err, &found) {
		return nil, false
	}
	at := fset.Position(found.Pos)
	line := strings.Split(text, "\n")[at.Line-1]
	return mistake.Failure{
		Count: 1, Cells: func(count int) (string, bool) { return source, count == 1 },
		EValue: fmt.Sprintf("./main.go:%d:%d: %s", at.Line, at.Column, found.Msg),
		Traceback: []string{fmt.Sprintf("Cell[1]: Line %d\n%s\n%s^\n\n%s",
			file.Origins[at.Line-1].Line+1, line, strings.Repeat(" ", at.Column-1), found.Msg)},
	}.Explain(), true
}

// If a cell has one mistake, the hint is about that mistake and nothing else, whatever the
// cell has in its strings, comments and names.
func TestValidCells(t *testing.T) {
	a, err := txtar.ParseFile("testdata/valid/cells.txtar")
	if err != nil || len(a.Files) < 60 {
		t.Fatal(err)
	}
	packages := newStubs(t)
	tried := 0
	for _, f := range a.Files {
		valid := string(f.Data)
		if _, _, err := gonb.Read("cell", "%%\n"+valid).Parse(); err != nil {
			t.Fatalf("%s: %v", f.Name, err)
		}
		if e, ok := explained(packages, "%%\n"+valid); ok {
			t.Fatalf("%s is not right: %s", f.Name, e.Text(1, false))
		}
		hold := func(what, source string, hints ...string) {
			tried++
			e, ok := explained(packages, source)
			if !ok {
				e = parsed(source)
			}
			if len(e) == 0 {
				t.Errorf("%s, %s: nothing is said of\n%s", f.Name, what, source)
				return
			}
			for _, hint := range hints {
				if e[0].Hint == hint {
					return
				}
			}
			t.Errorf("%s, %s, is told\n%s", f.Name, what, e.Text(1, false))
		}
		hold("an undefined name", "%%\n"+valid+"zzundefined(3)\n", "")
		hold("an undefined name above", "%%\n_ = zzundefined\n"+valid, "")
		hold("an unused variable", "%%\nzzunused := 3\n"+valid, "use zzunused, or remove it")
		hold("a missing return", "func zzlast() int { }\n%%\n"+valid, "every way through the function ends in a return")
		hold("two words", "%%\n"+valid+"zzone zztwo\n", "")
		hold("an open bracket", "%%\n"+valid+"zzone(3\n", "a comma or a closing bracket is missing")
		hold("no %%", valid, "statements go below a line with %%: what stands there runs, and what stands above it is declared for later cells too")
		lines := strings.Split(strings.TrimSuffix(valid, "\n"), "\n")
		for i, line := range lines {
			changed := func(line string) string {
				all := append([]string{"%%"}, lines...)
				all[i+1] = line
				return strings.Join(all, "\n")
			}
			for _, with := range []string{line + "; zzundefined(3)", "zzundefined(3); " + line} {
				if _, ok := explained(packages, changed(with)); ok {
					hold("an undefined name in line "+fmt.Sprint(i+1), changed(with), "")
				}
			}
			if strings.HasSuffix(line, ")") && !strings.HasPrefix(line, "//") {
				hold("two words in line "+fmt.Sprint(i+1), changed(line+" zzone"), "", "a comma or a closing bracket is missing")
			}
		}
	}
	if tried < 700 {
		t.Errorf("%d cells were tried, want at least 700", tried)
	}
}
