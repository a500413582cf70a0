package assignment

import (
	"fmt"
	"go/ast"
	"go/types"
	"slices"
	"strings"

	"marginalia/internal/notebook/gonb"
)

var (
	// judgeHas are the names of package testing that the judge's own has.
	judgeHas = []string{"T", "TB", "Short", "Verbose"}
	// judgeLacks are methods of testing.T that the judge's does not have.
	judgeLacks = []string{"ArtifactDir", "Attr", "Chdir", "Output"}
)

// withoutBenchmarks removes the functions that %test runs on the kernel and that judge nothing: BenchmarkX and FuzzX.
func (a *Assignment) withoutBenchmarks(d *gonb.Decls) {
	for key := range d.Funcs {
		if f, ok := a.whole.Pkg.Scope().Lookup(key).(*types.Func); ok && benchmark(f) {
			delete(d.Funcs, key)
		}
	}
}

func benchmark(f *types.Func) bool {
	params := f.Signature().Params()
	if params.Len() != 1 {
		return false
	}
	of := params.At(0).Type().String()
	return strings.HasPrefix(f.Name(), "Benchmark") && of == "*testing.B" || strings.HasPrefix(f.Name(), "Fuzz") && of == "*testing.F"
}

// testing looks for what given cells and tests use of package testing and the judge does not have.
func (a *Assignment) testing() (problems Problems) {
	for _, decl := range a.whole.Syntax.Decls {
		at := a.origin(a.whole, decl.Pos())
		if slices.ContainsFunc(a.Cells, func(c *Cell) bool { return c.ID == at.Cell && c.answer() }) {
			continue
		}
		if f, ok := decl.(*ast.FuncDecl); ok && f.Recv == nil {
			if obj, ok := a.whole.Info.Defs[f.Name].(*types.Func); ok && benchmark(obj) {
				continue
			}
		}
		for n := range ast.Preorder(decl) {
			id, ok := n.(*ast.Ident)
			if !ok {
				continue
			}
			obj := a.whole.Info.Uses[id]
			if obj == nil || obj.Pkg() == nil || obj.Pkg().Path() != "testing" {
				continue
			}
			at, what := a.origin(a.whole, id.Pos()), ""
			if obj.Parent() == obj.Pkg().Scope() && !slices.Contains(judgeHas, obj.Name()) {
				what = "testing." + obj.Name()
			} else if f, ok := obj.(*types.Func); ok && f.Signature().Recv() != nil && slices.Contains(judgeLacks, f.Name()) {
				what = f.Name() + " of testing.T"
			}
			if what != "" {
				problems = append(problems, Problem{at.Cell, at.Line + 1, fmt.Sprintf("%s is not there where tests are judged: the grader runs func TestX(t *testing.T) alone, and leaves out BenchmarkX and FuzzX", what)})
			}
		}
	}
	return problems
}
