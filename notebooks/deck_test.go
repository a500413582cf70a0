package notebooks

import (
	"strings"
	"testing"

	"marginalia/internal/nbformat"
)

// Lecture 1 marks up thirty slides, and each section starts one.
func TestDeck(t *testing.T) {
	nb, err := nbformat.Read("01-perceptron.ipynb")
	if err != nil {
		t.Fatal(err)
	}
	slides := 0
	for _, c := range nb.Cells {
		show, _ := c.Metadata["slideshow"].(map[string]any)
		kind, _ := show["slide_type"].(string)
		switch kind {
		case "slide", "subslide":
			slides++
		case "-", "skip", "notes":
		default:
			t.Errorf("cell %s has the slide type %q", c.ID, kind)
		}
		if strings.HasPrefix(c.Source, "## ") && c.ID != "things-to-try" && kind != "slide" {
			t.Errorf("the section of cell %s has the slide type %q", c.ID, kind)
		}
	}
	if slides != 30 {
		t.Errorf("%d slides, want 30", slides)
	}
}
