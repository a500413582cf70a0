// Package testmain writes the main program of tests, as "go test" does.
package testmain

import (
	"fmt"
	"go/ast"
	"go/doc"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Name is the file of the program, and Imports are what it imports besides the package of the tests.
const Name = "_testmain.go"

var Imports = []string{"os", "testing", "testing/internal/testdeps"}

// kinds are the functions that a program of tests has in its lists, in their order.
var kinds = []struct{ prefix, parameter, list, element string }{
	{"Test", "T", "tests", "InternalTest"},
	{"Benchmark", "B", "benchmarks", "InternalBenchmark"},
	{"Fuzz", "F", "fuzzTargets", "InternalFuzzTarget"},
}

// Write returns the program that runs the tests in the file of a package, with each function on the line
// on which the go command has it (cmd/go/internal/load/test.go). pkg is the import path of the package,
// and module that of its module. ok is false if there are no tests, for tests with a main of their own,
// and for functions of another signature.
func Write(f *ast.File, module, pkg string) (text string, ok bool) {
	lists := make([]string, len(kinds))
	for _, d := range f.Decls {
		fn, ok := d.(*ast.FuncDecl)
		if !ok || fn.Recv != nil {
			continue
		}
		name := fn.Name.Name
		if name == "TestMain" {
			return "", false
		}
		for i, kind := range kinds {
			if after, ok := strings.CutPrefix(name, kind.prefix); !ok || startsLower(after) {
				continue
			}
			if !takes(fn, kind.parameter) {
				return "", false
			}
			lists[i] += fmt.Sprintf("\n\t{%q, _test.%s},\n", name, name)
		}
	}
	examples := ""
	all := doc.Examples(f)
	slices.SortFunc(all, func(a, b *doc.Example) int { return a.Order - b.Order })
	for _, e := range all {
		if e.Output != "" || e.EmptyOutput {
			examples += fmt.Sprintf("\n\t{%q, _test.Example%s, %q, %t},\n", "Example"+e.Name, e.Name, e.Output, e.Unordered)
		}
	}
	if strings.Join(lists, "")+examples == "" {
		return "", false // the package may not be linked
	}
	text = fmt.Sprintf("\n// The tests of a cell.\n\npackage main\n\nimport (\n\t\"os\"\n\n\t\"testing\"\n\t\"testing/internal/testdeps\"\n\n\n\n\t_test %q\n\n\n)\n", pkg)
	for i, kind := range kinds {
		text += fmt.Sprintf("\nvar %s = []testing.%s{\n%s\n}\n", kind.list, kind.element, lists[i])
	}
	text += fmt.Sprintf("\nvar examples = []testing.InternalExample{\n%s\n}\n", examples) +
		fmt.Sprintf("\nfunc init() {\n\n\ttestdeps.ModulePath = %q\n\ttestdeps.ImportPath = %q\n}\n", module, pkg) +
		"\nfunc main() {\n\tm := testing.MainStart(testdeps.TestDeps{}, tests, benchmarks, fuzzTargets, examples)\n\n\tos.Exit(m.Run())\n\n}\n"
	return text, true
}

func startsLower(s string) bool {
	first, _ := utf8.DecodeRuneInString(s)
	return unicode.IsLower(first)
}

// takes reports whether a function takes *testing.T or the like, by whatever name it knows the package.
func takes(f *ast.FuncDecl, name string) bool {
	t := f.Type
	if t.TypeParams != nil || t.Results != nil && len(t.Results.List) > 0 || len(t.Params.List) != 1 || len(t.Params.List[0].Names) > 1 {
		return false
	}
	pointer, ok := t.Params.List[0].Type.(*ast.StarExpr)
	if !ok {
		return false
	}
	if s, ok := pointer.X.(*ast.SelectorExpr); ok {
		return s.Sel.Name == name
	}
	id, ok := pointer.X.(*ast.Ident)
	return ok && id.Name == name
}
