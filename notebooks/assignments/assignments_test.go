// Package assignments tests the assignments of this course folder: their notebooks, what
// students get of them, and wrong submissions with the marks that they must get.
//
//	go test ./notebooks/assignments                                                     cells and stubs
//	MARGINALIA_TEST=long go test ./notebooks/assignments -run TestWrong/perceptron      submissions
package assignments

import (
	"path/filepath"
	"testing"
	"time"

	"marginalia/internal/built"
	"marginalia/internal/course"
	"marginalia/internal/nbgrader"
)

func assignments(t *testing.T) (files []string) {
	c, err := course.Open(".")
	if err != nil {
		t.Fatal(err)
	}
	names, err := c.Assignments()
	if err != nil || len(names) == 0 {
		t.Fatalf("no assignments here: %v", err)
	}
	for _, name := range names {
		notebooks, err := c.Notebooks(name)
		if err != nil {
			t.Fatal(err)
		}
		files = append(files, notebooks...)
	}
	return files
}

// name returns the assignment of a notebook: the name of its folder.
func name(file string) string { return filepath.Base(filepath.Dir(file)) }

// Every cell runs, the solution passes each test, and outputs are those stored.
func TestCells(t *testing.T) {
	root, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range assignments(t) {
		t.Run(name(file), func(t *testing.T) {
			b, err := built.Notebook(t.Context(), file, root)
			if err != nil {
				t.Fatal(err)
			}
			defer b.Close()
			b.Timeout = 5 * time.Minute
			b.Test(t)
		})
	}
}

// What students get compiles, without the hidden tests too, and fails each check.
func TestStub(t *testing.T) {
	for _, file := range assignments(t) {
		t.Run(name(file), func(t *testing.T) {
			s, release := open(t, file), read(t, file)
			if _, err := nbgrader.ClearSolutions(release, nbgrader.Go); err != nil {
				t.Fatal(err)
			}
			p := s.build(t, release.Cells)
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
			if _, err := nbgrader.ClearHiddenTests(release); err != nil {
				t.Fatal(err)
			}
			if s.build(t, release.Cells) == nil {
				t.Error("without the hidden tests, what students get does not compile")
			}
		})
	}
}
