package notebooks

import (
	"path/filepath"
	"testing"

	"marginalia/internal/figures"
)

// The lectures' figures are those that figures.sum records, or at least those
// stored in the notebooks, pixel by pixel.
func TestFigures(t *testing.T) {
	root, err := filepath.Abs("..")
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	c, err := figures.Collect(t.Context(), root, lectures(t), dir, figures.Options{
		Formats: []string{"svg", "png"},
		Lacks:   func(need string) string { return lacks(t, need) },
	})
	if err != nil {
		t.Fatal(err)
	}
	changes, err := c.Check(dir, "figures.sum", true)
	if err != nil {
		t.Fatal(err)
	}
	for _, ch := range changes {
		t.Errorf("%s: %s", ch.Name, ch.Why)
	}
	if t.Failed() {
		t.Log("to see them: go run . figures --check; to record them: go run . figures --update")
	}
}
