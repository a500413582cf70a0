package notebooks

import (
	"strings"
	"testing"
)

// A cell without a slide type would end up on the slide before it, and a section that starts no
// slide in the column of the section before. The slides are for an hour, so they leave out what is
// marked as more.
func TestDeck(t *testing.T) {
	for name, nb := range notebooks(t) {
		t.Run(name, func(t *testing.T) {
			end := false
			more := inMore(nb.Cells)
			for i, c := range nb.Cells {
				show, _ := c.Metadata["slideshow"].(map[string]any)
				kind, _ := show["slide_type"].(string)
				home := strings.HasPrefix(c.Source, "## What to take home")
				if more[i] != nil {
					if kind != "skip" {
						t.Errorf("cell %s is in the part %s, which is marked as more, and has the slide type %q, want skip", c.ID, more[i].ID, kind)
					}
				} else if strings.HasPrefix(c.Source, "## ") && !end && kind != "slide" {
					t.Errorf("the section of cell %s has the slide type %q, want slide", c.ID, kind)
				}
				end = end || home
				switch kind {
				case "slide", "subslide", "-", "skip", "notes":
				default:
					t.Errorf("cell %s has the slide type %q", c.ID, kind)
				}
			}
		})
	}
}
