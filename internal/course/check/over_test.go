package check_test

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"marginalia/internal/base/repo"
	"marginalia/internal/course/check"
	"marginalia/internal/course/grade"
	"marginalia/internal/course/grade/gradetest"
	"marginalia/internal/course/release"
	"marginalia/internal/notebook/nbformat"
	"marginalia/internal/notebook/nbgrader"
	"marginalia/internal/sandbox/verdict"
	"marginalia/internal/testkit/must"
	"marginalia/internal/testkit/tier"
)

// What check says of helpers with names that only the lecturer knows, of answers in a circle, of values of other types and of
// init is what the grader says, with the same notes.
func TestOver(t *testing.T) {
	tier.Long(t)
	root := must.Get(repo.Root()).Or(t)
	const of = "../grade/testdata/over"
	source, stub := gradetest.Lecturers(t, of+".txtar"), gradetest.Lecturers(t, of+".txtar")
	for _, clear := range []func(*nbformat.Notebook) ([]nbgrader.Removed, error){func(nb *nbformat.Notebook) ([]nbgrader.Removed, error) {
		return nbgrader.ClearSolutions(nb, nbgrader.Go)
	}, nbgrader.ClearHiddenTests} {
		must.Get(clear(stub)).Or(t)
	}
	imports := strings.Fields("errors flag fmt math testing")
	b := &grade.Builder{Root: root}
	settings := grade.Settings{MayImport: func(path string) bool { return slices.Contains(imports, path) }, TimeFactor: 20, Memory: 24 << 20}
	must.Do(t, b.Gate(t.Context(), source, stub, settings, imports))
	if data, err := stub.Encode(); err != nil || strings.Contains(string(data), "average") || strings.Contains(string(data), "dot(") {
		t.Errorf("the release tells names of the solution or of hidden tests: %v\n%s", err, data)
	}
	terms, err := release.ReadTerms(stub)
	if err != nil || terms == nil {
		t.Fatal(terms, err)
	}
	g := must.Get(b.Grader(t.Context(), source, settings)).Or(t)
	defer g.Close()
	for _, what := range []string{"solution", "helper-as-hidden", "helper-of-other-meaning", "same-line", "one-mistake-1", "twin-own-cell", "values-as-variables", "values-typed", "values-of-another-type", "init", "helper-in-conflict"} {
		t.Run(what, func(t *testing.T) {
			own := must.Get(txtar.ParseFile(filepath.Join(of, what+".txtar"))).Or(t)
			answers := map[string]string{}
			for _, c := range source.Cells {
				if m, _ := nbgrader.Read(c); m.Solution {
					answers[m.ID] = c.Source
				}
			}
			student := copyOf(t, stub, nil)
			for _, f := range own.Files {
				if id, mine := strings.CutPrefix(f.Name, "own "); mine {
					student.Cells = append(student.Cells, &nbformat.Cell{ID: id, Type: "code", Source: string(f.Data), Metadata: map[string]any{}})
				} else if answers[f.Name] != "" {
					answers[f.Name] = string(f.Data)
				}
			}
			student = copyOf(t, student, answers)
			want := must.Get(g.Grade(t.Context(), "", student)).Or(t)
			s := must.Get(check.Read(student, t.TempDir())).Or(t)
			got := must.Get(s.Run(t.Context(), b)).Or(t)
			compareFirst(t, got, want)
			for _, n := range want.Notes {
				if !slices.ContainsFunc(got.Warnings, func(w verdict.Note) bool { return w == n }) {
					t.Errorf("the grader notes %v, check warns %v", n, got.Warnings)
				}
			}
			if len(got.Warnings) != len(want.Notes) {
				t.Errorf("check warns %v, the grader notes %v", got.Warnings, want.Notes)
			}
			for _, test := range got.Tests {
				circle := slices.ContainsFunc(g.Circles(), func(c []string) bool { return slices.Contains(c, test.ID) })
				if circle && len(test.Uses) > 0 {
					t.Errorf("%s is said to be tried with right answers in place of %v", test.ID, test.Uses)
				}
			}
		})
	}
}

// compareFirst holds visible checks against the grader's. What the grader has judged over solutions may have come out better there.
func compareFirst(t *testing.T, got *check.Report, want *verdict.Notebook) {
	t.Helper()
	for i, test := range want.Tests {
		for _, c := range test.Checks {
			at := slices.IndexFunc(got.Tests[i].Checks, func(o verdict.Check) bool { return o.Name == c.Name })
			switch {
			case c.Hidden:
			case at < 0:
				t.Errorf("%s is missing", c.Name)
			case test.Alone && len(got.Tests[i].Uses) == 0 && len(got.Warnings) == 0 && !got.Tests[i].Checks[at].Passed:
				t.Errorf("%s fails, and nothing is said of answers that it uses; the grader passes it over right ones", c.Name)
			case !test.Alone && got.Tests[i].Checks[at].Passed != c.Passed:
				t.Errorf("%s: passed %v, by the grader %v", c.Name, !c.Passed, c.Passed)
			}
		}
	}
}
