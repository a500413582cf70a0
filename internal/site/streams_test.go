package site

import (
	"path/filepath"
	"testing"

	"marginalia/internal/notebook/nbformat"
	"marginalia/internal/notebook/nbformat/nbtest"
)

// A page shows what JupyterLab shows of what a cell prints, also where run has stored every
// step of a progress bar, in two outputs.
func TestStreams(t *testing.T) {
	s := staged(t, "")
	const rel = "notebooks/progress.ipynb"
	nb := &nbformat.Notebook{Minor: 5, Metadata: map[string]any{"language_info": map[string]any{"name": "python"}}, Cells: []*nbformat.Cell{{ID: "progress", Type: "code", Outputs: []nbformat.Output{
		{Type: "stream", Name: "stdout", Text: "\r10%"}, {Type: "stream", Name: "stdout", Text: "\r20%\r\nabc\b\bX\n"},
	}}}}
	if err := s.page(t.Context(), rel, nb, nil, false, nil); err != nil {
		t.Fatal(err)
	}
	page := nbtest.Read(t, filepath.Join(s.dir, rel))
	for _, c := range page.Cells {
		if c.ID == "progress" && (len(c.Outputs) != 1 || c.Outputs[0].Text != "20%\naX\n") {
			t.Errorf("the page shows %v", c.Outputs)
		}
	}
}
