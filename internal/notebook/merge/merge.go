// Package merge brings the changes of a notebook into a copy that a reader has changed: a
// three-way merge by cells, which their ids identify.
//
// What the reader wrote stays. A cell that one side changed is taken from that side. If both
// changed its source, both versions stay: a line of Markdown, the lecture's version, the
// reader's. The reader's comes last, so that its declarations are the ones that count after all
// cells were run. A cell that the reader deleted comes back only if the lecture changed it; one
// that the lecture deleted stays if the reader wrote in it. Outputs go with the source that
// printed them. Metadata is merged key by key, and the reader's value wins.
//
// A merge of a merge changes nothing, be it with the old base or with the new one: what was
// killed before it recorded the new base is done again without harm.
package merge

import (
	"reflect"
	"slices"

	"marginalia/internal/notebook/nbformat"
)

// Changes are the ids of cells that the merge did something with.
type Changes struct {
	New      []string // only the lecture has them
	Changed  []string // the lecture's source is taken
	Removed  []string // the lecture deleted them
	Returned []string // the reader deleted them, and the lecture changed them
	Kept     []string // the lecture deleted them, and the reader wrote in them
	Clashes  []string // both changed them
}

// Notebooks merges the changes from base to theirs into ours. Its arguments stay as they are.
func Notebooks(base, ours, theirs *nbformat.Notebook) (*nbformat.Notebook, Changes) {
	m := &merger{base: byID(base.Cells), theirs: byID(theirs.Cells), aside: map[string][]*nbformat.Cell{}, merged: map[string]*nbformat.Cell{}}
	list := m.attached(m.renamed(ours.Cells))
	m.ours = byID(list)
	for _, c := range theirs.Cells {
		m.cell(c.ID)
	}
	for _, c := range list {
		if m.theirs[c.ID] == nil {
			m.cell(c.ID)
		}
	}
	nb := &nbformat.Notebook{
		Minor:    max(ours.Minor, theirs.Minor, 5),
		Metadata: object(base.Metadata, ours.Metadata, theirs.Metadata),
		Extra:    object(base.Extra, ours.Extra, theirs.Extra),
	}
	for _, id := range order(m.left(base.Cells), m.left(list), m.left(theirs.Cells)) {
		nb.Cells = append(append(nb.Cells, m.aside[id]...), m.merged[id])
	}
	return nb, m.changes
}

// A merger merges cells, which its maps have by their ids.
type merger struct {
	base, ours, theirs, merged map[string]*nbformat.Cell
	aside                      map[string][]*nbformat.Cell // what stands before a cell that both changed
	changes                    Changes
}

func byID(cells []*nbformat.Cell) map[string]*nbformat.Cell {
	m := map[string]*nbformat.Cell{}
	for _, c := range cells {
		m[c.ID] = c
	}
	return m
}

// left returns the ids of the cells that are in the result, in their order.
func (m *merger) left(cells []*nbformat.Cell) (ids []string) {
	for _, c := range cells {
		if m.merged[c.ID] != nil {
			ids = append(ids, c.ID)
		}
	}
	return ids
}

// renamed gives the reader's cells with an unknown id, and the content of a cell of base that is
// missing, that cell's id: they were cut and pasted, or saved by an editor that drops ids.
func (m *merger) renamed(cells []*nbformat.Cell) []*nbformat.Cell {
	there, missing := byID(cells), map[[2]string]string{}
	for id, c := range m.base {
		if there[id] == nil && c.Source != "" {
			key := [2]string{c.Type, c.Source}
			missing[key] = max(missing[key], id) // the choice must not depend on the map's order
		}
	}
	cells = slices.Clone(cells)
	for i, c := range cells {
		key := [2]string{c.Type, c.Source}
		if id := missing[key]; id != "" && m.base[c.ID] == nil && m.theirs[c.ID] == nil {
			same := *c
			same.ID, same.Metadata = id, unmarked(c.Metadata)
			cells[i] = &same
			delete(missing, key)
		}
	}
	return cells
}

// cell puts into merged what becomes of the cell with an id, if it stays.
func (m *merger) cell(id string) {
	b, o, t := m.base[id], m.ours[id], m.theirs[id]
	ch := &m.changes
	switch {
	case o != nil && t != nil:
		m.merged[id] = m.both(b, o, t)
	case o != nil && b != nil && !wrote(b, o):
		ch.Removed = append(ch.Removed, id)
	case o != nil:
		m.merged[id] = o
		if b != nil {
			ch.Kept = append(ch.Kept, id)
		}
	case b == nil:
		m.merged[id] = t
		ch.New = append(ch.New, id)
	case !same(b, t):
		m.merged[id] = t
		ch.Returned = append(ch.Returned, id)
	}
}

// both merges the two versions of a cell; b is nil if base has none.
func (m *merger) both(b, o, t *nbformat.Cell) *nbformat.Cell {
	if b == nil {
		b = &nbformat.Cell{}
	}
	c := *o
	switch {
	case same(o, t):
		if sameOutputs(b, o) {
			c.Outputs, c.ExecutionCount = t.Outputs, t.ExecutionCount
		}
	case same(b, t):
	case same(b, o):
		c = *t
		m.changes.Changed = append(m.changes.Changed, c.ID)
	default:
		m.clash(t)
	}
	c.Metadata, c.Extra = object(b.Metadata, o.Metadata, t.Metadata), object(b.Extra, o.Extra, t.Extra)
	return &c
}

// same compares what a cell says.
func same(a, b *nbformat.Cell) bool {
	return a.Type == b.Type && a.Source == b.Source && (len(a.Attachments)+len(b.Attachments) == 0 || reflect.DeepEqual(a.Attachments, b.Attachments))
}

func sameOutputs(a, b *nbformat.Cell) bool {
	return (len(a.Outputs)+len(b.Outputs) == 0 || reflect.DeepEqual(a.Outputs, b.Outputs)) && reflect.DeepEqual(a.ExecutionCount, b.ExecutionCount)
}

// wrote reports whether the reader left something in a cell besides outputs and how it is shown.
func wrote(b, o *nbformat.Cell) bool {
	view := func(c *nbformat.Cell) map[string]any {
		m := object(nil, c.Metadata, nil)
		for _, key := range []string{"collapsed", "scrolled", "jupyter", "execution", "jp-MarkdownHeadingCollapsed"} { // JupyterLab's
			delete(m, key)
		}
		return m
	}
	return !same(b, o) || !reflect.DeepEqual(view(b), view(o))
}

// object merges metadata key by key, and the objects in it. It returns a new map.
func object(base, ours, theirs map[string]any) map[string]any {
	merged := map[string]any{}
	for _, side := range []map[string]any{ours, theirs} {
		for key := range side {
			b, inBase := base[key]
			o, inOurs := ours[key]
			t, inTheirs := theirs[key]
			bm, _ := b.(map[string]any)
			om, both := o.(map[string]any)
			tm, all := t.(map[string]any)
			switch {
			case both && all:
				merged[key] = object(bm, om, tm)
			case inOurs == inBase && reflect.DeepEqual(o, b): // the reader left it alone
				if inTheirs {
					merged[key] = t
				}
			case inOurs:
				merged[key] = o
			}
		}
	}
	return merged
}
