package grade_test

import (
	"math"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"marginalia/internal/assignment"
	"marginalia/internal/course/grade"
	"marginalia/internal/nbformat"
	"marginalia/internal/nbgrader"
	"marginalia/internal/tier"
)

func TestTable(t *testing.T) {
	tier.Long(t)
	root, err := filepath.Abs("../../..")
	if err != nil {
		t.Fatal(err)
	}
	sources, _ := filepath.Glob(filepath.Join(root, "notebooks/assignments/source/*/*.ipynb"))
	for _, source := range sources {
		name := strings.TrimSuffix(filepath.Base(source), ".ipynb")
		t.Run(name, func(t *testing.T) {
			nb, err := nbformat.Read(source)
			if err != nil {
				t.Fatal(err)
			}
			a, err := assignment.Read(t.Context(), nb, root)
			if err != nil {
				t.Fatal(err)
			}
			program, err := a.BuildJudge(t.Context(), t.TempDir())
			if err != nil {
				t.Fatal(err)
			}
			g := &grade.Grader{Assignment: a, Judge: grade.NewProcess(program), TimeFactor: 20}
			defer g.Close()
			if err := g.Learn(t.Context(), nb); err != nil {
				t.Fatal(err)
			}
			wrong, _ := filepath.Glob(filepath.Join(root, "notebooks/assignments/testdata", name, "*.txtar"))
			for _, file := range wrong {
				t.Run(strings.TrimSuffix(filepath.Base(file), ".txtar"), func(t *testing.T) {
					submission, marks := apply(t, source, file)
					v, err := g.Grade(t.Context(), "ada", submission)
					if err != nil {
						t.Fatal(err)
					}
					for _, test := range v.Tests {
						want, ok := marks[test.ID]
						if !ok {
							want = test.Max
						}
						if math.Abs(test.Score-want) > 1e-9 {
							t.Errorf("%s: %g, want %g; %v", test.ID, test.Score, want, v.Notes)
							for _, c := range test.Checks {
								t.Log(c.Name, c.Passed, c.Panic, c.Place, c.Messages)
							}
						}
					}
				})
			}
		})
	}
}

// apply returns the lecturer's notebook with the answers of an archive, and the marks these must get.
func apply(t testing.TB, source, file string) (*nbformat.Notebook, map[string]float64) {
	t.Helper()
	nb, err := nbformat.Read(source)
	if err != nil {
		t.Fatal(err)
	}
	archive, err := txtar.ParseFile(file)
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range archive.Files {
		for _, c := range nb.Cells {
			if m, _ := nbgrader.Read(c); m.ID == f.Name {
				c.Source = string(f.Data)
			}
		}
	}
	return nb, marksOf(t, archive)
}

// marksOf reads the marks of an archive: a line for each tests cell that does not get all of its points.
func marksOf(t testing.TB, archive *txtar.Archive) map[string]float64 {
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
			var err error
			if marks[words[0]], err = strconv.ParseFloat(words[1], 64); err != nil {
				t.Fatal(err)
			}
		}
	}
	return marks
}
