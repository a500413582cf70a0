package feedback

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"image"
	"image/color"
	"image/png"
	"os"
	"path/filepath"
	"testing"
	"time"

	"marginalia/internal/course"
	"marginalia/internal/course/grade"
	"marginalia/internal/course/gradebook"
	"marginalia/internal/course/platforms"
	"marginalia/internal/course/release"
	"marginalia/internal/notebook/nbformat"
	"marginalia/internal/notebook/nbgrader"
	"marginalia/internal/sandbox/verdict"
	"marginalia/internal/testkit/must"
)

const settings = `course = "ml101"
zone = "Europe/Zurich"

[late]
policy = "10% per day"

[assignment.ps1]
due = 2026-11-01T12:00:00Z
`

// cells are those of the lecturer's notebook: id, kind and source.
var cells = [][3]string{
	{"title", "given", "# The middle of numbers\n\nFor $x_1, \\dots, x_n$ the mean is $\\bar x = \\frac 1n \\sum_i x_i$.\n\n$$a_1 * b_1 < c_1 * d_1$$"},
	{"imports", "code", "import (\n\t\"errors\"\n\t\"testing\"\n)"},
	{"mean-question", "given", "## 1. The mean\n\nWrite `Mean`. See [Wikipedia](https://en.wikipedia.org/wiki/Mean)."},
	{"mean", "answer", "// Mean returns the mean of x.\nfunc Mean(x []float64) (float64, error) {\n\t// BEGIN SOLUTION\n\tif len(x) == 0 {\n\t\treturn 0, errors.New(\"the mean of no numbers\")\n\t}\n\tvar total, count float64\n\tfor _, value := range x {\n\t\ttotal, count = total+value, count+1\n\t}\n\treturn total / count, nil\n\t// END SOLUTION\n}"},
	{"mean-test", "tests", `%test
// TestMean The mean is right.
func TestMean(t *testing.T) {
	t.Run("three numbers", func(t *testing.T) {
		if m, err := Mean([]float64{1, 2, 6}); m != 3 || err != nil {
			t.Errorf("Mean([1 2 6]) = %v, %v, want 3", m, err)
		}
	})
	t.Run("no numbers", func(t *testing.T) {
		if _, err := Mean(nil); err == nil {
			t.Error("Mean(nil) has no error")
		}
	})
	// BEGIN HIDDEN TESTS
	// MESSAGE: Mean leaves its argument as it was.
	t.Run("untouched argument", func(t *testing.T) {
		before := []float64{7117, -3113, 5225}
		Mean(before)
		if before[0] != 7117 || before[1] != -3113 || before[2] != 5225 {
			t.Errorf("after the call the numbers were %v instead of [7117 -3113 5225]", before)
		}
	})
	// END HIDDEN TESTS
}`},
	{"median-question", "given", "## 2. The median"},
	{"median", "answer", "func Median(x []float64) float64 {\n\t// BEGIN SOLUTION\n\tordered := slices.Sorted(slices.Values(x))\n\tmiddle := len(ordered) / 2\n\treturn (ordered[middle] + ordered[(len(ordered)-1)/2]) / 2\n\t// END SOLUTION\n}"},
	{"median-test", "all", `%test
// TestMedian The median of an odd number of numbers is the middle one.
func TestMedian(t *testing.T) {
	if m := Median([]float64{3, 1, 2}); m != 2 {
		t.Errorf("Median([3 1 2]) = %v, want 2", m)
	}
}
// BEGIN HIDDEN TESTS
func TestMedianEven(t *testing.T) {
	if m := Median([]float64{8118, 4224}); m != 6171 {
		t.Errorf("the median of two numbers came out as %v but should have been 6171", m)
	}
}
// END HIDDEN TESTS`},
	{"words", "manual", "Which of the two suffers less from a typing mistake?"},
	{"picture", "figure", "// Draw the numbers."},
	{"task", "task", "## 4. In your own words\n\n=== BEGIN MARK SCHEME ===\nHalf a point for naming the breakdown point of both estimators.\n=== END MARK SCHEME ==="},
}

