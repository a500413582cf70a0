package complete

import (
	"go/ast"
	"go/token"
	"go/types"
)

// members are the names that may stand behind an expression and a dot.
func (p checked) members(x ast.Expr) (names []Name) {
	if id, ok := x.(*ast.Ident); ok {
		if of, ok := p.info.Uses[id].(*types.PkgName); ok {
			for _, name := range of.Imported().Scope().Names() {
				if token.IsExported(name) {
					names = append(names, p.name(of.Imported().Scope().Lookup(name)))
				}
			}
			return names
		}
	}
	of := p.info.Types[x].Type
	if of == nil {
		return nil
	}
	for _, o := range members(of) {
		if o.Exported() || o.Pkg() == p.pkg {
			names = append(names, p.name(o))
		}
	}
	return names
}

// members are the methods and fields of a type, and those that are promoted to it.
func members(of types.Type) (found []types.Object) {
	methods := types.NewMethodSet(of)
	if _, pointer := of.Underlying().(*types.Pointer); !pointer && !types.IsInterface(of) {
		methods = types.NewMethodSet(types.NewPointer(of))
	}
	for m := range methods.Methods() {
		found = append(found, m.Obj())
	}
	seen := map[types.Type]bool{}
	var fields func(of types.Type)
	fields = func(of types.Type) {
		if pointer, ok := of.Underlying().(*types.Pointer); ok {
			of = pointer.Elem()
		}
		s, ok := of.Underlying().(*types.Struct)
		if !ok || seen[of] {
			return
		}
		seen[of] = true
		for f := range s.Fields() {
			found = append(found, f)
			if f.Embedded() {
				fields(f.Type())
			}
		}
	}
	fields(of)
	return found
}

// scope are the names that may stand at a position where none of another stands before it.
func (p checked) scope(pos token.Pos, packages []string) (names []Name) {
	s := p.pkg.Scope().Innermost(pos)
	if s == nil {
		s = p.pkg.Scope()
	}
	for ; s != nil; s = s.Parent() {
		for _, name := range s.Names() {
			o := s.Lookup(name)
			if local := s != types.Universe && s != p.pkg.Scope() && s.Parent() != p.pkg.Scope(); local && o.Pos() >= pos || name == "_" || name == "main" {
				continue // it is declared below
			}
			names = append(names, p.name(o))
		}
	}
	for t := token.BREAK; t <= token.VAR; t++ {
		names = append(names, Name{t.String(), "keyword", ""})
	}
	for _, name := range packages {
		names = append(names, Name{name, "module", ""})
	}
	return names
}

// name is that of an object.
func (p checked) name(o types.Object) Name {
	n := Name{Text: o.Name(), Kind: "instance"}
	switch o.(type) {
	case *types.PkgName:
		n.Kind = "module"
		return n
	case *types.TypeName:
		n.Kind = "class"
		return n
	case *types.Func, *types.Builtin:
		n.Kind = "function"
	}
	n.Detail = types.TypeString(o.Type(), p.qualified)
	return n
}

// qualified is how the cell writes the package of a name.
func (p checked) qualified(of *types.Package) string {
	if of == p.pkg {
		return ""
	}
	return of.Name()
}
