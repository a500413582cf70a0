package assignment

import (
	"go/ast"
	"go/token"
	"go/types"
	"maps"
	"slices"

	"marginalia/internal/cell"
)

// A reach knows what the declarations of a program use.
type reach struct {
	nodes map[types.Object]*node
	own   []*node // the student's
	roots []*node // in every program
}

// A node is a declaration.
type node struct {
	names    []string // the keys of what it declares
	uses     []types.Object
	methods  []*node // of a type
	variable bool    // a variable with a value
	students bool    // it stands in an answer, or in a cell of the student's own
}

// reach finds out what the declarations of a guest use.
func (g *Guest) reach() *reach {
	p, r := g.program, &reach{nodes: map[types.Object]*node{}}
	type method struct {
		of *ast.Ident
		*node
	}
	var methods []method
	add := func(at ast.Node, names ...*ast.Ident) *node {
		n := &node{students: !g.assignment.Lecturers(g.assignment.origin(p, names[0].Pos()).Cell)}
		if n.students {
			r.own = append(r.own, n)
		}
		for _, name := range names {
			n.names = append(n.names, name.Name)
			if obj := p.Info.Defs[name]; obj != nil {
				r.nodes[obj] = n
			}
		}
		ast.Inspect(at, func(at ast.Node) bool {
			if name, ok := at.(*ast.Ident); ok {
				if obj := p.Info.Uses[name]; obj != nil && obj.Pkg() == p.Pkg {
					n.uses = append(n.uses, origin(obj))
				}
			}
			return true
		})
		return n
	}
	for _, decl := range p.Syntax.Decls {
		switch d := decl.(type) {
		case *ast.FuncDecl:
			n := add(d, d.Name)
			if d.Recv != nil {
				of := receiver(d.Recv.List[0].Type)
				n.names = []string{of.Name + "~" + d.Name.Name}
				methods = append(methods, method{of, n})
			} else if d.Name.Name == "init" && !n.students {
				r.roots = append(r.roots, n)
			}
		case *ast.GenDecl:
			var constants []*ast.Ident
			for _, spec := range d.Specs {
				switch s := spec.(type) {
				case *ast.TypeSpec:
					add(s, s.Name)
				case *ast.ValueSpec:
					if d.Tok == token.CONST {
						constants = append(constants, s.Names...)
						continue
					}
					n := add(s, s.Names...)
					n.variable = len(s.Values) > 0
					if s.Names[0].Name == "_" && !n.students {
						r.roots = append(r.roots, n)
					}
				}
			}
			if constants != nil { // each depends on its place in the block
				add(d, constants...)
			}
		}
	}
	for _, m := range methods {
		if t := r.nodes[p.Info.Uses[m.of]]; t != nil {
			t.methods = append(t.methods, m.node)
		}
	}
	return r
}

// receiver returns the name of the type that a method belongs to.
func receiver(t ast.Expr) *ast.Ident {
	for {
		switch x := t.(type) {
		case *ast.StarExpr:
			t = x.X
		case *ast.ParenExpr:
			t = x.X
		case *ast.IndexExpr:
			t = x.X
		case *ast.IndexListExpr:
			t = x.X
		default:
			name, _ := t.(*ast.Ident)
			return name
		}
	}
}

// origin returns the declaration of a generic function or method, or of a type's.
func origin(obj types.Object) types.Object {
	switch o := obj.(type) {
	case *types.Func:
		return o.Origin()
	case *types.Var:
		return o.Origin()
	}
	return obj
}

// from returns the declarations with these names, those given, those of every program, and all that they use, directly or not.
func (r *reach) from(names map[string]bool, nodes ...*node) map[*node]bool {
	seen := map[*node]bool{}
	var visit func(*node)
	visit = func(n *node) {
		if n == nil || seen[n] {
			return
		}
		seen[n] = true
		for _, m := range n.methods {
			visit(m)
		}
		for _, obj := range n.uses {
			visit(r.nodes[obj])
		}
	}
	for obj, n := range r.nodes {
		if names[obj.Name()] {
			visit(n)
		}
	}
	for _, n := range slices.Concat(nodes, r.roots) {
		visit(n)
	}
	return seen
}

// students returns the student's variables that a function has initialised, and "student" if it uses
// anything of the student's.
func (r *reach) students(name string) []string {
	var all []string
	for n := range r.from(map[string]bool{name: true}) {
		if n.students && n.variable {
			all = append(all, n.names...)
		}
		if n.students {
			all = append(all, "student")
		}
	}
	slices.Sort(all)
	return slices.Compact(all)
}

// only returns the declarations that are among some.
func only(d *cell.Decls, some map[*node]bool) *cell.Decls {
	keep := map[string]bool{}
	for n := range some {
		for _, key := range n.names {
			keep[key] = true
		}
	}
	own := cell.NewDecls()
	own.Imports = maps.Clone(d.Imports)
	for key, c := range d.Consts {
		if keep[key] || c.Name == "_" && keep["_"] { // the head of a block
			own.Consts[key] = c
		}
	}
	for key, t := range d.Types {
		if keep[key] {
			own.Types[key] = t
		}
	}
	for key, v := range d.Vars {
		if keep[key] || v.Blank() && keep["_"] {
			own.Vars[key] = v
		}
	}
	for key, f := range d.Funcs {
		if keep[key] || f.IsInit() && keep["init"] {
			own.Funcs[key] = f
		}
	}
	return own
}
