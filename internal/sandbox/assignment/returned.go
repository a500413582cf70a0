package assignment

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"marginalia/internal/notebook/nbformat"
	"marginalia/internal/notebook/nbgrader"
)

// A Returned is a student's notebook in which each cell that was handed out is there once, with nbgrader's metadata,
// as far as the student's cells can be known again. What no cell has is still missing.
type Returned struct {
	Notebook *nbformat.Notebook // shares cells with the student's
	Notes    []Problem          // what has become of cells, by the names that a [Guest] gives them
	// Placed are cells that the student's notebook does not have, by their ids: an answer that stood in a cell of the
	// lecturer's. The value is that cell's place, from 1.
	Placed map[string]int

	handed   []*nbformat.Cell // those with metadata, in order
	byID     map[string]*nbformat.Cell
	ids      []string            // of the cells of Notebook: the grade_id that was handed out, or ""
	names    map[string]string   // of declarations, the answer
	declared map[string][]string // what is known of cells, by cell id (see declares)
	cells    int                 // of those
	read     int                 // bytes that were parsed
}

// Return takes what a student hands in for what was handed out. JupyterLab splits and copies cells and turns them into Markdown, and
// other programs drop metadata:
//
//   - A cell without metadata is the one of its cell id; else, of those that are missing, the one with the same source, the answer
//     whose functions it declares, or the only written answer that can stand there. Cells with metadata keep what they are.
//   - Of several cells with one grade_id the last counts that answers anything, as the kernel runs it last. The others
//     become cells of the student's own, whose declarations count where the answer has none.
//   - Halves of an answer that are Go only together are one cell again.
//   - An answer that is no longer code is code again if it is Go.
//   - What a cell of the lecturer's declares of an answer stands in a cell of its own below, if no other cell has it.
//
// names are the answers' declarations, each with the grade_id of its cell (see [Assignment.Answers]).
func Return(handed, nb *nbformat.Notebook, names map[string]string) *Returned {
	own := *nb
	own.Cells = nil
	r := &Returned{Notebook: &own, Placed: map[string]int{}, byID: map[string]*nbformat.Cell{}, names: names, declared: map[string][]string{}}
	for _, c := range handed.Cells {
		if m, _ := nbgrader.Read(c); m.Stored() && r.byID[m.ID] == nil {
			r.handed, r.byID[m.ID] = append(r.handed, c), c
		}
	}
	for _, c := range nb.Cells {
		m, _ := nbgrader.Read(c)
		own.Cells, r.ids = append(own.Cells, c), append(r.ids, "")
		if r.byID[m.ID] != nil {
			r.take(len(r.ids)-1, m.ID)
		}
	}
	r.join()
	r.find()
	r.copies()
	for i := range own.Cells {
		r.code(i)
	}
	r.pasted()
	return r
}

// Answers returns the names that the solutions declare, each with the id of its cell.
func (a *Assignment) Answers() map[string]string {
	names := map[string]string{}
	for name, c := range a.names {
		if c.Meta.Kind() == nbgrader.Answer {
			names[name] = c.ID
		}
	}
	return names
}

// take gives a cell the metadata that the cell id was handed out with.
func (r *Returned) take(at int, id string) {
	c := plain(r.Notebook.Cells[at])
	keys, _ := r.byID[id].Metadata["nbgrader"].(map[string]any)
	c.Metadata["nbgrader"] = maps.Clone(keys)
	r.Notebook.Cells[at], r.ids[at] = c, id
}

// plain returns a cell without nbgrader's metadata.
func plain(c *nbformat.Cell) *nbformat.Cell {
	own := *c
	if own.Metadata = maps.Clone(c.Metadata); own.Metadata == nil {
		own.Metadata = map[string]any{}
	}
	delete(own.Metadata, "nbgrader")
	return &own
}

func (r *Returned) note(name, format string, args ...any) {
	if len(r.Notes) < maxNotes {
		r.Notes = append(r.Notes, Problem{Cell: name, Text: short(fmt.Sprintf(format, args...))})
	}
}

