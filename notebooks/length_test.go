package notebooks

import (
	"strings"
	"testing"

	"marginalia/internal/notebook/nbformat"
)

// A reader sees the code and what it shows at once: no cell has more than 35 lines, and seven of eight
// have at most 25. Longer helpers stand in cells that JupyterLab and the pages fold.
func TestLengthOfCells(t *testing.T) {
	t.Parallel()
	const longest, usual = 35, 25
	shown, long := 0, 0
	for file, nb := range notebooks(t) {
		for _, c := range nb.Cells {
			if c.Type != "code" || isFolded(c) {
				continue
			}
			lines := strings.Count(c.Source, "\n") + 1
			if lines > longest {
				t.Errorf("%s, cell %s: %d lines, want at most %d, or a folded cell (jupyter.source_hidden) for helpers", file, c.ID, lines, longest)
			}
			shown++
			if lines > usual {
				long++
			}
		}
	}
	if shown < 300 { // the nine lectures showed 363 when this was written
		t.Errorf("%d cells of code found", shown)
	}
	if 8*long > shown {
		t.Errorf("%d of %d cells have more than %d lines, want at most one of eight", long, shown, usual)
	}
}

func isFolded(c *nbformat.Cell) bool {
	jupyter, _ := c.Metadata["jupyter"].(map[string]any)
	return jupyter["source_hidden"] == true
}
