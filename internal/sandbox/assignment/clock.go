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
		refuse := func(n ast.Node, name string) {
			if at := a.origin(a.whole, n.Pos()); a.testsCell(at.Cell) {
				problems = append(problems, Problem{at.Cell, at.Line + 1, fmt.Sprintf("%s follows the clock, and a mark must not depend on how busy the machine is: use %s, which counts the processor's time while an answer runs", name, timeAfter)})
			}
		}
		ast.Inspect(decl, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.GoStmt:
				concurrent = true
			case *ast.Ident:
				name := a.function(n)
				concurrent = concurrent || name == timeAfter
				if slices.Contains(clocks, name) {
					refuse(n, name)
				}
			case *ast.CallExpr: // what time.Since does, written out
				if s, ok := n.Fun.(*ast.SelectorExpr); ok && s.Sel.Name == "Sub" && a.isNow(s.X) {
					refuse(n, "time.Now().Sub")
				}
			}
			return true
		})
	}
	return problems, concurrent
}

// timeAfter is a function that the judge has in a form of its own (host.After).
const timeAfter = "time.After"

func (a *Assignment) testsCell(id string) bool {
	return slices.ContainsFunc(a.Tests, func(t *Tests) bool { return t.ID == id })
}

// isAfter reports whether an expression is time.After.
func (a *Assignment) isAfter(n ast.Node) bool {
	s, ok := n.(*ast.SelectorExpr)
	return ok && a.function(s.Sel) == timeAfter
}

// isNow reports whether an expression calls time.Now.
func (a *Assignment) isNow(e ast.Expr) bool {
	call, ok := ast.Unparen(e).(*ast.CallExpr)
	if !ok {
		return false
	}
	s, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr)
	return ok && a.function(s.Sel) == "time.Now"
}

// function returns the package and the name of a function that is no method, "" of all else.
func (a *Assignment) function(id *ast.Ident) string {
	f, ok := a.whole.Info.Uses[id].(*types.Func)
	if !ok || f.Pkg() == nil || f.Signature().Recv() != nil {
		return ""
	}
	return f.Pkg().Path() + "." + f.Name()
}