// find gives cells that lost their metadata what they had.
func (r *Returned) find() {
	same := map[string]int{} // sources, by how many were handed out
	for _, was := range r.handed {
		same[strings.TrimSpace(was.Source)]++
	}
	for _, rule := range []struct {
		words string
		fits  func(at int, was *nbformat.Cell, m nbgrader.Meta) bool
	}{
		{"that has its id", func(at int, was *nbformat.Cell, m nbgrader.Meta) bool {
			return r.Notebook.Cells[at].ID == was.ID
		}},
		{"", func(at int, was *nbformat.Cell, m nbgrader.Meta) bool {
			c := r.Notebook.Cells[at]
			text := strings.TrimSpace(c.Source)
			return c.Type == was.Type && text != "" && text == strings.TrimSpace(was.Source) && same[text] == 1
		}},
		{"that declares what it does", func(at int, was *nbformat.Cell, m nbgrader.Meta) bool {
			return m.Kind() == nbgrader.Answer && r.answers(at, m.ID) && !slices.ContainsFunc(r.declares(at), func(name string) bool { return r.names[name] != "" && r.names[name] != m.ID })
		}},
	} {
		r.each(func(was *nbformat.Cell, m nbgrader.Meta) {
			for at := len(r.ids) - 1; at >= 0; at-- { // the last, as on the kernel
				if r.ids[at] == "" && rule.fits(at, was, m) {
					r.found(at, m, rule.words)
					return
				}
			}
		})
	}
	r.each(func(was *nbformat.Cell, m nbgrader.Meta) {
		if m.Kind() != nbgrader.ManualAnswer || was.Type == "code" { // code may be anything
			return
		}
		if at := r.gap(was); at >= 0 {
			r.found(at, m, "in its place")
		}
	})
}

// each calls do for each cell that was handed out and is missing.
func (r *Returned) each(do func(was *nbformat.Cell, m nbgrader.Meta)) {
	for _, was := range r.handed {
		if m, _ := nbgrader.Read(was); !slices.Contains(r.ids, m.ID) {
			do(was, m)
		}
	}
}

func (r *Returned) found(at int, m nbgrader.Meta, words string) {
	r.take(at, m.ID)
	if m.Solution && words != "" {
		r.note(m.ID, "no cell has nbgrader's metadata of this answer: the one %s is taken for it", words)
	}
}

// gap returns the cell where one stood that was handed out, if it is the only one there of its type and without metadata, else -1.
func (r *Returned) gap(was *nbformat.Cell) int {
	i := slices.Index(r.handed, was)
	from, to := -1, len(r.ids)
	for j, c := range r.handed {
		m, _ := nbgrader.Read(c)
		switch at := slices.Index(r.ids, m.ID); {
		case at < 0:
		case j < i:
			from = at
		case to == len(r.ids):
			to = at
		}
	}
	only := -1
	for at := from + 1; at < to; at++ {
		if r.ids[at] != "" || r.Notebook.Cells[at].Type != was.Type {
			continue
		}
		if only >= 0 {
			return -1
		}
		only = at
	}
	return only
}

// declares returns what a cell declares in earnest: functions that are not as they were handed out, and all else. What a notebook
// has beyond any honest one is not read.
func (r *Returned) declares(at int) []string {
	c := r.Notebook.Cells[at]
	if names, known := r.declared[c.ID]; known {
		return names
	}
	var names []string
	if r.cells++; r.cells <= 2*maxOwn && r.read+len(c.Source) <= maxOwnText {
		r.read += len(c.Source)
		if d, err := declarations(c.ID, c.Source); err == nil && d != nil {
			names = slices.DeleteFunc(d.Names(), func(name string) bool {
				f := d.Funcs[name]
				return f != nil && hasBody(f.Text) && stub(blank(f.Text))
			})
		}
	}
	slices.Sort(names)
	r.declared[c.ID] = names
	return names
}

// answers reports whether a cell declares something of the answer id.
func (r *Returned) answers(at int, id string) bool {
	return slices.ContainsFunc(r.declares(at), func(name string) bool { return r.names[name] == id })
}
