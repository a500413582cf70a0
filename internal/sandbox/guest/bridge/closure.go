package bridge

import (
	"cmp"
	"go/token"
	"go/types"
	"slices"
	"strings"
)

// walk visits t and all types that it is made of.
func walk(t types.Type, seen map[types.Type]bool, visit func(types.Type)) {
	if t == nil || seen[t] {
		return
	}
	seen[t] = true
	visit(t)
	each(t, func(t types.Type) { walk(t, seen, visit) })
}

// each visits the types that t is directly made of.
func each(t types.Type, visit func(types.Type)) {
	switch t := t.(type) {
	case *types.Alias:
		visit(types.Unalias(t))
	case *types.Named:
		for a := range t.TypeArgs().Types() {
			visit(a)
		}
		visit(t.Underlying())
	case *types.Pointer:
		visit(t.Elem())
	case *types.Slice:
		visit(t.Elem())
	case *types.Array:
		visit(t.Elem())
	case *types.Map:
		visit(t.Key())
		visit(t.Elem())
	case *types.Struct:
		for f := range t.Fields() {
			visit(f.Type())
		}
	case *types.Signature:
		for v := range t.Params().Variables() {
			visit(v.Type())
		}
		for v := range t.Results().Variables() {
			visit(v.Type())
		}
	case *types.Interface:
		for m := range t.Methods() {
			visit(m.Type())
		}
	}
}

// closure visits all types that cross, finds the interfaces that need proxies and
// the types that may stand in interfaces, and says what can't cross.
func (b *Bridge) closure() {
	interfaces := false
	visit := func(t types.Type, what string, pos token.Pos) {
		b.cross(t, func(t types.Type) {
			if types.IsInterface(t) {
				interfaces = true
			}
		}, what, pos)
	}
	for _, f := range b.funcs {
		visit(f.sig, f.name, f.obj.Pos())
	}
	for _, v := range b.values {
		visit(types.Default(v.Type()), v.Name(), v.Pos())
	}
	if !interfaces {
		return
	}
	// Given types may stand in interfaces, also those that only a test mentions.
	for _, name := range b.pkg.Scope().Names() {
		t, ok := b.pkg.Scope().Lookup(name).(*types.TypeName)
		if !ok || t.IsAlias() || b.side(t) != Given || types.IsInterface(t.Type()) || t.Type().(*types.Named).TypeParams().Len() > 0 {
			continue
		}
		if b.crosses(t.Type()) {
			b.named = append(b.named, t.Type())
			b.cross(t.Type(), func(types.Type) {}, t.Name(), t.Pos())
		}
	}
	for _, name := range b.pkg.Scope().Names() {
		v, ok := b.pkg.Scope().Lookup(name).(*types.Var)
		if ok && b.side(v) == Given && types.Identical(v.Type(), types.Universe.Lookup("error").Type()) {
			b.errs = append(b.errs, v)
		}
	}
	b.known()
	b.foreign()
}

// cross visits t and what it is made of. The inside of an answer's type stays in the guest.
func (b *Bridge) cross(t types.Type, visit func(types.Type), what string, pos token.Pos) {
	if b.seen[t] {
		return
	}
	b.seen[t] = true
	visit(t)
	if why := stays(t); why != "" {
		b.problem(pos, "%s: %s can't cross to the student's program", what, why)
		return
	}
	if n, ok := t.(*types.Named); ok {
		if slices.Contains(b.handles, n.Obj()) {
			return
		}
		if n.Obj().Pkg() == b.pkg && b.side(n.Obj()) == Test {
			b.problem(pos, "%s: type %s is declared by a test: declare it in a given cell", what, n.Obj().Name())
			return
		}
	}
	if t = types.Unalias(t); t == types.Universe.Lookup("error").Type() {
		return
	}
	if i, ok := t.Underlying().(*types.Interface); ok && i.NumMethods() > 0 {
		n, ok := t.(*types.Named)
		if !ok {
			b.problem(pos, "%s: %s has no name: declare the interface in a given cell", what, t)
			return
		}
		if why := b.closed(n, i); why != "" {
			b.problem(pos, "%s: %s", what, why)
			return
		}
		if !slices.Contains(b.proxies, n.Obj()) {
			b.proxies = append(b.proxies, n.Obj())
		}
		t = i // whose name is known
	}
	each(t, func(t types.Type) { b.cross(t, visit, what, pos) })
}

// closed says why no type outside its package can be an interface.
func (b *Bridge) closed(n *types.Named, i *types.Interface) string {
	for m := range i.Methods() {
		if !m.Exported() && m.Pkg() != b.pkg {
			return n.String() + " has the method " + m.Name() + ", which only its own package can declare"
		}
	}
	return ""
}

