package assignment

import (
	"errors"
	"go/scanner"
	"go/token"
	"slices"
	"strings"

	"marginalia/internal/notebook/gonb"
	"marginalia/internal/notebook/nbformat"
	"marginalia/internal/notebook/nbgrader"
)

// Uses returns, by the id of a tests cell, the cells that may affect its verdict on a submission: those
// that declare a name which its tests or answers mention, in the student's version or the solution's, and
// so on from there. It may name too many. A cell with variables may affect every verdict, since they
// are initialised in every guest.
func (a *Assignment) Uses(nb *nbformat.Notebook) map[string]map[string]bool {
	owners, texts := map[string][]string{}, map[string]string{}
	declare := func(id string, d *gonb.Decls) {
		for _, name := range d.Names() {
			_, method, ok := strings.Cut(name, "~")
			if !ok {
				method = name
			}
			owners[method] = append(owners[method], id)
		}
	}
	for _, c := range a.Cells {
		texts[c.ID] = c.Source
		if c.Decls != nil {
			declare(c.ID, c.Decls)
		}
	}
	var everywhere []string
	cells, _ := a.submitted(nb)
	for _, c := range cells {
		if c.owner != nil && !c.owner.answer() {
			continue
		}
		d, err := declarations(c.id, c.Source)
		if _, tooMuch := errors.AsType[*limitError](err); tooMuch {
			continue
		}
		texts[c.id] += "\n" + c.Source
		if err == nil && d != nil {
			declare(c.id, d)
			if len(d.Vars) > 0 {
				everywhere = append(everywhere, c.id)
			}
		}
	}
	direct := map[string]map[string]bool{}
	for id, text := range texts {
		direct[id] = map[string]bool{}
		for name := range identifiers(text) {
			for _, owner := range owners[name] {
				direct[id][owner] = true
			}
		}
	}
	all := map[string]map[string]bool{}
	for _, t := range a.Tests {
		seen := map[string]bool{}
		var visit func(id string)
		visit = func(id string) {
			if !seen[id] {
				seen[id] = true
				for next := range direct[id] {
					visit(next)
				}
			}
		}
		visit(t.ID)
		for _, id := range append(everywhere, t.Answers...) {
			visit(id)
		}
		all[t.ID] = seen
	}
	return all
}

// identifiers returns the names in Go source, whether it compiles or not.
func identifiers(text string) map[string]bool {
	names := map[string]bool{}
	var s scanner.Scanner
	file := token.NewFileSet().AddFile("", -1, len(text))
	s.Init(file, []byte(text), nil, 0)
	for {
		switch _, tok, lit := s.Scan(); tok {
		case token.EOF:
			return names
		case token.IDENT:
			names[lit] = true
		}
	}
}

// Lecturers reports whether the code of a cell is the lecturer's: that of a given cell, or what stands in for an answer.
func (a *Assignment) Lecturers(id string) bool {
	return strings.HasSuffix(id, solutionMark) || slices.ContainsFunc(a.Cells, func(c *Cell) bool { return c.ID == id && !c.answer() })
}

// Figure reports whether a cell is code that a person grades.
func (a *Assignment) Figure(id string) bool {
	return slices.ContainsFunc(a.Cells, func(c *Cell) bool { return c.ID == id && c.Meta.Kind() == nbgrader.ManualAnswer })
}
