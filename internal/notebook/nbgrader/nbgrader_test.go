package nbgrader

import (
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"marginalia/internal/notebook/nbformat"
	"marginalia/internal/notebook/nbformat/nbtest"
	"marginalia/internal/testkit/must"
	"marginalia/internal/testkit/property"
	"marginalia/internal/testkit/testfile"
)

// cellOf makes a cell of its type, source and the JSON of metadata.nbgrader ("" is none).
func cellOf(t testing.TB, kind, source, meta string) *nbformat.Cell {
	t.Helper()
	if meta == "" {
		meta = "null"
	}
	outputs := ""
	if kind == "code" {
		outputs = `, "outputs": [], "execution_count": null`
	}
	text := must.Get(json.Marshal(source)).Or(t)
	file := filepath.Join(t.TempDir(), "nb.ipynb")
	data := fmt.Sprintf(`{"cells": [{"id": "a", "cell_type": %q, "metadata": {"nbgrader": %s, "ours": {"kept": 1}}, "source": %s%s}], "metadata": {}, "nbformat": 4, "nbformat_minor": 5}`, kind, meta, text, outputs)
	testfile.Write(t, file, data)
	nb := nbtest.Read(t, file)
	c := nb.Cells[0]
	if c.Metadata["nbgrader"] == nil {
		delete(c.Metadata, "nbgrader")
	}
	return c
}

// The table of kinds is that of nbgrader's panel "Create Assignment" (its manual,
// "Creating and grading assignments").
func TestKinds(t *testing.T) {
	for _, k := range []struct {
		m        Meta
		want     Kind
		readOnly bool
	}{
		{Meta{}, Given, false},
		{Meta{Locked: true}, Given, true},
		{Meta{Solution: true}, Answer, false},
		{Meta{Grade: true, Locked: true}, Tests, true},
		{Meta{Grade: true}, Tests, true}, // of old notebooks: locked all the same
		{Meta{Grade: true, Solution: true}, ManualAnswer, false},
		{Meta{Task: true, Locked: true}, Task, true},
		{Meta{Solution: true, Locked: true}, Answer, false},
	} {
		if got := k.m.Kind(); got != k.want || k.m.ReadOnly() != k.readOnly {
			t.Errorf("%+v: %v, read-only %v, want %v, %v", k.m, got, k.m.ReadOnly(), k.want, k.readOnly)
		}
	}
}

// The sums are those of nbgrader 0.9.6's own released notebooks: parts a and b of its
// problem2, and the last two answers of problem1.
func TestChecksum(t *testing.T) {
	for _, v := range []struct {
		kind, source, meta, want string
	}{
		{"markdown", "YOUR ANSWER HERE", `{"grade": true, "grade_id": "part-a", "locked": false, "points": 1, "schema_version": 3, "solution": true}`, "6d5a9eb99c3e76354b6e360ce228580a"},
		{"markdown", "YOUR ANSWER HERE", `{"grade": true, "grade_id": "part-b", "locked": false, "points": 2.0, "schema_version": 3, "solution": true}`, "789281f32aa7a8d789bd9f18de9efd00"},
		{"markdown", "YOUR ANSWER HERE", `{"grade": true, "grade_id": "sum_of_squares_equation", "locked": false, "points": 1, "schema_version": 3, "solution": true}`, "f3cc38a3e522c0be10852ebbe2a638b7"},
		{"code", "# YOUR CODE HERE\nraise NotImplementedError()", `{"grade": true, "grade_id": "sum_of_squares_application", "locked": true, "points": 2, "schema_version": 3, "solution": true}`, "5a96910dbc324f5565edf92f5c98af1b"},
	} {
		c := cellOf(t, v.kind, v.source, v.meta)
		m := must.Get(Read(c)).Or(t)
		if got := Checksum(c, m); got != v.want {
			t.Errorf("%s: %s, nbgrader has %s", m.ID, got, v.want)
		}
	}
}

