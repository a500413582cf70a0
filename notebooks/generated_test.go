package notebooks

import (
	"slices"
	"testing"

	"marginalia/internal/notebook/nbformat"
	"marginalia/internal/notebook/nbformat/nbtest"
)

// Two cells of each lecture are generated: what its sections need, after the cell about, and its
// calls, at the end. After a change of a lecture or of the library's comments:
//
//	go test ./notebooks -run 'TestGenerated|TestIndex' -update
func TestGenerated(t *testing.T) {
	if !*update {
		t.Parallel()
	}
	c := readCourse(t)
	calls := callsCells(t, c)
	for file, nb := range notebooks(t) {
		want := generate(t, file, nb, needsCell(c, file), calls[file])
		if *update {
			nb.Cells = want
			nbtest.Write(t, nb, file)
		}
		same := slices.EqualFunc(nb.Cells, want, func(have, want *nbformat.Cell) bool {
			return have.ID == want.ID && have.Source == want.Source && isGenerated(have) == isGenerated(want)
		})
		if !same {
			t.Errorf("%s: what its sections need or its calls are not those of today: go test ./notebooks -run 'TestGenerated|TestIndex' -update", file)
		}
	}
}

// generate returns the cells of a lecture with those that are generated.
func generate(t *testing.T, file string, nb *nbformat.Notebook, needs, calls *nbformat.Cell) []*nbformat.Cell {
	t.Helper()
	for _, c := range []*nbformat.Cell{needs, calls} {
		c.Metadata = map[string]any{"marginalia": map[string]any{"generated": true}, "slideshow": map[string]any{"slide_type": "skip"}}
	}
	cells := slices.DeleteFunc(slices.Clone(nb.Cells), isGenerated)
	about := slices.IndexFunc(cells, func(c *nbformat.Cell) bool { return c.ID == "about" })
	if about < 0 {
		t.Fatalf("%s has no cell about", file)
	}
	return append(slices.Insert(cells, about+1, needs), calls)
}

func isGenerated(c *nbformat.Cell) bool {
	v, _ := c.Setting("generated")
	return v == true
}
