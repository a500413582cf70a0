package assignment

import (
	"cmp"
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strconv"
	"strings"

	"marginalia/internal/cell"
	"marginalia/internal/program"
)

// A fault is a declaration of a program that has an error, and the first error in it.
type fault struct {
	node *node
	spec ast.Node // the smallest declaration with the error
	at   Problem
}

// maxLevels bounds how many rounds wait for what a declaration uses to be left out first.
const maxLevels = 8

// faults finds the declarations with errors, in the order of the program.
func (g *Guest) faults(p *program.Program, r *reach, errors []types.Error) []fault {
	errors = slices.DeleteFunc(slices.Clone(errors), func(e types.Error) bool { return strings.HasPrefix(e.Msg, "\t") }) // more of the one before
	slices.SortStableFunc(errors, func(a, b types.Error) int { return cmp.Or(cmp.Compare(a.Pos, b.Pos), strings.Compare(a.Msg, b.Msg)) })
	specs := specsOf(p)
	var all []fault
	seen := map[ast.Node]bool{}
	for _, e := range errors {
		spec, n := around(specs, e.Pos, func(n ast.Node) ast.Node { return n }), r.at(e.Pos)
		if spec == nil || seen[spec] {
			continue
		}
		seen[spec] = true
		e.Msg = notCompiled + g.unimported(e.Msg)
		all = append(all, fault{n, spec, g.assignment.problem(p, e)})
	}
	return all
}

// specsOf returns the smallest declarations of a program, in order: functions, and each of a block.
func specsOf(p *program.Program) (all []ast.Node) {
	for _, decl := range p.Syntax.Decls {
		d, ok := decl.(*ast.GenDecl)
		if !ok {
			all = append(all, decl)
			continue
		}
		for _, spec := range d.Specs {
			all = append(all, spec)
		}
	}
	return all
}

// around returns the one of several nodes in order that a position is in, or the zero value.
func around[T any](all []T, pos token.Pos, node func(T) ast.Node) (found T) {
	i, _ := slices.BinarySearchFunc(all, pos, func(t T, pos token.Pos) int { return cmp.Compare(node(t).End(), pos) })
	if i < len(all) && node(all[i]).Pos() <= pos {
		return all[i]
	}
	return found
}

// causes returns those of several faults that no other can be the cause of: a declaration is left out before those
// that use it, since they may be right. So it does not matter in which order the type checker finds what is wrong.
func (r *reach) causes(all []fault) []fault {
	bad := map[*node]bool{}
	for _, f := range all {
		if f.node != nil { // not an import's
			bad[f.node] = true
		}
	}
	below := map[*node]bool{} // it uses something bad that does not use it
	for _, group := range r.components() {
		in := map[*node]bool{}
		for _, n := range group {
			in[n] = true
		}
		found := false
		for _, n := range group {
			for _, m := range r.next(n) {
				found = found || !in[m] && (bad[m] || below[m])
			}
		}
		for _, n := range group {
			below[n] = found
		}
	}
	return slices.DeleteFunc(slices.Clone(all), func(f fault) bool { return below[f.node] })
}

// mend leaves out declarations with errors. It reports whether it found any that may be.
func (g *Guest) mend(d *cell.Decls, p *program.Program, r *reach, all []fault, round int) bool {
	own := slices.DeleteFunc(slices.Clone(all), func(f fault) bool { return !g.may(p, f.spec) })
	if len(own) == 0 {
		return g.unfit(d, p, r, all)
	}
	if round < maxLevels {
		own = r.causes(own)
	}
	left := false
	for _, f := range own {
		left = g.leaveOut(d, p, f.spec, f.at) || left
	}
	return left
}

// may reports whether a declaration may be left out: it is the student's, or stands in for one.
func (g *Guest) may(p *program.Program, spec ast.Node) bool {
	key := keyOfSpec(spec)
	if _, isMain := g.mains[key]; isMain || g.placed[key] {
		return true
	}
	if s, ok := spec.(*ast.ImportSpec); ok { // a student's import can be at fault for a lecturer's
		return !g.assignment.Lecturers(g.assignment.origin(p, s.Path.Pos()).Cell)
	}
	at := g.assignment.origin(p, spec.Pos())
	return at.Cell != "" && !g.assignment.Lecturers(at.Cell)
}

// unfit leaves out what the student declares otherwise than the lecturer's declarations use it, which do not compile
// with it; if there is no such thing, all of the student's that they use.
func (g *Guest) unfit(d *cell.Decls, p *program.Program, r *reach, all []fault) bool {
	left := false
	for _, other := range []bool{true, false} {
		for _, f := range all {
			if f.node == nil {
				continue
			}
			for _, n := range r.next(f.node) {
				name := strings.Join(n.names[:min(1, len(n.names))], "")
				got, want := lookup(p.Pkg.Scope(), shown(name)), lookup(g.assignment.whole.Pkg.Scope(), shown(name))
				differs := got != nil && want != nil && signature(got) != signature(want)
				if !g.may(p, n.spec) || other && !differs {
					continue
				}
				origin := g.assignment.origin(p, n.spec.Pos())
				at := Problem{origin.Cell, origin.Line + 1, notCompiled + "the lecturer's cells can't use it"}
				if differs {
					at.Text = mismatch(got, want)
				}
				left = g.leaveOut(d, p, n.spec, at) || left
			}
		}
		if left {
			return true
		}
	}
	return false
}

// keyOfSpec is the key of a function or a type.
func keyOfSpec(spec ast.Node) string {
	switch s := spec.(type) {
	case *ast.FuncDecl:
		if s.Recv.NumFields() == 1 {
			if of := receiver(s.Recv.List[0].Type); of != nil {
				return of.Name + "~" + s.Name.Name
			}
		}
		return s.Name.Name
	case *ast.TypeSpec:
		return s.Name.Name
	}
	return ""
}

// leaveOut takes a declaration out of a program, with the reason. A function or a type that students are to declare
// gets a placeholder; a placeholder goes. It reports whether there was one.
func (g *Guest) leaveOut(d *cell.Decls, p *program.Program, spec ast.Node, at Problem) bool {
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
func (g *Guest) leaveValues(d *cell.Decls, p *program.Program, s *ast.ValueSpec, out func(name string) bool) bool {
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
func leaveConstants(d *cell.Decls, rest []*cell.Const, out func(name string) bool) {
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

// refusedAt leaves out what the compiler refuses at a line of a cell: of several declarations there the smallest, and of those the
// first.
func (g *Guest) refusedAt(at Problem) bool {
	var found ast.Node
	size := 0
	here := cell.Origin{Cell: at.Cell, Line: at.Line - 1}
	origins := g.program.File().Origins
	line := func(pos token.Pos) int { return g.program.Fset.PositionFor(pos, false).Line }
	for _, spec := range specsOf(g.program) {
		from, to := line(spec.Pos()), line(spec.End())
		if n := to - from; g.may(g.program, spec) && slices.Contains(origins[from-1:min(to, len(origins))], here) && (found == nil || n < size) {
			found, size = spec, n
		}
	}
	return found != nil && g.leaveOut(g.decls, g.program, found, at)
}
