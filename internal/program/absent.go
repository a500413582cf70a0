package program

import (
	"fmt"
	"go/ast"
	"maps"
	"slices"

	"marginalia/internal/cell"
)

// wanting reports that a program needs a package whose module go.mod does not
// require, or a declaration of a cell that does. On the kernel, which fetches
// modules while it builds, such a cell may well run; a test uses what go.mod
// and go.sum pin, and says what to add to them.
func (s *Session) wanting(p *Program, newer *cell.Decls) {
	declared := func(each func(name string)) {
		for _, names := range [][]string{slices.Collect(maps.Keys(newer.Types)), slices.Collect(maps.Keys(newer.Consts)),
			slices.Collect(maps.Keys(newer.Vars)), slices.Collect(maps.Keys(newer.Funcs))} {
			slices.Sort(names)
			for _, name := range names {
				each(name)
			}
		}
	}
	if p.Compiles {
		declared(func(name string) { delete(s.lost, name) })
		return
	}
	wants := false
	for _, key := range slices.Sorted(maps.Keys(p.Decls.Imports)) {
		i := p.Decls.Imports[key]
		if !s.types.absent[i.Path] {
			continue
		}
		wants = true
		where := "it uses"
		if len(i.At) > 0 && i.At[0].Cell == p.ID {
			where = fmt.Sprintf("line %d:", i.At[0].Line+1)
		}
		p.Missing = append(p.Missing, fmt.Sprintf(
			"%s package %s, whose module go.mod does not require: run `go get %s` in %s (the kernel fetches modules by itself, tests take those that go.mod pins)",
			where, i.Path, i.Path, s.root))
	}
	if wants {
		declared(func(name string) { s.lost[name] = p.ID })
		return
	}
	for _, name := range unresolved(p) {
		if id := s.lost[name]; id != "" {
			p.Missing = append(p.Missing, fmt.Sprintf("it uses %s of cell %s, which could not be built: a module is missing, see there", name, id))
		}
	}
}

// unresolved returns the names in a program that stand for nothing.
func unresolved(p *Program) []string {
	if p.Info == nil {
		return nil
	}
	names := map[string]bool{}
	selected := Selected(p.Syntax)
	ast.Inspect(p.Syntax, func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok && !selected[id] && p.Info.Uses[id] == nil {
			if _, defined := p.Info.Defs[id]; !defined {
				names[id.Name] = true
			}
		}
		return true
	})
	return slices.Sorted(maps.Keys(names))
}

// Selected returns the identifiers that stand behind a dot.
func Selected(f *ast.File) map[*ast.Ident]bool {
	sel := map[*ast.Ident]bool{}
	ast.Inspect(f, func(n ast.Node) bool {
		if s, ok := n.(*ast.SelectorExpr); ok {
			sel[s.Sel] = true
		}
		return true
	})
	return sel
}
