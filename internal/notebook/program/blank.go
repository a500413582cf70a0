//go:build !js

package program

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"

	"marginalia/internal/notebook/gonb"
)

// blanks finds each `var _ = …` that does something when it is initialised. GoNB
// runs it twice, in its cell and in every later one, and so does File. Several run
// in the order of random keys.
func (p *Program) blanks() {
	all, own := 0, map[gonb.Origin]bool{}
	for _, d := range p.Syntax.Decls {
		d, ok := d.(*ast.GenDecl)
		if !ok || d.Tok != token.VAR {
			continue
		}
		for _, spec := range d.Specs {
			s := spec.(*ast.ValueSpec)
			if len(s.Values) == 0 || slices.ContainsFunc(s.Names, named) || Inert(p.Info, s.Values) {
				continue
			}
			all++
			if at := p.File().Origins[p.Fset.PositionFor(s.Pos(), false).Line-1]; at.Cell == p.ID {
				own[at] = true
			}
		}
	}
	p.Effects = all > 0
	for at := range own {
		problem := gonb.Problem{Cell: at.Cell, Line: at.Line,
			What: "GoNB runs `var _ = …` twice, here and in every later cell; call it in main or in an init_ function"}
		if all > 2 {
			problem.Random = true
			problem.What = "GoNB runs each `var _ = …` twice in every cell, and several in a random order, so that no two runs agree; call them in main or in an init_ function"
		}
		p.Problems = append(p.Problems, problem)
	}
}

func named(name *ast.Ident) bool { return name.Name != "_" }

// Inert reports whether values can be computed without anything being seen of it: they are
// constants, names, literals, conversions of such, and errors.
func Inert(info *types.Info, values []ast.Expr) bool {
	for _, v := range values {
		ok := false
		switch v := ast.Unparen(v).(type) {
		case *ast.Ident, *ast.BasicLit, *ast.FuncLit:
			ok = true
		case *ast.SelectorExpr: // of a package or a type: of a value it may panic
			x, named := ast.Unparen(v.X).(*ast.Ident)
			_, pkg := info.Uses[x].(*types.PkgName)
			ok = named && pkg || info.Types[v.X].IsType()
		case *ast.CompositeLit:
			ok = Inert(info, v.Elts)
		case *ast.KeyValueExpr:
			ok = Inert(info, []ast.Expr{v.Value})
		case *ast.UnaryExpr:
			ok = v.Op == token.AND && Inert(info, []ast.Expr{v.X})
		case *ast.CallExpr:
			ok = makes(info, v.Fun) || info.Types[v.Fun].IsType() && Inert(info, v.Args)
		}
		if !ok && info.Types[v].Value == nil {
			return false
		}
	}
	return true
}

// makes reports whether fun is new or errors.New, of which nothing is seen whatever they get.
func makes(info *types.Info, fun ast.Expr) bool {
	switch fun := fun.(type) {
	case *ast.Ident:
		return info.Uses[fun] == types.Universe.Lookup("new")
	case *ast.SelectorExpr:
		fn, _ := info.Uses[fun.Sel].(*types.Func)
		return fn != nil && fn.FullName() == "errors.New"
	}
	return false
}
