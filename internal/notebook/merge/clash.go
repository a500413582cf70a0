package merge

import (
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"maps"

	"marginalia/internal/notebook/nbformat"
)

// Note is the line before two versions of a cell.
const Note = "*The lecture has changed the next cell, and so had you: its version comes first, then yours. Delete the one that you do not want.*"

// mark is the key in metadata.marginalia of the cells that a clash adds. It has the id of the
// cell that both changed, and the sum of the lecture's version.
const mark = "update"

// clash puts the line and the lecture's version of a cell before the reader's. What an earlier
// clash put there has served its turn.
func (m *merger) clash(t *nbformat.Cell) {
	sum := sumOf(t)
	lecture := *t
	lecture.ID = besideID(t.ID, "lecture", sum)
	lecture.Metadata = marked(t, sum)
	delete(lecture.Metadata, "nbgrader") // its ids are unique, and the reader's cell has this one
	note := &nbformat.Cell{ID: besideID(t.ID, "note", sum), Type: "markdown", Source: Note, Metadata: marked(&nbformat.Cell{ID: t.ID}, sum)}
	m.changes.Clashes = append(m.changes.Clashes, t.ID)
	if m.ours[lecture.ID] != nil { // the reader has this version, and has worked in it
		return
	}
	for _, c := range m.aside[t.ID] {
		if c.ID == lecture.ID { // and has run it, may be
			lecture = *c
		}
	}
	m.aside[t.ID] = []*nbformat.Cell{note, &lecture}
	if m.ours[note.ID] != nil { // the reader has written in the line of an earlier clash with this version
		m.aside[t.ID] = m.aside[t.ID][1:]
	}
}

// sumOf identifies what a cell says.
func sumOf(c *nbformat.Cell) string {
	text := []byte(c.Type + "\n" + c.Source)
	if len(c.Attachments) > 0 {
		pictures, _ := json.Marshal(c.Attachments) // they were JSON
		text = append(append(text, '\n'), pictures...)
	}
	return fmt.Sprintf("%x", sha256.Sum256(text))[:8]
}

// besideID is the id of a cell that stands beside the one named: the same for the same version.
func besideID(id, kind, sum string) string {
	end := "-" + kind + "-" + sum
	return id[:min(len(id), 64-len(end))] + end
}

func marked(c *nbformat.Cell, sum string) map[string]any {
	mine := map[string]any{"marginalia": map[string]any{mark: map[string]any{"of": c.ID, "sum": sum}}}
	return object(nil, mine, c.Metadata)
}

// unmarked returns metadata without the mark.
func unmarked(metadata map[string]any) map[string]any {
	metadata = object(nil, metadata, nil)
	if m, _ := metadata["marginalia"].(map[string]any); m[mark] != nil {
		if m = maps.Clone(m); len(m) == 1 {
			delete(metadata, "marginalia")
		} else {
			delete(m, mark)
			metadata["marginalia"] = m
		}
	}
	return metadata
}

// attached takes the cells that an earlier clash added out of the list, as long as they are what
// was added and stand beside a cell of the reader's. The others are the reader's.
func (m *merger) attached(cells []*nbformat.Cell) (rest []*nbformat.Cell) {
	there := byID(cells)
	for _, c := range cells {
		marks, _ := c.Setting(mark)
		to, _ := marks.(map[string]any)
		of, _ := to["of"].(string)
		sum, _ := to["sum"].(string)
		note := c.ID == besideID(of, "note", sum) && c.Source == Note
		if there[of] != nil && (note || c.ID == besideID(of, "lecture", sum) && sumOf(c) == sum) {
			m.aside[of] = append(m.aside[of], c)
		} else {
			rest = append(rest, c)
		}
	}
	for of, cells := range m.aside {
		if len(cells) == 1 && cells[0].Source == Note { // the reader has decided
			delete(m.aside, of)
		}
	}
	return rest
}
