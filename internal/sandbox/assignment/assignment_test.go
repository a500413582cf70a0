package assignment_test

import (
	"path/filepath"
	"testing"

	"marginalia/internal/notebook/nbformat"
	"marginalia/internal/sandbox/assignment"
	"marginalia/internal/sandbox/host"
	"marginalia/internal/testkit/must"
	"marginalia/internal/testkit/tier"
)

// The solutions of a real assignment pass all of its tests, as a guest.
func TestSolutions(t *testing.T) {
	tier.Long(t)
	root := must.Get(filepath.Abs("../../..")).Or(t)
	nb := must.Get(nbformat.Read(filepath.Join(root, "notebooks/assignments/source/perceptron/perceptron.ipynb"))).Or(t)
	a := must.Get(assignment.Read(t.Context(), nb, root)).Or(t)
	program, wasm := build(t, a, nb)
	for _, r := range judged(t, program, host.Request{Wasm: wasm}, a, 5) {
		for _, c := range r.Checks {
			if !c.Passed {
				t.Error(c.Name, c.Panic, c.Frames, c.Messages)
			}
		}
	}
}

// A test that reads a field of a type that an answer declares is refused with its line: the judge has no such field.
func TestFieldOfAnAnswer(t *testing.T) {
	root := must.Get(filepath.Abs("../../..")).Or(t)
	_, err := assignment.Read(t.Context(), notebook(t, part{"given", "given", "import \"testing\""}, part{"answer", "stack", "type Stack struct{ Xs []int }\n\nfunc New() *Stack { return &Stack{} }"},
		part{"tests", "stack-test", "%test\nfunc TestStack(t *testing.T) {\n\ts := New()\n\tif s.Xs != nil {\n\t\tt.Error()\n\t}\n}"}), root)
	if want := "cell stack-test, line 4: Stack.Xs is a field of a type that an answer declares: declare the type in a given cell, or ask a method"; err == nil || err.Error() != want {
		t.Errorf("%v, want %s", err, want)
	}
}
