package assignment

import (
	"cmp"
	"context"
	"go/parser"
	"go/token"
	"maps"
	"slices"
	"strconv"
	"strings"

	"marginalia/internal/notebook/gonb"
	"marginalia/internal/notebook/program"
)

// complete adds the imports that the kernel would: those that goimports finds for the whole notebook, with the statements of its
// cells. They are the notebook's as if a given cell had them.
func (a *Assignment) complete(ctx context.Context, all *gonb.Decls) error {
	a.imports = maps.Clone(all.Imports)
	d := gonb.NewDecls()
	d.Merge(all)
	for i, c := range a.Cells {
		if read := gonb.Read(c.ID, c.Source); !read.Magic && read.HasGo() {
			if _, main, err := read.Parse(); err == nil && main.At != nil {
				name := cellName + strconv.Itoa(i)
				text := strings.Replace(main.Text, "() {\n\tflag.Parse()\n", "() {\n", 1) // GoNB's
				d.Funcs[name] = &gonb.Func{Key: name, Text: strings.Replace(text, "func main()", "func "+name+"()", 1)}
			}
		}
	}
	p := program.Of(d, noMain())
	if _, err := parser.ParseFile(token.NewFileSet(), "", p.File().Text, parser.SkipObjectResolution); err != nil {
		return nil // the type checker says so
	}
	if err := a.checker.Imports(ctx, p); err != nil {
		return err
	}
	for key, i := range p.Decls.Imports {
		if a.imports[key] == nil {
			a.imports[key] = i
		}
	}
	a.importAll(all)
	return nil
}

// importAll gives declarations the imports of the notebook that they lack.
func (a *Assignment) importAll(d *gonb.Decls) {
	for key, i := range a.imports {
		if d.Imports[key] == nil {
			d.Imports[key] = i
		}
	}
}

// hint says what to do about a message of the type checker, where that is known.
func hint(msg string) string {
	if name, ok := strings.CutPrefix(msg, "undefined: "); ok && !token.IsExported(name) {
		return ": declare it, or import the package of this name in a given cell"
	}
	return ""
}

// sorted returns problems as a reader meets them, by cell, then by line, and each once.
func (a *Assignment) sorted(all Problems) Problems {
	place := func(id string) int { return slices.IndexFunc(a.Cells, func(c *Cell) bool { return c.ID == id }) }
	slices.SortFunc(all, func(p, q Problem) int {
		return cmp.Or(place(p.Cell)-place(q.Cell), cmp.Compare(p.Cell, q.Cell), p.Line-q.Line, cmp.Compare(p.Text, q.Text))
	})
	return slices.Compact(all)
}
