package figures

import (
	"path/filepath"
	"strings"
	"testing"

	"marginalia/internal/notebook/nbformat"
	"marginalia/internal/testkit/must"
)

// The cells that run are those that may show the figure. One that fails elsewhere in the notebook, after a number was
// changed, say, then does not stand in the way of a figure for a slide.
func TestCells(t *testing.T) {
	cell := func(id, code string, figures ...string) *nbformat.Cell {
		c := &nbformat.Cell{ID: id, Type: "code", Source: code, Metadata: map[string]any{}, Outputs: []nbformat.Output{{Type: "stream", Name: "stdout", Text: "x"}}}
		for _, figure := range figures {
			c.Outputs = append(c.Outputs, nbformat.Output{Type: "display_data", Data: map[string]any{"text/plain": ""}, Metadata: map[string]any{nameKey: figure}})
		}
		return c
	}
	fresh := cell("fresh", "func f() {}")
	fresh.Outputs = nil
	nb := &nbformat.Notebook{Cells: []*nbformat.Cell{fresh, cell("street", `Show("street", x)`, "street"), cell("made", `Show(name+"-1", x)`, "made-1", "made-2"), cell("new", `Show("new", x)`), cell("text", "")}}
	all := []string{"fresh", "street", "made", "new", "text"}
	for only, want := range map[string]string{
		"":            "fresh street made new text",
		"street":      "fresh street",
		"made-2":      "fresh made",
		"*e*":         "fresh street made",
		"new,street":  "fresh street new",
		"made-3":      "fresh street made new text",
		"street,none": "fresh street made new text",
	} {
		o := Options{}
		if only != "" {
			o.Only = strings.Split(only, ",")
		}
		if got := strings.Join(o.cells(nb, all), " "); got != want {
			t.Errorf("--only %s runs %s, want %s", only, got, want)
		}
	}
}

// A name that neither an output nor the code has is a slip, which costs no run of the cells. Everything else may be a
// figure: a name that a cell writes and has not stored yet, a notebook without outputs.
func TestSlip(t *testing.T) {
	dir := t.TempDir()
	write := func(name, code string, figures ...string) string {
		nb := &nbformat.Notebook{Metadata: map[string]any{}, Cells: []*nbformat.Cell{{ID: "a", Type: "code", Source: code, Metadata: map[string]any{}}}}
		for _, figure := range figures {
			nb.Cells[0].Outputs = append(nb.Cells[0].Outputs, nbformat.Output{Type: "display_data", Data: map[string]any{"text/plain": ""}, Metadata: map[string]any{nameKey: figure}})
		}
		file := filepath.Join(dir, name)
		must.Do(t, nb.WriteFile(file))
		return file
	}
	shown := write("shown.ipynb", "plotting.Show(`raw`, fig)\nplotting.Show(\"new\", fig)", "widest-street", "first")
	silent := write("silent.ipynb", `plotting.Show("x", fig)`)
	for only, want := range map[string]string{
		"first":         "",
		"widest-*":      "",
		"new":           "",
		"raw":           "",
		"widest-stret":  `there is no figure "widest-stret": did you mean widest-street? (if a cell puts this name together, run its notebook first)`,
		"other,first":   `there is no figure "other": there are widest-street, first (if a cell puts this name together, run its notebook first)`,
		"first,nobody*": `there is no figure "nobody*": there are widest-street, first (if`,
	} {
		o := Options{Only: strings.Split(only, ",")}
		if err := o.Slip([]string{shown, silent}); (err == nil) != (want == "") || err != nil && !strings.HasPrefix(err.Error(), "figures: "+want) {
			t.Errorf("--only %s: %v, want %q", only, err, want)
		}
		if err := o.Slip([]string{silent}); err != nil {
			t.Errorf("--only %s of a notebook without outputs: %v", only, err)
		}
		if err := o.Slip([]string{shown, filepath.Join(dir, "none.ipynb")}); err != nil {
			t.Errorf("--only %s with a notebook that is not there: %v", only, err)
		}
	}
}
