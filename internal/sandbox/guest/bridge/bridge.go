// Package bridge writes the code that joins a judge with a guest: for each function of a student's
// answers that the tests use, a stub with its signature on the judge's side, and on
// the guest's side a worker that calls it. What the types are made of crosses by
// reflection (package wire); what needs code is here: stubs, methods of proxies, the
// names of types and functions.
//
//	b, problems := bridge.New(pkg, info, file, side)
//	stubs := b.Stubs()
//	worker := b.Worker(has)
package bridge

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"maps"
	"slices"
	"strings"
)

// A Side says where a declaration of the lecturer's notebook is compiled.
type Side int

const (
	Given  Side = iota // in both programs, from the lecturer's text
	Answer             // in the guest, from the student's; the judge has a stub
	Test               // in the judge
)

// A Problem is something that can't cross, and where the tests need it.
type Problem struct {
	Pos  token.Pos
	Text string
}

// A Bridge knows what the judge's side uses of the answers.
type Bridge struct {
	pkg      *types.Package
	info     *types.Info
	side     func(types.Object) Side
	funcs    []*function
	values   []types.Object    // package variables and constants of answers
	handles  []*types.TypeName // types of answers
	named    []types.Type      // types that may stand in interfaces
	proxies  []*types.TypeName // interfaces by name
	errs     []types.Object    // package variables that hold errors
	imports  map[string]string // path to alias
	problems []Problem
	seen     map[types.Type]bool
}

// A function is one that the judge calls in the guest: a function, a method, or an instance of a
// generic function.
type function struct {
	obj  *types.Func
	name string           // on the wire: "F", "T.M", "F[int]"
	sig  *types.Signature // with the type arguments
	args []types.Type     // type arguments
	stub string           // the name of an instance's stub
	// owner is the type that a method belongs to.
	owner   *types.TypeName
	pointer bool
}

// New finds what the given cells and the tests of a notebook use of its answers.
// pkg is the whole notebook as a program, with its solutions.
func New(pkg *types.Package, info *types.Info, file *ast.File, side func(types.Object) Side) (*Bridge, []Problem) {
	b := &Bridge{pkg: pkg, info: info, side: side, imports: map[string]string{}, seen: map[types.Type]bool{}}
	used := b.used(file)
	b.methods(used)
	for _, obj := range inOrder(used) {
		b.object(obj, used[obj])
	}
	b.closure()
	b.start(file)
	b.state(file)
	slices.SortStableFunc(b.problems, func(a, c Problem) int { return int(a.Pos - c.Pos) })
	return b, b.problems
}

func (b *Bridge) problem(pos token.Pos, format string, args ...any) {
	b.problems = append(b.problems, Problem{pos, fmt.Sprintf(format, args...)})
}

func inOrder(objs map[types.Object][]*ast.Ident) []types.Object {
	return slices.SortedFunc(maps.Keys(objs), func(a, c types.Object) int { return int(a.Pos() - c.Pos()) })
}

// used returns the objects that answers declare and that are mentioned elsewhere,
// with the places.
func (b *Bridge) used(file *ast.File) map[types.Object][]*ast.Ident {
	used := map[types.Object][]*ast.Ident{}
	for _, decl := range file.Decls {
		if b.declSide(decl) == Answer {
			continue
		}
		ast.Inspect(decl, func(n ast.Node) bool {
			if id, ok := n.(*ast.Ident); ok {
				obj := b.info.Uses[id]
				if f, ok := obj.(*types.Func); ok {
					obj = f.Origin()
				}
				if b.answers(obj) {
					used[obj] = append(used[obj], id)
				}
			}
			return true
		})
	}
	return used
}

// declSide returns the side of a declaration. GoNB writes each constant and variable of a block
// for itself, or all of one cell together.
func (b *Bridge) declSide(decl ast.Decl) Side {
	switch d := decl.(type) {
	case *ast.FuncDecl:
		if obj := b.info.Defs[d.Name]; obj != nil {
			return b.side(obj)
		}
	case *ast.GenDecl:
		for _, s := range d.Specs {
			switch s := s.(type) {
			case *ast.TypeSpec:
				return b.side(b.info.Defs[s.Name])
			case *ast.ValueSpec:
				if obj := b.info.Defs[s.Names[0]]; obj != nil && len(d.Specs) == 1 {
					return b.side(obj)
				}
			}
		}
	}
	return Given
}

