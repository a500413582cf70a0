package build

import (
	"context"
	"fmt"
	"go/ast"
	"go/doc"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/sync/errgroup"
)

// testmainName is the file of the program that runs tests, and testmainImports are what it imports.
const testmainName = "_testmain.go"

var testmainImports = []string{"os", "testing", "testing/internal/testdeps"}

// kinds are the functions that a program of tests has in its lists, in their order.
var kinds = []struct{ prefix, parameter, list, element string }{
	{"Test", "T", "tests", "InternalTest"},
	{"Benchmark", "B", "benchmarks", "InternalBenchmark"},
	{"Fuzz", "F", "fuzzTargets", "InternalFuzzTarget"},
}

// addTestmain writes the program that runs the tests, with each function on the line on which the go
// command has it (cmd/go/internal/load/test.go). It reports false if there are none, for tests with a
// main of their own, and for functions of another signature.
func (p *program) addTestmain(at place) bool {
	lists := make([]string, len(kinds))
	for _, d := range p.test.Decls {
		f, ok := d.(*ast.FuncDecl)
		if !ok || f.Recv != nil {
			continue
		}
		if f.Name.Name == "TestMain" {
			return false
		}
		for i, kind := range kinds {
			if after, ok := strings.CutPrefix(f.Name.Name, kind.prefix); !ok || startsLower(after) {
				continue
			}
			if !takes(f, kind.parameter) {
				return false
			}
			lists[i] += fmt.Sprintf("\n\t{%q, _test.%s},\n", f.Name.Name, f.Name.Name)
		}
	}
	examples := ""
	all := doc.Examples(p.test)
	slices.SortFunc(all, func(a, b *doc.Example) int { return a.Order - b.Order })
	for _, e := range all {
		if e.Output != "" || e.EmptyOutput {
			examples += fmt.Sprintf("\n\t{%q, _test.Example%s, %q, %t},\n", "Example"+e.Name, e.Name, e.Output, e.Unordered)
		}
	}
	if strings.Join(lists, "")+examples == "" {
		return false // the package may not be linked
	}
	text := fmt.Sprintf("\n// The tests of a cell.\n\npackage main\n\nimport (\n\t\"os\"\n\n\t\"testing\"\n\t\"testing/internal/testdeps\"\n\n\n\n\t_test %q\n\n\n)\n", at.program)
	for i, kind := range kinds {
		text += fmt.Sprintf("\nvar %s = []testing.%s{\n%s\n}\n", kind.list, kind.element, lists[i])
	}
	p.testmain = text + fmt.Sprintf("\nvar examples = []testing.InternalExample{\n%s\n}\n", examples) +
		fmt.Sprintf("\nfunc init() {\n\n\ttestdeps.ModulePath = %q\n\ttestdeps.ImportPath = %q\n}\n", at.module, at.program) +
		"\nfunc main() {\n\tm := testing.MainStart(testdeps.TestDeps{}, tests, benchmarks, fuzzTargets, examples)\n\n\tos.Exit(m.Run())\n\n}\n"
	return true
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

// compileTests has vet read the tests while it builds them, as "go test" does.
func (j *job) compileTests(ctx context.Context, tmp, to string) error {
	if err := os.WriteFile(filepath.Join(tmp, testmainName), []byte(j.testmain), 0o600); err != nil {
		return err
	}
	together, ctx := errgroup.WithContext(ctx)
	together.Go(func() error { return j.vet(ctx, tmp) })
	together.Go(func() error {
		if err := j.compileTested(ctx, tmp); err != nil {
			return err
		}
		archives := "packagefile " + j.place.program + "=" + archive(tmp, j.place.program) + "\n" + j.Archives
		if err := j.compilePackage(ctx, tmp, "main", j.Compiler, "", archives, testmainName); err != nil {
			return err
		}
		return j.link(ctx, tmp, to, archives)
	})
	return together.Wait()
}

// compileTested compiles the package with the tests.
func (j *job) compileTested(ctx context.Context, tmp string) error {
	return j.compilePackage(ctx, tmp, j.place.program, j.Tested, j.command.Dir, j.Archives, testFile)
}
