package export

import (
	"go/types"
	"slices"
	"strings"
)

// alone reports whether a program has to be built by itself: it does not
// compile (the test shows the compiler's words), asks for build flags, is that of
// a %test cell (which go test vets and builds), or has something that can't be
// moved into a function of a shared package.
func (p *unit) alone() bool {
	if !p.Compiles || p.Effects || p.Test || len(p.Flags) > 0 {
		return true
	}
	for _, f := range p.Decls.Funcs {
		if strings.Contains(strings.Join(f.Doc, "\n"), "//go:linkname") {
			return true
		}
	}
	for _, v := range p.Decls.Vars {
		if obj := p.Pkg.Scope().Lookup(v.Name); v.Type == "" && obj != nil && !nameable(obj.Type(), p.Pkg) {
			return true
		}
	}
	main := p.Pkg.Scope().Lookup("main")
	for _, obj := range p.Info.Uses {
		if obj == main { // called, or taken as a value
			return true
		}
	}
	return p.Decls.Imports["C"] != nil
}

// nameable reports whether another package could write the type: it is made
// of predeclared types, types of pkg, and exported types of packages that can
// be imported.
func nameable(t types.Type, pkg *types.Package) bool {
	all := func(list []types.Type) bool {
		return !slices.ContainsFunc(list, func(t types.Type) bool { return !nameable(t, pkg) })
	}
	named := func(obj *types.TypeName, args *types.TypeList) bool {
		switch home := obj.Pkg(); {
		case home == nil: // predeclared
		case obj.Parent() != home.Scope(), home != pkg && (!obj.Exported() || strings.Contains("/"+home.Path()+"/", "/internal/")):
			return false
		}
		return all(slices.Collect(args.Types()))
	}
	visible := func(o types.Object) bool {
		return (o.Exported() || o.Pkg() == pkg) && nameable(o.Type(), pkg)
	}
	switch t := t.(type) {
	case *types.Alias:
		return named(t.Obj(), t.TypeArgs())
	case *types.Named:
		return named(t.Obj(), t.TypeArgs())
	case *types.Map:
		return nameable(t.Key(), pkg) && nameable(t.Elem(), pkg)
	case interface{ Elem() types.Type }: // pointer, slice, array, channel
		return nameable(t.Elem(), pkg)
	case *types.Signature:
		return nameable(t.Params(), pkg) && nameable(t.Results(), pkg)
	case *types.Tuple:
		return !slices.ContainsFunc(slices.Collect(t.Variables()), func(v *types.Var) bool { return !nameable(v.Type(), pkg) })
	case *types.Struct:
		return !slices.ContainsFunc(slices.Collect(t.Fields()), func(f *types.Var) bool { return !visible(f) })
	case *types.Interface:
		return all(slices.Collect(t.EmbeddedTypes())) &&
			!slices.ContainsFunc(slices.Collect(t.ExplicitMethods()), func(m *types.Func) bool { return !visible(m) })
	}
	return true
}
