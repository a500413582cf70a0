package complete

import (
	"fmt"
	"go/ast"
	"go/types"
	"strconv"
	"strings"

	"marginalia/internal/browser/kernel"
)

// Inspect returns the declaration of the first name that is known, without bodies; "" if none is.
func (c *Completer) Inspect(q kernel.Question) string {
	defer helpless()
	p := c.check(q.Main, q)
	for _, at := range q.Offsets {
		pos := p.file.Pos(at)
		for _, n := range p.around(pos) {
			id, ok := n.(*ast.Ident)
			if !ok {
				continue
			}
			o := p.info.Uses[id]
			if o == nil {
				o = p.info.Defs[id]
			}
			if o != nil {
				return p.declaration(o)
			}
		}
	}
	return ""
}

// declaration is that of an object, of a type with its exported fields and methods.
func (p checked) declaration(o types.Object) string {
	switch o := o.(type) {
	case *types.PkgName:
		return fmt.Sprintf("package %s // import %s", o.Imported().Name(), strconv.Quote(o.Imported().Path()))
	case *types.TypeName:
		var b strings.Builder
		name := types.TypeString(o.Type(), p.qualified)
		s, ok := o.Type().Underlying().(*types.Struct)
		if !ok || o.IsAlias() {
			b.WriteString(types.ObjectString(o, p.qualified))
		} else {
			fmt.Fprintf(&b, "type %s struct {\n", name)
			for f := range s.Fields() {
				if f.Exported() || f.Pkg() == p.pkg {
					fmt.Fprintf(&b, "\t%s %s\n", f.Name(), types.TypeString(f.Type(), p.qualified))
				}
			}
			b.WriteString("}")
		}
		if types.IsInterface(o.Type()) {
			return b.String()
		}
		for m := range types.NewMethodSet(types.NewPointer(o.Type())).Methods() {
			if m := m.Obj(); m.Exported() || m.Pkg() == p.pkg {
				fmt.Fprintf(&b, "\n%s", types.ObjectString(m, p.qualified))
			}
		}
		return b.String()
	}
	return types.ObjectString(o, p.qualified)
}
