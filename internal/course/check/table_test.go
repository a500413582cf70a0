package check_test

import (
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"marginalia/internal/base/repo"
	"marginalia/internal/course"
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

// By the grader the solution of each assignment passes each test, and what students get fails each (Gate). It gives each
// wrong submission its marks. What check says of the visible tests
// is what the grader says: for what students get, for the solutions, and for every eighth of the wrong ones.
//
//	MARGINALIA_TEST=long go test ./internal/course/check -run TestTable/svm
func TestTable(t *testing.T) {
	tier.Long(t)
	root := must.Get(repo.Root()).Or(t)
	c := must.Get(course.Open(filepath.Join(root, "notebooks", "assignments"))).Or(t)
	names, err := c.Assignments()
	if err != nil || len(names) < 4 {
		t.Fatalf("%q, %v, want four assignments", names, err)
	}
	b := &grade.Builder{Root: root}
	for _, name := range names {
		t.Run(name, func(t *testing.T) {
			a := must.Get(release.Make(c, name)).Or(t)
			if len(a.Notebooks) != 1 {
				t.Fatalf("%d notebooks, want 1", len(a.Notebooks))
			}
			nb, settings := a.Notebooks[0], grade.SettingsOf(c, a)
			must.Do(t, b.Gate(t.Context(), nb.Source, nb.Release, settings, c.Settings(name).Imports))
			g := must.Get(b.Grader(t.Context(), nb.Source, settings)).Or(t)
			defer g.Close()
			solutions := map[string]string{}
			for _, c := range nb.Source.Cells {
				if m, _ := nbgrader.Read(c); m.Solution {
					solutions[m.ID] = c.Source
				}
			}
			submissions := map[string]map[string]string{"the release": {}, "the solution": solutions}
			marks := map[string]map[string]float64{} // of wrong submissions: by tests cell, where it does not get all points
			graded := map[string]bool{}              // by the grader alone: check takes two seconds of a processor
			wrong, _ := filepath.Glob(filepath.Join(c.Dir, "testdata", name, "*.txtar"))
			for i, file := range wrong {
				what := strings.TrimSuffix(filepath.Base(file), ".txtar")
				archive := must.Get(txtar.ParseFile(file)).Or(t)
				graded[what], marks[what] = i%8 != 0, gradetest.Marks(t, archive)
				own := maps.Clone(solutions)
				for _, f := range archive.Files {
					if _, ok := own[f.Name]; ok {
						own[f.Name] = string(f.Data)
					}
				}
				submissions[what] = own
			}
			for _, what := range slices.Sorted(maps.Keys(submissions)) {
				t.Run(what, func(t *testing.T) {
					student := copyOf(t, nb.Release, submissions[what])
					want, err := g.Grade(t.Context(), "", student)
					must.Do(t, err)
					if m, ok := marks[what]; ok {
						gradetest.CheckMarks(t, want, m)
					}
					if graded[what] {
						return
					}
					s := must.Get(check.Read(student, t.TempDir())).Or(t)
					got := must.Get(s.Run(t.Context(), b)).Or(t)
					compare(t, got, want)
					if n := len(want.Notes); len(got.Warnings) < n {
						t.Errorf("warnings %v, the grader has the notes %v", got.Warnings, want.Notes)
					}
					switch what {
					case "the release":
						for _, test := range got.Tests {
							for _, c := range test.Checks {
								if c.Passed || c.Panic == "" && !slices.ContainsFunc(test.Checks, func(sub verdict.Check) bool { return strings.HasPrefix(sub.Name, c.Name+"/") }) {
									t.Errorf("%s: passed %v, panic %q, want \"not implemented\"", c.Name, c.Passed, c.Panic)
								}
							}
						}
					case "the solution":
						if !got.Passed() || len(got.Warnings) > 0 {
							t.Errorf("the solution fails, or is warned of: %v", got.Warnings)
						}
						// nbgrader's release says nothing of its terms.
						delete(student.Metadata, "marginalia")
						s = must.Get(check.Read(student, t.TempDir())).Or(t)
						if got, err = s.Run(t.Context(), b); err != nil || !got.Passed() || len(got.Warnings) > 0 || len(got.Tests) != len(want.Tests) {
							t.Errorf("without terms: %+v, %v", got, err)
						}
					}
				})
			}
		})
	}
}

// copyOf is a student's copy of a release, with answers.
func copyOf(t testing.TB, released *nbformat.Notebook, answers map[string]string) *nbformat.Notebook {
	t.Helper()
	data := must.Get(released.Encode()).Or(t)
	nb := must.Get(nbformat.Decode(data)).Or(t)
	for _, c := range nb.Cells {
		m, _ := nbgrader.Read(c)
		if source, ok := answers[m.ID]; ok && m.Solution {
			c.Source = source
		}
	}
	return nb
}

// compare holds each visible check against the grader's, and the points that visible checks give.
// The grader judges a question that others may have spoilt over their solutions, too, which students
// don't have: such a one may come out better there, and is said to use others that fail.
func compare(t *testing.T, got *check.Report, want *verdict.Notebook) {
	t.Helper()
	if len(got.Tests) != len(want.Tests) {
		t.Fatalf("%d tests cells, the grader has %d", len(got.Tests), len(want.Tests))
	}
	visible := 0
	for i, test := range want.Tests {
		own := got.Tests[i]
		if own.ID != test.ID {
			t.Fatalf("%s is judged where the grader judges %s", own.ID, test.ID)
		}
		n := 0
		for _, c := range test.Checks {
			if c.Hidden {
				continue
			}
			n++
			at := slices.IndexFunc(own.Checks, func(o verdict.Check) bool { return o.Name == c.Name })
			if at < 0 {
				t.Errorf("%s: %s is missing", test.ID, c.Name)
				continue
			}
			o := own.Checks[at]
			hiddenSub := slices.ContainsFunc(test.Checks, func(sub verdict.Check) bool {
				return sub.Hidden && !sub.Passed && strings.HasPrefix(sub.Name, c.Name+"/")
			})
			switch {
			case test.Alone:
				if o.Passed && !c.Passed && !hiddenSub {
					t.Errorf("%s: passed, failed alone by the grader", c.Name)
				}
			case o.Passed != c.Passed && !(o.Passed && hiddenSub): // a hidden subtest fails the test around it
				t.Errorf("%s: passed %v, by the grader %v", c.Name, o.Passed, c.Passed)
			case o.Words != c.Words || o.Panic != c.Panic || !slices.Equal(o.Messages, c.Messages) || !same(o.Place, c.Place):
				t.Errorf("%s: it says %+v, the grader %+v", c.Name, o, c)
			}
			if o.Worth != c.Worth {
				t.Errorf("%s: it is worth %g, by the grader %g", c.Name, o.Worth, c.Worth)
			}
		}
		if len(own.Checks) != n {
			t.Errorf("%s: %d checks, the grader has %d visible ones", test.ID, len(own.Checks), n)
		}
		visible += n
	}
	if visible < 10 {
		t.Errorf("%d visible checks were compared, want at least 10", visible)
	}
}

func same(a, b *verdict.Place) bool { return a == b || a != nil && b != nil && *a == *b }