// What Python 3 prints for str(x).
func TestPythonFloat(t *testing.T) {
	for x, want := range map[float64]string{
		0: "0.0", 1: "1.0", 0.5: "0.5", 1.0 / 3: "0.3333333333333333", 1e15: "1000000000000000.0", 1e16: "1e+16",
		123456789012345678: "1.2345678901234568e+17", 0.0001: "0.0001", 0.00001: "1e-05", 1.5e-7: "1.5e-07", 1e300: "1e+300",
	} {
		if got := pythonFloat(x); got != want {
			t.Errorf("%v: %s, Python prints %s", x, got, want)
		}
	}
}

// What comes out of each version is what nbgrader's own upgrade leaves, keys of
// others apart: those nbgrader drops, and we keep.
func TestUpgrade(t *testing.T) {
	for in, want := range map[string]string{
		`{"grade": true, "grade_id": "q", "points": "1"}`:                      `{"grade":true,"grade_id":"q","locked":false,"points":1.0,"schema_version":3,"solution":false}`,
		`{"grade": true, "grade_id": "q", "points": ""}`:                       `{"grade":true,"grade_id":"q","locked":false,"points":0.0,"schema_version":3,"solution":false}`,
		`{"grade": true, "grade_id": "q", "points": -3, "schema_version": 0}`:  `{"grade":true,"grade_id":"q","locked":false,"points":0.0,"schema_version":3,"solution":false}`,
		`{"grade": true, "grade_id": "q"}`:                                     `{"grade":true,"grade_id":"q","locked":false,"points":0.0,"schema_version":3,"solution":false}`,
		`{"solution": true, "grade_id": "q", "points": 4, "checksum": "0123"}`: `{"cell_type":"code","checksum":"0123","grade":false,"grade_id":"q","locked":false,"schema_version":3,"solution":true}`,
		`{"grade": false, "solution": false}`:                                  `null`,
		`{}`:                                                                   `null`,
		`{"grade": false, "ours": 1}`:                                          `{"ours":1}`,
		`{"schema_version": 1, "grade": true, "solution": false, "locked": true, "grade_id": "q", "points": 2, "checksum": "0123", "extra": [1.50]}`: `{"cell_type":"code","checksum":"0123","extra":[1.50],"grade":true,"grade_id":"q","locked":true,"points":2,"schema_version":3,"solution":false}`,
		`{"schema_version": 2, "grade": true, "solution": false, "locked": true, "grade_id": "q", "points": 2, "checksum": "0123"}`:                  `{"checksum":"0123","grade":true,"grade_id":"q","locked":true,"points":2,"schema_version":3,"solution":false}`,
		`{"schema_version": 3, "grade": false, "solution": false, "locked": true, "grade_id": "q", "task": true, "points": 2}`:                       `{"grade":false,"grade_id":"q","locked":true,"points":2,"schema_version":3,"solution":false,"task":true}`,
	} {
		c := cellOf(t, "code", "x", in)
		if err := UpgradeCell(c); err != nil {
			t.Errorf("%s: %v", in, err)
			continue
		}
		got, err := json.Marshal(c.Metadata["nbgrader"])
		if err != nil || string(got) != want {
			t.Errorf("%s becomes\n%s, want\n%s (%v)", in, got, want, err)
		}
		if _, there := c.Metadata["ours"]; !there {
			t.Errorf("%s: the key beside nbgrader's is gone", in)
		}
	}
	for in, want := range map[string]string{
		`{"schema_version": 4, "grade": true}`: "schema_version 4, want 0 to 3",
		`{"schema_version": -1}`:               "schema_version -1, want 0 to 3",
		`{"schema_version": "3"}`:              "schema_version: 3, want the integer 3",
		`{"schema_version": 1e400}`:            "schema_version: 1e400, want the integer 3",
		`{"grade": "yes"}`:                     "grade: yes, want true or false",
		`{"grade": true, "points": "many"}`:    "points: many, want a number",
		`{"grade": true, "points": null}`:      "points: <nil>, want a number",
		`{"grade": true, "points": "nan"}`:     "points: nan, want a number",
		`{"grade": true, "points": 1e999}`:     "points: 1e999, want a number",
		`[]`:                                   "metadata.nbgrader: want an object",
	} {
		nb := &nbformat.Notebook{Cells: []*nbformat.Cell{cellOf(t, "markdown", "", ""), cellOf(t, "code", "x", in)}}
		if err := Upgrade(nb); err == nil || !strings.Contains(err.Error(), "cell 2 (a): "+want) {
			t.Errorf("%s: %v, want an error with %q", in, err, want)
		}
	}
}

