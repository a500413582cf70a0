package grade

import (
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"marginalia/internal/sandbox/assignment"
	"marginalia/internal/sandbox/host"
)

// A veil knows what a visible check must not tell of one test function: values that its hidden lines may have had a part in,
// as the rows of a table that the release does not have, wherever the line stands that prints them.
type veil struct {
	fset   *token.FileSet
	file   *ast.File    // the tests cell
	secret map[int]bool // lines, from 0
	test   *ast.FuncDecl
	info   *types.Info
	bodies map[types.Object]*ast.FuncType // of functions that the cell declares
}

// veil returns the veil of a test function. It is made once.
func (g *Grader) veil(t *assignment.Tests, name string) *veil {
	v, found := g.veils[name]
	if !found {
		v = veilOf(t, name)
		if g.veils == nil {
			g.veils = map[string]*veil{}
		}
		g.veils[name] = v
	}
	return v
}

// veilOf returns the veil of a test function, or nil if hidden lines play no part in it.
func veilOf(t *assignment.Tests, name string) *veil {
	secret := hiddenLines(t)
	if len(secret) == 0 {
		return nil
	}
	lines := strings.Split(t.Source, "\n")
	for i, line := range lines {
		if strings.HasPrefix(line, "%") || strings.HasPrefix(line, "!") {
			lines[i] = ""
		}
	}
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, "", "package p; "+strings.Join(lines, "\n"), parser.SkipObjectResolution)
	if err != nil {
		return nil // Read has parsed it
	}
	info := &types.Info{Defs: map[*ast.Ident]types.Object{}, Uses: map[*ast.Ident]types.Object{}}
	v := &veil{fset: fset, file: file, secret: secret, info: info, bodies: map[types.Object]*ast.FuncType{}}
	// What other cells declare is not there: the names of this one are all that is asked for.
	new(types.Config{Error: func(error) {}}).Check("p", v.fset, []*ast.File{file}, v.info)
	ast.Inspect(file, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncDecl:
			v.bodies[v.info.Defs[n.Name]] = n.Type
			if n.Recv == nil && n.Name.Name == name {
				v.test = n
			}
		case *ast.AssignStmt:
			for i, x := range n.Rhs {
				if f, ok := x.(*ast.FuncLit); ok && len(n.Lhs) == len(n.Rhs) {
					if obj := v.object(n.Lhs[i]); obj != nil {
						v.bodies[obj] = f.Type
					}
				}
			}
		}
		return true
	})
	if v.test == nil || !v.hides(v.test) && !v.mentions(v.test, nil) {
		return nil
	}
	return v
}

func (v *veil) line(pos token.Pos) int { return v.fset.Position(pos).Line - 1 }

// hides reports whether lines of n are hidden.
func (v *veil) hides(n ast.Node) bool {
	for i := v.line(n.Pos()); i <= v.line(n.End()); i++ {
		if v.secret[i] {
			return true
		}
	}
	return false
}

// object returns what a name, or the name before a dot or a bracket, stands for.
func (v *veil) object(x ast.Expr) types.Object {
	for {
		switch e := ast.Unparen(x).(type) {
		case *ast.Ident:
			if obj := v.info.Defs[e]; obj != nil {
				return obj
			}
			return v.info.Uses[e]
		case *ast.SelectorExpr:
			x = e.X
		case *ast.IndexExpr:
			x = e.X
		case *ast.StarExpr:
			x = e.X
		default:
			return nil
		}
	}
}

// mentions reports whether n has a name of one of the objects, or of one that a hidden line declares.
func (v *veil) mentions(n ast.Node, objects map[types.Object]bool) bool {
	found := false
	ast.Inspect(n, func(n ast.Node) bool {
		if name, ok := n.(*ast.Ident); ok {
			obj := v.info.Uses[name]
			found = found || obj != nil && (objects[obj] || obj.Pos().IsValid() && v.secret[v.line(obj.Pos())])
		}
		return !found
	})
	return found
}

