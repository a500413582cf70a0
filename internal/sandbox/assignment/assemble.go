package assignment

import (
	"context"
	"errors"
	"fmt"
	"go/scanner"
	"go/types"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/mod/module"

	"marginalia/internal/notebook/gonb"
	"marginalia/internal/notebook/nbformat"
	"marginalia/internal/notebook/nbgrader"
	"marginalia/internal/notebook/program"
)

// A Guest is a submission as a program: the given cells, and a student's answers as far as
// they compile.
type Guest struct {
	Files map[string][]byte
	Notes []Problem // what was wrong, by the student's cell and line
	// Missing says why the guest lacks the student's version of what the solution declares, by name.
	Missing map[string]string
	Student string // the id in the notebook, see [Assignment.Individual]

	assignment *Assignment
	reference  []string
	circles    [][]string      // see [Made]; nil until they are known
	placed     map[string]bool // functions and types that stand in for what the student does not declare
	decls      *gonb.Decls
	program    *program.Program // of decls, checked
	mains      map[string]int   // functions of cells and the cells' numbers, in a guest that runs cells
	opened     map[string]bool  // those that are what stands behind %%
}

// A source is a student's cell.
type source struct {
	id    string
	owner *Cell // the answer it is, or nil
	decls *gonb.Decls
}

// Assemble puts a student's answers together with the given cells. Cells that the student added may
// have functions that the answers use. A name belongs to the cell that declares it in the lecturer's notebook;
// the student's other declarations of it don't count, unless that cell does without it or has it as it was released.
//
// An answer named in reference is replaced by the lecturer's solution. The student's functions, types and constants stay beside
// it unless they are what the solution stands in for, since other answers may use them; the solution's private names are
// others (see renaming). And a cell of the student's own (see [nbgrader.Own])
// named there is left out. out has cells to leave out as well, each with the reason that is noted.
//
// It may be called from several goroutines.
func (a *Assignment) Assemble(ctx context.Context, nb *nbformat.Notebook, reference []string, out map[string]string) (*Guest, error) {
	a.assembles.Lock() // the type checker keeps what it has loaded
	defer a.assembles.Unlock()
	g := &Guest{assignment: a, Missing: map[string]string{}, reference: reference, placed: map[string]bool{}}
	d := a.given(reference)
	g.takeAll(d, g.sources(nb, reference, out))
	if err := g.compile(ctx, d); err != nil {
		return nil, err
	}
	return g, nil
}

// given returns what the lecturer's cells declare in each guest, and those named in reference.
func (a *Assignment) given(reference []string) *gonb.Decls {
	d := gonb.NewDecls()
	for _, c := range a.Cells {
		k := c.Meta.Kind()
		switch {
		case c.Decls == nil:
		case k == nbgrader.Given || k == nbgrader.Task:
			d.Merge(c.Decls)
		case c.solution != nil && slices.Contains(reference, c.ID):
			d.Merge(c.solution)
		}
	}
	a.helped(d)
	a.individual(d)
	return d
}

func (g *Guest) note(id string, line int, format string, args ...any) {
	if len(g.Notes) < maxNotes {
		g.Notes = append(g.Notes, Problem{id, line, short(fmt.Sprintf(format, args...))})
	}
}

// sources returns the student's cells that may declare something: the answers, then the student's own
// cells.
func (g *Guest) sources(nb *nbformat.Notebook, reference []string, out map[string]string) []source {
	var answers, extra []source
	seen := map[string]bool{}
	cells, refused := g.assignment.submitted(nb)
	g.Notes = append(g.Notes, refused...)
	for _, c := range cells {
		seen[c.id] = true
		if owner := c.owner; owner != nil && owner == g.assignment.names[g.assignment.student] && !owner.Meta.ReadOnly() && strings.TrimSpace(c.Source) != strings.TrimSpace(owner.Source) {
			c.owner = nil // students write their id there
		}
		if c.owner != nil && !c.owner.answer() {
			if c.owner.Meta.Kind() == nbgrader.Given && strings.TrimSpace(c.Source) != strings.TrimSpace(c.owner.Source) {
				g.note(c.id, 0, "the cell was changed: it is the lecturer's, and counts as it was handed out")
			}
			continue
		}
		if slices.Contains(reference, c.id) {
			if decls, err := declarations(c.id, c.Source); err == nil && decls != nil && c.owner != nil && out[c.id] == "" {
				decls.Vars = nil // what initialises them may be the mistake
				for _, name := range c.owner.Decls.Names() {
					if g.assignment.owner(name) != nil {
						drop(decls, name)
					}
				}
				answers = append(answers, source{c.id, c.owner, decls})
			}
			continue
		}
		line, why := 0, out[c.id]
		var decls *gonb.Decls
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
			g.note(c.ID, 0, cellMissing)
			g.without(c, cellMissing)
		}
	}
	return append(answers, extra...)
}

// syntax returns the first line of a parser's message, and the line of the cell that it is about. line is 0 if
// it names none.
func syntax(err error) (line int, text string) {
	text = err.Error()
	bad, _ := errors.AsType[*gonb.SyntaxError](err)
	if all, ok := errors.AsType[scanner.ErrorList](err); ok && bad != nil {
		text = all[0].Msg
		if n := all[0].Pos.Line; n >= 1 && n <= len(bad.Origins) && bad.Origins[n-1].Cell != "" {
			line = bad.Origins[n-1].Line + 1
		}
	}
	text, _, _ = strings.Cut(text, "\n")
	return line, text
}

// without marks everything as missing that students are to declare in a cell.
func (g *Guest) without(c *Cell, why string) {
	if c.Decls == nil {
		return
	}
	for _, name := range c.Decls.Names() {
		if g.assignment.owner(name) != nil {
			g.Missing[name] = why
		}
	}
}

// refused says why an import is not allowed, "" if it is. Answers may import what the lecturer's notebook imports.
func (g *Guest) refused(i *gonb.Import) string {
	a := g.assignment
	switch {
	case module.CheckImportPath(i.Path) != nil || i.Alias == "." || i.Alias == "_":
	case i.Alias != "" && (types.Universe.Lookup(i.Alias) != nil || a.owner(i.Alias) != nil || strings.HasPrefix(i.Alias, "marginalia_") && !i.Times()):
		return fmt.Sprintf("the import %q can't be called %s, which is something else's name", i.Path, i.Alias)
	case slices.Contains(a.Imports(), i.Path):
		return ""
	case i.Path != "C" && i.Path != "unsafe" && !slices.Contains(strings.Split(i.Path, "/"), "internal") && a.MayImport != nil && a.MayImport(i.Path):
		return ""
	}
	return fmt.Sprintf("the import %s is not allowed", strings.TrimSpace(i.Alias+" "+strconv.Quote(i.Path)))
}
