package grade

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"marginalia/internal/notebook/nbformat"
	"marginalia/internal/sandbox/guest"
	"marginalia/internal/sandbox/host"
	"marginalia/internal/sandbox/verdict"
)

// dot is a GIF of 1×1 pixels (GIF89a specification, W3C 1990), bomb the header of one of 65535×65535.
const (
	dot  = "GIF89a\x01\x00\x01\x00\x80\x00\x00\x00\x00\x00\xff\xff\xff,\x00\x00\x00\x00\x01\x00\x01\x00\x00\x02\x02D\x01\x00;"
	bomb = "GIF89a\xff\xff\xff\xff\x00\x00\x00"
)

// What a display says of itself is the student's text: only pictures that are pictures, plain text, and sizes that
// are numbers are kept under names by which a browser draws or executes something.
func TestDisplaysAreData(t *testing.T) {
	b64 := base64.StdEncoding.EncodeToString
	for message, want := range map[string]string{
		`{"data":{"image/gif":"` + b64([]byte(dot)) + `","text/plain":"a"},"metadata":{"figure":"f","alt":"a","other":1,"image/gif":{"width":480.5,"height":1}}}`: `map[image/gif:` + b64([]byte(dot)) + ` text/plain:a] map[alt:a figure:f image/gif:map[height:1 width:480.5]]`,
		`{"data":{"image/gif":"` + b64([]byte(dot)) + `"},"metadata":{"image/gif":{"width":"1 onload=alert(1)","height":1}}}`:                                     `map[image/gif:` + b64([]byte(dot)) + `] map[]`,
		`{"data":{"image/png":"` + b64([]byte(dot)) + `"}}`:                                      `stderr "a picture is left out: it is no image/png\n"`,
		`{"data":{"image/png":"<script>"}}`:                                                      `stderr "a picture is left out: it is not in base64\n"`,
		`{"data":{"image/png":"<script>","application/vnd.marginalia.figure":"a"}}`:              `stderr "a picture is left out: it is not in base64\n"`,
		`{"data":{"application/vnd.marginalia.figure":"a"}}`:                                     `map[text/plain:a] map[marginalia:map[type:application/vnd.marginalia.figure]]`,
		`{"data":{"image/gif":"` + b64([]byte(bomb)) + `"}}`:                                     `stderr "a picture is left out: 65535×65535 pixels are too many\n"`,
		`{"data":{"text/html":"<b>","application/javascript":"f()"}}`:                            `map[text/plain:f()] map[marginalia:map[type:application/javascript]]; map[text/plain:<b>] map[marginalia:map[type:text/html]]`,
		`{"data":{"image/svg+xml":"<svg onload='f()'/>"}}`:                                       `map[text/plain:<svg onload='f()'/>] map[marginalia:map[type:image/svg+xml]]`,
		`{"data":{"text/markdown":"<script>","text/latex":"<script>"}}`:                          `map[text/plain:<script>] map[marginalia:map[type:text/latex]]; map[text/plain:<script>] map[marginalia:map[type:text/markdown]]`,
		`{"data":{"application/vnd.jupyter.widget-view+json":{"model_id":"1"},"text/plain":[]}}`: `map[text/plain:[]] map[]; map[text/plain:{"model_id":"1"}] map[marginalia:map[type:application/vnd.jupyter.widget-view+json]]`,
		`{"data":{"1":1,"2":1,"3":1,"4":1,"5":1,"6":1,"7":1,"8":1,"9":1,"10":1,"11":1}}`:         `map[text/plain:a display in 11 forms] map[]`,
		`{"data":7}`: `map[text/plain:a display that is not one] map[]`,
		`{`:          `map[text/plain:a display that is not one] map[]`,
		`{}`:         ``,
	} {
		out := outputsOf(&host.Run{Pieces: []guest.Piece{{Kind: "display", Data: []byte(message)}}})
		if got := Printed(out); got != want {
			t.Errorf("%s:\n%s, want\n%s", message, got, want)
		}
	}
}

// Printed writes outputs in one line.
func Printed(out []nbformat.Output) string {
	var all []string
	for _, o := range out {
		switch o.Type {
		case "stream":
			all = append(all, fmt.Sprintf("%s %q", o.Name, o.Text))
		case "error":
			all = append(all, fmt.Sprintf("error %s: %s %q", o.EName, o.EValue, o.Traceback))
		default:
			all = append(all, fmt.Sprint(o.Data, o.Metadata))
		}
	}
	return strings.Join(all, "; ")
}

