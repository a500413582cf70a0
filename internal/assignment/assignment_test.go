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
	program, err := a.BuildJudge(t.Context(), t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	g, err := a.Assemble(t.Context(), nb, nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	if len(g.Notes) > 0 {
		t.Errorf("notes on the solution: %v", g.Notes)
	}
	wasm, err := g.Build(t.Context(), t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range judged(t, program, judge.Request{Wasm: wasm}, a, 5) {
		for _, c := range r.Checks {
			if !c.Passed {
				t.Error(c.Name, c.Panic, c.Frames, c.Messages)
			}
		}
	}
}
