// Package assignments tests the assignments of this course folder: their notebooks, what
// students get of them, and wrong submissions with the marks that they must get.
//
//	go test ./notebooks/assignments                                                  what needs no build
//	MARGINALIA_TEST=long go test ./notebooks/assignments -run TestCells              solutions, natively
//	MARGINALIA_TEST=long go test ./internal/course/check -run TestTable/perceptron   solutions, stubs and wrong submissions, by the grader
package assignments

import (
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"golang.org/x/tools/txtar"

	"marginalia/internal/course"
	"marginalia/internal/course/release"
	"marginalia/internal/gotest/built"
	"marginalia/internal/notebook/nbformat"
	"marginalia/internal/notebook/nbgrader"
	"marginalia/internal/notebook/program"
	"marginalia/internal/testkit/must"
	"marginalia/internal/testkit/testfile"
	"marginalia/internal/testkit/tier"
)

// made are the assignments of the folder, as students get them.
var made = map[string]*release.Handout{}

// each runs a test for each assignment of the folder.
func each(t *testing.T, test func(t *testing.T, c *course.Course, a *release.Handout)) {
	c := must.Get(course.Open(".")).Or(t)
	names, err := c.Assignments()
	if err != nil || len(names) == 0 {
		t.Fatalf("no assignments here: %v", err)
	}
	for _, name := range names {
		t.Run(name, func(t *testing.T) {
			if made[name] == nil {
				a := must.Get(release.Make(c, name)).Or(t)
				made[name] = a
			}
			test(t, c, made[name])
		})
	}
}

func root(t *testing.T) string {
	dir := must.Get(filepath.Abs("../..")).Or(t)
	return dir
}

// Every cell runs, the solution passes each test, and outputs are those stored. Each tests
// cell is a program of its own, as the kernel builds it.
func TestCells(t *testing.T) {
	tier.Long(t)
	each(t, func(t *testing.T, _ *course.Course, a *release.Handout) {
		for _, nb := range a.Notebooks {
			b := must.Get(built.Notebook(t.Context(), filepath.Join("source", a.Name, nb.Name+".ipynb"), root(t))).Or(t)
			defer b.Close()
			b.Timeout = 5 * time.Minute
			b.Test(t)
		}
	})
}

// The lecturer's notebook compiles, and so does what students get. In the tier long go test
// builds both, which vets them, too.
func TestCompiles(t *testing.T) {
	all := "func main() {}"
	if tier.IsLong(t) {
		all = "%test"
	}
	checker := program.NewChecker(root(t), root(t))
	each(t, func(t *testing.T, _ *course.Course, a *release.Handout) {
		for _, nb := range a.Notebooks {
			for name, version := range map[string]*nbformat.Notebook{"source": nb.Source, "release": nb.Release} {
				session := program.NewSession(".")
				for _, c := range version.Cells {
					if c.Type == "code" {
						session.Remember(session.Step(c.ID, c.Source))
					}
				}
				p := session.Step("all", all) // none is redefined, so this one has them all
				must.Do(t, checker.Check(t.Context(), p))
				if !p.Compiles {
					t.Errorf("%s: %v", name, p.Errors)
				}
			}
		}
	})
}

// What students get holds nothing of solutions and hidden tests.
func TestNoLeaks(t *testing.T) {
	tier.Long(t)
	each(t, func(t *testing.T, c *course.Course, a *release.Handout) {
		leaks, unsearched := a.Leaks(c.Settings(a.Name).Public)
		if len(leaks) > 0 || len(unsearched) > 0 {
			t.Errorf("leaks: %v; not searched: %v", leaks, unsearched)
		}
	})
}

// The tables of wrong submissions are as testdata/README.md says. TestTable of
// internal/course/check holds the grader to their marks, and has each assignment pass the gate.
func TestWrong(t *testing.T) {
	each(t, func(t *testing.T, _ *course.Course, a *release.Handout) {
		points, answers := map[string]float64{}, map[string]bool{}
		for _, nb := range a.Notebooks {
			for _, c := range nb.Source.Cells {
				switch m, err := nbgrader.Read(c); {
				case err != nil:
					t.Fatal(err)
				case m.Kind() == nbgrader.Tests:
					points[m.ID] = m.Points
				case m.Kind() == nbgrader.Answer:
					answers[m.ID] = true
				}
			}
		}
		files, err := filepath.Glob(filepath.Join("testdata", a.Name, "*.txtar"))
		if err != nil || len(files) < 12 {
			t.Errorf("%d wrong submissions, want a dozen: %v", len(files), err)
		}
		for _, file := range files {
			archive := must.Get(txtar.ParseFile(file)).Or(t)
			for _, f := range archive.Files {
				if f.Name != "marks" {
					if !answers[f.Name] {
						t.Errorf("%s: %s is no answer cell", file, f.Name)
					}
					continue
				}
				for line := range strings.Lines(string(f.Data)) {
					if line = strings.TrimSpace(line); line == "" {
						continue
					}
					id, rest, _ := strings.Cut(line, " ")
					number, why, _ := strings.Cut(strings.TrimSpace(rest), " ")
					if mark, err := strconv.ParseFloat(number, 64); err != nil || points[id] <= mark || strings.TrimSpace(why) == "" {
						t.Errorf("%s: %q: want a tests cell, marks below its points, and why", file, line)
					}
				}
			}
			if len(archive.Files) < 2 || len(archive.Comment) == 0 {
				t.Errorf("%s: want words for what the student did, marks and answers", file)
			}
		}
	})
}

// The lecturers' page of an assignment names each of its wrong submissions, so that the
// table of mistakes has none that nobody has tried, and misses none.
func TestPages(t *testing.T) {
	each(t, func(t *testing.T, _ *course.Course, a *release.Handout) {
		page := testfile.Read(t, filepath.Join("../../docs/assignments", a.Name+".md"))
		tables, _ := filepath.Glob(filepath.Join("testdata", a.Name, "*.txtar"))
		for _, table := range tables {
			if s := strings.TrimSuffix(filepath.Base(table), ".txtar"); !strings.Contains(page, "`"+s+"`") {
				t.Errorf("docs/assignments/%s.md does not name %s", a.Name, s)
			}
		}
		for _, f := range regexp.MustCompile("`([a-z-]+)`").FindAllStringSubmatch(page, -1) {
			if s := f[1]; strings.Contains(s, "-") && !slices.Contains(tables, filepath.Join("testdata", a.Name, s+".txtar")) {
				t.Errorf("docs/assignments/%s.md names %s, which testdata does not have", a.Name, s)
			}
		}
	})
}
