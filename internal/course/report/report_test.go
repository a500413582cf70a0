package report

import (
	"bytes"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"unicode"

	"golang.org/x/net/html"

	"marginalia/internal/course"
	"marginalia/internal/course/feedback"
	"marginalia/internal/course/grade"
	"marginalia/internal/course/gradebook"
	"marginalia/internal/course/similar"
	"marginalia/internal/notebook/nbformat"
	"marginalia/internal/sandbox/verdict"
	"marginalia/internal/testkit/must"
)

// newCourse has the submissions of ada; of bob, who has hers with other names; and of cid, who
// has written his own. said is what their tests say.
func newCourse(t testing.TB, said string) (*course.Course, []gradebook.Submission) {
	t.Helper()
	dir := t.TempDir()
	code := func(name string) string {
		text := must.Get(os.ReadFile(filepath.Join("..", "similar", "testdata", name+".go.txt"))).Or(t)
		return string(text)
	}
	var all []gradebook.Submission
	for i, s := range []struct {
		id, code string
		score    float64
		seconds  float64
		checks   []verdict.Check
	}{
		{"ada", code("ada"), 4, 1, []verdict.Check{{Name: "TestX", Words: "all", Passed: true}, {Name: "TestX/a", Words: "first" + said, Passed: true}, {Name: "TestX/b", Words: "second", Hidden: true, Passed: true}}},
		{"bob", strings.NewReplacer("scores", "values", "wrong", "missed", "Perceptron", "Learn").Replace(code("ada")), 2, 3, []verdict.Check{{Name: "TestX", Words: "all"}, {Name: "TestX/a", Words: "first" + said, Messages: []string{"x = 3, want 4" + said}}, {Name: "TestX/b", Words: "second", Hidden: true, Passed: true}}},
		{"cid", code("cy"), 1, 2, []verdict.Check{{Name: "TestX", Words: "all"}, {Name: "TestX/a", Words: "first" + said, Messages: []string{"x = -1.5e3, want 4" + said}}, {Name: "TestX/b", Words: "second", Hidden: true, Panic: "panic: no" + said}}},
	} {
		v := &verdict.Notebook{Assignment: "ps1", Notebook: "ps1", Student: s.id, Tests: []verdict.Test{{ID: "q", Max: 4, Score: s.score, Seconds: s.seconds, Checks: s.checks}}}
		to := filepath.Join(dir, "autograded", s.id, "ps1")
		must.Do(t, os.MkdirAll(to, 0o777))
		nb := &nbformat.Notebook{Minor: 5, Metadata: map[string]any{}, Cells: []*nbformat.Cell{{ID: "given", Type: "code", Source: given, Metadata: map[string]any{}}, {ID: "answer", Type: "code", Source: s.code, Metadata: map[string]any{}}}}
		must.Do(t, nb.WriteFile(filepath.Join(to, "ps1.ipynb")))
		must.Do(t, (&grade.Record{Notebooks: []*verdict.Notebook{v}}).Write(to))
		byHand := gradebook.Mark{Cell: "words", Graded: true, Max: 2, NeedsHand: true}
		if i == 0 {
			one := 1.0
			byHand.Manual, byHand.NeedsHand = &one, false
		}
		all = append(all, gradebook.Submission{Student: gradebook.Student{ID: s.id}, Notebooks: []gradebook.SubmittedNotebook{{Name: "ps1", Cells: []gradebook.Mark{{Cell: "q", Graded: true, Max: 4, Auto: &s.score}, byHand}}}})
	}
	must.Do(t, os.MkdirAll(filepath.Join(dir, "source"), 0o777))
	c := must.Get(course.Open(dir)).Or(t)
	return c, append(all, gradebook.Submission{Student: gradebook.Student{ID: "dan" + said}})
}

// given is longer than what makes two alike: all have it.
var given = strings.Repeat("func given(a, b []float64) float64 {\n\ts := 0.0\n\tfor k := range a {\n\t\ts += a[k] * b[k]\n\t}\n\treturn s\n}\n", 20)

