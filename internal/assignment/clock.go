package assignment

import (
	"fmt"
	"go/ast"
	"go/types"
	"slices"
)

// clocks are functions that follow the real clock, and for which a judge has none of its own: what a test makes of them
// depends on how busy the machine is.
var clocks = []string{"time.NewTimer", "time.NewTicker", "time.Tick", "time.AfterFunc", "time.Since", "time.Until",
	"context.WithTimeout", "context.WithTimeoutCause", "context.WithDeadline", "context.WithDeadlineCause"}

// clock looks for the uses of clocks in tests, which are problems. concurrent reports whether given cells or tests start goroutines,
// or wait with time.After.
func (a *Assignment) clock() (problems Problems, concurrent bool) {
	for _, decl := range a.whole.Syntax.Decls {
		at := a.origin(a.whole, decl.Pos())
		i := slices.IndexFunc(a.Cells, func(c *Cell) bool { return c.ID == at.Cell })
		if i < 0 || a.Cells[i].answer() {
			continue
		}
		ast.Inspect(decl, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.GoStmt:
				concurrent = true
			case *ast.Ident:
				f, ok := a.whole.Info.Uses[n].(*types.Func)
				if !ok || f.Pkg() == nil || f.Signature().Recv() != nil {
					break
				}
				name := f.Pkg().Path() + "." + f.Name()
				concurrent = concurrent || name == timeAfter
				if at := a.origin(a.whole, n.Pos()); slices.Contains(clocks, name) && a.testsCell(at.Cell) {
					problems = append(problems, Problem{at.Cell, at.Line + 1, fmt.Sprintf("%s follows the clock, and a mark must not depend on how busy the machine is: use %s, which counts the processor's time while an answer runs", name, timeAfter)})
				}
			}
			return true
		})
	}
	return problems, concurrent
}

// timeAfter is a function that the judge has in a form of its own (judge.After).
const timeAfter = "time.After"

func (a *Assignment) testsCell(id string) bool {
	return slices.ContainsFunc(a.Tests, func(t *Tests) bool { return t.ID == id })
}

// isAfter reports whether an expression is time.After.
func (a *Assignment) isAfter(n ast.Node) bool {
	s, ok := n.(*ast.SelectorExpr)
	if !ok {
		return false
	}
	f, ok := a.whole.Info.Uses[s.Sel].(*types.Func)
	return ok && f.Pkg() != nil && f.Signature().Recv() == nil && f.Pkg().Path()+"."+f.Name() == timeAfter
}
