package assignment

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"marginalia/internal/cell"
	"marginalia/internal/guest/wire"
	"marginalia/internal/nbgrader"
)

// signatures declares what the solution declares and the student does not. Functions have the solution's
// signature, and a body that panics.
func (g *Guest) signatures(d *cell.Decls) {
	for _, name := range slices.Sorted(maps.Keys(g.assignment.names)) {
		c := g.assignment.names[name]
		if k := c.Meta.Kind(); k != nbgrader.Answer || declared(d, name) {
			continue
		}
		of, _, isMethod := strings.Cut(name, "~")
		if t := d.Types[of]; g.Missing[name] == "" && isMethod && t != nil && embeds(t.Text) {
			continue // it may be the field's; write finds out
		}
		g.lacks(name)
		g.placeholder(d, name, c, g.Missing[name])
	}
}

// lacks records that the student does not declare a name, unless it is known why.
func (g *Guest) lacks(name string) {
	if g.Missing[name] != "" {
		return
	}
	g.Missing[name] = "it is not declared"
	if g.assignment.bridge.Needs(shown(name)) {
		g.note(g.assignment.names[name].ID, 0, "%s is missing", shown(name))
	}
}

// shown writes the key of a method as Go does.
func shown(name string) string { return strings.Replace(name, "~", ".", 1) }

// placeholder declares what stands in for a declaration of the solution.
func (g *Guest) placeholder(d *cell.Decls, name string, c *Cell, why string) {
	switch {
	case c.Decls.Funcs[name] != nil:
		d.Funcs[name] = panics(c.Decls.Funcs[name], shown(name)+": "+why)
	case c.Decls.Types[name] != nil:
		d.Types[name] = c.Decls.Types[name]
	}
}

// stub reports whether a function is as the release has it.
func stub(text string) bool {
	head, _ := header(text)
	return strings.Join(strings.Fields(text[len(head):]), " ") == "{ panic("+strconv.Quote(wire.NotImplemented)+") }"
}

// panics returns a function with the signature of f whose body panics.
func panics(f *cell.Func, why string) *cell.Func {
	text := f.Text
	if head, ok := header(text); ok {
		text = head + "{ marginalia_missing(" + strconv.Quote(why) + "); for {} }"
	}
	return &cell.Func{Key: f.Key, Text: text, At: f.At[:min(1, len(f.At))]}
}

// leaveOut takes the student's declaration at a place out of the program. It reports whether
// there was one.
func (g *Guest) leaveOut(d *cell.Decls, at Problem) bool {
	here := func(origins []cell.Origin) bool {
		return slices.Contains(origins, cell.Origin{Cell: at.Cell, Line: at.Line - 1})
	}
	lecturers := func(name string) bool {
		c := g.assignment.names[name]
		return c != nil && (c.ID != at.Cell || !c.answer())
	}
	at.Text = short(at.Text)
	why := fmt.Sprintf("it does not compile: %s", at.Text)
	out := func(name string) {
		g.note(at.Cell, at.Line, "%s does not compile: %s", shown(name), at.Text)
		g.Missing[name] = why
	}
	for name, f := range d.Funcs {
		if here(f.At) && !lecturers(name) {
			out(name)
			if c := g.assignment.names[name]; c != nil {
				d.Funcs[name] = panics(c.Decls.Funcs[name], shown(name)+": "+why)
				d.Funcs[name].At = nil
			} else {
				delete(d.Funcs, name)
			}
			return true
		}
	}
	for name, t := range d.Types {
		if here(t.At) && !lecturers(name) {
			out(name)
			delete(d.Types, name)
			if c := g.assignment.names[name]; c != nil {
				t := *c.Decls.Types[name]
				t.At = nil
				d.Types[name] = &t
			}
			return true
		}
	}
	for _, m := range []map[string][]cell.Origin{places(d.Vars, func(v *cell.Var) []cell.Origin { return v.At }), places(d.Consts, func(c *cell.Const) []cell.Origin { return c.At }), places(d.Imports, func(i *cell.Import) []cell.Origin { return i.At })} {
		for name, origins := range m {
			if here(origins) && !lecturers(name) {
				out(name)
				d.Remove(name)
				return true
			}
		}
	}
	return false
}

func places[T any](m map[string]T, at func(T) []cell.Origin) map[string][]cell.Origin {
	all := map[string][]cell.Origin{}
	for name, v := range m {
		all[name] = at(v)
	}
	return all
}
