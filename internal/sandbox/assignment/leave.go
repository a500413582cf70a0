package assignment

import (
	"go/ast"
	"maps"
	"slices"
	"strconv"
	"strings"

	"marginalia/internal/notebook/gonb"
	"marginalia/internal/notebook/nbgrader"
	"marginalia/internal/notebook/program"
	"marginalia/internal/sandbox/guest/wire"
)

// signatures declares what the solution declares and the student does not. Functions have the solution's
// signature, and a body that panics.
func (g *Guest) signatures(d *gonb.Decls) {
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
func (g *Guest) placeholder(d *gonb.Decls, name string, c *Cell, why string) {
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
func panics(f *gonb.Func, why string) *gonb.Func {
	text := f.Text
	if head, ok := header(text); ok {
		text = head + "{ marginalia_missing(" + strconv.Quote(why) + "); for {} }"
	}
	return &gonb.Func{Key: f.Key, Text: text, At: f.At[:min(1, len(f.At))]}
}

// leaveOut takes a declaration out of a program, with the reason. A function or a type that students are to declare
// gets a placeholder; a placeholder goes. It reports whether there was one.
func (g *Guest) leaveOut(d *gonb.Decls, p *program.Program, spec ast.Node, at Problem) bool {
	why := short(at.Text)
	out := func(name string) bool {
		if g.placed[name] {
			return true
		}
		if text, ok := strings.CutPrefix(why, notCompiled); ok {
			g.note(at.Cell, at.Line, "%s does not compile: %s", shown(name), text)
		} else {
			g.note(at.Cell, at.Line, "%s: %s", shown(name), why)
		}
		g.Missing[name] = why
		return false
	}
	key := keyOfSpec(spec)
	switch s := spec.(type) {
	case *ast.FuncDecl, *ast.TypeSpec:
		_, isType := s.(*ast.TypeSpec)
		if isType && d.Types[key] == nil || !isType && d.Funcs[key] == nil {
			return false
		}
		placed := out(key)
		if isType {
			delete(d.Types, key)
		} else {
			delete(d.Funcs, key)
		}
		if c := g.assignment.owner(key); !placed && c != nil && c.answer() && !declared(d, key) {
			g.placeholder(d, key, c, why)
			if f := d.Funcs[key]; f != nil {
				f.At = nil // the cell has an answer
			}
		}
		return true
	case *ast.ImportSpec:
		at := g.assignment.origin(p, s.Path.Pos())
		alias := ""
		if s.Name != nil {
			alias = s.Name.Name
		}
		for _, key := range sortedKeys(d.Imports) {
			if i := d.Imports[key]; slices.Contains(i.At, at) && i.Alias == alias && strconv.Quote(i.Path) == s.Path.Value {
				out(key)
				delete(d.Imports, key)
				return true
			}
		}
	case *ast.ValueSpec:
		return g.leaveValues(d, p, s, out)
	case *ast.GenDecl:
		left := false
		for _, spec := range s.Specs {
			left = g.leaveOut(d, p, spec, at) || left
		}
		return left
	}
	return false
}

// notCompiled begins the reason for which a declaration is left out.
const notCompiled = "it does not compile: "

// leaveValues takes the variables or constants of a specification out of a program.
func (g *Guest) leaveValues(d *gonb.Decls, p *program.Program, s *ast.ValueSpec, out func(name string) bool) bool {
	at := g.assignment.origin(p, s.Pos())
	first := s.Names[0].Name
	if first == "_" || d.Consts[first] != nil {
		for _, block := range d.ConstBlocks() {
			for i, c := range block {
				gone := c.Name == "_" && c.Type == "" && c.Value == "0"
				if len(s.Names) == 1 && c.Name == first && slices.Contains(c.At, at) && !gone {
					leaveConstants(d, block[i:], out)
					return true
				}
			}
		}
	}
	keys := []string{first}
	if first == "_" { // among others, or by itself under a key of its own
		keys = sortedKeys(d.Vars)
	}
	var names []string
	for _, name := range s.Names {
		names = append(names, name.Name)
	}
	for _, key := range keys {
		v := d.Vars[key]
		if v == nil || !slices.Contains(v.At, at) || !slices.Equal(v.Names(), names) {
			continue
		}
		delete(d.Vars, key)
		for _, name := range names {
			if name != "_" {
				out(name)
				delete(d.Vars, name)
			}
		}
		return true
	}
	return false
}

// leaveConstants takes the first constant of the rest of a block out of a program, and those that repeat its value.
func leaveConstants(d *gonb.Decls, rest []*gonb.Const, out func(name string) bool) {
	for i, c := range rest {
		if i > 0 && (c.Type != "" || c.Value != "") {
			return
		}
		name := c.Name
		c.Type, c.Value = "", "0"
		if name != "_" {
			out(name)
			drop(d, name)
		}
	}
}