// source is the lecturer's notebook.
func source() *nbformat.Notebook {
	nb := &nbformat.Notebook{Minor: 5, Metadata: map[string]any{"kernelspec": map[string]any{"name": "gonb", "language": "go", "display_name": "Go (gonb)"}}}
	for _, c := range cells {
		own := &nbformat.Cell{ID: c[0], Type: "code", Source: c[2], Metadata: map[string]any{}}
		m := nbgrader.Meta{ID: c[0]}
		switch c[1] {
		case "given":
			m.Locked, own.Type = true, "markdown"
		case "code":
			m.Locked = true
		case "answer":
			m.Solution = true
		case "tests":
			m.Grade, m.Locked, m.Points = true, true, 3
			own.Metadata["marginalia"] = map[string]any{"credit": "subtests"}
		case "all":
			m.Grade, m.Locked, m.Points = true, true, 2
		case "manual":
			m.Grade, m.Solution, m.Points, own.Type = true, true, 2, "markdown"
		case "figure":
			m.Grade, m.Solution, m.Points = true, true, 1
		case "task":
			m.Task, m.Locked, m.Points, own.Type = true, true, 1, "markdown"
		}
		nbgrader.Write(own, m)
		nb.Cells = append(nb.Cells, own)
	}
	return nb
}

// A made course has the assignment ps1, released.
type made struct {
	t testing.TB
	*course.Course
	book *gradebook.Book
	a    *release.Handout
}

func newCourse(t testing.TB) *made {
	t.Helper()
	dir := t.TempDir()
	must.Do(t, os.MkdirAll(filepath.Join(dir, "source", "ps1"), 0o777))
	must.Do(t, os.WriteFile(filepath.Join(dir, "course.toml"), []byte(settings), 0o666))
	must.Do(t, source().WriteFile(filepath.Join(dir, "source", "ps1", "ps1.ipynb")))
	c := must.Get(course.Open(dir)).Or(t)
	m := &made{t: t, Course: c}
	m.a = must.Get(release.Make(c, "ps1")).Or(t)
	m.book = must.Get(gradebook.Create(t.Context(), c.Gradebook())).Or(t)
	t.Cleanup(func() { m.book.Close() })
	a := gradebook.Assignment{Name: "ps1", Due: c.Settings("ps1").Due, Notebooks: []gradebook.Notebook{{Name: "ps1"}}}
	for _, c := range m.a.Notebooks[0].Release.Cells {
		if meta, _ := nbgrader.Read(c); meta.Stored() {
			a.Notebooks[0].Cells = append(a.Notebooks[0].Cells, gradebook.Cell{ID: meta.ID, Type: c.Type, Grade: meta.Grade, Solution: meta.Solution, Task: meta.Task, Locked: meta.Locked, Max: meta.Points})
		}
	}
	must.Do(t, m.book.SetAssignment(t.Context(), a))
	return m
}

// handIn is the release as change changes it.
func (m *made) handIn(change func(cell map[string]*nbformat.Cell, nb *nbformat.Notebook)) *nbformat.Notebook {
	m.t.Helper()
	data := must.Get(m.a.Notebooks[0].Release.Encode()).Or(m.t)
	nb := must.Get(nbformat.Decode(data)).Or(m.t)
	byID := map[string]*nbformat.Cell{}
	for _, c := range nb.Cells {
		byID[c.ID] = c
	}
	change(byID, nb)
	return nb
}

// graded stores a submission as course grade does.
func (m *made) graded(id string, at time.Time, v verdict.Notebook, change func(cell map[string]*nbformat.Cell, nb *nbformat.Notebook)) {
	m.t.Helper()
	nb := m.handIn(change)
	v.Assignment, v.Notebook, v.Student = "ps1", "ps1", id
	rec := grade.Record{Submitted: at, Notebooks: []*verdict.Notebook{&v}, Scores: gradebook.Scores{Assignment: "ps1", Student: id, Submitted: at}}
	own := gradebook.NotebookScores{Notebook: "ps1"}
	for i := range v.Tests {
		own.Cells = append(own.Cells, gradebook.Score{Cell: v.Tests[i].ID, Auto: &v.Tests[i].Score})
	}
	rec.Scores.Notebooks = []gradebook.NotebookScores{own}
	dir := must.Get(m.Path(course.Autograded, id, "ps1")).Or(m.t)
	must.Do(m.t, os.MkdirAll(dir, 0o777))
	must.Do(m.t, nb.WriteFile(filepath.Join(dir, "ps1.ipynb")))
	m.store(id, rec)
	terms := must.Get(platforms.Terms(m.Course, "ps1")).Or(m.t)
	must.Get(m.book.Save(m.t.Context(), rec.Scores, terms)).Or(m.t)
}

// store writes a student's record.
func (m *made) store(id string, rec grade.Record) {
	m.t.Helper()
	data := must.Get(json.Marshal(rec)).Or(m.t)
	must.Do(m.t, os.WriteFile(filepath.Join(m.Dir, "autograded", id, "ps1", grade.VerdictFile), data, 0o666))
}

