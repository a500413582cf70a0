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
)

func assignments(t *testing.T) []string {
	files, err := filepath.Glob("source/*/*.ipynb")
	if err != nil || len(files) == 0 {
		t.Fatalf("no assignments here: %v", err)
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
			s := open(t, file)
			stubs := map[string]string{}
			for _, q := range s.questions {
				for _, id := range q.answers {
					stubs[id] = strip(s.source[id], "SOLUTION", "// YOUR CODE HERE", `panic("not implemented")`)
				}
			}
			p := s.build(t, stubs)
			if p == nil {
				t.Fatal("the stubs do not compile")
			}
			for _, q := range s.questions {
				for _, check := range q.checks {
					if p.passes(t, check) {
						t.Errorf("the stub passes %s of %s", check, q.tests)
					}
				}
				stubs[q.tests] = strip(s.source[q.tests], "HIDDEN TESTS")
			}
			if s.build(t, stubs) == nil {
				t.Error("without the hidden tests, what students get does not compile")
			}
		})
	}
}
