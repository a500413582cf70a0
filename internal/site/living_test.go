package site

import (
	"path/filepath"
	"testing"

	"marginalia/internal/cell/display"
	"marginalia/internal/notebook/nbformat"
)

// The programs of a lecture are built anew after a change of its code or of its stored sliders, and
// not after one of its text.
func TestCodeOf(t *testing.T) {
	sum := func(text, code, slider string) string {
		cell := &nbformat.Cell{ID: "draw", Type: "code", Source: code, Metadata: map[string]any{}}
		if slider != "" {
			cell.Outputs = []nbformat.Output{{Type: "display_data", Data: map[string]any{display.SliderType: slider}, Metadata: map[string]any{}}}
		}
		nb := &nbformat.Notebook{Metadata: map[string]any{}, Cells: []*nbformat.Cell{
			{ID: "text", Type: "markdown", Source: text, Metadata: map[string]any{}}, cell}}
		return codeOf(nb)
	}
	was := sum("a", "x := 1", "")
	if sum("b", "x := 1", "") != was {
		t.Error("another text gives another sum")
	}
	if sum("a", "x := 2", "") == was || sum("a", "x := 1", "eJw=") == was {
		t.Error("another code, or a slider, gives the same sum")
	}
}

// kept builds once for a key, and again after an error or for another key.
func TestKept(t *testing.T) {
	file, built := filepath.Join(t.TempDir(), "kept.json"), 0
	ask := func(key string, fails error) (n int, err error) {
		err = kept(file, key, &n, func() error {
			built++
			n = built
			return fails
		})
		return n, err
	}
	for i, c := range []struct {
		key   string
		fails error
		want  int
	}{{"a", nil, 1}, {"a", nil, 1}, {"b", nil, 2}, {"a", filepath.ErrBadPattern, 3}, {"b", nil, 4}, {"b", nil, 4}} {
		if n, err := ask(c.key, c.fails); err != c.fails || n != c.want {
			t.Errorf("call %d: %d, %v; want %d, %v", i, n, err, c.want, c.fails)
		}
	}
}
