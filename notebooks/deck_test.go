package notebooks

import (
	"strings"
	"testing"
)

// deck is the number of slides of each lecture, before the one with what to take home.
var deck = map[string]int{
	"01-perceptron.ipynb":    33,
	"02-least-squares.ipynb": 24,
	"03-logistic.ipynb":      27,
	"04-margins.ipynb":       30,
	"05-kernels.ipynb":       29,

	"06-spectral-clustering.ipynb": 32,
	"07-features.ipynb":            25,
	"08-digits.ipynb":              24,
	"09-errata.ipynb":              23,
}

// A cell without a slide type would end up on the slide before it, and a section that starts no
// slide in the column of the section before. A number of slides that changes is a deck that
// somebody should look at again.
func TestDeck(t *testing.T) {
	for name, nb := range notebooks(t) {
		t.Run(name, func(t *testing.T) {
			slides, end := 0, false
			for _, c := range nb.Cells {
				show, _ := c.Metadata["slideshow"].(map[string]any)
				kind, _ := show["slide_type"].(string)
				home := strings.HasPrefix(c.Source, "## What to take home")
				if strings.HasPrefix(c.Source, "## ") && !end && kind != "slide" {
					t.Errorf("the section of cell %s has the slide type %q, want slide", c.ID, kind)
				}
				end = end || home
				switch kind {
				case "slide", "subslide":
					if !end {
						slides++
					}
				case "-", "skip", "notes":
				default:
					t.Errorf("cell %s has the slide type %q", c.ID, kind)
				}
			}
			if want := deck[name]; slides != want {
				t.Errorf("%d slides, want %d", slides, want)
			}
		})
	}
}
