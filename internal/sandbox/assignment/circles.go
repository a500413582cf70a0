package assignment

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"

	"marginalia/internal/notebook/program"
)

// circles returns the tests cells whose questions need each other: the answers of each reach those of the others, in the
// student's declarations. Over the solution of one of them another would pass that does nothing but call it.
func (a *Assignment) circles(p *program.Program, r *reach) [][]string {
	shared := r.shared(p)
	of := map[*node][]*Tests{}
	// Whoever has a value of a given type does not use all the answers that are methods of it: calls name the method.
	next := func(n *node) []*node {
		return append(slices.DeleteFunc(r.next(n), func(m *node) bool {
			return !n.students && len(of[m]) > 0 && slices.Contains(n.methods, m)
		}), shared[n]...)
	}
	question := map[string]*Tests{} // by the answer
	for _, t := range a.Tests {
		for _, id := range t.Answers {
			question[id] = t
		}
	}
	own := map[*Tests][]*node{}
	for _, n := range r.all {
		for _, name := range n.names {
			if c := a.owner(name); c != nil && question[c.ID] != nil {
				t := question[c.ID]
				own[t], of[n] = append(own[t], n), append(of[n], t)
			}
		}
	}
	needs := func(t *Tests) (all []*Tests) {
		seen := map[*node]bool{}
		var visit func(*node)
		visit = func(n *node) {
			if seen[n] {
				return
			}
			seen[n] = true
			all = append(all, of[n]...)
			for _, m := range next(n) {
				visit(m)
			}
		}
		for _, n := range own[t] {
			visit(n)
		}
		return all
	}
	found := [][]string{} // not nil: they are known
	for _, group := range components(a.Tests, needs) {
		if len(group) < 2 {
			continue
		}
		var ids []string
		for _, t := range a.Tests {
			if slices.Contains(group, t) {
				ids = append(ids, t.ID)
			}
		}
		found = append(found, ids)
	}
	slices.SortFunc(found, slices.Compare)
	return found
}

// shared links each package variable to the declarations that may change it, since whoever reads it may use what they
// have put there.
func (r *reach) shared(p *program.Program) map[*node][]*node {
	links := map[*node][]*node{}
	for _, n := range r.all {
		var above []ast.Node
		ast.Inspect(n.spec, func(at ast.Node) bool {
			if at == nil {
				above = above[:len(above)-1]
				return false
			}
			above = append(above, at)
			id, ok := at.(*ast.Ident)
			if !ok {
				return true
			}
			v, ok := p.Info.Uses[id].(*types.Var)
			if of := r.nodes[v]; ok && of != nil && of != n && changes(p, above) && !slices.Contains(links[of], n) {
				links[of] = append(links[of], n)
			}
			return true
		})
	}
	return links
}

// changes reports whether the use of a variable may change it, or what it refers to. above are the nodes that the use is in,
// and it, the innermost last. Who passes on what may hold functions is taken to change it.
func changes(p *program.Program, above []ast.Node) bool {
	x := above[len(above)-1].(ast.Expr)
	for i := len(above) - 2; i >= 0; i-- {
		switch parent := above[i].(type) {
		case *ast.ParenExpr, *ast.StarExpr:
			x = parent.(ast.Expr)
			continue
		case *ast.IndexExpr:
			if parent.X == x {
				x = parent
				continue
			}
			return false
		case *ast.SliceExpr:
			if parent.X == x {
				x = parent
				continue
			}
			return false
		case *ast.SelectorExpr:
			if s := p.Info.Selections[parent]; s != nil && s.Kind() != types.FieldVal {
				return calledChanges(p, s, x)
			}
			x = parent
			continue
		case *ast.AssignStmt:
			if slices.Contains(parent.Lhs, x) {
				return parent.Tok != token.DEFINE
			}
		case *ast.IncDecStmt:
			return true
		case *ast.SendStmt: // who receives has what is sent
			if parent.Chan == x {
				return true
			}
		case *ast.UnaryExpr:
			return parent.Op == token.AND
		case *ast.BinaryExpr:
			return false
		case *ast.RangeStmt:
			if parent.X != x {
				return true
			}
			t := p.Info.TypeOf(x)
			if t == nil {
				return true
			}
			return holdsCode(t, true, map[heldType]bool{})
		case *ast.CallExpr:
			if parent.Fun == x {
				return false
			}
			if f, ok := ast.Unparen(parent.Fun).(*ast.Ident); ok {
				if b, ok := p.Info.Uses[f].(*types.Builtin); ok {
					if slices.Contains([]string{"copy", "delete", "clear"}, b.Name()) {
						return true
					} else if b.Name() == "len" || b.Name() == "cap" {
						return false
					}
				}
			}
		}
		break
	}
	t := p.Info.TypeOf(x)
	return t == nil || holdsCode(t, false, map[heldType]bool{})
}

// calledChanges reports whether a method that is called of a variable may change it: one of the student's, or one
// that may be handed functions.
func calledChanges(p *program.Program, s *types.Selection, x ast.Expr) bool {
	f, ok := s.Obj().(*types.Func)
	t := p.Info.TypeOf(x)
	if !ok || t == nil {
		return true
	}
	_, pointer := f.Signature().Recv().Type().(*types.Pointer)
	if f.Pkg() == p.Pkg && !types.IsInterface(t) {
		_, isPointer := t.Underlying().(*types.Pointer)
		return pointer && !isPointer || holdsCode(t, false, map[heldType]bool{})
	}
	for v := range f.Signature().Params().Variables() {
		if holdsCode(v.Type(), true, map[heldType]bool{}) {
			return true
		}
	}
	return false
}

// A heldType is a type that was looked at, and how (see holdsCode).
type heldType struct {
	types.Type
	anywhere bool
}

// holdsCode reports whether functions can be stored in a value of a type: in what it refers to, or, if anywhere, in
// itself. An error is taken for a value that nobody changes.
func holdsCode(t types.Type, anywhere bool, seen map[heldType]bool) bool {
	if seen[heldType{t, anywhere}] {
		return false
	}
	seen[heldType{t, anywhere}] = true
	if types.Identical(t, types.Universe.Lookup("error").Type()) {
		return false
	}
	switch u := t.Underlying().(type) {
	case *types.Basic:
		return u.Kind() == types.Invalid || u.Kind() == types.UnsafePointer
	case *types.Pointer:
		return holdsCode(u.Elem(), true, seen)
	case *types.Slice:
		return holdsCode(u.Elem(), true, seen)
	case *types.Map:
		return holdsCode(u.Key(), true, seen) || holdsCode(u.Elem(), true, seen)
	case *types.Chan:
		return holdsCode(u.Elem(), true, seen)
	case *types.Array:
		return holdsCode(u.Elem(), anywhere, seen)
	case *types.Struct:
		for f := range u.Fields() {
			if holdsCode(f.Type(), anywhere, seen) {
				return true
			}
		}
		return false
	case *types.Signature:
		return anywhere
	}
	return true // an interface, or a type parameter
}
