package assignment_test

import (
	"strings"
	"testing"

	"marginalia/internal/sandbox/assignment"
)

// Where students get no declaration, the tests still compile: what they use is declared, and
// nothing else of the solution is told.
func TestStub(t *testing.T) {
	a := read(t, lecturer)
	const blank = "%%\n// YOUR CODE HERE\npanic(\"not implemented\")"
	stub := a.Stub("norm", blank)
	for _, want := range []string{"func (p Point) Norm() float64 {", `panic("not implemented")`} {
		if !strings.Contains(stub, want) {
			t.Errorf("the stub is\n%s\nwant %q in it", stub, want)
		}
	}
	if strings.Contains(stub, "square") || strings.Contains(stub, "Hypot") {
		t.Errorf("the stub tells of the solution:\n%s", stub)
	}
	// It stands in for the solution.
	if b := read(t, answers(part{"answer", "norm", stub})); len(b.Tests) != 2 {
		t.Errorf("%d tests cells, want 2", len(b.Tests))
	}
	const declared = "// Norm is a length.\nfunc (p Point) Norm() float64 {\n\tpanic(\"not implemented\")\n}"
	for id, source := range map[string]string{"norm": declared, "types": blank, "other": blank} {
		if got := a.Stub(id, source); got != source {
			t.Errorf("%s: %q, want %q as it was handed out", id, got, source)
		}
	}
}

// What the solution's types, constants and variables are, students are not told: a check goes by their own.
func TestComplete(t *testing.T) {
	const student = "type Stack struct{ all []int }\n\nfunc (s *Stack) Push(v int) { s.all = append(s.all, v) }\n\nconst Answer = \"b\"\n\nvar other = help()\n\nfunc help() int { return 1 }"
	const method = "func (s *Stack) Push(v int) error {\n\tpanic(\"not implemented\")\n}"
	for _, c := range []struct{ stub, tests, want, not, elsewhere string }{
		{method, "var s Stack", "type Stack struct{ all []int }", "Push(v int) {", ""},
		{method, "var s Stack", "Push(v int) error {", "append", ""},
		{method, "var s Stack", "func help() int {\n\tpanic(", "return 1", ""},
		{"package main\n", "if Answer != \"a\" {}", "const Answer = \"b\"", "append", ""},
		{method, "Push(1)", method, "Answer", ""},
		{"type Stack struct{ given int }", "var s Stack", "given", "all", ""},
		{"// YOUR CODE HERE\npanic(1)", "Answer", "const Answer = \"b\"", "append", ""}, // which does not parse
		{method, "var s Stack", "type Stack", "func help", "help"},
		{method, "var s Stack", method, "type Stack", "Stack"},
	} {
		got := assignment.Complete("x", c.stub, student, c.tests, func(name string) bool { return name == c.elsewhere })
		if !strings.Contains(got, c.want) || strings.Contains(got, c.not) {
			t.Errorf("%s\nwith %q is\n%s\nwant %q in it and not %q", c.stub, c.tests, got, c.want, c.not)
		}
	}
	if got := assignment.Complete("x", method, "func (", "Stack", func(string) bool { return false }); got != method {
		t.Errorf("with a cell that does not parse: %s", got)
	}
}

// An outline declares all, and computes nothing.
func TestOutline(t *testing.T) {
	got := assignment.Outline("norm", "import \"sort\"\n!ls\ntype T[K comparable] struct{ m map[K]int }\n\nfunc (t *T[K]) Len() int { return sort.Search(1, nil) }\n\nfunc f() {}\n%%\nf()")
	for _, want := range []string{"\"sort\"", "type T[K comparable] struct{ m map[K]int }", "func (t *T[K]) Len() int {\n\tpanic(", "func f() {\n\tpanic("} {
		if !strings.Contains(got, want) {
			t.Errorf("the outline is\n%s\nwant %q in it", got, want)
		}
	}
	if strings.Contains(got, "Search") || strings.Contains(got, "!ls") {
		t.Errorf("the outline computes:\n%s", got)
	}
	for _, source := range []string{"", "func f(", "%%bash\nls", "!ls"} {
		if got := assignment.Outline("x", source); got != "" {
			t.Errorf("%q: %q, want nothing", source, got)
		}
	}
}