// release is what students got: a heading stands above the cell words alone.
func release() map[string]*nbformat.Notebook {
	words := &nbformat.Cell{ID: "words", Type: "markdown", Metadata: map[string]any{"nbgrader": map[string]any{"schema_version": 3.0, "grade_id": "words", "grade": true, "solution": true, "locked": false, "task": false, "points": 2.0}}}
	return map[string]*nbformat.Notebook{"ps1": {Cells: []*nbformat.Cell{{ID: "given", Type: "code", Source: given}, {ID: "q", Type: "code", Metadata: map[string]any{"nbgrader": map[string]any{"schema_version": 3.0, "grade_id": "q", "grade": true, "solution": false, "locked": true, "task": false, "points": 4.0}}}, {ID: "text", Type: "markdown", Source: "## 2. In words\n\nSay it."}, words}}}
}

// The numbers follow from newCourse: marks of 5, 2 and 1 and nothing, two of the four failed the first
// check with messages that differ in a number, and one the second.
func TestReport(t *testing.T) {
	c, submissions := newCourse(t, "")
	r := must.Get(Make(t.Context(), c, "ps1", submissions, release())).Or(t)
	if !slices.Equal(r.Marks, []float64{0, 1, 2, 5}) || r.Max != 6 || r.Unfinished != 2 || !slices.Equal(r.Seconds, []float64{1, 2, 3}) {
		t.Errorf("%+v", r)
	}
	if len(r.Questions) != 2 || r.Questions[0].Mean != 7.0/3 || r.Questions[1].Given != 1 || r.Questions[1].Mean != 1 {
		t.Errorf("questions %+v, %+v", r.Questions[0], r.Questions[1])
	}
	shown := r.Questions[0].Shown()
	if len(shown) != 2 || shown[0].Failed != 2 || shown[0].Run != 3 || !slices.Equal(shown[0].Messages, []Message{{"x = 3, want 4", 2}}) || !slices.Equal(shown[1].Messages, []Message{{"panic: no", 1}}) {
		t.Errorf("checks %+v", shown)
	}
	if len(r.Alike) != 1 || r.Alike[0].A != "ada" || r.Alike[0].B != "bob" || r.Alike[0].Share != 1 {
		t.Errorf("alike: %+v", r.Alike)
	}
	if len(r.Unjudged) != 1 || !strings.HasPrefix(r.Unjudged[0], "dan: ") {
		t.Errorf("without a record: %q", r.Unjudged)
	}
	var text bytes.Buffer
	must.Do(t, r.WriteText(&text))
	for _, want := range []string{"ps1: 4 handed in; mean 2, median 1.5 of 6 points; 2 with marks still to be given by hand\n", "ps1: q   mean 2.33 of 4, of 3 that are marked\n", "ps1: 2. In words (words)  mean 1 of 2, of 1 that are marked\n",
		"failed by 2 of 3\n    2× x = 3, want 4\n", "second (hidden, TestX/b)  failed by 1 of 3\n", "median 2 s", "ada  bob  100%  cell answer, lines 1 to"} {
		if !strings.Contains(text.String(), want) {
			t.Errorf("the text lacks %q:\n%s", want, text.String())
		}
	}
	page := checked(t, r)
	if !strings.Contains(page, "2× x = 3, want 4") || !strings.Contains(page, `src="data:image/svg&#43;xml;base64,`) && !strings.Contains(page, `src="data:image/svg+xml;base64,`) {
		t.Errorf("the page is\n%s", page)
	}
}

// Checks that did not run, because a Word file was handed in, are no failures.
func TestUngraded(t *testing.T) {
	c, submissions := newCourse(t, "")
	at := filepath.Join(c.Dir, "autograded", "bob", "ps1")
	rec := must.Get(grade.ReadRecord(at)).Or(t)
	rec.Faults = []grade.Fault{{Notebook: "ps1", Reason: "solution.docx is a Word file"}}
	must.Do(t, rec.Write(at))
	r := must.Get(Make(t.Context(), c, "ps1", submissions, release())).Or(t)
	if k := r.Questions[0].Shown()[0]; k.Failed != 1 || k.Run != 2 {
		t.Errorf("%d failed of %d, want 1 of 2", k.Failed, k.Run)
	}
	if want := "; 1 with a notebook that can't be graded"; !strings.HasSuffix(r.Summary(), want) {
		t.Errorf("%q, want %q at its end", r.Summary(), want)
	}
}