// answers reports whether obj is declared at package level by an answer, or is a method of one.
func (b *Bridge) answers(obj types.Object) bool {
	if obj == nil || obj.Pkg() != b.pkg {
		return false
	}
	if f, ok := obj.(*types.Func); ok && f.Signature().Recv() != nil {
		return !types.IsInterface(f.Signature().Recv().Type()) && b.side(obj) == Answer
	}
	return obj.Parent() == b.pkg.Scope() && b.side(obj) == Answer
}

// methods adds all methods that answers declare on the types that the judge has,
// since an interface may want them.
func (b *Bridge) methods(used map[types.Object][]*ast.Ident) {
	for _, name := range b.pkg.Scope().Names() {
		t, ok := b.pkg.Scope().Lookup(name).(*types.TypeName)
		if !ok || t.IsAlias() || b.side(t) == Answer && used[t] == nil && !b.mentioned(t, used) || b.side(t) == Test {
			continue
		}
		named := t.Type().(*types.Named)
		for m := range named.Methods() {
			if b.answers(m) && used[m] == nil {
				used[m] = nil
			}
		}
		if b.side(t) == Answer && used[t] == nil {
			used[t] = nil
		}
	}
}

// mentioned reports whether a type of an answer stands in the signature of something used.
func (b *Bridge) mentioned(t *types.TypeName, used map[types.Object][]*ast.Ident) bool {
	for obj := range used {
		found := false
		walk(obj.Type(), map[types.Type]bool{}, func(u types.Type) {
			if n, ok := u.(*types.Named); ok && n.Obj() == t {
				found = true
			}
		})
		if found {
			return true
		}
	}
	return false
}

// object takes in one object of the answers that the judge uses.
func (b *Bridge) object(obj types.Object, at []*ast.Ident) {
	pos := obj.Pos()
	if len(at) > 0 {
		pos = at[0].Pos()
	}
	switch obj := obj.(type) {
	case *types.Func:
		b.function(obj, at, pos)
	case *types.TypeName:
		switch {
		case obj.IsAlias():
			b.problem(pos, "%s is an alias that an answer declares: declare it in a given cell", obj.Name())
		case obj.Type().(*types.Named).TypeParams().Len() > 0:
			b.problem(pos, "%s is a generic type that an answer declares: declare it in a given cell", obj.Name())
		case types.IsInterface(obj.Type()):
			b.problem(pos, "%s is an interface that an answer declares: declare it in a given cell", obj.Name())
		default:
			b.handles = append(b.handles, obj)
		}
	case *types.Var:
		if types.Identical(obj.Type(), types.Universe.Lookup("error").Type()) {
			b.errs = append(b.errs, obj)
			return
		}
		b.values = append(b.values, obj)
	case *types.Const:
		b.values = append(b.values, obj)
	}
}

func (b *Bridge) function(f *types.Func, at []*ast.Ident, pos token.Pos) {
	sig := f.Signature()
	if recv := sig.Recv(); recv != nil {
		t := recv.Type()
		p, pointer := t.(*types.Pointer)
		if pointer {
			t = p.Elem()
		}
		owner := t.(*types.Named)
		if owner.TypeParams().Len() > 0 {
			b.problem(pos, "%s is a method of a generic type, which can't cross", f.Name())
			return
		}
		name := owner.Obj().Name() + "." + f.Name()
		b.funcs = append(b.funcs, &function{obj: f, name: name, sig: sig, owner: owner.Obj(), pointer: pointer})
		return
	}
	if sig.TypeParams().Len() == 0 {
		b.funcs = append(b.funcs, &function{obj: f, name: f.Name(), sig: sig})
		return
	}
	seen := map[string]bool{}
	for _, id := range at {
		inst, ok := b.info.Instances[id]
		if !ok {
			continue
		}
		args := slices.Collect(inst.TypeArgs.Types())
		if slices.ContainsFunc(args, generic) {
			b.problem(id.Pos(), "%s is used for the type parameters of another function: use it for given types", f.Name())
			continue
		}
		var words []string
		for _, a := range args {
			words = append(words, types.TypeString(a, types.RelativeTo(b.pkg)))
		}
		name := f.Name() + "[" + strings.Join(words, ", ") + "]"
		if seen[name] {
			continue
		}
		seen[name] = true
		b.funcs = append(b.funcs, &function{obj: f, name: name, sig: inst.Type.(*types.Signature), args: args,
			stub: fmt.Sprintf("marginalia_%s_%d", f.Name(), len(seen))})
	}
}

// generic reports whether a type parameter stands in t.
func generic(t types.Type) bool {
	found := false
	walk(t, map[types.Type]bool{}, func(t types.Type) {
		if _, ok := t.(*types.TypeParam); ok {
			found = true
		}
	})
	return found
}
