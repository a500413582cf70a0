package export

import (
	"go/types"
	"regexp"
	"slices"
	"strings"

	"marginalia/internal/gotest/layout"
)

// uses returns what the lines of the cell itself name of the library.
func (p *unit) uses() []layout.Use {
	if p.Info == nil {
		return nil
	}
	origins := p.File().Origins
	var used []layout.Use
	for id, o := range p.Info.Uses {
		line := p.Fset.Position(id.Pos()).Line - 1
		if line >= len(origins) || origins[line].Cell != p.ID {
			continue
		}
		if u, ok := useOf(o); ok {
			used = append(used, u)
		}
	}
	slices.SortFunc(used, layout.Use.Compare)
	return slices.Compact(used)
}

// useOf returns the use that an object is, if mlkit, plotting or datasets exports it.
func useOf(o types.Object) (layout.Use, bool) {
	if o.Pkg() == nil || !o.Exported() {
		return layout.Use{}, false
	}
	u := layout.Use{Package: o.Pkg().Path(), Name: o.Name()}
	switch o := o.(type) {
	case *types.TypeName:
		if o.Parent() != o.Pkg().Scope() {
			return u, false // a type parameter, or of a function
		}
	case *types.Func:
		if recv := o.Signature().Recv(); recv != nil {
			typ := types.Unalias(recv.Type())
			if p, ok := typ.(*types.Pointer); ok {
				typ = types.Unalias(p.Elem())
			}
			named, ok := typ.(*types.Named)
			if !ok || !named.Obj().Exported() {
				return u, false
			}
			u.Type = named.Obj().Name()
		}
	default:
		return u, false
	}
	return u, library.MatchString(u.Package) && !strings.Contains(u.Package, "/internal/")
}

var library = regexp.MustCompile(`^marginalia/(mlkit|plotting|datasets)(/|$)`)