// submission is what the gradebook has of a student.
func (m *made) submission(id string) gradebook.Submission {
	m.t.Helper()
	all := must.Get(m.book.Submissions(m.t.Context(), "ps1")).Or(m.t)
	for _, s := range all {
		if s.Student.ID == id {
			return s
		}
	}
	m.t.Fatalf("the gradebook has no %s", id)
	return gradebook.Submission{}
}

// pages writes a student's pages and returns them.
func (m *made) pages(s gradebook.Submission) (html, markdown string) {
	m.t.Helper()
	paths := must.Get(Write(m.t.Context(), m.Course, "ps1", s)).Or(m.t)
	dir := filepath.Join(m.Dir, "feedback", s.Student.ID, "ps1")
	if len(paths) != 2 || paths[0] != filepath.Join(dir, "ps1.html") || paths[1] != filepath.Join(dir, "ps1.md") {
		m.t.Fatalf("the pages are %q", paths)
	}
	var texts [2]string
	for i, path := range paths {
		data := must.Get(os.ReadFile(path)).Or(m.t)
		texts[i] = string(data)
	}
	return texts[0], texts[1]
}

// judged is a verdict of the grader's: one subtest wrong, and a hidden one; the median panics,
// also where it is hidden.
func judged() verdict.Notebook {
	const panic = "panic: runtime error: index out of range [3] with length 3"
	return verdict.Notebook{Tests: []verdict.Test{
		{ID: "mean-test", Max: 3, Score: 1, Output: "called with 7117 -3113 5225", Checks: []verdict.Check{
			{Name: "TestMean", Words: "The mean is right"},
			{Name: "TestMean/three numbers", Words: "three numbers", Worth: 1, Passed: true},
			{Name: "TestMean/no numbers", Words: "no numbers", Worth: 1, Messages: []string{"Mean(nil) has no error"}},
			{Name: "TestMean/untouched argument", Words: "Mean leaves its argument as it was.", Hidden: true, Worth: 1, Messages: []string{"after the call the numbers were [0] instead of [7117 -3113 5225]"}},
		}},
		{ID: "median-test", Max: 2, Alone: true, Checks: []verdict.Check{
			{Name: "TestMedian", Words: "The median of an odd number of numbers is the middle one", Worth: 1, Panic: panic, Place: &verdict.Place{Cell: "median", Line: 4}},
			{Name: "TestMedianEven", Words: "a hidden check", Hidden: true, Worth: 1, Panic: "panic: called with 8118 4224", Messages: []string{"want 6171"}, Place: &verdict.Place{Cell: "median", Line: 5}},
		}},
	}, Notes: []verdict.Note{
		{Place: verdict.Place{Cell: "own.mine", Line: 2}, Text: "spare does not compile: undefined: nothing"},
		{Place: verdict.Place{Cell: "imports"}, Text: "the cell was changed: it is the lecturer's, and counts as it was handed out"},
	}}
}

// handedIn is what goes with judged.
func handedIn(cell map[string]*nbformat.Cell, nb *nbformat.Notebook) {
	cell["mean"].Source = "// Mean returns the mean of x.\nfunc Mean(x []float64) (float64, error) {\n\ts := 0.0\n\tfor i := range x {\n\t\ts += x[i] // <b>sum</b>\n\t\tx[i] = 0\n\t}\n\treturn s / float64(len(x)), nil\n}"
	cell["mean"].Outputs = []nbformat.Output{{Type: "stream", Name: "stdout", Text: "\x1b[31mred\x1b[0m & blue\n"}}
	cell["median"].Source = "func Median(x []float64) float64 {\n\tslices.Sort(x)\n\t// the middle\n\tm := x[len(x)]\n\treturn m\n}"
	cell["words"].Source = "The **median**: it moves by one place, $x_{(k)} \\to x_{(k+1)}$.\n\n| n | mean |\n| ---: | --- |\n| 1 | 2 |"
	cell["picture"].Outputs = []nbformat.Output{{Type: "display_data", Data: map[string]any{"image/png": picture(), "text/plain": "a picture"},
		Metadata: map[string]any{"alt": "Figure: a curve <above> the axis.", "image/png": map[string]any{"height": json.Number("326"), "width": json.Number("480")}}}}
	nb.Cells = append(nb.Cells, &nbformat.Cell{ID: "mine", Type: "code", Source: "func spare() int {\n\treturn nothing\n}", Metadata: map[string]any{}})
}

// picture is a PNG of 2 by 1 pixels, in base64.
func picture() string {
	img := image.NewGray(image.Rect(0, 0, 2, 1))
	img.SetGray(1, 0, color.Gray{255})
	var b bytes.Buffer
	if err := png.Encode(&b, img); err != nil {
		panic(err)
	}
	return base64.StdEncoding.EncodeToString(b.Bytes())
}
