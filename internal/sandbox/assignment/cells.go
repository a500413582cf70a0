package assignment

import (
	"context"
	"fmt"
	"go/ast"
	"go/token"
	"maps"
	"slices"
	"strconv"
	"strings"

	"marginalia/internal/notebook/gonb"
	"marginalia/internal/notebook/nbformat"
	"marginalia/internal/notebook/nbgrader"
	"marginalia/internal/notebook/program"
)

// cellName begins the names of functions that are the main functions of cells.
const cellName = "marginalia_cell_"

// A show is a program that runs cells of a submission for what they print and show. Each cell is a
// function. It finds what it would find on the kernel: the given cells, the answers as they are judged, and
// the student's other declarations.
type show struct {
	cells []int // of the submission; the guest's have the same order
	files map[string][]byte
	draws bool // it may draw figures, and is large
}

// shows makes programs of the cells with a main function in a submission, by GoNB's rules. Cells that
// initialise the same variables of the student's share a program, so that a slow variable costs only the cells that
// use it. split gives each cell a program. A program without the student's code is the same for all
// students. left has the cells without a program. The lecturer's cells run as they were handed out, and
// tests do not run.
func (a *Assignment) shows(ctx context.Context, nb *nbformat.Notebook, split bool) (all []*show, left map[int]unrun, err error) {
	a.assembles.Lock()
	defer a.assembles.Unlock()
	g := &Guest{assignment: a, Missing: map[string]string{}, mains: map[string]int{}, opened: map[string]bool{}, placed: map[string]bool{}}
	left = map[int]unrun{}
	d := a.given(nil)
	g.takeAll(d, g.sources(nb, nil, nil))
	cells, _ := a.submitted(nb)
	for i, c := range cells {
		if u := g.main(d, c, i); u.why != "" {
			left[i] = unrun{short(u.why), u.broken}
		}
	}
	if len(g.mains) == 0 {
		return nil, left, nil
	}
	g.Notes = nil
	if err := g.compile(ctx, d); err != nil {
		return nil, nil, err
	}
	for _, name := range sortedKeys(g.mains) {
		i := g.mains[name]
		if g.decls.Funcs[name] != nil {
			continue
		}
		why := g.Missing[name]
		for _, n := range g.Notes {
			if text, ok := strings.CutPrefix(n.Text, name+" "); ok {
				why = fmt.Sprintf("line %d: %s", n.Line, text)
			}
		}
		left[i] = unrun{why, true}
		delete(g.mains, name)
	}
	return g.divide(split), left, nil
}

// Unfit says what students can't do with the lecturer's notebook, though the judge could: run statements of its cells or of
// its solutions, which do not compile, run tests that go vet refuses, or write their id. Nor may tests follow the real clock.
func (a *Assignment) Unfit(ctx context.Context, nb *nbformat.Notebook) (Problems, error) {
	_, left, err := a.shows(ctx, nb, false)
	if err != nil {
		return nil, err
	}
	all, err := a.vet(ctx, a.whole)
	if err != nil {
		return nil, err
	}
	clocks, _ := a.clock()
	all = append(all, clocks...)
	cells, _ := a.submitted(nb)
	for i, c := range cells {
		if left[i].broken {
			all = append(all, Problem{Cell: c.owner.ID, Text: left[i].why})
		}
		if a.student != "" && a.names[a.student] == c.owner && c.owner.Meta.ReadOnly() {
			all = append(all, Problem{Cell: c.owner.ID, Text: "it is read-only, and students are to write their id into it"})
		}
	}
	return a.sorted(all), nil
}

// An unrun says why a cell with a main function has no program.
type unrun struct {
	why    string
	broken bool // it does not compile
}

// main adds the main function of cell i of a submission. If the cell has one that can't run, it says why.
func (g *Guest) main(d *gonb.Decls, c submitted, i int) unrun {
	source := c.Source
	switch {
	case c.owner == nil || c.owner.answer():
	case c.owner.Meta.Kind() == nbgrader.Tests:
		return unrun{}
	default:
		source = c.owner.Source
	}
	if line, what := tooMuch(source); what != "" {
		return unrun{why: fmt.Sprintf("line %d: %s", line, what)}
	}
	read := gonb.Read(c.id, source)
	if read.Magic {
		return unrun{why: read.Commands[0].Words[0] + " does not run here"}
	}
	for _, command := range read.Commands {
		if command.Shell {
			return unrun{why: fmt.Sprintf("line %d: shell commands do not run here", command.Line+1)}
		}
	}
	if read.Test || !read.HasGo() {
		return unrun{}
	}
	_, main, err := read.Parse()
	if err != nil {
		line, text := syntax(err)
		return unrun{fmt.Sprintf("it does not compile: line %d: %s", line, text), true}
	}
	if main.At == nil {
		return unrun{}
	}
	name := cellName + strconv.Itoa(i)
	text := strings.Replace(blank(main.Text), "func main()", "func "+name+"()", 1)
	bare := strings.Replace(text, "() {\n\tflag.Parse()\n", "() {\n\n", 1) // there are no arguments
	text, g.opened[name] = bare, bare != text
	d.Funcs[name] = &gonb.Func{Key: name, Text: text, At: main.At}
	g.mains[name] = i
	return unrun{}
}

