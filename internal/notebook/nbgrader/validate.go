package nbgrader

import (
	"errors"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"

	"marginalia/internal/notebook/nbformat"
)

// known are the keys of metadata.nbgrader. nbgrader refuses any other.
var known = []string{"schema_version", "grade", "solution", "locked", "task", "grade_id", "points", "checksum", "cell_type"}

var validID = regexp.MustCompile(`^[a-zA-Z0-9_-]*$`)

// own stands before the id of a cell without grade_id. No grade_id has a dot; those of nbgrader's Create Assignment
// begin with "cell-".
const own = "own."

// Own names a cell that has no grade_id, by its id, among those that have one.
func Own(id string) string { return own + id }

// IsOwn reports whether a name is that of a cell without grade_id.
func IsOwn(name string) bool { return strings.HasPrefix(name, own) }

// Shown is the name of a cell as its student knows it: one without grade_id by its id.
func Shown(name string) string { return strings.TrimPrefix(name, own) }

// A Fault is what is wrong with a notebook, and where.
type Fault struct {
	Cell int    // its place, from 1
	ID   string // its grade_id, or its own id
	Line int    // of its source, from 1; 0 is the cell as a whole
	Text string
}

func (f *Fault) Error() string {
	at := fmt.Sprintf("nbgrader: cell %d (%s)", f.Cell, f.ID)
	if f.Line > 0 {
		at += fmt.Sprintf(", line %d", f.Line)
	}
	return at + ": " + f.Text
}

// faultOf says of what is wrong that it is in the cell at index i.
func faultOf(i int, c *nbformat.Cell, err error) *Fault {
	f := &Fault{}
	if !errors.As(err, &f) {
		f.Text = strings.TrimPrefix(err.Error(), "nbgrader: ")
	}
	m, _ := Read(c)
	f.Cell, f.ID = i+1, m.ID
	if f.ID == "" {
		f.ID = c.ID
	}
	return f
}

// Validate checks the metadata of all cells: the schema, and what nbgrader and a
// grader need beyond it. Its error joins one [Fault] for each thing that is wrong.
//
// A grade_id is there if the cell is graded, a solution, locked or a task, and no
// other cell has it; points are there if the cell is graded or a task. Answers and
// tests are code, manual answers code or Markdown, tasks Markdown and nothing else.
func Validate(nb *nbformat.Notebook) error {
	var faults []error
	first := map[string]int{}
	for i, c := range nb.Cells {
		wrong := func(format string, args ...any) {
			faults = append(faults, faultOf(i, c, fmt.Errorf(format, args...)))
		}
		m, err := Read(c)
		if all, ok := err.(interface{ Unwrap() []error }); ok {
			for _, err := range all.Unwrap() {
				wrong("%w", err)
			}
		} else if err != nil {
			wrong("%w", err)
		}
		keys, _ := c.Metadata["nbgrader"].(map[string]any)
		for _, key := range slices.Sorted(maps.Keys(keys)) {
			if !slices.Contains(known, key) {
				wrong("metadata.nbgrader has a key %q that nbgrader does not know: keys of your own belong beside it", key)
			}
		}
		if _, ok := keys["checksum"].(string); ok && len(m.Checksum) != 32 {
			wrong("checksum %q: want 32 hexadecimal digits", m.Checksum)
		}
		if _, ok := keys["cell_type"].(string); ok && m.CellType != "code" && m.CellType != "markdown" && m.CellType != "raw" {
			wrong("cell_type %q: want code, markdown or raw", m.CellType)
		}
		if !validID.MatchString(m.ID) {
			wrong("grade_id %q: want letters a-z A-Z, digits, - and _", m.ID)
		}
		if !m.Stored() {
			continue
		}
		switch at := first[m.ID]; {
		case m.ID == "":
			wrong("grade_id is missing: give the cell one")
		case at > 0:
			wrong("grade_id %q is that of cell %d too: give one of them another", m.ID, at)
		default:
			first[m.ID] = i + 1
		}
		if _, there := keys["points"]; !there && (m.Grade || m.Task) {
			wrong("points are missing, want a number >= 0")
		}
		switch m.Kind() {
		case Task:
			if c.Type != "markdown" {
				wrong("a task in a %s cell, want Markdown", c.Type)
			}
			if m.Grade || m.Solution {
				wrong("a task that is also graded or a solution: want task alone")
			}
		case Answer, Tests:
			if c.Type != "code" {
				wrong("%v in a %s cell, want code (a written answer has both grade and solution)", m.Kind(), c.Type)
			}
		case ManualAnswer:
			if c.Type == "raw" {
				wrong("a manual answer in a raw cell, want code or Markdown")
			}
		}
	}
	return errors.Join(faults...)
}
