package grade

import (
	"testing"

	"marginalia/internal/assignment"
	"marginalia/internal/judge"
	"marginalia/internal/nbformat"
	"marginalia/internal/nbgrader"
	"marginalia/internal/repo"
)

// one returns an assignment with the answer One and a tests cell, one-test, which is worth 4 points.
func one(t *testing.T, tests string) *assignment.Assignment {
	t.Helper()
	root, err := repo.Root()
	if err != nil {
		t.Fatal(err)
	}
	cell := func(m nbgrader.Meta, source string) *nbformat.Cell {
		c := &nbformat.Cell{ID: m.ID, Type: "code", Source: source, Metadata: map[string]any{}}
		nbgrader.Write(c, m)
		return c
	}
	a, err := assignment.Read(t.Context(), &nbformat.Notebook{Minor: 5, Metadata: map[string]any{}, Cells: []*nbformat.Cell{
		cell(nbgrader.Meta{ID: "one", Solution: true}, "import \"testing\"\n\nfunc One(x int) int { return x + 1 }"),
		cell(nbgrader.Meta{ID: "one-test", Grade: true, Locked: true, Points: 4}, tests),
	}}, root)
	if err != nil {
		t.Fatal(err)
	}
	return a
}

// A student's code can panic with what it was called with, or at a line that tells it. Where a
// hidden line of a visible test may have been the caller, neither is told.
func TestPanicOfAHiddenLine(t *testing.T) {
	a := one(t, `%test
func TestOne(t *testing.T) {
	One(1)
	// BEGIN HIDDEN TESTS
	One(42)
	// END HIDDEN TESTS
	t.Run("two", func(t *testing.T) { One(2) })
}

func TestOpen(t *testing.T) { One(3) }

func TestStub(t *testing.T) {
	// BEGIN HIDDEN TESTS
	One(42)
	// END HIDDEN TESTS
}`)
	g := &Grader{Assignment: a}
	panics := func(name string, line int) judge.Check {
		return judge.Check{Name: name, At: judge.Place{Cell: "one-test", Line: line}, Panic: "panic: it is 42", Frames: []judge.Place{{Cell: "one", Line: 3}}}
	}
	v := g.test(a.Tests[0], map[string]judge.Result{
		"TestOne":  {Checks: []judge.Check{panics("TestOne", 2), panics("TestOne/two", 7)}},
		"TestOpen": {Checks: []judge.Check{panics("TestOpen", 10)}},
	})
	top, sub := panics("TestOne", 2), judge.Check{Name: "TestOne/two", At: judge.Place{Cell: "one-test", Line: 7}, Passed: true}
	g.Key = Key{Checks: map[string][]judge.Check{"TestOne": {top, sub}, "TestStub": {{Name: "TestStub"}}}}
	stub := panics("TestStub", 12)
	stub.Panic = NotImplemented
	less := g.test(a.Tests[0], map[string]judge.Result{"TestOne": {Checks: []judge.Check{top}}, "TestStub": {Checks: []judge.Check{stub}}})
	if c := less.Checks[1]; c.Panic != "the test did not come to its end" {
		t.Errorf("of a check that was not reached the student reads %q", c.Panic)
	}
	if c := less.Checks[2]; c.Panic != NotImplemented || c.Place == nil {
		t.Errorf("of an answer that was not written the student reads %q at %v", c.Panic, c.Place)
	}
	for i, told := range []bool{false, true, true} {
		c := v.Checks[i]
		if got := c.Panic == "panic: it is 42" && c.Place != nil; got != told || c.Hidden || c.Panic == "" {
			t.Errorf("%s: %+v, told: want %v", c.Name, c, told)
		}
	}
}

// The words of a visible test are its comment's first sentence, however the name stands before it.
func TestWordsOfATest(t *testing.T) {
	for comment, want := range map[string]string{
		"// TestOne The mean is right. It is.": "The mean is right", "// TestOne: the mean is right.": "the mean is right",
		"// TestOne checks\n// the mean": "checks the mean", "// Right: it is.": "Right: it is", "// TestOne.": "TestOne", "": "TestOne",
		"// POINTS: 4\n// CREDIT: subtests\n// TestOne The mean is right.": "The mean is right", "// POINTS: 4": "TestOne",
	} {
		a := one(t, "%test\n"+comment+"\nfunc TestOne(t *testing.T) {}")
		if text, hidden := words(a.Tests[0], judge.Check{Name: "TestOne"}); text != want || hidden {
			t.Errorf("%q: %q, hidden %t, want %q", comment, text, hidden, want)
		}
	}
}

// The words of a hidden row of a table are those above it.
func TestWordsOfARow(t *testing.T) {
	a := one(t, `%test
func TestOne(t *testing.T) {
	for _, c := range []struct{ name string }{
		{"seen"},
		// BEGIN HIDDEN TESTS
		// MESSAGE: a large number
		{"secret"},
		{"other"},
		// END HIDDEN TESTS
	} {
		t.Run(c.name, func(t *testing.T) {})
	}
}`)
	for name, want := range map[string]string{"seen": "seen", "secret": "a large number", "other": hiddenWords} {
		text, hidden := words(a.Tests[0], judge.Check{Name: "TestOne/" + name, At: judge.Place{Cell: a.Tests[0].ID, Line: 11}})
		if text != want || hidden != (name != "seen") {
			t.Errorf("%s: %q, hidden %t, want %q", name, text, hidden, want)
		}
	}
}
