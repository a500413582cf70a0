package release

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io/fs"

	"marginalia/internal/notebook/nbformat"
	"marginalia/internal/notebook/nbgrader"
)

// Terms are what a released notebook says of how it is graded, in its
// metadata.marginalia.release. A student's copy is checked by them (see course/check), whatever
// became of its cells, and no other file is needed.
type Terms struct {
	Notebook *nbformat.Notebook // the released cells that are code, or that nbgrader stores
	Imports  []string           // as in course.toml
	Memory   int64              // of the student's program, bytes
	Tests    []Test
	// Files are the SHA-256 sums, in hexadecimal, of what came with the notebook, by path.
	Files map[string]string
}

// A Test is a test function that students see.
type Test struct {
	Name    string  `json:"name"`
	Seconds float64 `json:"seconds"` // of the processor, that each of its checks may take
	// Checks are what the grader counts of it, without those that are hidden.
	Checks []Check `json:"checks"`
	Hides  bool    `json:"hides,omitempty"` // the grader's version has more lines
}

// A Check is a test function or one of its subtests.
type Check struct {
	Name  string  `json:"name"`
	Worth float64 `json:"worth"` // its share of the points; 0 of a check that has subtests
	// Cost is what a check that has subtests takes away if it fails beside them.
	Cost float64 `json:"cost,omitempty"`
}

// terms are Terms as they are stored.
type terms struct {
	Notebook json.RawMessage   `json:"notebook"`
	Imports  []string          `json:"imports"`
	Memory   int64             `json:"memory"`
	Tests    []Test            `json:"tests"`
	Files    map[string]string `json:"files,omitempty"`
}

// Store writes the terms into the metadata of a notebook that is released. Their cells are its
// own, with the sources that stub returns for answers. It is done after the search for leaks,
// which would find each visible test twice.
func (t Terms) Store(nb *nbformat.Notebook, stub func(id, source string) string) error {
	kept := &nbformat.Notebook{Metadata: map[string]any{}, Minor: 5}
	for _, c := range nb.Cells {
		m, err := nbgrader.Read(c)
		if err != nil {
			return fmt.Errorf("release: %w", err)
		}
		if c.Type != "code" && !m.Stored() {
			continue
		}
		own := &nbformat.Cell{ID: c.ID, Type: c.Type, Source: c.Source, Metadata: map[string]any{}}
		for _, key := range []string{"nbgrader", "marginalia"} {
			if v, ok := c.Metadata[key]; ok {
				own.Metadata[key] = v
			}
		}
		if m.Kind() == nbgrader.Answer {
			own.Source = stub(m.ID, c.Source)
		}
		kept.Cells = append(kept.Cells, own)
	}
	cells, err := kept.Encode()
	if err != nil {
		return err
	}
	data, err := json.Marshal(terms{cells, t.Imports, t.Memory, t.Tests, t.Files})
	if err != nil {
		return fmt.Errorf("release: %w", err)
	}
	dec := json.NewDecoder(bytes.NewReader(data))
	dec.UseNumber()
	var v any
	if err := dec.Decode(&v); err != nil {
		return fmt.Errorf("release: %w", err)
	}
	settings, ok := nb.Metadata["marginalia"].(map[string]any)
	if !ok {
		settings = map[string]any{}
		nb.Metadata["marginalia"] = settings
	}
	settings["release"] = v
	return nil
}

// ReadTerms returns the terms of a released notebook, nil if it has none: nbgrader's
// generate_assignment writes none.
func ReadTerms(nb *nbformat.Notebook) (*Terms, error) {
	settings, _ := nb.Metadata["marginalia"].(map[string]any)
	v, there := settings["release"]
	if !there {
		return nil, nil
	}
	data, err := json.Marshal(v)
	if err != nil {
		return nil, fmt.Errorf("release: metadata.marginalia.release: %w", err)
	}
	var stored terms
	if err := json.Unmarshal(data, &stored); err != nil {
		return nil, fmt.Errorf("release: metadata.marginalia.release: %w", err)
	}
	t := &Terms{Imports: stored.Imports, Memory: stored.Memory, Tests: stored.Tests, Files: stored.Files}
	if t.Memory <= 0 {
		return nil, fmt.Errorf("release: metadata.marginalia.release.memory: %d, want more than 0", t.Memory)
	}
	for _, test := range t.Tests {
		if !(test.Seconds > 0 && test.Seconds <= 1e6) {
			return nil, fmt.Errorf("release: metadata.marginalia.release.tests: %q may take %v seconds, want more than 0 and at most 1e6", test.Name, test.Seconds)
		}
	}
	for path := range t.Files {
		if !fs.ValidPath(path) {
			return nil, fmt.Errorf("release: metadata.marginalia.release.files: %q, want a path within the notebook's folder", path)
		}
	}
	if t.Notebook, err = nbformat.Decode(stored.Notebook); err != nil {
		return nil, fmt.Errorf("release: metadata.marginalia.release.notebook: %w", err)
	}
	return t, nil
}
