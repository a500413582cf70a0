package assignment_test

import (
	"bytes"
	"encoding/json"
	"os/exec"
	"path/filepath"
	"testing"

	"marginalia/internal/assignment"
	"marginalia/internal/judge"
	"marginalia/internal/nbformat"
)

// The solutions of a real assignment pass all of its tests, as a guest.
func TestSolutions(t *testing.T) {
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
	g, err := a.Assemble(t.Context(), nb, nil)
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
	q := judge.Request{Wasm: wasm, Seconds: 5}
	for _, tests := range a.Tests {
		q.Tests = append(q.Tests, tests.Funcs...)
	}
	in, err := json.Marshal(q)
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(program)
	cmd.Stdin = bytes.NewReader(in)
	out, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	var r judge.Reply
	if err := json.Unmarshal(out, &r); err != nil {
		t.Fatal(err)
	}
	if r.Err != "" || len(r.Results) != len(q.Tests) {
		t.Fatalf("%d results of %d tests: %s", len(r.Results), len(q.Tests), r.Err)
	}
	for _, r := range r.Results {
		for _, c := range r.Checks {
			if !c.Passed {
				t.Errorf("%s: %s %v", c.Name, c.Panic, c.Messages)
			}
		}
	}
}
