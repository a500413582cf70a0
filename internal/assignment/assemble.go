package assignment

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"go/parser"
	"go/scanner"
	"go/token"
	"go/types"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/mod/module"

	"marginalia/internal/cell"
	"marginalia/internal/nbformat"
	"marginalia/internal/nbgrader"
	"marginalia/internal/program"
)

// A Guest is a submission as a program: the given cells, and a student's answers as far as
// they compile.
type Guest struct {
	Files map[string][]byte
	Notes []Problem // what was wrong, by the student's cell and line
	// Missing says of functions, methods and types of the solution why the guest does not have
	// the student's.
	Missing map[string]string
	Student string // whose the notebook says that it is, see [Assignment.Individual]

	assignment *Assignment
	decls      *cell.Decls
	program    *program.Program // of decls, checked
	mains      map[string]int   // of a guest that runs cells: their functions
}

// A source is a student's cell.
type source struct {
	id    string
	owner *Cell // the answer it is, or nil
	decls *cell.Decls
}

// Assemble puts a student's answers together with the given cells. Answers named in
// reference are the lecturer's solutions instead, and cells of the student's own named there
// ("cell-" and their id) are left out. So are those in out, for a reason. Cells that the student added may have functions that
// the answers use. A name belongs to the cell that declares it in the lecturer's notebook; the student's
// other declarations of it don't count.
//
// It may be called from several goroutines.
func (a *Assignment) Assemble(ctx context.Context, nb *nbformat.Notebook, reference []string, out map[string]string) (*Guest, error) {
	a.assembles.Lock() // the type checker keeps what it has loaded
	defer a.assembles.Unlock()
	g := &Guest{assignment: a, Missing: map[string]string{}}
	d := a.given(reference)
	for _, s := range g.sources(nb, reference, out) {
		g.take(d, s)
	}
	if err := g.compile(ctx, d); err != nil {
		return nil, err
	}
	return g, nil
}

// given returns what the lecturer's cells declare in each guest, and those named in reference.
func (a *Assignment) given(reference []string) *cell.Decls {
	d := cell.NewDecls()
	for _, c := range a.Cells {
		k := c.Meta.Kind()
		if c.Decls != nil && (k == nbgrader.Given || k == nbgrader.Task || slices.Contains(reference, c.ID)) {
			d.Merge(c.Decls)
		}
	}
	a.individual(d)
	return d
}

func (g *Guest) note(id string, line int, format string, args ...any) {
	if len(g.Notes) < maxNotes {
		g.Notes = append(g.Notes, Problem{id, line, short(fmt.Sprintf(format, args...))})
	}
}

// sources returns the student's cells that may declare something: answers, the first of those with
// the same grade_id, before cells of the student's own.
func (g *Guest) sources(nb *nbformat.Notebook, reference []string, out map[string]string) []source {
	var answers, extra []source
	seen := map[string]bool{}
	cells, refused := g.assignment.submitted(nb)
	g.Notes = append(g.Notes, refused...)
	for _, c := range cells {
		seen[c.id] = true
		if c.owner != nil {
			if k := c.owner.Meta.Kind(); k != nbgrader.Answer && k != nbgrader.ManualAnswer {
				if strings.TrimSpace(c.Source) != strings.TrimSpace(c.owner.Source) && k == nbgrader.Given {
					g.note(c.id, 0, "the cell was changed: it is the lecturer's, and counts as it was handed out")
				}
				continue
			}
		}
		if slices.Contains(reference, c.id) {
			continue
		}
		line, why := 0, out[c.id]
		var decls *cell.Decls
		if why == "" {
			var err error
			if decls, err = declarations(c.id, c.Source); err != nil {
				line, why = syntax(err)
				why = "it does not compile: " + why
				if e, ok := errors.AsType[*limitError](err); ok {
					line, why = e.line, e.what
				}
			}
		}
		if why != "" {
			g.note(c.id, line, "%s", why)
			if c.owner != nil {
				g.without(c.owner, short(why))
			}
			continue
		}
		switch {
		case decls == nil:
		case c.owner != nil:
			answers = append(answers, source{c.id, c.owner, decls})
		default:
			extra = append(extra, source{c.id, nil, decls})
		}
	}
	for _, c := range g.assignment.Cells {
		if c.Meta.Kind() == nbgrader.Answer && !seen[c.ID] && !slices.Contains(reference, c.ID) {
			g.note(c.ID, 0, "the cell is missing")
			g.without(c, "the cell is missing")
		}
	}
	return append(answers, extra...)
}

