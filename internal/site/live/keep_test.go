package live

import (
	"go/parser"
	"go/token"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"marginalia/internal/testkit/testfile"
)

// A program is left with the cells of its sliders. What stays is Go, whatever its line
// directives say.
func TestKeep(t *testing.T) {
	dir := t.TempDir()
	program := `package main

import "marginalia/internal/cell/cellrun"

func main() { cellrun.Main(cells) }

var cells = []cellrun.Cell{
	{ID: "first", Main: cell_first},
	{ID: "slider", Init: []func(){init_x}, Main: cell_slider},
	{ID: "alone", Main: cell_alone},
	{ID: "last", Main: cell_last},
}

var x int
func init_x() {
//line notebook.ipynb#slider:1
	x = 1
}
//line notebook.ipynb#first:1
func cell_first() {}
func cell_slider() {}
func cell_alone() {}
func cell_last() {}
`
	for name, text := range map[string]string{
		"cells.go":   program,
		"cells.json": `[{"ID": "first"}, {"ID": "slider"}, {"ID": "alone", "Program": "alone"}, {"ID": "last"}]`,
	} {
		testfile.Write(t, filepath.Join(dir, name), text)
	}
	kept, err := keep(dir, map[string][]string{"slider": {"s"}, "alone": {"a"}, "elsewhere": {"e"}})
	if err != nil || !slices.Equal(kept, []string{"slider"}) {
		t.Fatalf("kept %q, %v, want the cell slider: alone is a program of its own", kept, err)
	}
	text := testfile.Read(t, filepath.Join(dir, "cells.go"))
	if _, err := parser.ParseFile(token.NewFileSet(), "cells.go", text, 0); err != nil {
		t.Errorf("%v in\n%s", err, text)
	}
	if n := strings.Count(text, "{ID: "); n != 1 || !strings.Contains(text, `{ID: "slider", Init: []func(){init_x}, Main: cell_slider},`) {
		t.Errorf("%d cells are left:\n%s", n, text)
	}
}

// What a playground says stands in pages as text.
func TestFragment(t *testing.T) {
	all := Playgrounds{{ID: "p", Title: "<b>", About: "if a < b & c", Wide: Drawing{Alt: `a "figure" <script>`, Width: 480, Height: 361.4}, Narrow: Drawing{Width: 400}}}
	all[0].First.Presets, all[0].First.Note = [][2]string{{"near", "a & b"}}, "x < y"
	got := all.Fragment("p", "../live/")
	for _, want := range []string{`data-playground="p"`, "if a &lt; b &amp; c", `src="../live/p.svg"`, `alt="a &#34;figure&#34; &lt;script&gt;"`, `width="480"`, `srcset="../live/p-narrow.svg" width="400"`, `<option value="near">a &amp; b</option>`, "x &lt; y"} {
		if !strings.Contains(got, want) {
			t.Errorf("%s is missing in\n%s", want, got)
		}
	}
	if all.Fragment("q", "") != "" {
		t.Error("a fragment of a playground that is not there")
	}
}
