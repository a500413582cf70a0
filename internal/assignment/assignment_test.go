package assignment_test

import (
	"path/filepath"
	"testing"

	"marginalia/internal/assignment"
	"marginalia/internal/judge"
	"marginalia/internal/nbformat"
	"marginalia/internal/tier"
)

// The solutions of a real assignment pass all of its tests, as a guest.
func TestSolutions(t *testing.T) {
	tier.Long(t)
	root, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	nb, err := nbformat.Read(filepath.Join(root, "notebooks/assignments/source/perceptron/perceptron.ipynb"))
	if err != nil {
		t.Fatal(err)
	}
	a, err := assignment.Read(t.Context(), nb, root)
	if err != nil {
		t.Fatal(err)
	}
	program, wasm := build(t, a, nb)
	for _, r := range judged(t, program, judge.Request{Wasm: wasm}, a, 5) {
		for _, c := range r.Checks {
			if !c.Passed {
				t.Error(c.Name, c.Panic, c.Frames, c.Messages)
			}
		}
	}
}
