package release

import (
	"cmp"
	"errors"
	"fmt"
	"slices"

	"marginalia/internal/notebook/nbformat"
	"marginalia/internal/notebook/nbgrader"
)

// A Said is what the text of a cell adds to its metadata.
type Said struct {
	Cell   int // its index in the notebook
	Meta   nbgrader.Meta
	Before *float64 // the points of the metadata, where the text has others; nil: there was no metadata
}

func (s Said) String() string {
	switch {
	case s.Before != nil:
		return fmt.Sprintf("%s: %v points, as its POINTS line says; before, %v", s.Meta.ID, s.Meta.Points, *s.Before)
	case s.Meta.Grade || s.Meta.Task:
		return fmt.Sprintf("%s: %v, %v points", s.Meta.ID, s.Meta.Kind(), s.Meta.Points)
	}
	return fmt.Sprintf("%s: %v", s.Meta.ID, s.Meta.Kind())
}

// infer gives the cells of a notebook with a POINTS line the metadata that their texts say, and returns what it added.
// taken are the grade_ids of other cells that the notebook is put together with. The error joins a [nbgrader.Fault] for each cell that is not clear.
func infer(nb *nbformat.Notebook, taken map[string]bool) ([]Said, error) {
	if !slices.ContainsFunc(nb.Cells, speaks) {
		return nil, nil
	}
	texts := make([]cellText, len(nb.Cells))
	var faults []error
	fault := func(i int, err error) {
		f := &nbgrader.Fault{}
		errors.As(err, &f) // each is one
		m, _ := nbgrader.Read(nb.Cells[i])
		f.Cell, f.ID = i+1, cmp.Or(m.ID, nb.Cells[i].ID)
		faults = append(faults, f)
	}
	broken := make([]bool, len(nb.Cells))
	for i, c := range nb.Cells {
		var err error
		if texts[i], err = textOf(c); err != nil {
			broken[i] = true
			fault(i, err)
		}
	}
	used := map[string]bool{}
	for id := range taken {
		used[id] = true
	}
	for _, c := range nb.Cells {
		m, _ := nbgrader.Read(c)
		used[m.ID] = true
	}
	var all []Said
	for i, c := range nb.Cells {
		if broken[i] {
			continue
		}
		t := texts[i]
		if c.Metadata["nbgrader"] != nil {
			s, err := against(c, t)
			if err != nil {
				fault(i, err)
			} else if s != nil {
				s.Cell = i
				all = append(all, *s)
			}
			continue
		}
		kind, err := t.kind(c)
		if err != nil {
			fault(i, err)
			continue
		}
		if student, _ := c.Setting("student"); kind == nbgrader.Given && (c.Type != "code" || student == true) {
			continue
		}
		all = append(all, Said{Cell: i, Meta: metaOf(kind, t.points)})
	}
	if faults != nil {
		return nil, errors.Join(faults...)
	}
	// The cells that are named after something come first to their names.
	for _, named := range []bool{true, false} {
		for n := range all {
			if s := &all[n]; s.Meta.ID == "" {
				if name := nameOf(nb.Cells, texts, s); (name != "") == named {
					s.Meta.ID = free(used, name, s.Meta.Kind(), nb.Cells[s.Cell].ID)
				}
			}
		}
	}
	for _, s := range all {
		nbgrader.Write(nb.Cells[s.Cell], s.Meta)
	}
	for i, c := range nb.Cells {
		if m, _ := nbgrader.Read(c); m.Kind() == nbgrader.Tests && texts[i].credit {
			own, _ := c.Metadata["marginalia"].(map[string]any)
			if own == nil {
				own = map[string]any{}
				c.Metadata["marginalia"] = own
			}
			own["credit"] = "subtests"
		}
	}
	return all, nil
}

// against compares the text of a cell with its metadata. Points that differ are those of the text.
func against(c *nbformat.Cell, t cellText) (*Said, error) {
	m, err := nbgrader.Read(c)
	if err != nil {
		return nil, nil // for Validate to say
	}
	kind := m.Kind()
	manual := kind == nbgrader.Answer || kind == nbgrader.ManualAnswer
	switch {
	case t.line > 0 && !m.Grade && !m.Task:
		return nil, &nbgrader.Fault{Line: t.line, Text: fmt.Sprintf("it has a POINTS line, and its metadata says %v: remove the line, or metadata.nbgrader of the cell, so that its text counts (or choose another kind in nbgrader's panel)", kind)}
	case len(t.tests) > 0 && manual:
		return nil, &nbgrader.Fault{Text: fmt.Sprintf("it declares %s, and its metadata says %v: remove metadata.nbgrader of the cell, so that its text counts (or choose another kind in nbgrader's panel)", t.tests[0], kind)}
	case t.line > 0 && m.Points != t.points:
		before := m.Points
		m.Points = t.points
		return &Said{Meta: m, Before: &before}, nil
	}
	return nil, nil
}

func metaOf(kind nbgrader.Kind, points float64) nbgrader.Meta {
	m := nbgrader.Meta{Points: points}
	switch kind {
	case nbgrader.Given:
		m.Locked = true
	case nbgrader.Answer:
		m.Solution = true
	case nbgrader.Tests:
		m.Grade, m.Locked = true, true
	case nbgrader.ManualAnswer:
		m.Grade, m.Solution = true, true
	case nbgrader.Task:
		m.Task = true
	}
	return m
}