// syntax returns the first line of what a cell's parser says, and the line of the cell, 0 if there is none.
func syntax(err error) (line int, text string) {
	text = err.Error()
	bad, _ := errors.AsType[*cell.SyntaxError](err)
	if all, ok := errors.AsType[scanner.ErrorList](err); ok && bad != nil {
		text = all[0].Msg
		if n := all[0].Pos.Line; n >= 1 && n <= len(bad.Origins) && bad.Origins[n-1].Cell != "" {
			line = bad.Origins[n-1].Line + 1
		}
	}
	text, _, _ = strings.Cut(text, "\n")
	return line, text
}

// without notes that all that a cell of the solution declares is missing.
func (g *Guest) without(c *Cell, why string) {
	if c.Decls == nil {
		return
	}
	for _, name := range c.Decls.Names() {
		g.Missing[name] = why
	}
}

// take merges what a student's cell declares, without names that belong to other cells.
func (g *Guest) take(d *cell.Decls, s source) {
	own := s.decls.Clone()
	clean(own)
	own.Imports = map[string]*cell.Import{}
	for key, i := range s.decls.Imports {
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
	for _, name := range slices.Sorted(slices.Values(own.Names())) {
		owner := g.assignment.names[name]
		switch {
		case own.Vars[name] != nil && name == g.assignment.student: // each has their own
			g.Student, _ = strconv.Unquote(own.Vars[name].Value)
			drop(own, name)
		case owner != nil && owner != s.owner:
			g.note(s.id, 0, "it declares %s again, which cell %s declares: that one counts", shown(name), owner.ID)
			drop(own, name)
		case types.Universe.Lookup(name) != nil && name != "min" && name != "max":
			g.note(s.id, 0, "%s is one of Go's own names: the declaration does not count", name)
			drop(own, name)
		case g.assignment.imports[name] != nil:
			g.note(s.id, 0, "%s is a package that the notebook imports: the declaration does not count", name)
			drop(own, name)
		case own.Funcs[name] != nil && !hasBody(own.Funcs[name].Text):
			g.note(s.id, own.Funcs[name].At[0].Line+1, "%s has no body", shown(name))
			drop(own, name)
		case s.owner == nil && declared(d, name):
			drop(own, name) // an answer's helper of the same name
		case own.Funcs[name] != nil && (name == "init" || own.Funcs[name].IsInit()):
			g.note(s.id, own.Funcs[name].At[0].Line+1, "%s does not run: tests call functions", name)
			drop(own, name)
		case strings.HasPrefix(name, "marginalia_"):
			g.note(s.id, 0, "names that begin with marginalia_ are the grader's")
			drop(own, name)
		case own.Funcs[name] != nil && owner != nil && stub(own.Funcs[name].Text):
			own.Funcs[name] = panics(own.Funcs[name], notImplemented) // which no test takes for the panic that it wants
		}
	}
	d.Merge(own)
}

// drop removes a declaration. A constant keeps its place in its block, and a variable that among several of one
// declaration, under no name.
func drop(d *cell.Decls, name string) {
	if c := d.Consts[name]; c != nil {
		c.Name = "_"
		d.Consts["_~"+name] = c
	}
	if v := d.Vars[name]; v != nil && len(v.Tuple) > 1 {
		v.Name = "_"
		d.Vars["_~"+name] = v
	}
	d.Remove(name)
}

func declared(d *cell.Decls, name string) bool {
	return d.Types[name] != nil || d.Consts[name] != nil || d.Vars[name] != nil || d.Funcs[name] != nil
}

// refused says why an import is not allowed. What the lecturer's notebook imports is.
func (g *Guest) refused(i *cell.Import) string {
	a := g.assignment
	switch {
	case module.CheckImportPath(i.Path) != nil || i.Alias == "." || i.Alias == "_":
	case i.Alias != "" && (types.Universe.Lookup(i.Alias) != nil || a.names[i.Alias] != nil || strings.HasPrefix(i.Alias, "marginalia_")):
		return fmt.Sprintf("the import %q can't be called %s, which is something else's name", i.Path, i.Alias)
	case slices.ContainsFunc(slices.Collect(maps.Values(a.imports)), func(l *cell.Import) bool { return l.Path == i.Path }):
		return ""
	case i.Path != "C" && i.Path != "unsafe" && !slices.Contains(strings.Split(i.Path, "/"), "internal") && a.MayImport != nil && a.MayImport(i.Path):
		return ""
	}
	return fmt.Sprintf("the import %s is not allowed", strings.TrimSpace(i.Alias+" "+strconv.Quote(i.Path)))
}

// resolve adds the imports that the program uses and does not have, as GoNB does: those of
// the lecturer's notebook, then those of the standard library that students may import.
func (g *Guest) resolve(d *cell.Decls) {
	f, err := parser.ParseFile(token.NewFileSet(), "", program.Of(d, noMain()).File().Text, parser.SkipObjectResolution)
	if err != nil {
		return
	}
	have := map[string]bool{}
	for key, i := range d.Imports {
		have[key], have[packageName(i)] = true, true
	}
	for name := range usesOf(f) {
		switch i := g.assignment.imports[name]; {
		case have[name] || declared(d, name):
		case i != nil:
			d.Imports[name] = i
		default:
			for _, path := range standard {
				if i := (&cell.Import{Path: path}); packageName(i) == name && g.refused(i) == "" {
					d.Imports[name] = i
					break
				}
			}
		}
	}
}

// standard are packages that goimports finds by the last part of their path.
var standard = []string{"bytes", "cmp", "container/heap", "container/list", "errors", "fmt", "iter", "maps", "math", "math/big", "math/bits", "math/cmplx",
	"math/rand", "slices", "sort", "strconv", "strings", "time", "unicode", "unicode/utf8", "gonum.org/v1/gonum/floats", "gonum.org/v1/gonum/mat", "gonum.org/v1/gonum/stat"}

// compile type-checks what the guest is made of, and leaves out what has errors, until the rest
// has none. A function that is left out panics with the reason.
func (g *Guest) compile(ctx context.Context, d *cell.Decls) error {
	a := g.assignment
	g.signatures(d)
	g.resolve(d)
	for { // each round leaves something out
		p := program.Of(d, noMain())
		if err := a.check(ctx, p); err != nil {
			return err
		}
		if p.Compiles && !g.large(d, p) {
			if g.decls, g.program = d, p; g.mains != nil {
				return nil
			}
			return g.write(p)
		}
		left := p.Compiles
		for _, e := range p.Errors {
			if path, ok := strings.CutSuffix(e.Msg, " imported and not used"); ok {
				maps.DeleteFunc(d.Imports, func(_ string, i *cell.Import) bool { return strings.HasPrefix(path, strconv.Quote(i.Path)) })
				left = true
			} else if g.leaveOut(d, a.problem(p, e)) {
				left = true
			}
		}
		if !left {
			return &Refused{"the answers don't compile together with the given cells: " + short(p.Errors[0].Error())}
		}
	}
}

// large leaves out what has an array that takes a large part of a guest's memory, and that the
// compiler may write to its file element by element. It reports whether there was one.
func (g *Guest) large(d *cell.Decls, p *program.Program) bool {
	var found []Problem
	for expr, tv := range p.Info.Types {
		n, array := int64(1), false
		for t, ok := tv.Type.Underlying().(*types.Array); ok && n <= maxArray; t, ok = t.Elem().Underlying().(*types.Array) {
			n, array = n*max(1, min(t.Len(), maxArray+1)), true
		}
		if array && n > maxArray {
			found = append(found, g.assignment.problem(p, types.Error{Pos: expr.Pos(), Msg: fmt.Sprintf("an array of more than %d elements", maxArray)}))
		}
	}
	slices.SortFunc(found, func(a, b Problem) int { return cmp.Or(strings.Compare(a.Cell, b.Cell), a.Line-b.Line) })
	left := false
	for _, at := range found {
		left = g.leaveOut(d, at) || left
	}
	return left
}

// signatures puts in what the solution declares and the student does not: with the solution's
// signature, and a body that panics.
func (g *Guest) signatures(d *cell.Decls) {
	for name, c := range g.assignment.names {
		if k := c.Meta.Kind(); k != nbgrader.Answer || declared(d, name) {
			continue
		}
		why := g.Missing[name]
		if why == "" {
			why = "it is not declared"
			g.Missing[name] = why
			if g.assignment.bridge.Needs(shown(name)) {
				g.note(c.ID, 0, "%s is missing", shown(name))
			}
		}
		g.placeholder(d, name, c, why)
	}
}

// shown writes the key of a method as Go does.
func shown(name string) string { return strings.Replace(name, "~", ".", 1) }

// placeholder declares what the solution has under a name.
func (g *Guest) placeholder(d *cell.Decls, name string, c *Cell, why string) {
	switch {
	case c.Decls.Funcs[name] != nil:
		d.Funcs[name] = panics(c.Decls.Funcs[name], shown(name)+": "+why)
	case c.Decls.Types[name] != nil:
		d.Types[name] = c.Decls.Types[name]
	}
}

// notImplemented is what a release's stub panics with (see package nbgrader).
const notImplemented = "not implemented"

// stub reports whether a function is as the release has it.
func stub(text string) bool {
	head, _ := header(text)
	return strings.Join(strings.Fields(text[len(head):]), " ") == "{ panic("+strconv.Quote(notImplemented)+") }"
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
		return c != nil && (c.ID != at.Cell || c.Meta.Kind() != nbgrader.Answer && c.Meta.Kind() != nbgrader.ManualAnswer)
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

// write makes the guest's files.
func (g *Guest) write(p *program.Program) error {
	a := g.assignment
	for _, name := range slices.Sorted(maps.Keys(a.names)) {
		want, got := lookup(a.whole.Pkg.Scope(), shown(name)), lookup(p.Pkg.Scope(), shown(name))
		if want == nil || got == nil || a.names[name].Meta.Kind() != nbgrader.Answer || !a.bridge.Needs(shown(name)) {
			continue
		}
		if _, ok := want.(*types.TypeName); !ok && signature(got) != signature(want) {
			g.Missing[name] = short(fmt.Sprintf("it is %s, want %s", folders.ReplaceAllString(signature(got), ""), folders.ReplaceAllString(signature(want), "")))
			g.note(a.names[name].ID, 0, "%s: %s", shown(name), g.Missing[name])
		}
	}
	worker, err := a.bridge.Worker(func(name string) string { return g.Missing[strings.Replace(name, ".", "~", 1)] }, nil)
	if err != nil {
		return err
	}
	g.Files = map[string][]byte{"cells.go": lines(program.Of(p.Decls, p.Main).File()), "worker.go": worker, "main.go": []byte("package main\n\nimport marginalia_worker \"marginalia/internal/guest/worker\"\n\nvar (\n\tmarginalia_missing = marginalia_worker.Missing\n\tmarginalia_student = marginalia_worker.Student\n)\n\nfunc marginalia_main() {}\n")}
	return nil
}

// folders is what stands before a package's name in a type.
var folders = regexp.MustCompile(`[\w.~-]+/`)

// lookup finds a package-level object, or a method "T.M".
func lookup(scope *types.Scope, name string) types.Object {
	owner, method, ok := strings.Cut(name, ".")
	obj := scope.Lookup(owner)
	if !ok || obj == nil {
		return obj
	}
	n, ok := obj.Type().(*types.Named)
	if !ok {
		return nil
	}
	for m := range n.Methods() {
		if m.Name() == method {
			return m
		}
	}
	return nil
}
