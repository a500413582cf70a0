package assignment

import (
	"cmp"
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"marginalia/internal/notebook/gonb"
	"marginalia/internal/notebook/program"
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
func (g *Guest) mend(d *gonb.Decls, p *program.Program, r *reach, all []fault, round int) bool {
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
func (g *Guest) unfit(d *gonb.Decls, p *program.Program, r *reach, all []fault) bool {
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

// refusedAt leaves out what the compiler refuses at a line of a cell: of several declarations there the smallest, and of those the
// first.
func (g *Guest) refusedAt(at Problem) bool {
	var found ast.Node
	size := 0
	here := gonb.Origin{Cell: at.Cell, Line: at.Line - 1}
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
