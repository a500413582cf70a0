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
	q := judge.Request{Wasm: wasm}
	for _, tests := range a.Tests {
		for _, name := range tests.Funcs {
			q.Tests, q.Seconds = append(q.Tests, name), append(q.Seconds, 5)
		}
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
	dec := json.NewDecoder(bytes.NewReader(out))
	for range q.Tests {
		var r judge.Reply
		if err := dec.Decode(&r); err != nil || r.Err != "" {
			t.Fatal(err, r.Err)
		}
		for _, c := range r.Result.Checks {
			if !c.Passed {
				t.Error(c.Name, c.Panic, c.Frames, c.Messages)
			}
		}
	}
}
