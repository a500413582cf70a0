// Package nbgrader reads, checks and writes what nbgrader keeps in a notebook:
// the metadata of its cells (schema version 3), their checksums, and the regions
// of a source notebook that students must not see. It knows neither Go nor files.
//
//	if err := nbgrader.Upgrade(nb); err != nil { // cells of versions 0 to 2
//		return err
//	}
//	if err := nbgrader.Validate(nb); err != nil {
//		return err
//	}
//	for _, c := range nb.Cells {
//		m, _ := nbgrader.Read(c)
//		fmt.Println(m.ID, m.Kind(), m.Points)
//	}
//
// No function drops a cell, or a key that it does not know.
//
// Source: nbgrader 0.9.6 (Project Jupyter): the schema nbgraderformat/v3.json, the
// modules nbgraderformat.v1 to v3, utils, and those of preprocessors.
package nbgrader

import (
	"encoding/json"
	"errors"
	"fmt"
	"strconv"

	"marginalia/internal/notebook/nbformat"
)

// Version is the schema version that this package reads and writes.
const Version = 3

// A Meta is what nbgrader knows of one cell: metadata.nbgrader. The zero value is
// that of a cell without it.
type Meta struct {
	ID       string  // grade_id, unique in its notebook
	Grade    bool    // it has points of its own
	Solution bool    // students write here
	Locked   bool    // students must not; see ReadOnly for what counts
	Task     bool    // Markdown that says what to do, in cells that students add
	Points   float64 // of cells with Grade or Task
	Checksum string  // of released notebooks: 32 hexadecimal digits
	CellType string  // of released notebooks: the type when it was released
}

// A Kind says what a cell is for.
type Kind int

const (
	Given        Kind = iota // read-only, or none of nbgrader's cells
	Answer                   // code that students write and tests judge
	Tests                    // code that judges, and has the points
	ManualAnswer             // an answer that a person grades: words, or code that draws a figure
	Task                     // a task that a person grades: students add cells of their own
)

func (k Kind) String() string {
	return [...]string{"given", "answer", "tests", "manual answer", "task"}[k]
}

// Kind returns what the cell is for.
func (m Meta) Kind() Kind {
	switch {
	case m.Task:
		return Task
	case m.Grade && m.Solution:
		return ManualAnswer
	case m.Grade:
		return Tests
	case m.Solution:
		return Answer
	}
	return Given
}

// ReadOnly reports whether the cell's source is the lecturer's: nbgrader puts it
// back when it grades, whatever a student made of it.
func (m Meta) ReadOnly() bool { return !m.Solution && (m.Grade || m.Locked) }

// Stored reports whether nbgrader keeps the cell in its database.
func (m Meta) Stored() bool { return m.Grade || m.Solution || m.Locked || m.Task }

// Read returns the metadata of a cell; a cell without any has the zero value. It
// is an error if they are of another version (see [Upgrade]) or a key has a value
// of a wrong type; what could be read is returned all the same.
func Read(c *nbformat.Cell) (Meta, error) {
	var m Meta
	v, there := c.Metadata["nbgrader"]
	if !there {
		return m, nil
	}
	keys, ok := v.(map[string]any)
	if !ok {
		return m, errors.New("nbgrader: metadata.nbgrader: want an object")
	}
	var faults []error
	if n, err := versionOf(keys); err != nil {
		faults = append(faults, err)
	} else if n != Version {
		faults = append(faults, fmt.Errorf("nbgrader: schema_version %d, want %d", n, Version))
	}
	for key, to := range m.flags {
		if v, there := keys[key]; !there {
			if key != "task" {
				faults = append(faults, fmt.Errorf("nbgrader: %s is missing, want true or false", key))
			}
		} else if *to, ok = v.(bool); !ok {
			faults = append(faults, fmt.Errorf("nbgrader: %s: %v, want true or false", key, v))
		}
	}
	for key, to := range m.texts {
		if v, there := keys[key]; there {
			if *to, ok = v.(string); !ok {
				faults = append(faults, fmt.Errorf("nbgrader: %s: %v, want a string", key, v))
			}
		}
	}
	if v, there := keys["points"]; there {
		n, ok := number(v)
		if m.Points = n; !ok || n < 0 {
			m.Points = 0
			faults = append(faults, fmt.Errorf("nbgrader: points: %v, want a number >= 0", v))
		}
	}
	return m, errors.Join(faults...)
}

// Write stores m in the cell. Points that have the same value stay as they are
// written, and keys that m does not have stay too.
func Write(c *nbformat.Cell, m Meta) {
	keys, ok := c.Metadata["nbgrader"].(map[string]any)
	if !ok {
		if c.Metadata == nil {
			c.Metadata = map[string]any{}
		}
		keys = map[string]any{}
		c.Metadata["nbgrader"] = keys
	}
	keys["schema_version"] = json.Number(strconv.Itoa(Version))
	for key, v := range m.flags {
		if _, there := keys[key]; there || *v || key != "task" {
			keys[key] = *v
		}
	}
	for key, v := range m.texts {
		if _, there := keys[key]; there || *v != "" {
			keys[key] = *v
		}
	}
	if old, ok := number(keys["points"]); (m.Grade || m.Task) && (!ok || old != m.Points) {
		keys["points"] = json.Number(pythonFloat(m.Points))
	}
}

// flags are the keys that are true or false, in the order of their faults.
func (m *Meta) flags(yield func(string, *bool) bool) {
	_ = yield("grade", &m.Grade) && yield("solution", &m.Solution) && yield("locked", &m.Locked) && yield("task", &m.Task)
}

// texts are the keys that are strings.
func (m *Meta) texts(yield func(string, *string) bool) {
	_ = yield("grade_id", &m.ID) && yield("checksum", &m.Checksum) && yield("cell_type", &m.CellType)
}

// versionOf returns the schema version of a cell: 0 if it does not say.
func versionOf(keys map[string]any) (int, error) {
	v, there := keys["schema_version"]
	if !there {
		return 0, nil
	}
	n, ok := number(v)
	if !ok || n != float64(int(n)) {
		return 0, fmt.Errorf("nbgrader: schema_version: %v, want the integer %d", v, Version)
	}
	return int(n), nil
}

// number returns a number of JSON that a float64 can hold.
func number(v any) (float64, bool) {
	switch v := v.(type) {
	case json.Number:
		f, err := v.Float64()
		return f, err == nil && f-f == 0 // neither infinite nor NaN, which Python writes and reads
	case float64:
		return v, v-v == 0
	case int:
		return float64(v), true
	}
	return 0, false
}
