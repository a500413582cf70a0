package assignment

import (
	"go/ast"
	"go/token"
	"go/types"
	"maps"
	"slices"

	"marginalia/internal/notebook/gonb"
	"marginalia/internal/notebook/program"
)

// A reach knows what the declarations of a program use.
type reach struct {
	nodes map[types.Object]*node
	all   []*node            // in the order of the program
	own   []*node            // the student's
	roots []*node            // in every program
	named map[string][]*node // methods, by their names alone
}

// A node is a declaration.
type node struct {
	spec     ast.Node // a function, a type, variables, or a block of constants
	names    []string // the keys of what it declares
	uses     []types.Object
	calls    []string // names behind a dot of what is not known, or of an interface's methods
	methods  []*node  // of a type
	variable bool     // a variable with a value
	students bool     // it stands in an answer, or in a cell of the student's own
}

// reach finds out what the declarations of a program use.
func (a *Assignment) reach(p *program.Program) *reach {
	r := &reach{nodes: map[types.Object]*node{}, named: map[string][]*node{}}
	type method struct {
		of *ast.Ident
		*node
	}
	var methods []method
	add := func(at ast.Node, names ...*ast.Ident) *node {
		n := &node{spec: at, students: !a.Lecturers(a.origin(p, names[0].Pos()).Cell)}
		if r.all = append(r.all, n); n.students {
			r.own = append(r.own, n)
		}
		for _, name := range names {
			n.names = append(n.names, name.Name)
			if obj := p.Info.Defs[name]; obj != nil {
				r.nodes[obj] = n
			}
		}
		seen := map[types.Object]bool{}
		ast.Inspect(at, func(at ast.Node) bool {
			switch at := at.(type) {
			case *ast.Ident:
				if obj := origin(p.Info.Uses[at]); obj != nil && obj.Pkg() == p.Pkg && !seen[obj] {
					seen[obj] = true
					n.uses = append(n.uses, obj)
				}
			case *ast.SelectorExpr:
				f, isFunc := p.Info.Uses[at.Sel].(*types.Func)
				if p.Info.Uses[at.Sel] == nil || isFunc && f.Signature().Recv() != nil && types.IsInterface(f.Signature().Recv().Type()) {
					n.calls = append(n.calls, at.Sel.Name)
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
				r.named[d.Name.Name] = append(r.named[d.Name.Name], n)
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
		if t := r.nodes[origin(p.Info.Uses[m.of])]; t != nil {
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

// next returns what a declaration may use: what it names, the methods of a type, and those that a call by an interface may mean.
func (r *reach) next(n *node) []*node {
	all := slices.Clone(n.methods)
	for _, obj := range n.uses {
		if m := r.nodes[obj]; m != nil {
			all = append(all, m)
		}
	}
	for _, name := range n.calls {
		all = append(all, r.named[name]...)
	}
	return all
}

// components returns the declarations that use each other, each group before those that use it.
func (r *reach) components() [][]*node { return components(r.all, r.next) }

// at returns the declaration that a position is in, nil if that is none or an import.
func (r *reach) at(pos token.Pos) *node {
	return around(r.all, pos, func(n *node) ast.Node { return n.spec })
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
func only(d *gonb.Decls, some map[*node]bool) *gonb.Decls {
	keep := map[string]bool{}
	for n := range some {
		for _, key := range n.names {
			keep[key] = true
		}
	}
	own := gonb.NewDecls()
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
