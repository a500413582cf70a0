package export

import (
	"fmt"
	"go/types"
	"iter"
	"maps"
	"slices"
	"strings"

	"marginalia/internal/cell"
	"marginalia/internal/program"
)

// A unit is the program of one cell, and where it is built.
type unit struct {
	*program.Program
	folder string // of a program that is built by itself, relative to the package; or ""
}

// A group is a run of cells whose programs fit into one package: no key is
// declared in two ways, and nothing that one cell adds changes what another
// does. Package variables are initialised for each cell by functions of their
// own, so that what a later cell declares is not initialised in an earlier one.
type group struct {
	programs []*unit
	union    *cell.Decls
	imports  map[string]string // name to path, over all programs
}

// split puts the programs that can share a package into groups, in order. A
// redefinition starts another group. Programs that must be built by themselves
// are marked with a folder of their own.
func split(programs []*unit) []*group {
	var groups []*group
	for i, p := range programs {
		if p.NoGo {
			if len(groups) == 0 {
				groups = append(groups, newGroup())
			}
			groups[len(groups)-1].programs = append(groups[len(groups)-1].programs, p)
			continue
		}
		if p.alone() {
			p.folder = fmt.Sprintf("testdata/%02d-%s", i+1, fileName(p.ID))
			if len(groups) == 0 {
				groups = append(groups, newGroup())
			}
			groups[len(groups)-1].programs = append(groups[len(groups)-1].programs, p)
			continue
		}
		if len(groups) == 0 || !groups[len(groups)-1].fits(p) {
			groups = append(groups, newGroup())
		}
		groups[len(groups)-1].join(p)
	}
	return groups
}

func newGroup() *group { return &group{union: cell.NewDecls(), imports: map[string]string{}} }

func (g *group) join(p *unit) {
	g.programs = append(g.programs, p)
	add(g.union.Types, p.Decls.Types)
	add(g.union.Consts, p.Decls.Consts)
	add(g.union.Vars, p.Decls.Vars)
	add(g.union.Funcs, p.Decls.Funcs)
	add(g.union.Imports, p.Decls.Imports)
	maps.Copy(g.imports, p.importNames())
}

// add takes over what is new. What is there already says the same and stays.
func add[D any](all, more map[string]D) {
	for key, d := range more {
		if _, ok := all[key]; !ok {
			all[key] = d
		}
	}
}

// fits tells whether p can share the package of g.
func (g *group) fits(p *unit) bool {
	if !slices.ContainsFunc(g.programs, func(p *unit) bool { return p.Decls != nil && p.folder == "" }) {
		return true
	}
	u, d := g.union, p.Decls
	for key, a := range d.Types {
		if b := u.Types[key]; b != nil && a.Text != b.Text {
			return false
		}
	}
	for key, a := range d.Consts {
		if b := u.Consts[key]; b != nil && a != b {
			return false
		}
	}
	for key, a := range d.Vars {
		if b := u.Vars[key]; b != nil && a.Spec() != b.Spec() {
			return false
		}
	}
	for key, a := range d.Funcs {
		if b := u.Funcs[key]; b != nil && a.Text != b.Text {
			return false
		}
	}
	if clash(u, d) {
		return false
	}
	for name, path := range p.importNames() {
		if other, ok := g.imports[name]; ok && other != path || declares(u, name) {
			return false
		}
	}
	for name := range g.imports {
		if declares(d, name) {
			return false
		}
	}
	return sameMethods(u, d) && sameMethods(d, u) && samePredeclared(u, d) && samePredeclared(d, u) && sameHidden(u, d)
}

// clash reports whether the two declare a name as different kinds of thing,
// which GoNB lets happen once the first was removed.
func clash(a, b *cell.Decls) bool {
	kinds := func(d *cell.Decls, name string) [4]bool {
		return [4]bool{d.Types[name] != nil, d.Consts[name] != nil, d.Vars[name] != nil, d.Funcs[name] != nil}
	}
	for _, names := range []iter.Seq[string]{maps.Keys(b.Types), maps.Keys(b.Consts), maps.Keys(b.Vars), maps.Keys(b.Funcs)} {
		for name := range names {
			if declares(a, name) && kinds(a, name) != kinds(b, name) {
				return true
			}
		}
	}
	return false
}

// declares reports whether name is declared at package level.
func declares(d *cell.Decls, name string) bool {
	return d.Types[name] != nil || d.Consts[name] != nil || d.Vars[name] != nil || d.Funcs[name] != nil
}

// sameMethods reports whether the types that both have, have all the methods in b
// that they have in a: a method decides which interfaces a type satisfies,
// and so how it prints.
func sameMethods(a, b *cell.Decls) bool {
	for key := range a.Funcs {
		recv, _, ok := strings.Cut(key, "~")
		if !ok {
			continue
		}
		recv, _, _ = strings.Cut(recv, "[")
		if (b.Types[recv] != nil || recv == "unknown") && a.Types[recv] != nil && b.Funcs[key] == nil {
			return false
		}
	}
	return true
}