func TestOutputsOfARun(t *testing.T) {
	r := &host.Run{
		Pieces: []guest.Piece{{Kind: "stdout", Data: []byte("a\xff")}, {Kind: "stderr", Data: []byte{}}, {Kind: "stdout", Data: []byte("b")}},
		Ended:  "panic: one\ntwo", Frames: []host.Place{{Cell: "c", Line: 3}},
	}
	if got, want := Printed(outputsOf(r)), `stdout "a�b"; error panic: one
two ["panic: one" "two" "    in cell c, line 3"]`; got != want {
		t.Errorf("%s, want %s", got, want)
	}
	r.Ended = strings.Repeat("x", 1<<20)
	if out := outputsOf(r); len(out[1].EValue) > maxWords {
		t.Errorf("%d bytes of words", len(out[1].EValue))
	}
}

// Outputs that were handed in are the student's text too, and say that nothing was run.
func TestHandedIn(t *testing.T) {
	got := Printed(handedIn([]nbformat.Output{
		{Type: "stream", Name: "stdout", Text: "a"},
		{Type: "execute_result", Data: map[string]any{"text/html": "<script>"}, Metadata: map[string]any{"isolated": true}},
		{Type: "error", EName: "E", EValue: "v", Traceback: []string{"t"}},
		{Type: "other", Extra: map[string]any{"data": "<script>"}},
	}))
	want := `stderr "As handed in. Not run by course grade.\n"; stdout "a"; map[text/plain:<script>] map[marginalia:map[type:text/html]]; error E: v ["t"]`
	if got != want {
		t.Errorf("%s, want %s", got, want)
	}
	if out := handedIn(nil); out != nil {
		t.Errorf("a cell without outputs gets %v", out)
	}
	if got := Printed(handedIn([]nbformat.Output{{Type: "stream", Text: strings.Repeat("x", cellShown+1)}})); len(got) > 200 {
		t.Errorf("%d bytes are kept", len(got))
	}
	if got := Printed(handedIn(slices.Repeat([]nbformat.Output{{Type: "stream", Text: "x"}}, maxHanded+1))); len(got) > 200 {
		t.Errorf("%d bytes of many outputs are kept", len(got))
	}
}

// The graded notebook has the outputs of the run and none that were handed in, or those and the word that
// nothing was run.
func TestGradedOutputs(t *testing.T) {
	cell := func(id string, grade, solution, locked bool) *nbformat.Cell {
		return &nbformat.Cell{ID: id, Type: "code", Source: id, Metadata: map[string]any{"nbgrader": map[string]any{"schema_version": json.Number("3"),
			"grade_id": id, "grade": grade, "solution": solution, "locked": locked, "task": false, "points": json.Number("1")}},
			Outputs: []nbformat.Output{{Type: "stream", Name: "stdout", Text: "forged"}}}
	}
	own := &nbformat.Cell{ID: "own", Type: "code", Metadata: map[string]any{}, Outputs: []nbformat.Output{{Type: "stream", Name: "stdout", Text: "forged"}}}
	nb := &nbformat.Notebook{Cells: []*nbformat.Cell{cell("given", false, false, true), cell("figure", true, true, false), cell("test", true, false, true), own}}
	v := &verdict.Notebook{Tests: []verdict.Test{{ID: "test", Max: 1}}}
	run := map[*nbformat.Cell][]nbformat.Output{nb.Cells[1]: {{Type: "stream", Name: "stdout", Text: "drawn"}}, nb.Cells[2]: {{Type: "stream", Text: "no"}}}
	for _, tt := range []struct {
		shown map[*nbformat.Cell][]nbformat.Output
		want  []string
	}{
		{run, []string{"", `stdout "drawn"`, `stdout "0 of 1 points\n"`, ""}},
		{nil, []string{`stderr "As handed in. Not run by course grade.\n"; stdout "forged"`, `stderr "As handed in. Not run by course grade.\n"; stdout "forged"`, `stdout "0 of 1 points\n"`, `stderr "As handed in. Not run by course grade.\n"; stdout "forged"`}},
	} {
		out := graded(nb, nb, v, tt.shown)
		for i, c := range out.Cells {
			if got := Printed(c.Outputs); got != tt.want[i] {
				t.Errorf("cell %s: %s, want %s", c.ID, got, tt.want[i])
			}
		}
	}
}
