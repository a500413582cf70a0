// Package gradetest reads the assignments and the marks of tests of grading and checking.
package gradetest

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"marginalia/internal/notebook/nbformat"
	"marginalia/internal/notebook/nbgrader"
	"marginalia/internal/sandbox/verdict"
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

// Marks reads the file marks of an archive: a line for each tests cell that does not get all of its points, with its
// grade_id, its marks, and why.
func Marks(t testing.TB, archive *txtar.Archive) map[string]float64 {
	t.Helper()
	marks := map[string]float64{}
	for _, f := range archive.Files {
		if f.Name != "marks" {
			continue
		}
		for line := range strings.Lines(string(f.Data)) {
			words := strings.Fields(line)
			if len(words) == 0 {
				continue
			}
			if len(words) == 1 {
				t.Fatalf("marks: %q, want a tests cell and its marks", words)
			}
			mark, err := strconv.ParseFloat(words[1], 64)
			if err != nil {
				t.Fatal(err)
			}
			marks[words[0]] = mark
		}
	}
	return marks
}

// CheckMarks fails the test unless each tests cell has its marks, or all points if marks has none for it.
func CheckMarks(t testing.TB, v *verdict.Notebook, marks map[string]float64) {
	t.Helper()
	for id := range marks {
		if !slices.ContainsFunc(v.Tests, func(test verdict.Test) bool { return test.ID == id }) {
			t.Errorf("marks for %s, which is not a tests cell", id)
		}
	}
	for _, test := range v.Tests {
		want, ok := marks[test.ID]
		if !ok {
			want = test.Max
		}
		if math.Abs(test.Score-want) > 1e-9 {
			t.Errorf("%s: %g, want %g", test.ID, test.Score, want)
		}
	}
	if t.Failed() || testing.Verbose() {
		for _, test := range v.Tests {
			for _, c := range test.Checks {
				if !c.Passed {
					t.Logf("%s: %.300s %+v %.300s", c.Name, c.Panic, c.Place, fmt.Sprint(c.Messages))
				}
			}
		}
		for _, n := range v.Notes {
			t.Logf("note: %.300s", fmt.Sprint(n))
		}
	}
}
