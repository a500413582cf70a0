package bridge

import (
	"go/ast"
	"go/token"
	"go/types"
)

// start finds what runs when the judge's program starts, in the initialisers of package variables and
// in functions init, and needs an answer: there is no guest yet.
func (b *Bridge) start(file *ast.File) {
	bodies := map[types.Object]*ast.FuncDecl{}
	var first []ast.Node
	for _, decl := range file.Decls {
		if b.declSide(decl) == Answer {
			continue
		}
		switch d := decl.(type) {
		case *ast.FuncDecl:
			if d.Recv == nil && d.Name.Name == "init" {
				first = append(first, d.Body)
			} else if d.Body != nil {
				bodies[b.info.Defs[d.Name]] = d
			}
		case *ast.GenDecl:
			for _, s := range d.Specs {
				if s, ok := s.(*ast.ValueSpec); ok && d.Tok == token.VAR && b.side(b.info.Defs[s.Names[0]]) != Answer {
					for _, v := range s.Values {
						first = append(first, v)
					}
				}
			}
		}
	}
	var visit func(ast.Node)
	visit = func(n ast.Node) {
		ast.Inspect(n, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.FuncLit:
				return false // it may be called later; a call of it where it stands is below
			case *ast.CallExpr:
				if f, ok := ast.Unparen(n.Fun).(*ast.FuncLit); ok {
					visit(f.Body)
					break
				}
				obj := b.called(n.Fun)
				if b.answers(obj) {
					b.early(n.Pos(), obj)
				} else if d := bodies[obj]; d != nil {
					delete(bodies, obj)
					visit(d.Body)
				}
			case *ast.Ident:
				switch obj := b.info.Uses[n].(type) {
				case *types.Var:
					if b.answers(obj) && !types.Identical(obj.Type(), types.Universe.Lookup("error").Type()) {
						b.early(n.Pos(), obj)
					}
				case *types.Const:
					if b.answers(obj) {
						b.early(n.Pos(), obj)
					}
				}
			}
			return true
		})
	}
	for _, n := range first {
		visit(n)
	}
}

func (b *Bridge) early(pos token.Pos, obj types.Object) {
	b.problem(pos, "%s is used when the program starts, where there is no student's program yet: use it in a test", obj.Name())
}

// called returns the function or method that a call names.
func (b *Bridge) called(fun ast.Expr) types.Object {
	switch f := ast.Unparen(fun).(type) {
	case *ast.Ident:
		return origin(b.info.Uses[f])
	case *ast.SelectorExpr:
		return origin(b.info.Uses[f.Sel])
	case *ast.IndexExpr:
		return b.called(f.X)
	case *ast.IndexListExpr:
		return b.called(f.X)
	}
	return nil
}

func origin(obj types.Object) types.Object {
	if f, ok := obj.(*types.Func); ok {
		return f.Origin()
	}
	return obj
}