// Each rule of nbgrader's schema and of its validator, broken alone.
func TestValidate(t *testing.T) {
	const (
		answer = `{"schema_version": 3, "grade": false, "solution": true, "locked": false, "grade_id": "%s"}`
		tests  = `{"schema_version": 3, "grade": true, "solution": false, "locked": true, "grade_id": "q", "points": %s}`
		task   = `{"schema_version": 3, "grade": %s, "solution": false, "locked": true, "task": true, "grade_id": "q", "points": 1}`
	)
	for _, v := range []struct{ kind, meta, want string }{
		{"code", fmt.Sprintf(answer, "q1_a-B"), ""},
		{"code", fmt.Sprintf(tests, "0.5"), ""},
		{"markdown", fmt.Sprintf(task, "false"), ""},
		{"markdown", `{"schema_version": 3, "grade": true, "solution": true, "locked": false, "grade_id": "q", "points": 0}`, ""},
		{"raw", `{"schema_version": 3, "grade": false, "solution": false, "locked": true, "grade_id": "q"}`, ""},
		{"code", `{"schema_version": 3, "grade": false, "solution": false, "locked": false}`, ""},
		{"code", "", ""},
		{"code", fmt.Sprintf(answer, ""), "grade_id is missing"},
		{"code", fmt.Sprintf(answer, "a b"), `grade_id "a b": want letters`},
		{"code", fmt.Sprintf(answer, "ä"), `grade_id "ä": want letters`},
		{"code", `{"schema_version": 3, "grade": false, "solution": true, "locked": false}`, "grade_id is missing"},
		{"code", `{"schema_version": 2, "grade": false, "solution": false, "locked": false}`, "schema_version 2, want 3"},
		{"code", `{"schema_version": 3, "solution": false, "locked": false}`, "grade is missing"},
		{"code", `{"schema_version": 3, "grade": false, "solution": false, "locked": 1}`, "locked: 1, want true or false"},
		{"code", `{"schema_version": 3, "grade": true, "solution": false, "locked": true, "grade_id": "q"}`, "points are missing"},
		{"code", fmt.Sprintf(tests, "-1"), "points: -1, want a number >= 0"},
		{"code", fmt.Sprintf(tests, `"1"`), "points: 1, want a number >= 0"},
		{"markdown", fmt.Sprintf(tests, "1"), "tests in a markdown cell"},
		{"markdown", fmt.Sprintf(answer, "q"), "answer in a markdown cell"},
		{"raw", fmt.Sprintf(answer, "q"), "answer in a raw cell"},
		{"code", fmt.Sprintf(task, "false"), "a task in a code cell"},
		{"markdown", fmt.Sprintf(task, "true"), "a task that is also graded"},
		{"code", `{"schema_version": 3, "grade": false, "solution": false, "locked": true, "grade_id": "q", "checksum": "12"}`, "checksum \"12\""},
		{"code", `{"schema_version": 3, "grade": false, "solution": false, "locked": true, "grade_id": "q", "cell_type": "cod"}`, "cell_type \"cod\""},
		{"code", `{"schema_version": 3, "grade": false, "solution": false, "locked": true, "grade_id": "q", "hint": 1}`, `a key "hint"`},
		{"code", `7`, "want an object"},
	} {
		err := Validate(&nbformat.Notebook{Cells: []*nbformat.Cell{cellOf(t, v.kind, "", v.meta)}})
		if v.want == "" && err != nil || v.want != "" && (err == nil || strings.Count(err.Error(), "\n") > 0 || !strings.Contains(err.Error(), v.want)) {
			t.Errorf("%s %s: %v, want %q alone", v.kind, v.meta, err, v.want)
		}
	}
	twice := &nbformat.Notebook{Cells: []*nbformat.Cell{cellOf(t, "code", "", fmt.Sprintf(answer, "q")), cellOf(t, "code", "", fmt.Sprintf(answer, "q"))}}
	var f *Fault
	if err := Validate(twice); !errors.As(err, &f) || f.Cell != 2 || f.Text != `grade_id "q" is that of cell 1 too: give one of them another` {
		t.Errorf("two cells of one grade_id: %v", err)
	}
}

