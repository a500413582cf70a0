// Package assignments tests the assignments of this course folder: their notebooks, what
// students get of them, and wrong submissions with the marks that they must get.
//
//	go test ./notebooks/assignments                                                     cells and releases
//	MARGINALIA_TEST=long go test ./notebooks/assignments -run TestWrong/perceptron      submissions
package assignments

import (
	"bytes"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"marginalia/internal/built"
	"marginalia/internal/course"
	"marginalia/internal/course/release"
)

// each runs a test for each assignment of the folder.
func each(t *testing.T, test func(t *testing.T, c *course.Course, a *release.Assignment)) {
	c, err := course.Open(".")
	if err != nil {
		t.Fatal(err)
	}
	names, err := c.Assignments()
	if err != nil || len(names) == 0 {
		t.Fatalf("no assignments here: %v", err)
	}
	for _, name := range names {
		t.Run(name, func(t *testing.T) {
			a, err := release.Make(c, name)
			if err != nil {
				t.Fatal(err)
			}
			test(t, c, a)
		})
	}
}

// Every cell runs, the solution passes each test, and outputs are those stored.
func TestCells(t *testing.T) {
	root, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	each(t, func(t *testing.T, _ *course.Course, a *release.Assignment) {
		for _, nb := range a.Notebooks {
			b, err := built.Notebook(t.Context(), filepath.Join("source", a.Name, nb.Name+".ipynb"), root)
			if err != nil {
				t.Fatal(err)
			}
			defer b.Close()
			b.Timeout = 5 * time.Minute
			b.Test(t)
		}
	})
}

// What students get holds nothing of solutions and hidden tests. It compiles, also
// together with the hidden tests, and then fails each check.
func TestRelease(t *testing.T) {
	each(t, func(t *testing.T, c *course.Course, a *release.Assignment) {
		leaks, unsearched := a.Leaks(c.Settings(a.Name).Public)
		if len(leaks) > 0 || len(unsearched) > 0 {
			t.Errorf("leaks: %v; not searched: %v", leaks, unsearched)
		}
		for _, nb := range a.Notebooks {
			s := take(t, nb.Source)
			p := s.build(t, nb.Graded.Cells)
			if p == nil {
				t.Fatal("the stubs do not compile")
			}
			for _, q := range s.questions {
				for _, check := range q.checks {
					if p.passes(t, check) {
						t.Errorf("the stub passes %s of %s", check, q.tests)
					}
				}
			}
			if s.build(t, nb.Release.Cells) == nil {
				t.Error("without the hidden tests, what students get does not compile")
			}
		}
	})
}

// The lecturers' page of an assignment names each of its wrong submissions, so that the
// table of mistakes has none that nobody has tried, and misses none.
func TestPages(t *testing.T) {
	each(t, func(t *testing.T, _ *course.Course, a *release.Assignment) {
		page, err := os.ReadFile(filepath.Join("../../docs/assignments", a.Name+".md"))
		if err != nil {
			t.Fatal(err)
		}
		tables, _ := filepath.Glob(filepath.Join("testdata", a.Name, "*.txtar"))
		for _, table := range tables {
			if s := strings.TrimSuffix(filepath.Base(table), ".txtar"); !bytes.Contains(page, []byte("`"+s+"`")) {
				t.Errorf("docs/assignments/%s.md does not name %s", a.Name, s)
			}
		}
		for _, f := range regexp.MustCompile("`([a-z-]+)`").FindAllSubmatch(page, -1) {
			if s := string(f[1]); strings.Contains(s, "-") && !slices.Contains(tables, filepath.Join("testdata", a.Name, s+".txtar")) {
				t.Errorf("docs/assignments/%s.md names %s, which testdata does not have", a.Name, s)
			}
		}
	})
}
