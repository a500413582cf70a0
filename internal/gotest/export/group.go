package export

import (
	"cmp"
	"fmt"
	"go/types"
	"maps"
	"slices"
	"strings"

	"marginalia/internal/gotest/effects"
	"marginalia/internal/notebook/gonb"
	"marginalia/internal/notebook/program"
)

// A unit is the program of one cell, and where it is built.
type unit struct {
	*program.Program
	folder string // of a program that is built by itself, relative to the package; or ""
	can    effects.Reach
}

// shared reports whether the program is built as part of its group's package.
func (u *unit) shared() bool { return !u.NoGo && u.Fails == "" && u.folder == "" }

// A group is cells whose programs fit into one package: no key is
// declared in two ways, and nothing that one cell adds or imports changes what another
// does. Package variables are initialised for each cell by functions of their
// own, so that what a later cell declares is not initialised in an earlier one.
type group struct {
	programs []*unit
	union    *gonb.Decls               // of those that share the package
	owner    map[string]*unit          // the first of those that has a variable
	imports  map[string]*types.Package // by the names that they have in programs
}

// split puts the programs that can share a package into groups. A redefinition starts
// another group, and so does an import whose start would be seen in the other cells.
// Programs that must be built by themselves are marked with a folder of their own.
func split(units []*unit) []*group {
	groups := []*group{newGroup()}
	for i, u := range units {
		last := groups[len(groups)-1]
		switch {
		case u.NoGo, u.Fails != "":
		case u.alone():
			u.apart(i + 1)
		default:
			// The newest that it fits into: the cells of an earlier one are older versions.
			at := len(groups) - 1
			for at >= 0 && !groups[at].fits(u) {
				at--
			}
			if at < 0 {
				groups = append(groups, newGroup())
				at = len(groups) - 1
			}
			last = groups[at]
			last.join(u)
		}
		last.programs = append(last.programs, u)
	}
	return groups
}

// apart has the program built by itself, as that of the n-th code cell.
func (u *unit) apart(n int) {
	u.folder = fmt.Sprintf("%02d-%s", n, strings.ReplaceAll(u.ID, "_", "-")) // not …_test
}

// apart returns the group with all its programs built by themselves.
func (g *group) apart(place map[string]int) *group {
	a := newGroup()
	for _, u := range g.programs {
		if u.shared() {
			u.apart(place[u.ID])
		}
		a.programs = append(a.programs, u)
	}
	return a
}

func newGroup() *group {
	return &group{union: gonb.NewDecls(), owner: map[string]*unit{}, imports: map[string]*types.Package{}}
}

func (g *group) join(p *unit) {
	for name := range p.Decls.Vars {
		g.owner[name] = cmp.Or(g.owner[name], p)
	}
	all := p.Decls.Clone()
	all.Merge(g.union) // what is there already says the same and stays
	g.union = all
	maps.Copy(g.imports, p.importNames())
}

// fits tells whether p can share the package of g.
func (g *group) fits(p *unit) bool {
	first := slices.IndexFunc(g.programs, (*unit).shared)
	if first < 0 {
		return true
	}
	if g.programs[first].can.Start != p.can.Start {
		return false
	}
	u, d := g.union, p.Decls
	if !same(u.Types, d.Types, func(a, b *gonb.Type) bool { return a.Text == b.Text }) ||
		!same(u.Consts, d.Consts, func(a, b *gonb.Const) bool { return a == b }) ||
		!same(u.Vars, d.Vars, func(a, b *gonb.Var) bool { return a.Spec() == b.Spec() }) ||
		!same(u.Funcs, d.Funcs, func(a, b *gonb.Func) bool { return a.Text == b.Text }) {
		return false
	}
	// Once the first was removed, GoNB lets a name be another kind of thing.
	if slices.ContainsFunc(d.Names(), func(name string) bool { return declares(u, name) && kinds(u, name) != kinds(d, name) }) {
		return false
	}
	for name, pkg := range p.importNames() {
		if other := g.imports[name]; other != nil && other != pkg || declares(u, name) {
			return false
		}
	}
	for name := range g.imports {
		if declares(d, name) {
			return false
		}
	}
	return sameMethods(u, d) && sameMethods(d, u) && samePredeclared(u, d) && sameHidden(u, d)
}

// same reports whether what is in both is the same in both.
func same[D any](a, b map[string]D, equal func(a, b D) bool) bool {
	for key, d := range b {
		if old, ok := a[key]; ok && !equal(old, d) {
			return false
		}
	}
	return true
}

// kinds says as which kinds of thing a name is declared at package level.
func kinds(d *gonb.Decls, name string) [4]bool {
	return [4]bool{d.Types[name] != nil, d.Consts[name] != nil, d.Vars[name] != nil, d.Funcs[name] != nil}
}

func declares(d *gonb.Decls, name string) bool { return kinds(d, name) != [4]bool{} }

// sameMethods reports whether the types that both have, have all the methods in b
// that they have in a: a method decides which interfaces a type satisfies,
// and so how it prints.
func sameMethods(a, b *gonb.Decls) bool {
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

// samePredeclared reports whether both declare the same names of the language (max,
// len, error, …): one more would change what the other's code means.
func samePredeclared(a, b *gonb.Decls) bool {
	return !slices.ContainsFunc(types.Universe.Names(), func(name string) bool {
		return declares(a, name) != declares(b, name)
	})
}

// sameHidden reports whether both have the same `_` and dot imports, which act
// without being named.
func sameHidden(a, b *gonb.Decls) bool {
	hidden := func(d *gonb.Decls) []string {
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
func (p *unit) importNames() map[string]*types.Package {
	names := map[string]*types.Package{}
	for _, obj := range p.Info.Uses {
		if pkg, ok := obj.(*types.PkgName); ok {
			names[pkg.Name()] = pkg.Imported()
		}
	}
	return names
}
