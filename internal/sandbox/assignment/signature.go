package assignment

import (
	"fmt"
	"go/types"
	"strings"
)

// signature writes the type of an object, of a method with its receiver, without the names
// of parameters and results: what callers must agree on.
func signature(o types.Object) string {
	w := typeWriter{pkg: o.Pkg()}
	if f, ok := o.(*types.Func); ok && f.Signature().Recv() != nil {
		recv, star := f.Signature().Recv().Type(), ""
		if p, ok := recv.(*types.Pointer); ok {
			recv, star = p.Elem(), "*"
		}
		name := w.typ(recv)
		if a, ok := recv.(*types.Alias); ok { // the type is called as the solution's
			name = a.Obj().Name()
		}
		return "func (" + star + name + ") " + f.Name() + strings.TrimPrefix(w.typ(f.Type()), "func")
	}
	return w.typ(o.Type())
}

type typeWriter struct {
	pkg   *types.Package
	depth int
}

// typ writes a type. Types of two programs that have the same text are the same, if
// packages and the declarations in both programs are.
func (w *typeWriter) typ(t types.Type) string {
	if w.depth++; w.depth > 100 {
		return t.String()
	}
	defer func() { w.depth-- }()
	switch t := t.(type) {
	case *types.Alias:
		return w.typ(types.Unalias(t))
	case *types.Basic: // byte and rune are other names of uint8 and int32
		return types.Typ[t.Kind()].Name()
	case *types.Chan:
		return [...]string{types.SendRecv: "chan ", types.SendOnly: "chan<- ", types.RecvOnly: "<-chan "}[t.Dir()] + "(" + w.typ(t.Elem()) + ")"
	case *types.Interface:
		if t.Empty() { // however it is written
			return "any"
		}
	case *types.Pointer:
		return "*" + w.typ(t.Elem())
	case *types.Slice:
		return "[]" + w.typ(t.Elem())
	case *types.Array:
		return fmt.Sprintf("[%d]%s", t.Len(), w.typ(t.Elem()))
	case *types.Map:
		return "map[" + w.typ(t.Key()) + "]" + w.typ(t.Elem())
	case *types.TypeParam:
		return fmt.Sprintf("T%d", t.Index()+1)
	case *types.Named:
		var args []string
		for a := range t.TypeArgs().Types() {
			args = append(args, w.typ(a))
		}
		s := types.TypeString(t.Origin(), types.RelativeTo(w.pkg))
		if args != nil {
			s, _, _ = strings.Cut(s, "[")
			s += "[" + strings.Join(args, ", ") + "]"
		}
		return s
	case *types.Struct:
		var fields []string
		for f := range t.Fields() {
			fields = append(fields, f.Name()+" "+w.typ(f.Type()))
		}
		return "struct{" + strings.Join(fields, "; ") + "}"
	case *types.Signature:
		s := "func"
		if n := t.TypeParams().Len(); n > 0 {
			var all []string
			for p := range t.TypeParams().TypeParams() {
				all = append(all, w.typ(p)+" "+w.typ(p.Constraint()))
			}
			s += "[" + strings.Join(all, ", ") + "]"
		}
		s += "(" + w.list(t.Params(), t.Variadic()) + ")"
		switch results := w.list(t.Results(), false); t.Results().Len() {
		case 0:
		case 1:
			s += " " + results
		default:
			s += " (" + results + ")"
		}
		return s
	}
	return types.TypeString(t, types.RelativeTo(w.pkg))
}

func (w *typeWriter) list(vars *types.Tuple, variadic bool) string {
	var all []string
	for v := range vars.Variables() {
		all = append(all, w.typ(v.Type()))
	}
	if variadic {
		all[len(all)-1] = "..." + strings.TrimPrefix(all[len(all)-1], "[]")
	}
	return strings.Join(all, ", ")
}
