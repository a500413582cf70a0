package notebooks

import (
	"strings"
	"testing"

	"marginalia/internal/cell/display"
)

// TestOutputsNeedNoScript looks into the stored lectures: VS Code runs no script of an
// output unless it is told to trust the notebook, and some viewers never do. So outputs
// are pictures, Markdown and text. Figures have a text alternative, and sliders a picture as
// well. Each lecture names our kernel.
func TestOutputsNeedNoScript(t *testing.T) {
	t.Parallel()
	files := lectures(t)
	plain := map[string]bool{"image/png": true, "image/svg+xml": true, "text/plain": true, "text/markdown": true}
	figures := 0
	for _, name := range files {
		nb := read(t, name)
		if spec, _ := nb.Metadata["kernelspec"].(map[string]any); spec["name"] != "gonb" || spec["language"] != "go" {
			t.Errorf("%s names the kernel %q of the language %q, want gonb and go", name, spec["name"], spec["language"])
		}
		for _, c := range nb.Cells {
			for _, o := range c.Outputs {
				for mime, data := range o.Data {
					if !plain[mime] && (mime != display.FigureType && mime != display.SliderType || o.Data["image/png"] == nil) {
						t.Errorf("%s, cell %s: an output of type %s", name, c.ID, mime)
					}
					if text, _ := data.(string); strings.Contains(strings.ToLower(text), "<script") {
						t.Errorf("%s, cell %s: a script in the %s of an output", name, c.ID, mime)
					}
					if strings.HasPrefix(mime, "image/") {
						figures++
						if o.Data["text/plain"] == nil || o.Data["text/plain"] == "" {
							t.Errorf("%s, cell %s: a figure without text beside it", name, c.ID)
						}
					}
				}
			}
		}
	}
	if figures == 0 {
		t.Error("no figure is stored in any lecture")
	}
	t.Logf("%d figures in %d notebooks", figures, len(files))
}
