package platforms

import (
	"encoding/json"
	"math"
	"reflect"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"pgregory.net/rapid"

	"marginalia/internal/notebook/nbgrader"
	"marginalia/internal/sandbox/verdict"
	"marginalia/internal/testkit/must"
	"marginalia/internal/testkit/property"
)

func result() Grading {
	return Grading{Message: "2 of 3 checks passed.", Seconds: 1.5, Checks: []Check{
		{"TestRule", "The rule finds a line", 2, 2, true, nil},
		{"TestBound/norm", "", 1.5, 3, false, []string{"<b>R</b> is 2, want 3", "panic: index out of range"}},
		{"TestExtra", "A hidden check", 1, 0, true, nil},
	}}
}

// The two files for one result, field by field. Of 5 points, 4.5 are had, 1 of them extra.
func TestResults(t *testing.T) {
	data, err := Gradescope(result())
	must.Do(t, err)
	const gradescope = `{
  "score": 4.5,
  "execution_time": 1.5,
  "output": "2 of 3 checks passed.",
  "output_format": "text",
  "visibility": "visible",
  "stdout_visibility": "hidden",
  "tests": [
    {
      "name": "The rule finds a line",
      "name_format": "text",
      "score": 2,
      "max_score": 2,
      "status": "passed",
      "output": "",
      "output_format": "text",
      "visibility": "visible"
    },
    {
      "name": "TestBound/norm",
      "name_format": "text",
      "score": 1.5,
      "max_score": 3,
      "status": "failed",
      "output": "\u003cb\u003eR\u003c/b\u003e is 2, want 3\npanic: index out of range",
      "output_format": "text",
      "visibility": "visible"
    },
    {
      "name": "A hidden check",
      "name_format": "text",
      "score": 1,
      "max_score": 0,
      "status": "passed",
      "output": "",
      "output_format": "text",
      "visibility": "visible"
    }
  ]
}`
	if string(data) != gradescope {
		t.Errorf("Gradescope's results.json:\n%s\nwant\n%s", data, gradescope)
	}
	data = must.Get(PrairieLearn(result())).Or(t)
	if want := `"score": 0.9,`; !strings.Contains(string(data), want) || !strings.Contains(string(data), `"max_points": 3,`) || !strings.Contains(string(data), `"gradable": true`) {
		t.Errorf("PrairieLearn's results.json:\n%s\nwant %s, 3 points at most in the second test", data, want)
	}
	refused := Grading{Refused: "not a notebook"}
	data, err = PrairieLearn(refused)
	if want := `{"gradable":false,"format_errors":["not a notebook"],"message":""}`; err != nil || compact(t, data) != want {
		t.Errorf("%s, %v; want %s", data, err, want)
	}
	data, err = Gradescope(refused)
	if err != nil || !strings.HasPrefix(compact(t, data), `{"score":0,"execution_time":0,"output":"not a notebook"`) {
		t.Errorf("%s, %v; want 0 points and the reason", data, err)
	}
	for _, c := range []Check{{Name: "TestX", Points: math.NaN()}, {Name: "TestX", Points: -1}, {Name: "TestX", Max: math.Inf(1)}, {}} {
		if _, err := Gradescope(Grading{Checks: []Check{c}}); err == nil {
			t.Errorf("Gradescope got %v", c)
		}
		if _, err := PrairieLearn(Grading{Checks: []Check{c}}); err == nil {
			t.Errorf("PrairieLearn got %v", c)
		}
	}
}

func compact(t *testing.T, data []byte) string {
	t.Helper()
	var v json.RawMessage = data
	short := must.Get(json.Marshal(v)).Or(t)
	return string(short)
}

