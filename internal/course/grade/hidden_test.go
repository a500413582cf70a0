package grade

import (
	"strings"
	"testing"

	"marginalia/internal/base/repo"
	"marginalia/internal/notebook/nbformat"
	"marginalia/internal/notebook/nbgrader"
	"marginalia/internal/sandbox/assignment"
	"marginalia/internal/sandbox/host"
	"marginalia/internal/testkit/must"
)

// one returns an assignment with the answer One and a tests cell, one-test, which is worth 4 points.
func one(t *testing.T, tests string) *assignment.Assignment {
	t.Helper()
	root := must.Get(repo.Root()).Or(t)
	cell := func(m nbgrader.Meta, source string) *nbformat.Cell {
		c := &nbformat.Cell{ID: m.ID, Type: "code", Source: source, Metadata: map[string]any{}}
		nbgrader.Write(c, m)
		return c
	}
	a, err := assignment.Read(t.Context(), &nbformat.Notebook{Minor: 5, Metadata: map[string]any{}, Cells: []*nbformat.Cell{
		cell(nbgrader.Meta{ID: "one", Solution: true}, "import \"testing\"\n\nfunc One(x int) int { return x + 1 }"),
		cell(nbgrader.Meta{ID: "one-test", Grade: true, Locked: true, Points: 4}, tests),
	}}, root)
	must.Do(t, err)
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
	panics := func(name string, line int) host.Check {
		return host.Check{Name: name, At: host.Place{Cell: "one-test", Line: line}, Panic: "panic: it is 42", Frames: []host.Place{{Cell: "one", Line: 3}}}
	}
	v := g.test(a.Tests[0], map[string]host.Result{
		"TestOne":  {Checks: []host.Check{panics("TestOne", 2), panics("TestOne/two", 7)}},
		"TestOpen": {Checks: []host.Check{panics("TestOpen", 10)}},
	})
	top, sub := panics("TestOne", 2), host.Check{Name: "TestOne/two", At: host.Place{Cell: "one-test", Line: 7}, Passed: true}
	g.Key = Key{Checks: map[string][]host.Check{"TestOne": {top, sub}, "TestStub": {{Name: "TestStub"}}}}
	stub := panics("TestStub", 12)
	stub.Panic = NotImplemented
	less := g.test(a.Tests[0], map[string]host.Result{"TestOne": {Checks: []host.Check{top}}, "TestStub": {Checks: []host.Check{stub}}})
	if c := less.Checks[1]; c.Panic != "the test did not come to its end" {
		t.Errorf("of a check that was not reached the student reads %q", c.Panic)
	}
	if c := less.Checks[2]; c.Panic != NotImplemented || c.Place != nil { // anyone can panic with these words, at a line that tells
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
		if text, hidden := words(a.Tests[0], host.Check{Name: "TestOne"}, veilOf(a.Tests[0], "TestOne")); text != want || hidden {
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
		text, hidden := words(a.Tests[0], host.Check{Name: "TestOne/" + name, At: host.Place{Cell: a.Tests[0].ID, Line: 11}}, veilOf(a.Tests[0], "TestOne"))
		if text != want || hidden != (name != "seen") {
			t.Errorf("%s: %q, hidden %t, want %q", name, text, hidden, want)
		}
	}
}

// Where hidden lines have a part in what a check of a visible test says, in its name or in what it panics with, students do not
// read it. What visible lines say of visible values they do.
func TestValuesOfHiddenLines(t *testing.T) {
	const source = `%test
import "fmt"

func check(t *testing.T, got, want int) {
	t.Errorf("got %d, want %d", got, want)
}

func TestOne(t *testing.T) {
	if got := One(1); got != 2 {
		t.Errorf("One(1) = %d", got)
	}
	// BEGIN HIDDEN TESTS
	if got := One(42); got != 43 {
		t.Errorf("One(42) = %d", got)
	}
	large := 42
	// END HIDDEN TESTS
	twice := []int{large, 1}
	for _, x := range twice {
		t.Errorf("One(%d)", x)
	}
	t.Error("constant")
}

func TestRows(t *testing.T) {
	for _, c := range []struct {
		name string
		x    int
	}{
		{"seen", 1},
		// BEGIN HIDDEN TESTS
		{"secret", 42},
		// END HIDDEN TESTS
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Errorf("One(%d)", c.x)
		})
		t.Run("same", func(t *testing.T) {
			t.Errorf("One(%d)", c.x)
		})
		t.Run(fmt.Sprint("number ", c.x), func(t *testing.T) {})
		t.Errorf("One(%d)", c.x)
	}
}

func TestHelper(t *testing.T) {
	check(t, One(1), 2)
	// BEGIN HIDDEN TESTS
	check(t, One(42), 43)
	// END HIDDEN TESTS
}

func TestInside(t *testing.T) {
	t.Run("inside", func(t *testing.T) {
		One(1)
		// BEGIN HIDDEN TESTS
		One(42)
		// END HIDDEN TESTS
	})
	t.Run("beside", func(t *testing.T) { One(1) })
}

func TestOpen(t *testing.T) {
	check(t, One(1), 2)
}`
	a := one(t, source)
	g, lines := &Grader{Assignment: a}, strings.Split(source, "\n")
	at := func(text string, nth int) int { // the line of the nth place that has the text
		for i, line := range lines {
			if strings.Contains(line, text) {
				if nth--; nth == 0 {
					return i + 1
				}
			}
		}
		t.Fatalf("no %s", text)
		return 0
	}
	for _, c := range []struct {
		check   string
		run     int // the line of its t.Run
		message int // the line of its message; 0: it panics
		told    bool
	}{
		{"TestOne", 0, at("One(1) =", 1), true},
		{"TestOne", 0, at("One(42) =", 1), false},
		{"TestOne", 0, at("One(%d)", 1), false},
		{"TestOne", 0, at("constant", 1), true},
		{"TestRows/seen", at("t.Run(c.name", 1), at("One(%d)", 2), true},
		{"TestRows/seen", at("t.Run(c.name", 1), 0, true},
		{"TestRows/same", at("\"same\"", 1), at("One(%d)", 3), false},
		{"TestRows/same", at("\"same\"", 1), 0, false},
		{"TestRows", 0, at("One(%d)", 4), false},
		{"TestHelper", 0, at("got %d", 1), false},
		{"TestOpen", 0, at("got %d", 1), true},
		{"TestOpen", 0, 0, true},
		{"TestInside/inside", at("\"inside\"", 1), 0, false},
		{"TestInside/beside", at("\"beside\"", 1), 0, true},
	} {
		k := host.Check{Name: c.check}
		if c.run > 0 {
			k.At = host.Place{Cell: "one-test", Line: c.run}
		}
		if c.message > 0 {
			k.Messages = []host.Message{{Text: "it is 42", Cell: "one-test", Line: c.message}}
		} else {
			k.Panic, k.Frames = "panic: it is 42", []host.Place{{Cell: "one", Line: 42}}
		}
		function, _, _ := strings.Cut(c.check, "/")
		g.Key.Checks = map[string][]host.Check{function: {k}}
		got := g.test(a.Tests[0], map[string]host.Result{function: {Checks: []host.Check{k}}}).Checks[0]
		if told := len(got.Messages) > 0 || strings.Contains(got.Panic, "42") || got.Place != nil; told != c.told || got.Hidden {
			t.Errorf("%s, line %d: told %t, hidden %t, want told %t", c.check, c.message, told, got.Hidden, c.told)
		}
	}
	for name, want := range map[string]string{"number 1": hiddenWords, "number 42": hiddenWords, "same": "same", "same#01": hiddenWords} {
		run := at("number ", 1)
		if strings.HasPrefix(name, "same") {
			run = at("\"same\"", 1)
		}
		if text, _ := words(a.Tests[0], host.Check{Name: "TestRows/" + name, At: host.Place{Cell: "one-test", Line: run}}, veilOf(a.Tests[0], "TestRows")); text != want {
			t.Errorf("%s: %q, want %q", name, text, want)
		}
	}
}
