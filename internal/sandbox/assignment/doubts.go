package assignment

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"slices"
)

// Doubts are lines of tests and given cells that are no mistakes, and by which a right answer may lose its marks
// all the same:
//
//   - floats that a test has computed are compared exactly with what an answer returns. Another way to compute the same rounds
//     otherwise; and %test on the kernel computes with assembly, which rounds otherwise than the grader.
//   - a float that may be negative becomes an unsigned number: WebAssembly says 0, and processors do not.
func (a *Assignment) Doubts() Problems {
	f := newFlow(a)
	var all Problems
	doubt := func(n ast.Node, format string, args ...any) {
		at := a.origin(a.whole, n.Pos())
		if slices.ContainsFunc(a.Cells, func(c *Cell) bool { return c.ID == at.Cell && c.answer() }) {
			return
		}
		all = append(all, Problem{at.Cell, at.Line + 1, fmt.Sprintf(format, args...)})
	}
	for _, d := range a.whole.Syntax.Decls {
		if decl, ok := d.(*ast.FuncDecl); ok && f.tolerates(decl) {
			continue
		}
		for n := range ast.Preorder(d) {
			switch n := n.(type) {
			case *ast.BinaryExpr:
				if (n.Op == token.EQL || n.Op == token.NEQ) && f.exact(n.X, n.Y) {
					doubt(n, "%s compares floats exactly, and a right answer may round otherwise: want a tolerance, as in math.Abs(a-b) > 1e-9 or scalar.EqualWithinAbs(a, b, 1e-9)", n.Op)
				}
			case *ast.SwitchStmt:
				if n.Tag != nil && slices.ContainsFunc(n.Body.List, func(c ast.Stmt) bool {
					return slices.ContainsFunc(c.(*ast.CaseClause).List, func(e ast.Expr) bool { return f.exact(n.Tag, e) })
				}) {
					doubt(n, "switch compares floats exactly, and a right answer may round otherwise: want if, with a tolerance, as in math.Abs(a-b) > 1e-9")
				}
			case *ast.CallExpr:
				if callee := f.callee(n); callee != nil && equals[callee.FullName()] != "" && len(n.Args) == 2 && f.exact(n.Args[0], n.Args[1]) {
					doubt(n, "%s.%s compares floats exactly, and a right answer may round otherwise: want %s", callee.Pkg().Name(), callee.Name(), equals[callee.FullName()])
				}
				if f.unsigned(n) {
					doubt(n, "%s of a negative float is 0 where answers run, and is not in tests: want %[1]s(int64(x)), or a test that it is not negative", types.ExprString(n.Fun))
				}
			}
		}
	}
	return a.sorted(all)
}

// equals are functions that compare exactly, and what does not.
var equals = map[string]string{
	"reflect.DeepEqual":                     "a loop with math.Abs(a-b) > 1e-9",
	"slices.Equal":                          "slices.EqualFunc with a tolerance, or floats.EqualApprox(a, b, 1e-9)",
	"slices.Contains":                       "slices.ContainsFunc with a tolerance",
	"slices.Index":                          "slices.IndexFunc with a tolerance",
	"maps.Equal":                            "maps.EqualFunc with a tolerance",
	"gonum.org/v1/gonum/mat.Equal":          "mat.EqualApprox(a, b, 1e-9)",
	"gonum.org/v1/gonum/floats.Equal":       "floats.EqualApprox(a, b, 1e-9)",
	"gonum.org/v1/gonum/floats.Same":        "floats.EqualApprox(a, b, 1e-9)",
	"gonum.org/v1/gonum/cmplxs.Equal":       "cmplxs.EqualApprox(a, b, 1e-9)",
	"gonum.org/v1/gonum/floats/scalar.Same": "scalar.EqualWithinAbs(a, b, 1e-9)",
}

// exact reports whether the outcome of a comparison may hang on the last bit: one side comes from an answer, and one was rounded
// here. x != x asks whether it is a number, and what an answer was given it may hand back.
func (f *flow) exact(x, y ast.Expr) bool {
	if !f.floats(x) || !f.floats(y) || types.ExprString(x) == types.ExprString(y) || f.passed[f.place(x)] || f.passed[f.place(y)] {
		return false
	}
	both := f.lineage(x) | f.lineage(y)
	return both&ofAnswer != 0 && both&rounded != 0
}

// tolerates reports whether a function that compares does so with a tolerance, too: a == b || math.Abs(a-b) < tiny.
func (f *flow) tolerates(decl *ast.FuncDecl) bool {
	if slices.Contains(testFuncs(f.assignment.whole.Decls), decl.Name.Name) || decl.Body == nil {
		return false
	}
	for n := range ast.Preorder(decl.Body) {
		if call, ok := n.(*ast.CallExpr); ok {
			if callee := f.callee(call); callee != nil && callee.FullName() == "math.Abs" {
				return true
			}
		}
	}
	return false
}

// unsigned reports whether an expression converts a float to 64 bits without a sign. Shorter ones are cut off alike everywhere.
func (f *flow) unsigned(n *ast.CallExpr) bool {
	if len(n.Args) != 1 || !f.info.Types[n.Fun].IsType() || f.info.Types[n].Value != nil {
		return false
	}
	to, _ := f.info.TypeOf(n.Fun).Underlying().(*types.Basic)
	from, _ := f.info.TypeOf(n.Args[0]).Underlying().(*types.Basic)
	if to == nil || from == nil || from.Info()&types.IsFloat == 0 || !slices.Contains([]types.BasicKind{types.Uint, types.Uint64, types.Uintptr}, to.Kind()) {
		return false
	}
	call, ok := ast.Unparen(n.Args[0]).(*ast.CallExpr)
	if !ok {
		return true
	}
	callee := f.callee(call)
	return callee == nil || !slices.Contains([]string{"math.Abs", "math.Sqrt", "math.Exp"}, callee.FullName())
}