// showLast has the cells of a checked program show their last expressions, as the kernel has them, and
// reports whether one does that did not yet.
func (g *Guest) showLast(d *gonb.Decls, p *program.Program) (edited bool) {
	for _, f := range p.Syntax.Decls {
		f, ok := f.(*ast.FuncDecl)
		if !ok || f.Recv != nil {
			continue
		}
		name := f.Name.Name
		if _, is := g.mains[name]; !is {
			continue
		}
		e := p.Shown(f, g.opened[name])
		if e == nil {
			continue
		}
		at := func(pos token.Pos) int { return p.Fset.PositionFor(pos, false).Offset }
		shows := *d.Funcs[name]
		begin := at(f.Type.Func) - strings.Index(shows.Text, "func "+name+"()")
		from, to := at(e.Pos())-begin, at(e.End())-begin
		shows.Text = shows.Text[:from] + program.ShowName + ".Value(" + shows.Text[from:to] + ")" + shows.Text[to:]
		d.Funcs[name], edited = &shows, true
	}
	if edited {
		d.Imports[program.ShowName] = &gonb.Import{Path: program.ShowPath, Alias: program.ShowName, Added: true}
	}
	return edited
}

// divide divides the mains into programs.
func (g *Guest) divide(split bool) []*show {
	r := g.assignment.reach(g.program)
	byKey := map[string][]string{}
	for name := range g.mains {
		key := strings.Join(r.students(name), " ")
		if split {
			key = name
		}
		byKey[key] = append(byKey[key], name)
	}
	var all []*show
	for _, key := range slices.Sorted(maps.Keys(byKey)) {
		slices.SortFunc(byKey[key], func(a, b string) int { return g.mains[a] - g.mains[b] })
		all = append(all, g.show(r, byKey[key]))
	}
	return all
}

// show makes a program of mains and what they use.
func (g *Guest) show(r *reach, names []string) *show {
	s := &show{files: map[string][]byte{}}
	mains := map[string]bool{}
	for _, name := range names {
		mains[name] = true
	}
	d := only(g.decls, r.from(mains))
	var functions []string
	for i, name := range names { // ascending: no number is taken before it is free
		f := d.Funcs[name]
		delete(d.Funcs, name)
		// The same cells are the same program, wherever in a notebook they stand.
		own := cellName + strconv.Itoa(i)
		d.Funcs[own] = &gonb.Func{Key: own, Text: strings.Replace(f.Text, "func "+name+"()", "func "+own+"()", 1), At: f.At}
		s.cells, functions = append(s.cells, g.mains[name]), append(functions, own)
	}
	prune(d, program.Of(d, noMain()).File().Text)
	screen := ""
	for _, i := range d.Imports {
		if strings.HasPrefix(i.Path, "marginalia/plotting") || i.Path == "marginalia/internal/cell/display" {
			s.draws, screen = true, "\t_ \"marginalia/internal/sandbox/guest/screen\"\n"
		}
	}
	s.files["cells.go"] = lines(program.Of(d, noMain()).File())
	s.files["main.go"] = fmt.Appendf(nil, `package main

import (
	marginalia_os "os"

	marginalia_wire "marginalia/internal/sandbox/guest/wire"
	marginalia_worker "marginalia/internal/sandbox/guest/worker"
%s)

var marginalia_student = marginalia_worker.Student

func marginalia_missing(why string) { panic(why) }

func marginalia_main() {}

func init() {
	marginalia_os.Args = []string{"main"}
	marginalia_worker.Serve(func(*marginalia_wire.End) *marginalia_wire.Table { return marginalia_wire.NewTable() }, %s)
}
`, screen, strings.Join(functions, ", "))
	return s
}
