package assignment

import (
	"maps"
	"slices"

	"marginalia/internal/cell"
	"marginalia/internal/nbgrader"
)

// Imports returns the packages that the lecturer's notebook imports, in no order: answers may import them, too.
func (a *Assignment) Imports() []string {
	var paths []string
	for _, i := range a.imports {
		paths = append(paths, i.Path)
	}
	return paths
}

// Stub returns the source of an answer without its solution, so that the tests compile: the source that
// students get, if it declares what the tests use of the answer, and otherwise the functions that the
// tests use, with bodies that panic.
func (a *Assignment) Stub(id, source string) string {
	i := slices.IndexFunc(a.Cells, func(c *Cell) bool { return c.ID == id })
	if i < 0 || a.Cells[i].Meta.Kind() != nbgrader.Answer || a.Cells[i].Decls == nil {
		return source
	}
	solution := a.Cells[i].Decls
	used := func(name string) bool { return a.bridge.Needs(shown(name)) }
	stub, err := declarations(id, source)
	if err == nil && stub != nil && !slices.ContainsFunc(solution.Names(), func(name string) bool { return used(name) && !declared(stub, name) }) {
		return source
	}
	d := cell.NewDecls()
	d.Imports = solution.Imports
	for name, f := range solution.Funcs {
		if used(name) {
			d.Funcs[name] = f
		}
	}
	return outline(d)
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
		d = cell.NewDecls()
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

func outline(d *cell.Decls) string {
	d = d.Clone()
	for name, f := range maps.All(d.Funcs) {
		if head, ok := header(f.Text); ok {
			d.Funcs[name] = &cell.Func{Key: f.Key, Text: head + "{\n\tpanic(\"not implemented\")\n}"}
		}
	}
	return d.Compose(&cell.Func{}).Text
}
