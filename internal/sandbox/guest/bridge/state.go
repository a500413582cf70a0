package bridge

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"
)

// state refuses what works in one program and not in two: given cells and tests that set variables of the
// student's program, or look into values of its types.
func (b *Bridge) state(file *ast.File) {
	set := map[types.Object][]side{} // package variables that are set, and where
	used := map[types.Object][Test + 1]bool{}
	for _, decl := range file.Decls {
		in := b.declSide(decl)
		ast.Inspect(decl, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.Ident:
				if v := b.info.Uses[n]; v != nil {
					u := used[v]
					u[in] = true
					used[v] = u
				}
			case *ast.AssignStmt:
				if n.Tok != token.DEFINE {
					for _, x := range n.Lhs {
						b.sets(set, in, x)
					}
				}
			case *ast.IncDecStmt:
				b.sets(set, in, n.X)
			case *ast.RangeStmt:
				if n.Tok == token.ASSIGN {
					b.sets(set, in, n.Key)
					b.sets(set, in, n.Value)
				}
			case *ast.UnaryExpr:
				if n.Op == token.AND {
					b.sets(set, in, n.X)
				}
			}
			if in != Answer {
				b.inside(n)
			}
			return true
		})
	}
	for v, places := range set {
		for _, at := range places {
			switch {
			case b.side(v) == Answer && at.side != Answer:
				b.problem(at.pos, "%s is the student's program's, and is set here: have an answer declare a function that sets it", v.Name())
			case b.side(v) == Given && at.side != Given && used[v][Answer+Test-at.side]:
				b.problem(at.pos, "%s is set here, and answers and tests have one each: pass it to the function that needs it", v.Name())
			default:
				continue
			}
			break
		}
	}
}

// A side, and a place in its code.
type side struct {
	side Side
	pos  token.Pos
}

// sets records that a side sets x, if x is a package variable of the notebook or part of one.
func (b *Bridge) sets(set map[types.Object][]side, in Side, x ast.Expr) {
	for x != nil {
		switch e := ast.Unparen(x).(type) {
		case *ast.Ident:
			if v, ok := b.info.Uses[e].(*types.Var); ok && v.Pkg() == b.pkg && v.Parent() == b.pkg.Scope() {
				set[v] = append(set[v], side{in, e.Pos()})
			}
			return
		case *ast.SelectorExpr:
			x = e.X
		case *ast.IndexExpr:
			x = e.X
		case *ast.StarExpr:
			x = e.X
		default:
			return
		}
	}
}

// handle returns the name of t, if t is a type that an answer declares, and otherwise nil.
func (b *Bridge) handle(t types.Type) *types.TypeName {
	if n, ok := types.Unalias(t).(*types.Named); ok && slices.Contains(b.handles, n.Obj()) {
		return n.Obj()
	}
	return nil
}

// inside refuses an expression that needs to know what is in a value of an answer's type.
func (b *Bridge) inside(n ast.Node) {
	switch n := n.(type) {
	case *ast.SelectorExpr:
		if s := b.info.Selections[n]; s != nil && s.Kind() == types.FieldVal {
			t := s.Recv()
			if p, ok := t.Underlying().(*types.Pointer); ok {
				t = p.Elem()
			}
			if h := b.handle(t); h != nil {
				b.problem(n.Sel.Pos(), "%s.%s is a field of a type that an answer declares: declare the type in a given cell, or ask a method", h.Name(), n.Sel.Name)
			}
		}
	case *ast.CompositeLit:
		if h := b.handle(b.info.TypeOf(n)); h != nil && len(n.Elts) > 0 {
			b.problem(n.Pos(), "%s{…} has fields of a type that an answer declares: declare the type in a given cell, or call a function that makes one", h.Name())
		}
		for _, e := range n.Elts {
			if kv, ok := e.(*ast.KeyValueExpr); ok {
				e = kv.Value
			}
			b.copied(e)
		}
	case *ast.BinaryExpr:
		if h := b.handle(b.info.TypeOf(n.X)); h != nil && (n.Op == token.EQL || n.Op == token.NEQ) {
			b.problem(n.OpPos, "two values of %s, a type that an answer declares, are compared: compare pointers, or what methods return", h.Name())
		}
	case *ast.AssignStmt:
		for _, e := range n.Rhs {
			b.copied(e)
		}
	case *ast.ValueSpec:
		for _, e := range n.Values {
			b.copied(e)
		}
	case *ast.CallExpr:
		if f, ok := ast.Unparen(n.Fun).(*ast.Ident); ok && b.info.Uses[f] == types.Universe.Lookup("append") {
			for _, e := range n.Args[1:] {
				b.copied(e)
			}
		}
	}
}

// copied refuses to copy a variable whose type an answer declares. The student's program would copy it only
// when the copy is first used, and the variable may have changed by then.
func (b *Bridge) copied(e ast.Expr) {
	switch e = ast.Unparen(e); e.(type) {
	case *ast.Ident, *ast.StarExpr, *ast.SelectorExpr, *ast.IndexExpr:
		if tv := b.info.Types[e]; tv.Addressable() {
			if h := b.handle(tv.Type); h != nil {
				b.problem(e.Pos(), "a value of %s, a type that an answer declares, is copied: use a pointer", h.Name())
			}
		}
	}
}
