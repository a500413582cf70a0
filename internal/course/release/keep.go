package release

import (
	"bytes"
	"fmt"
	"os"

	"marginalia/internal/notebook/nbformat"
	"marginalia/internal/notebook/nbgrader"
)

// Keep writes into the source notebooks what the texts of their cells say, and returns that in words. From then on a
// cell has its grade_id, whatever becomes of its text: students' files and the gradebook know it by that. Given cells have
// nothing written, since they go by their own ids. A notebook that has changed since [Make] is an error.
func (a *Handout) Keep() (words []string, err error) {
	for _, nb := range a.Notebooks {
		said, err := nb.keep()
		if err != nil {
			return words, fmt.Errorf("release: %w", err)
		}
		for _, s := range said {
			words = append(words, fmt.Sprintf("%s: %v", nb.file, s))
		}
	}
	return words, nil
}

func (own *Notebook) keep() (said []Said, err error) {
	for _, s := range own.Said {
		if s.Meta.Kind() != nbgrader.Given {
			said = append(said, s)
		}
	}
	if said == nil {
		return nil, nil
	}
	now, err := os.ReadFile(own.file)
	if err != nil {
		return nil, err
	}
	if !bytes.Equal(now, own.bytes) {
		return nil, fmt.Errorf("%s has been changed meanwhile: release it again", own.file)
	}
	nb, err := nbformat.Decode(now)
	if err != nil {
		return nil, err
	}
	for _, s := range said {
		nbgrader.Write(nb.Cells[s.Cell], s.Meta)
	}
	return said, nb.WriteFile(own.file)
}
