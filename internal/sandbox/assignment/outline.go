package assignment

import (
	"go/types"
	"maps"
	"slices"
	"strings"

	"marginalia/internal/notebook/gonb"
	"marginalia/internal/notebook/nbgrader"
)

// Imports returns the packages that the lecturer's notebook imports, in no order: answers may import them, too.
func (a *Assignment) Imports() []string {
	var paths []string
	for _, i := range a.imports {
		paths = append(paths, i.Path)
	}
	return paths
}

// Stub returns the source of an answer without its solution, so that the tests that students have compile: what students
// get, and what it lacks of the functions that these tests use, with bodies that panic, and of the variables and constants, as
// variables of their types.
func (a *Assignment) Stub(id, source string) string {
	i := slices.IndexFunc(a.Cells, func(c *Cell) bool { return c.ID == id })
	if i < 0 || a.Cells[i].Meta.Kind() != nbgrader.Answer || a.Cells[i].Decls == nil {
		return source
	}
	solution := a.Cells[i].Decls
	d, err := declarations(id, source)
	if err != nil || d == nil {
		d = gonb.NewDecls()
	}
	lacks := false
	for _, name := range solution.Names() {
		if !a.bridge.Needs(shown(name)) || !a.known.shown[name] || declared(d, name) {
			continue
		}
		if f := solution.Funcs[name]; f != nil {
			d.Funcs[name], lacks = f, true
		} else if typ := a.valueType(name); typ != "" {
			d.Vars[name], lacks = &gonb.Var{Name: name, Type: typ}, true
		}
	}
	if !lacks {
		return source
	}
	maps.Copy(d.Imports, solution.Imports)
	prune(d, outline(d))
	return outline(d)
}

// valueType returns the type of the judge's variable for a variable or a constant of an answer, "" if it is none, or if students
// have to declare something of the type.
func (a *Assignment) valueType(name string) string {
	obj := a.whole.Pkg.Scope().Lookup(name)
	if _, ok := a.bridge.Value(obj); !ok {
		return ""
	}
	typ := types.TypeString(types.Default(obj.Type()), types.RelativeTo(a.whole.Pkg))
	for name := range identifiers(typ) {
		if c := a.names[name]; c != nil && c.answer() {
			return ""
		}
	}
	if strings.ContainsAny(typ, "/.") { // a package
		return ""
	}
	return typ
}

// Declares returns the names that a cell declares, none if it does not parse.
func Declares(id, source string) []string {
	d, err := declarations(id, source)
	if err != nil || d == nil {
		return nil
	}
	return d.Names()
}

// Outline returns a source that declares what a cell does, with functions that panic. It is empty
// if the cell does not parse.
func Outline(id, source string) string {
	d, err := declarations(id, source)
	if err != nil || d == nil {
		return ""
	}
	return outline(d)
}

// Complete returns a stub with the types, constants and variables that it lacks and tests use, as a student declares
// them, and all that they may need: the solution's would tell of it. What elsewhere accepts, another cell declares.
func Complete(id, stub, student, tests string, elsewhere func(name string) bool) string {
	own, err := declarations(id, student)
	if err == nil && own != nil {
		for _, name := range own.Names() {
			if elsewhere(name) {
				drop(own, name)
			}
		}
	}
	d, bad := declarations(id, stub)
	switch {
	case bad != nil && (err != nil || own == nil):
		return ""
	case bad != nil:
		return outline(own)
	case err != nil || own == nil:
		return stub
	case d == nil:
		d = gonb.NewDecls()
	}
	uses, lacks := identifiers(tests), false
	for _, name := range own.Names() {
		lacks = lacks || uses[name] && own.Funcs[name] == nil && !declared(d, name)
	}
	if !lacks {
		return stub
	}
	for _, name := range d.Names() {
		if declared(own, name) {
			drop(own, name)
		}
	}
	d.Merge(own)
	return outline(d)
}

func outline(d *gonb.Decls) string {
	d = d.Clone()
	for name, f := range maps.All(d.Funcs) {
		if head, ok := header(f.Text); ok {
			d.Funcs[name] = &gonb.Func{Key: f.Key, Text: head + "{\n\tpanic(\"not implemented\")\n}"}
		}
	}
	return d.Compose(&gonb.Func{}).Text
}
