// Package gradetest reads the assignments of tests of grading and checking.
package gradetest

import (
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"marginalia/internal/notebook/nbformat"
	"marginalia/internal/notebook/nbgrader"
)

// Lecturers returns a lecturer's notebook, from a file whose files are its cells: kind and grade_id. Every tests cell is worth 2
// points, which its checks share.
func Lecturers(t testing.TB, file string) *nbformat.Notebook {
	t.Helper()
	a, err := txtar.ParseFile(file)
	if err != nil {
		t.Fatal(err)
	}
	nb := &nbformat.Notebook{Minor: 5, Metadata: map[string]any{"kernelspec": map[string]any{"name": "gonb", "language": "go", "display_name": "Go (gonb)"}}}
	for _, f := range a.Files {
		kind, id, _ := strings.Cut(f.Name, " ")
		c := &nbformat.Cell{ID: id, Type: "code", Source: strings.TrimSuffix(string(f.Data), "\n"), Metadata: map[string]any{}}
		m := nbgrader.Meta{ID: id, Locked: kind != "answer", Solution: kind == "answer", Grade: kind == "tests"}
		if m.Grade {
			m.Points = 2
			c.Metadata["marginalia"] = map[string]any{"credit": "subtests"}
		}
		nbgrader.Write(c, m)
		nb.Cells = append(nb.Cells, c)
	}
	return nb
}
