package assignment

import (
	"testing"

	"marginalia/internal/nbformat"
	"marginalia/internal/repo"
)

// A process of a compiler answers maxRequests requests. Then another takes its place.
func TestCompilerIsRenewed(t *testing.T) {
	root, err := repo.Root()
	if err != nil {
		t.Fatal(err)
	}
	nb := &nbformat.Notebook{Minor: 5, Metadata: map[string]any{}, Cells: []*nbformat.Cell{
		{ID: "one", Type: "code", Source: "func One() int { return 1 }", Metadata: map[string]any{}},
	}}
	a, err := Read(t.Context(), nb, root)
	if err != nil {
		t.Fatal(err)
	}
	c := a.Compiler()
	defer c.Close()
	process := func() int {
		t.Helper()
		if _, err := c.Compile(t.Context(), nb, nil, nil, ""); err != nil {
			t.Fatal(err)
		}
		return c.cmd.Process.Pid
	}
	first := process()
	c.requests = maxRequests - 1
	if again := process(); again != first {
		t.Error("a process ends before its last request")
	}
	if next := process(); next == first || c.requests != 1 {
		t.Errorf("after %d requests the process stays: %d of them counted", maxRequests, c.requests)
	}
}