// samePredeclared reports whether a declares no name of the language (max,
// len, error, …) that b does not: it would change what the other's code means.
func samePredeclared(a, b *cell.Decls) bool {
	for _, name := range types.Universe.Names() {
		if declares(a, name) && !declares(b, name) {
			return false
		}
	}
	return true
}

// sameHidden reports whether both have the same `_` and dot imports, which act
// without being named.
func sameHidden(a, b *cell.Decls) bool {
	hidden := func(d *cell.Decls) []string {
		var paths []string
		for _, key := range slices.Sorted(maps.Keys(d.Imports)) {
			if alias := d.Imports[key].Alias; alias == "_" || alias == "." {
				paths = append(paths, alias+d.Imports[key].Path)
			}
		}
		return paths
	}
	return slices.Equal(hidden(a), hidden(b))
}

// importNames returns the packages that the program names.
func (p *unit) importNames() map[string]string {
	names := map[string]string{}
	for _, obj := range p.Info.Implicits {
		if pkg, ok := obj.(*types.PkgName); ok {
			names[pkg.Name()] = pkg.Imported().Path()
		}
	}
	for _, obj := range p.Info.Defs {
		if pkg, ok := obj.(*types.PkgName); ok && pkg.Name() != "_" && pkg.Name() != "." {
			names[pkg.Name()] = pkg.Imported().Path()
		}
	}
	return names
}

// alone reports whether a program has to be built by itself: it does not
// compile (the test shows the compiler's words), asks for build flags, or has
// something that can't be moved into a function of a shared package.
func (p *unit) alone() bool {
	if !p.Compiles || len(p.Flags) > 0 || p.Decls.Funcs["TestMain"] != nil {
		return true
	}
	for key, f := range p.Decls.Funcs {
		if p.Test && strings.HasPrefix(key, "Example") || strings.Contains(strings.Join(f.Doc, "\n"), "//go:linkname") {
			return true
		}
	}
	for _, v := range p.Decls.Vars {
		if v.Tuple != nil && !slices.ContainsFunc(v.Names(), func(name string) bool { return name != "_" }) {
			return true
		}
		if obj := p.Pkg.Scope().Lookup(v.Name); v.Type == "" && obj != nil && !nameable(obj.Type(), p.Pkg) {
			return true
		}
	}
	for id, obj := range p.Info.Uses {
		// main called by itself, C of cgo.
		if _, ok := obj.(*types.Func); ok && obj.Parent() == p.Pkg.Scope() && id.Name == "main" || id.Name == "C" {
			return true
		}
	}
	return false
}

// nameable reports whether another package could write the type: it is made
// of predeclared types, types of pkg, and exported types of packages that can
// be imported.
func nameable(t types.Type, pkg *types.Package) bool {
	ok := true
	types.TypeString(t, func(other *types.Package) string {
		if other != pkg && strings.Contains("/"+other.Path()+"/", "/internal/") {
			ok = false
		}
		return ""
	})
	var walk func(t types.Type, depth int)
	walk = func(t types.Type, depth int) {
		if depth > 20 {
			return
		}
		switch t := t.(type) {
		case *types.Alias:
			ok = ok && visible(t.Obj(), pkg)
			each(t.TypeArgs(), walk, depth)
		case *types.Named:
			ok = ok && visible(t.Obj(), pkg)
			each(t.TypeArgs(), walk, depth)
		case *types.Pointer:
			walk(t.Elem(), depth+1)
		case *types.Slice:
			walk(t.Elem(), depth+1)
		case *types.Array:
			walk(t.Elem(), depth+1)
		case *types.Chan:
			walk(t.Elem(), depth+1)
		case *types.Map:
			walk(t.Key(), depth+1)
			walk(t.Elem(), depth+1)
		case *types.Signature:
			walk(t.Params(), depth+1)
			walk(t.Results(), depth+1)
		case *types.Tuple:
			for v := range t.Variables() {
				walk(v.Type(), depth+1)
			}
		case *types.Struct:
			for f := range t.Fields() {
				ok = ok && (f.Exported() || f.Pkg() == pkg)
				walk(f.Type(), depth+1)
			}
		case *types.Interface:
			for m := range t.ExplicitMethods() {
				ok = ok && (m.Exported() || m.Pkg() == pkg)
				walk(m.Type(), depth+1)
			}
		}
	}
	walk(t, 0)
	return ok
}

func each(list *types.TypeList, walk func(types.Type, int), depth int) {
	for t := range list.Types() {
		walk(t, depth+1)
	}
}

func visible(obj *types.TypeName, pkg *types.Package) bool {
	if obj.Pkg() == nil || obj.Pkg() == pkg {
		return obj.Pkg() == nil || obj.Parent() == pkg.Scope()
	}
	return obj.Exported() && obj.Parent() == obj.Pkg().Scope()
}
