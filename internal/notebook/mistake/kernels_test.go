package mistake_test

import (
	"strings"
	"testing"

	"marginalia/internal/notebook/mistake"
	"marginalia/internal/notebook/nbformat"
)

// Notebooks of gophernotes and lgo name their kernel thus (gopherdata/gophernotes, examples;
// yunabe/lgo, examples).
func TestOtherKernel(t *testing.T) {
	for name, want := range map[string]string{"gophernotes": "gophernotes", "lgo": "lgo", "gonb": "", "": "", "go": "", "lgorithm": ""} {
		nb := &nbformat.Notebook{Metadata: map[string]any{"kernelspec": map[string]any{"name": name, "language": "go"}}}
		if got := mistake.OtherKernel(nb); (got == "") != (want == "") || !strings.Contains(got, want) {
			t.Errorf("of the kernel %q it says %q, want %q in it", name, got, want)
		}
	}
	if got := mistake.OtherKernel(&nbformat.Notebook{}); got != "" {
		t.Errorf("of a notebook without kernel it says %q", got)
	}
}