// touched returns the variables whose values may depend on hidden lines. Given a subtest, it leaves out the rows that the loops
// around it hand out.
func (v *veil) touched(row ast.Node) map[types.Object]bool {
	all := map[types.Object]bool{}
	from := func(n ast.Node) bool { return n != nil && (v.hides(n) || v.mentions(n, all)) }
	for grown := true; grown; {
		grown = false
		mark := func(x ast.Expr) {
			if obj := v.object(x); obj != nil && !all[obj] {
				all[obj], grown = true, true
			}
		}
		ast.Inspect(v.test, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.AssignStmt:
				if slices.ContainsFunc(n.Rhs, func(x ast.Expr) bool { _, f := x.(*ast.FuncLit); return !f && from(x) }) || v.hides(n.Lhs[0]) {
					for _, x := range n.Lhs {
						mark(x)
					}
				}
			case *ast.ValueSpec:
				if slices.ContainsFunc(n.Values, func(x ast.Expr) bool { return from(x) }) {
					for _, x := range n.Names {
						mark(x)
					}
				}
			case *ast.RangeStmt:
				around := row != nil && n.Pos() <= row.Pos() && row.End() <= n.End()
				if from(n.X) && !around {
					mark(n.Key)
					mark(n.Value)
				}
			case *ast.CallExpr:
				if f := v.bodies[v.object(n.Fun)]; f != nil && from(n) {
					for _, p := range f.Params.List {
						for _, name := range p.Names {
							if obj := v.info.Defs[name]; obj != nil && !strings.HasSuffix(types.ExprString(p.Type), "testing.T") {
								mark(name)
							}
						}
					}
				}
			}
			return true
		})
	}
	return all
}

// run returns the call of t.Run that has started a subtest, and nil for the test function itself.
func (v *veil) run(t *assignment.Tests, c host.Check) (run *ast.CallExpr) {
	if !strings.Contains(c.Name, "/") || c.At.Cell != t.ID {
		return nil
	}
	ast.Inspect(v.test, func(n ast.Node) bool {
		if call, ok := n.(*ast.CallExpr); ok && len(call.Args) == 2 && v.line(call.Pos()) <= c.At.Line-1 && c.At.Line-1 <= v.line(call.End()) {
			if f, ok := call.Fun.(*ast.SelectorExpr); ok && f.Sel.Name == "Run" {
				run = call // the innermost
			}
		}
		return true
	})
	return run
}

// row says of a subtest whether a loop around it hands out rows that hidden lines may have a part in, and whether its name
// depends on the row or on other such values.
func (v *veil) row(run *ast.CallExpr) (loop, named bool) {
	objects := v.touched(nil)
	ast.Inspect(v.test, func(n ast.Node) bool {
		if r, ok := n.(*ast.RangeStmt); ok && r.Pos() <= run.Pos() && run.End() <= r.End() {
			loop = loop || v.hides(r.X) || v.mentions(r.X, objects)
		}
		return true
	})
	return loop, v.hides(run.Args[0]) || v.mentions(run.Args[0], objects)
}

// names reports whether the name of a subtest may be that of a hidden row.
func (v *veil) names(t *assignment.Tests, c host.Check) bool {
	run := v.run(t, c)
	if run == nil {
		return true
	}
	loop, named := v.row(run)
	return loop || named
}

// panics reports whether hidden lines may have called what a check has panicked in. The name of a row says whose it is.
func (v *veil) panics(t *assignment.Tests, c host.Check) bool {
	run := v.run(t, c)
	if run == nil || v.hides(run) {
		return true
	}
	loop, named := v.row(run)
	return loop && !named
}

// says reports whether a message may have values of hidden lines in it, other than those of the row that the check is about.
func (v *veil) says(t *assignment.Tests, c host.Check, m host.Message) bool {
	if m.Cell != t.ID || v.secret[m.Line-1] {
		return true // a function of another cell may have been called by any line
	}
	var row ast.Node
	if run := v.run(t, c); run != nil {
		if _, named := v.row(run); named {
			row = run
		}
	}
	objects, found, told := v.touched(row), false, true
	ast.Inspect(v.file, func(n ast.Node) bool {
		call, ok := n.(*ast.CallExpr)
		if !ok || m.Line-1 < v.line(call.Pos()) || v.line(call.End()) < m.Line-1 {
			return true
		}
		f, ok := call.Fun.(*ast.SelectorExpr)
		if !ok || f.Sel.Name == "Run" {
			return true
		}
		found = true
		for _, x := range call.Args {
			told = told && !v.hides(x) && !v.mentions(x, objects)
		}
		return false
	})
	return !found || !told
}
