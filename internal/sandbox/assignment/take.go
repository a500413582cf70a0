package assignment

import (
	"go/types"
	"maps"
	"slices"
	"strconv"
	"strings"

	"marginalia/internal/notebook/gonb"
	"marginalia/internal/sandbox/guest/wire"
)

// takeAll merges what a student's cells declare.
func (g *Guest) takeAll(d *gonb.Decls, all []source) {
	free := map[string]bool{} // names of answers that their cells don't declare
	for name, c := range g.assignment.known.owners {
		free[name] = c.answer() && !declared(d, name) && (g.Missing[name] == "" || g.Missing[name] == cellMissing)
	}
	for _, s := range all {
		for _, name := range s.decls.Names() {
			if f := s.decls.Funcs[name]; s.owner != nil && g.assignment.owner(name) == s.owner && (f == nil || !stub(blank(f.Text))) {
				free[name] = false
			}
		}
	}
	for _, s := range all {
		g.take(d, s, free)
	}
}

// cellMissing is why answers are missing whose cell is.
const cellMissing = "the cell is missing"

// take merges what a student's cell declares, without names that belong to other cells.
func (g *Guest) take(d *gonb.Decls, s source, free map[string]bool) {
	own := s.decls.Clone()
	clean(own)
	g.forbid(s.id, own)
	own.Imports = map[string]*gonb.Import{}
	for _, key := range slices.Sorted(maps.Keys(s.decls.Imports)) {
		i := s.decls.Imports[key]
		if why := g.refused(i); why != "" {
			line := 0
			if len(i.At) > 0 {
				line = i.At[0].Line + 1
			}
			g.note(s.id, line, "%s", why)
			continue
		}
		if before := d.Imports[key]; before == nil {
			own.Imports[key] = i
		}
	}
	for _, name := range own.Names() {
		owner := g.assignment.owner(name)
		at, text := placeOf(d, name)
		switch {
		case own.Vars[name] != nil && name == g.assignment.student: // each has their own
			g.Student, _ = strconv.Unquote(own.Vars[name].Value)
			drop(own, name)
		case owner != nil && owner != s.owner && !free[name]:
			if g.assignment.known.shown[name] {
				g.note(s.id, 0, "it declares %s again, which cell %s declares: that one counts", shown(name), owner.ID)
			}
			drop(own, name)
		case types.Universe.Lookup(name) != nil && name != "min" && name != "max":
			g.note(s.id, 0, "%s is one of Go's own names: the declaration does not count", name)
			drop(own, name)
		case g.assignment.known.imports[name] != nil:
			g.note(s.id, 0, "%s is a package that the notebook imports: the declaration does not count", name)
			drop(own, name)
		case own.Funcs[name] != nil && !hasBody(own.Funcs[name].Text):
			g.note(s.id, own.Funcs[name].At[0].Line+1, "%s has no body", shown(name))
			drop(own, name)
		case s.owner == nil && declared(d, name) && !free[name]:
			drop(own, name) // an answer's helper of the same name
		case own.Funcs[name] != nil && (name == "init" || own.Funcs[name].IsInit()):
			g.note(s.id, own.Funcs[name].At[0].Line+1, "%s does not run: tests call functions", name)
			drop(own, name)
		case reserved(name):
			g.note(s.id, 0, "%s: names that begin with marginalia_ are the grader's", name)
			drop(own, name)
		case own.Funcs[name] != nil && free[name] && declared(d, name) && stub(own.Funcs[name].Text):
			drop(own, name) // another cell has the answer
		case own.Funcs[name] != nil && owner != nil && stub(own.Funcs[name].Text):
			own.Funcs[name] = panics(own.Funcs[name], wire.NotImplemented) // which no test takes for the panic that it wants
		case s.owner != nil && owner == nil && at.Cell != "" && at.Cell != s.id:
			if here, own := placeOf(own, name); own != text {
				g.note(s.id, here.Line+1, "it declares %s, which cell %s declares otherwise: this one counts in all cells", shown(name), at.Cell)
			}
			drop(d, name) // it may be of another kind
		}
	}
	for _, name := range own.Names() {
		if free[name] {
			delete(g.Missing, name)
		}
	}
	d.Merge(own)
}

// reserved reports whether a text has a name that only the grader's code has.
func reserved(text string) bool {
	if strings.Contains(text, "marginalia_") {
		for name := range identifiers(text) {
			if strings.HasPrefix(name, "marginalia_") {
				return true
			}
		}
	}
	return false
}

// forbid removes what would use names of the grader's: what stands in for other answers has such.
func (g *Guest) forbid(id string, d *gonb.Decls) {
	const why = "names that begin with marginalia_ are the grader's"
	for _, block := range d.ConstBlocks() {
		for _, c := range block {
			if reserved(c.Type + " " + c.Value) { // those below may repeat it
				g.note(id, c.At[0].Line+1, "%s: %s", c.Name, why)
				c.Type, c.Value = "", "0"
			}
		}
	}
	for _, name := range d.Names() {
		t, v, f := d.Types[name], d.Vars[name], d.Funcs[name]
		switch {
		case t != nil && reserved(t.Text), f != nil && reserved(f.Text), v != nil && reserved(v.Type+" "+v.Value):
		default:
			continue
		}
		g.note(id, 0, "%s: %s", shown(name), why)
		remove(d, name)
		if v != nil {
			maps.DeleteFunc(d.Vars, func(_ string, o *gonb.Var) bool { return slices.Contains(v.Tuple, o) })
		}
	}
}

// placeOf returns where a name is declared, and as what.
func placeOf(d *gonb.Decls, name string) (at gonb.Origin, text string) {
	var places []gonb.Origin
	if t := d.Types[name]; t != nil {
		places, text = t.At, "type "+t.Text
	}
	if c := d.Consts[name]; c != nil {
		places, text = c.At, "const "+c.Type+" = "+c.Value
	}
	if v := d.Vars[name]; v != nil {
		places, text = v.At, "var "+v.Spec()
	}
	if f := d.Funcs[name]; f != nil {
		places, text = f.At, f.Text
	}
	if len(places) == 0 {
		return at, ""
	}
	return places[0], text
}

// drop removes a declaration. A constant keeps its place in its block as _, and so does a variable that is
// declared together with others.
func drop(d *gonb.Decls, name string) {
	if c := d.Consts[name]; c != nil {
		c.Name = "_"
		d.Consts["_~"+name] = c
	}
	if v := d.Vars[name]; v != nil && len(v.Tuple) > 1 {
		v.Name = "_"
		d.Vars["_~"+name] = v
	}
	remove(d, name)
}

// remove removes the declarations of a name. An import may have the same key, and stays.
func remove(d *gonb.Decls, name string) {
	delete(d.Types, name)
	delete(d.Consts, name)
	delete(d.Vars, name)
	delete(d.Funcs, name)
}

func declared(d *gonb.Decls, name string) bool {
	return d.Types[name] != nil || d.Consts[name] != nil || d.Vars[name] != nil || d.Funcs[name] != nil
}