// stays says what of a type itself can't cross.
func stays(t types.Type) string {
	switch t := t.(type) {
	case *types.Chan:
		return "a channel"
	case *types.Basic:
		if t.Kind() == types.UnsafePointer {
			return "an unsafe.Pointer"
		}
	case *types.Named:
		if p := t.Obj().Pkg(); p != nil {
			switch p.Path() {
			case "sync", "sync/atomic", "os", "net", "testing", "context", "syscall":
				return "a " + p.Name() + "." + t.Obj().Name()
			}
		}
	}
	return ""
}

// crosses reports whether all of t can cross.
func (b *Bridge) crosses(t types.Type) bool {
	ok := true
	walk(t, map[types.Type]bool{}, func(t types.Type) {
		if stays(t) != "" {
			ok = false
		}
		if n, named := t.(*types.Named); named {
			if i, iface := n.Underlying().(*types.Interface); iface && n.Obj().Pkg() != nil && b.closed(n, i) != "" {
				ok = false
			}
		}
	})
	return ok
}

// standard are types of other packages that stand in their interfaces.
var standard = map[string]struct{ pointers, values []string }{
	"gonum.org/v1/gonum/mat": {
		[]string{"Dense", "VecDense", "SymDense", "TriDense", "DiagDense", "BandDense", "SymBandDense", "TriBandDense", "Tridiag"},
		[]string{"Transpose", "TransposeVec", "TransposeTri", "TransposeBand", "TransposeTriBand"},
	},
	"math/rand/v2": {[]string{"PCG", "ChaCha8"}, nil},
}

// known adds the standard types of the packages whose interfaces cross, and the errors in their variables.
func (b *Bridge) known() {
	done := map[string]bool{}
	for _, t := range slices.Clone(b.proxies) {
		p := t.Pkg()
		if done[p.Path()] {
			continue
		}
		done[p.Path()] = true
		for _, name := range p.Scope().Names() {
			if v, ok := p.Scope().Lookup(name).(*types.Var); ok && v.Exported() && p != b.pkg && types.Identical(v.Type(), types.Universe.Lookup("error").Type()) {
				b.errs = append(b.errs, v)
			}
		}
		all := standard[p.Path()]
		for _, name := range all.pointers {
			if obj := p.Scope().Lookup(name); obj != nil {
				b.named = append(b.named, types.NewPointer(obj.Type()))
				b.cross(obj.Type(), func(types.Type) {}, name, obj.Pos())
			}
		}
		for _, name := range all.values {
			if obj := p.Scope().Lookup(name); obj != nil {
				b.named = append(b.named, obj.Type())
				b.cross(obj.Type(), func(types.Type) {}, name, obj.Pos())
			}
		}
	}
}

// foreign adds the errors and types of other packages that the notebook names, if they may stand in an
// interface that crosses: io.EOF, *strconv.NumError, the type of mat.ErrShape, *mat.Cholesky.
func (b *Bridge) foreign() {
	errorType := types.Universe.Lookup("error").Type()
	wanted := []types.Type{errorType}
	for _, p := range b.proxies {
		wanted = append(wanted, p.Type())
	}
	var all []types.Object
	for _, obj := range b.info.Uses {
		if obj.Pkg() != nil && obj.Pkg() != b.pkg && obj.Exported() && obj.Parent() == obj.Pkg().Scope() && !slices.Contains(all, obj) {
			all = append(all, obj)
		}
	}
	slices.SortFunc(all, func(a, c types.Object) int {
		return cmp.Or(strings.Compare(a.Pkg().Path(), c.Pkg().Path()), strings.Compare(a.Name(), c.Name()))
	})
	for _, obj := range all {
		if v, ok := obj.(*types.Var); ok && types.Identical(v.Type(), errorType) {
			if !slices.Contains(b.errs, obj) {
				b.errs = append(b.errs, v)
			}
			continue
		}
		n, ok := types.Unalias(obj.Type()).(*types.Named)
		if _, isFunc := obj.(*types.Func); isFunc || !ok || types.IsInterface(n) || n.TypeParams().Len() > 0 || !b.crosses(n) {
			continue
		}
		is := func(w types.Type) bool {
			return types.Implements(types.NewPointer(n), w.Underlying().(*types.Interface))
		}
		has := func(t types.Type) bool { return types.Identical(t, n) || types.Identical(t, types.NewPointer(n)) }
		if n.Obj().Exported() && slices.ContainsFunc(wanted, is) && !slices.ContainsFunc(b.named, has) {
			b.named = append(b.named, n)
			b.cross(n, func(types.Type) {}, obj.Name(), obj.Pos())
		}
	}
}
