package release

import (
	"encoding/json"
	"reflect"
	"strings"
	"testing"

	"marginalia/internal/notebook/nbformat"
	"marginalia/internal/notebook/nbgrader"
	"marginalia/internal/testkit/must"
)

// What a release says of its grading comes back from the file as it was stored, with the cells that
// grading needs and nothing else of them.
func TestTerms(t *testing.T) {
	a := must.Get(Make(example(t), "ps0")).Or(t)
	nb := a.Notebooks[0].Release
	want := Terms{Imports: []string{"errors", "math/..."}, Memory: 64 << 20, Tests: []Test{{"TestMean", 2.5, []Check{{"TestMean", 0, 1}, {"TestMean/no numbers", 1, 0}}, true}}, Files: map[string]string{"data/a.csv": "ab"}}
	nb.Cells = append(nb.Cells, &nbformat.Cell{ID: "remark", Type: "markdown", Source: "a remark", Metadata: map[string]any{}})
	stub := func(id, source string) string {
		if id != "mean" || !strings.Contains(source, "not implemented") {
			t.Errorf("a stub is asked for %s: %q", id, source)
		}
		return "func Mean()"
	}
	must.Do(t, want.Store(nb, stub))
	data := must.Get(nb.Encode()).Or(t)
	nb = must.Get(nbformat.Decode(data)).Or(t)
	got := must.Get(ReadTerms(nb)).Or(t)
	if len(got.Notebook.Cells) != 8 || len(nb.Cells) != 9 { // the last is no cell of the lecturer's
		t.Fatalf("%d cells of %d are kept, want 8 of 9", len(got.Notebook.Cells), len(nb.Cells))
	}
	for i, c := range got.Notebook.Cells {
		m, err := nbgrader.Read(c)
		if err != nil {
			t.Error(err)
		}
		wanted := nb.Cells[i].Source
		if m.ID == "mean" {
			wanted = "func Mean()"
		}
		if c.Source != wanted || c.Type != nb.Cells[i].Type {
			t.Errorf("cell %s: %s, %q, want %q", m.ID, c.Type, c.Source, wanted)
		}
	}
	got.Notebook = nil
	if !reflect.DeepEqual(*got, want) {
		t.Errorf("terms %+v, want %+v", *got, want)
	}
}

func TestReadTermsRefuses(t *testing.T) {
	const empty = `{"cells": [], "metadata": {}, "nbformat": 4, "nbformat_minor": 5}`
	for meta, want := range map[string]string{
		`{}`:                 "",
		`{"marginalia": 3}`:  "",
		`{"marginalia": {}}`: "",
		`{"marginalia": {"release": {"notebook": ` + empty + `, "memory": 1}}}`:                             "",
		`{"marginalia": {"release": 7}}`:                                                                    "cannot unmarshal",
		`{"marginalia": {"release": {}}}`:                                                                   "memory: 0",
		`{"marginalia": {"release": {"memory": -1}}}`:                                                       "memory: -1",
		`{"marginalia": {"release": {"memory": 1}}}`:                                                        "notebook",
		`{"marginalia": {"release": {"memory": 1e99}}}`:                                                     "cannot unmarshal",
		`{"marginalia": {"release": {"notebook": {"nbformat": 3}, "memory": 1}}}`:                           "older than 4",
		`{"marginalia": {"release": {"notebook": ` + empty + `, "memory": 1, "tests": [{"name": "T"}]}}}`:   `"T" may take 0 seconds`,
		`{"marginalia": {"release": {"notebook": ` + empty + `, "memory": 1, "tests": [{"seconds":1e9}]}}}`: "may take 1e+09 seconds",
		`{"marginalia": {"release": {"notebook": ` + empty + `, "memory": 1, "files": {"../a": "ab"}}}}`:    `"../a", want a path within`,
	} {
		nb := &nbformat.Notebook{}
		must.Do(t, json.Unmarshal([]byte(meta), &nb.Metadata))
		if _, err := ReadTerms(nb); want == "" && err != nil || want != "" && (err == nil || !strings.Contains(err.Error(), want)) {
			t.Errorf("%s: %v, want %q", meta, err, want)
		}
	}
}