// One line is no range of lines.
func TestPlace(t *testing.T) {
	for want, l := range map[string]similar.Lines{"cell a, line 2": {Cell: "a", From: 2, To: 2}, "cell a, lines 2 to 3": {Cell: "a", From: 2, To: 3}} {
		if got := place(l); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

// The quantiles are those of numpy.quantile, which has the same definition by default.
func TestQuantile(t *testing.T) {
	for _, c := range []struct {
		x       []float64
		p, want float64
	}{
		{nil, 0.5, 0}, {[]float64{3}, 0.95, 3}, {[]float64{1, 2, 3}, 0.5, 2},
		{[]float64{0, 1, 2, 5}, 0, 0}, {[]float64{0, 1, 2, 5}, 0.5, 1.5}, {[]float64{0, 1, 2, 5}, 0.95, 4.55}, {[]float64{0, 1, 2, 5}, 1, 5},
	} {
		// h = 2.85 is off by at most 2.3e-16, and x rises by 3 from there; two roundings of numbers below 8 come on top.
		if got := quantile(c.x, c.p); math.Abs(got-c.want) > 5e-15 {
			t.Errorf("quantile(%v, %v) = %v, want %v", c.x, c.p, got, c.want)
		}
	}
}

// checked is the page of a report: it must refer to nothing but itself, and run nothing.
func checked(t testing.TB, r *Report) string {
	t.Helper()
	var b bytes.Buffer
	must.Do(t, r.WriteHTML(&b))
	doc := must.Get(html.Parse(bytes.NewReader(b.Bytes()))).Or(t)
	policies := 0
	for n := range doc.Descendants() {
		if n.Type == html.CommentNode || slices.Contains([]string{"script", "iframe", "object", "embed", "base", "form", "link", "svg", "math", "bogus"}, n.Data) && n.Type == html.ElementNode {
			t.Errorf("<%s>", n.Data)
		}
		if strings.ContainsFunc(n.Data, func(r rune) bool { return unicode.IsControl(r) && r != '\n' || unicode.Is(unicode.Bidi_Control, r) }) {
			t.Errorf("a text has %+q", n.Data)
		}
		for _, a := range n.Attr {
			if strings.HasPrefix(a.Key, "on") || a.Key == "style" || a.Key == "href" && !strings.HasPrefix(a.Val, "#") || a.Key == "src" && !strings.HasPrefix(a.Val, "data:image/") {
				t.Errorf("<%s %s=%.80q>", n.Data, a.Key, a.Val)
			}
			if a.Key == "content" && a.Val == feedback.Policy() {
				policies++
			}
		}
	}
	if policies != 1 {
		t.Errorf("%d policies", policies)
	}
	return b.String()
}

// Names and messages that are attacks show as text, in the page and in the terminal.
func TestHostileReport(t *testing.T) {
	c, submissions := newCourse(t, "</pre><bogus onclick=alert(1)><script>alert(1)</script> \"'\x1b[2J\x1b]0;x\x07\u202e\x00\r"+strings.Repeat("long", 1<<16))
	for i := range submissions {
		submissions[i].Student.FirstName = "<script>"
	}
	r := must.Get(Make(t.Context(), c, "ps1", submissions, release())).Or(t)
	r.Alike[0].A += "<script>\x1b[2J"
	page := checked(t, r)
	var text bytes.Buffer
	must.Do(t, r.WriteText(&text))
	if strings.ContainsFunc(text.String(), func(r rune) bool { return unicode.IsControl(r) && r != '\n' || unicode.Is(unicode.Bidi_Control, r) }) {
		t.Errorf("the terminal gets %+q", text.String())
	}
	if most := 100 << 10; len(page) > most || text.Len() > most {
		t.Errorf("%d and %d bytes, want at most %d", len(page), text.Len(), most)
	}
}

// An assignment that nobody handed in has a report, too.
func TestEmptyReport(t *testing.T) {
	c, _ := newCourse(t, "")
	r := must.Get(Make(t.Context(), c, "ps1", nil, release())).Or(t)
	checked(t, r)
	must.Do(t, r.WriteText(&bytes.Buffer{}))
}
