package assignment

import (
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
	for _, name := range slices.Sorted(maps.Keys(g.assignment.known.owners)) {
		c := g.assignment.owner(name)
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
	if g.assignment.bridge.Needs(shown(name)) && g.assignment.known.shown[name] {
		g.note(g.assignment.names[name].ID, 0, "%s is missing", shown(name))
	}
}

// shown writes the key of a method as Go does.
func shown(name string) string { return strings.Replace(name, "~", ".", 1) }

// placeholder declares what stands in for a function or a type that students are to declare. A function has the
// solution's signature, and says when it is called why it is missing.
func (g *Guest) placeholder(d *cell.Decls, name string, c *Cell, why string) {
	g.placed[name] = true
	switch {
	case c.Decls.Funcs[name] != nil:
		d.Funcs[name] = panics(c.solution.Funcs[name], shown(name)+": "+why)
		d.Funcs[name].At = c.Decls.Funcs[name].At[:1] // calls of it are calls of the cell
	case c.Decls.Types[name] != nil:
		d.Types[name] = g.assignment.placeholderType(name, c)
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