// Write stores what Read finds, and leaves keys that are not its own.
func TestWriteProperty(t *testing.T) {
	property.Check(t, func(r *rapid.T) {
		m := Meta{
			ID:    rapid.StringMatching(`[a-zA-Z0-9_-]{0,8}`).Draw(r, "id"),
			Grade: rapid.Bool().Draw(r, "grade"), Solution: rapid.Bool().Draw(r, "solution"),
			Locked: rapid.Bool().Draw(r, "locked"), Task: rapid.Bool().Draw(r, "task"),
			Checksum: rapid.SampledFrom([]string{"", strings.Repeat("a", 32)}).Draw(r, "checksum"),
		}
		if m.Grade || m.Task {
			m.Points = rapid.Float64Range(0, 1e300).Draw(r, "points")
		}
		c := &nbformat.Cell{Metadata: map[string]any{"nbgrader": map[string]any{"ours": "x", "points": json.Number("1.50")}}}
		Write(c, m)
		keys := c.Metadata["nbgrader"].(map[string]any)
		if keys["ours"] != "x" {
			r.Fatalf("a key is gone: %v", keys)
		}
		if !m.Grade && !m.Task {
			m.Points = 1.5 // they stay
		}
		if got, err := Read(c); err != nil || !reflect.DeepEqual(got, m) {
			r.Fatalf("read %+v, want %+v (%v)", got, m, err)
		}
	})
}

// Points stay as they are written while they have the same value: no needless change of a file.
func TestWritePoints(t *testing.T) {
	for m, want := range map[float64]string{2: "2", 3: "3.0"} {
		c := cellOf(t, "code", "", testsMeta)
		meta := must.Get(Read(c)).Or(t)
		meta.Points = m
		Write(c, meta)
		if got := c.Metadata["nbgrader"].(map[string]any)["points"]; got != json.Number(want) {
			t.Errorf("%v points are written as %v, want %s", m, got, want)
		}
	}
}

// Whatever stands in metadata.nbgrader, nothing panics, and an upgrade is done once.
func FuzzMetadata(f *testing.F) {
	for _, seed := range []string{`{}`, `[]`, `null`, `{"schema_version": 1e3}`, `{"grade": true, "points": "1"}`, `{"schema_version": 3, "grade": true, "solution": {}, "locked": null, "grade_id": 3, "points": 1e999}`} {
		f.Add(seed, "code")
	}
	f.Fuzz(func(t *testing.T, meta, kind string) {
		var v any
		dec := json.NewDecoder(strings.NewReader(meta))
		dec.UseNumber()
		if dec.Decode(&v) != nil {
			return
		}
		c := &nbformat.Cell{ID: "a", Type: kind, Metadata: map[string]any{"nbgrader": v}}
		nb := &nbformat.Notebook{Cells: []*nbformat.Cell{c}}
		first := Upgrade(nb)
		before, _ := json.Marshal(c.Metadata)
		if again := Upgrade(nb); (first == nil) != (again == nil) {
			t.Fatalf("upgraded twice: %v, then %v", first, again)
		}
		if after, _ := json.Marshal(c.Metadata); string(before) != string(after) {
			t.Fatalf("upgraded twice: %s, then %s", before, after)
		}
		m, err := Read(c)
		if valid := Validate(nb); valid == nil && err != nil {
			t.Fatalf("valid, but not read: %v", err)
		} else if valid == nil && m.Stored() {
			if SetChecksums(nb) != nil || Lock(nb) != nil || Validate(nb) != nil {
				t.Fatalf("valid, but not once it is locked: %v", Validate(nb))
			}
		}
	})
}