// What the platforms' pages demand holds for whatever a grader says: fewer than 1 MB of
// UTF-8, keys that they know with values of the right type, PrairieLearn's score from 0 to
// 1, Gradescope's words for visibility, format and status.
func TestResultsProperty(t *testing.T) {
	points := rapid.Float64Range(0, 20)
	long := []string{strings.Repeat("long \xff ü", 30_000), strings.Repeat("\x01", 170_000)} // six bytes each in JSON
	text := rapid.Custom(func(t *rapid.T) string {
		if i := rapid.IntRange(0, 19).Draw(t, "long"); i > 17 {
			return long[i-18]
		}
		return rapid.String().Draw(t, "text")
	})
	property.Check(t, func(t *rapid.T) {
		r := Grading{Message: text.Draw(t, "message")}
		for range rapid.IntRange(0, 4).Draw(t, "checks") {
			r.Checks = append(r.Checks, Check{"Test" + rapid.String().Draw(t, "name"), text.Draw(t, "words"), points.Draw(t, "points"), points.Draw(t, "max"), rapid.Bool().Draw(t, "passed"), []string{text.Draw(t, "said")}})
		}
		if rapid.Bool().Draw(t, "refused") {
			r.Refused = "refused"
		}
		type document struct {
			Score    *float64
			Gradable *bool
			Tests    []map[string]any
		}
		for platform, write := range map[string]func(Grading) ([]byte, error){"Gradescope": Gradescope, "PrairieLearn": PrairieLearn} {
			data := must.Get(write(r)).Or(t)
			var d document
			if err := json.Unmarshal(data, &d); err != nil || len(data) >= 1_000_000 || !utf8.Valid(data) {
				t.Fatalf("%s: %d bytes, %v", platform, len(data), err)
			}
			if platform == "PrairieLearn" {
				if (r.Refused != "") != (d.Gradable != nil && !*d.Gradable) || r.Refused == "" && (d.Score == nil || !(*d.Score >= 0 && *d.Score <= 1)) {
					t.Fatalf("gradable %v, score %v", d.Gradable, d.Score)
				}
			} else if d.Score == nil {
				t.Fatal("Gradescope without a score")
			}
			if r.Refused == "" && len(d.Tests) != len(r.Checks) {
				t.Fatalf("%s: %d tests, want %d", platform, len(d.Tests), len(r.Checks))
			}
			for _, test := range d.Tests {
				for key, v := range test {
					_, isText := v.(string)
					_, isNumber := v.(float64)
					known := map[string][]string{"name_format": {"text", "html", "simple_format", "md", "ansi"}, "output_format": {"text", "html", "simple_format", "md", "ansi"},
						"visibility": {"hidden", "after_due_date", "after_published", "visible"}, "status": {"passed", "failed"}}[key]
					switch {
					case slices.Contains([]string{"score", "max_score", "points", "max_points"}, key):
						if !isNumber {
							t.Fatalf("%s: %s is %v", platform, key, v)
						}
					case !isText || known != nil && !slices.Contains(known, v.(string)):
						t.Fatalf("%s: %s is %v", platform, key, v)
					}
				}
			}
		}
	})
	if got := (Grading{Message: "über\xff"}).cut(3).Message; got != "üb…" {
		t.Errorf("cut to 3 bytes: %q, want whole letters", got)
	}
	if got := (Grading{Message: "über"}).cut(1).Message; got != "…" {
		t.Errorf("cut to 1 byte: %q, want whole letters", got)
	}
	// So many checks that nothing fits.
	if _, err := PrairieLearn(Grading{Checks: slices.Repeat([]Check{{Name: "Test"}}, 20_000)}); err == nil {
		t.Error("PrairieLearn gets more than 1 MB")
	}
}

// The student reads the words, the place and, of a visible check, what it says; of a hidden
// one nothing that knows its inputs or the expected values.
func TestJudged(t *testing.T) {
	r := Judged(&verdict.Notebook{Notebook: "ps1", Tests: []verdict.Test{
		{ID: "rule", Max: 3, Score: 3, Seconds: 0.5, Output: "secret input 42", Checks: []verdict.Check{{Name: "TestRule", Words: "The rule finds a line", Passed: true}}},
		{ID: "bound", Max: 4, Score: 1, Seconds: 1, Output: "secret input 42", Checks: []verdict.Check{
			{Name: "TestBound/plain", Words: "The bound holds", Messages: []string{"R = 2, want 3"}},
			{Name: "TestBound/crash", Words: "No points are none", Panic: "index out of range", Place: &verdict.Place{Cell: nbgrader.Own("bound"), Line: 7}},
			{Name: "TestBound/secret", Words: "a hidden check", Hidden: true, Messages: []string{"secret 17, want 42"}, Panic: "secret input 42", Place: &verdict.Place{Cell: "bound"}},
			{Name: "TestBound/right", Words: "It is positive", Passed: true},
		}},
		{ID: "none", Max: 1}, // no check ran
	}, Notes: []verdict.Note{{Place: verdict.Place{Cell: "given"}, Text: "A locked cell was changed"}, {Text: "Two cells have one name"}}})
	want := Grading{Message: "A locked cell was changed (cell given)\nTwo cells have one name", Seconds: 1.5, Checks: []Check{
		{Name: "ps1/rule", Points: 3, Max: 3, Passed: true},
		{Name: "ps1/bound", Points: 1, Max: 4, Messages: []string{"The bound holds: R = 2, want 3", "No points are none (cell bound, line 7): index out of range", "a hidden check"}},
		{Name: "ps1/none", Max: 1},
	}}
	if !reflect.DeepEqual(r, want) {
		t.Errorf("%+v, want %+v", r, want)
	}
	for _, write := range []func(Grading) ([]byte, error){Gradescope, PrairieLearn} {
		data, err := write(r)
		if err != nil || strings.Contains(string(data), "secret") || strings.Contains(string(data), "42") {
			t.Errorf("%v\n%s", err, data)
		}
	}
}
