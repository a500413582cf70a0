package grade

import (
	"path/filepath"
	"testing"

	"marginalia/internal/assignment"
	"marginalia/internal/judge"
	"marginalia/internal/nbformat"
	"marginalia/internal/nbgrader"
)

// A student's code can panic with what it was called with, or at a line that tells it. Where a
// hidden line of a visible test may have been the caller, neither is told.
func TestPanicOfAHiddenLine(t *testing.T) {
	root, err := filepath.Abs("../../..")
	if err != nil {
		t.Fatal(err)
	}
	nb := &nbformat.Notebook{Minor: 5, Metadata: map[string]any{}}
	for id, source := range map[string]string{
		"one": "import \"testing\"\n\nfunc One(x int) int { return x + 1 }",
		"one-test": `%test
func TestOne(t *testing.T) {
	One(1)
	// BEGIN HIDDEN TESTS
	One(42)
	// END HIDDEN TESTS
	t.Run("two", func(t *testing.T) { One(2) })
}

func TestOpen(t *testing.T) { One(3) }`,
	} {
		c := &nbformat.Cell{ID: id, Type: "code", Source: source, Metadata: map[string]any{}}
		nbgrader.Write(c, nbgrader.Meta{ID: id, Solution: id == "one", Grade: id != "one", Locked: id != "one", Points: 4})
		nb.Cells = append(nb.Cells, c)
	}
	a, err := assignment.Read(t.Context(), nb, root)
	if err != nil {
		t.Fatal(err)
	}
	g := &Grader{Assignment: a}
	panics := func(name string, line int) judge.Check {
		return judge.Check{Name: name, At: judge.Place{Cell: "one-test", Line: line}, Panic: "panic: it is 42", Frames: []judge.Place{{Cell: "one", Line: 3}}}
	}
	v := g.test(a.Tests[0], map[string]judge.Result{
		"TestOne":  {Checks: []judge.Check{panics("TestOne", 2), panics("TestOne/two", 7)}},
		"TestOpen": {Checks: []judge.Check{panics("TestOpen", 10)}},
	})
	for i, told := range []bool{false, true, true} {
		c := v.Checks[i]
		if got := c.Panic == "panic: it is 42" && c.Place != nil; got != told || c.Hidden || c.Panic == "" {
			t.Errorf("%s: %+v, told: want %v", c.Name, c, told)
		}
	}
}
