package grade_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"marginalia/internal/course"
	"marginalia/internal/course/grade"
	"marginalia/internal/course/gradebook"
	"marginalia/internal/course/release"
	"marginalia/internal/notebook/nbformat"
	"marginalia/internal/notebook/nbgrader"
	"marginalia/internal/testkit/must"
	"marginalia/internal/testkit/owncache"
	"marginalia/internal/testkit/tier"
)

// cells of the assignment of these tests: id, kind and source.
var cells = [][3]string{
	{"given", "given", "import \"testing\"\n\nfunc Given(x int) int { return x + 1 }"},
	{"one", "answer", "// BEGIN SOLUTION\nfunc One(x int) int { return Given(x) }\n// END SOLUTION"},
	{"one-test", "tests", `%test
// TestOne One adds 1. It does.
func TestOne(t *testing.T) {
	t.Run("zero", func(t *testing.T) {
		if y := One(0); y != 1 {
			t.Errorf("One(0) = %d, want 1", y)
		}
	})
	// BEGIN HIDDEN TESTS
	// MESSAGE: negative numbers
	t.Run("minus seven", func(t *testing.T) {
		if y := One(-7); y != -6 {
			t.Errorf("One(-7) = %d, want -6", y)
		}
	})
	// END HIDDEN TESTS
}`},
	{"two", "answer", "// BEGIN SOLUTION\nfunc Two(x int) int { return One(One(x)) }\n// END SOLUTION"},
	{"two-test", "tests", `%test
// TestTwo Two adds 2.
func TestTwo(t *testing.T) {
	if y := Two(1); y != 3 {
		t.Errorf("Two(1) = %d, want 3", y)
	}
}`},
	{"three", "answer", "// BEGIN SOLUTION\nfunc Three() string { return \"three\" }\n// END SOLUTION"},
	{"three-test", "tests", `%test
func TestThree(t *testing.T) {
	if Three() != "three" {
		t.Error("it is not three")
	}
}`},
	{"words", "manual", "BEGIN SOLUTION\nbecause\nEND SOLUTION"},
}

// notebook returns the lecturer's notebook with other sources of some cells; new ids are cells at its end.
func notebook(t testing.TB, sources map[string]string) *nbformat.Notebook {
	t.Helper()
	nb := &nbformat.Notebook{Minor: 5, Metadata: map[string]any{"kernelspec": map[string]any{"name": "gonb", "language": "go", "display_name": "Go (gonb)"}}}
	left := map[string]string{}
	for id, text := range sources {
		left[id] = text
	}
	for _, c := range cells {
		own := &nbformat.Cell{ID: c[0], Type: "code", Source: c[2], Metadata: map[string]any{}}
		m := nbgrader.Meta{ID: c[0]}
		switch c[1] {
		case "given":
			m.Locked = true
		case "answer":
			m.Solution = true
		case "tests":
			m.Grade, m.Locked, m.Points = true, true, 2
			own.Metadata["marginalia"] = map[string]any{"credit": "subtests"}
		case "manual":
			m.Grade, m.Solution, m.Points = true, true, 1
			own.Type = "markdown"
		}
		nbgrader.Write(own, m)
		if text, ok := sources[c[0]]; ok {
			own.Source = text
			delete(left, c[0])
		}
		nb.Cells = append(nb.Cells, own)
	}
	for id, text := range left {
		nb.Cells = append(nb.Cells, &nbformat.Cell{ID: id, Type: "code", Source: text, Metadata: map[string]any{}})
	}
	return nb
}

func root(t testing.TB) string {
	t.Helper()
	return must.Get(filepath.Abs("../../..")).Or(t)
}

// mistakes are submissions, with the marks of One, Two, Three that they must get.
var mistakes = map[string]struct {
	sources map[string]string
	marks   [3]float64
}{
	"right":              {nil, [3]float64{2, 2, 2}},
	"one mistake":        {map[string]string{"one": "func One(x int) int { if x < 0 { return 0 }; return x + 2 }"}, [3]float64{0, 2, 2}},
	"half of one":        {map[string]string{"one": "func One(x int) int { return x*x + 1 }"}, [3]float64{1, 2, 2}},
	"leaves in variable": {map[string]string{"three": "var x = leave()\n\nfunc leave() int { panic(\"left\") }\n\nfunc Three() string { return \"three\" }"}, [3]float64{2, 2, 0}},
	"own cell leaves":    {map[string]string{"mine": "var mine = func() int { panic(\"left\") }()"}, [3]float64{2, 2, 2}},
	"given redeclared":   {map[string]string{"one": "func Given(x int) int { return 1 }\n\nfunc One(x int) int { return Given(x) }", "given": "func Given(x int) int { return 0 }"}, [3]float64{2, 2, 2}},
	"does not compile":   {map[string]string{"two": "func Two(x int) int {"}, [3]float64{2, 0, 2}},
	"nothing":            {map[string]string{"one": "", "two": "", "three": ""}, [3]float64{}},
	"other signature":    {map[string]string{"two": "func Two(x float64) float64 { return x + 2 }"}, [3]float64{2, 0, 2}},
}

func newGrader(t testing.TB, nb *nbformat.Notebook) *grade.Grader {
	t.Helper()
	owncache.Use(t)
	b := &grade.Builder{Root: root(t)}
	may := func(path string) bool { return path == "fmt" }
	g := must.Get(b.Grader(t.Context(), nb, grade.Settings{MayImport: may, TimeFactor: 20, Memory: 64 << 20})).Or(t)
	t.Cleanup(g.Close)
	return g
}

// renamed gives cells the grade_ids that nbgrader's Create Assignment does, "cell-" and hexadecimal digits.
func renamed(nb *nbformat.Notebook) *nbformat.Notebook {
	for _, c := range nb.Cells {
		if m, _ := nbgrader.Read(c); m.ID != "" {
			m.ID = fmt.Sprintf("cell-%x", m.ID)
			nbgrader.Write(c, m)
		}
	}
	return nb
}

// A mistake costs the question that it is in, whatever the cells are called. Attacks are in TestHostile.
func TestMistakes(t *testing.T) {
	tier.Long(t)
	g := newGrader(t, renamed(notebook(t, nil)))
	for name, a := range mistakes {
		t.Run(name, func(t *testing.T) {
			v := must.Get(g.Grade(t.Context(), "ada", renamed(notebook(t, a.sources)))).Or(t)
			for i, test := range v.Tests {
				if test.Score != a.marks[i] {
					t.Errorf("%s: %g, want %g; %+v %v", test.ID, test.Score, a.marks[i], test.Checks, v.Notes)
				}
			}
			if name != "half of one" {
				return
			}
			text := grade.Told(v.Tests[0])
			if want := "1 of 2 points\nfailed: One adds 1\npassed: zero\nfailed: negative numbers\n"; text != want {
				t.Errorf("the student reads %q, want %q", text, want)
			}
		})
	}
}

// folder makes a course with the assignment ps1, and submissions.
func folder(t testing.TB, submissions map[string]map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	write := func(nb *nbformat.Notebook, at ...string) {
		file := filepath.Join(append([]string{dir}, at...)...)
		must.Do(t, os.MkdirAll(filepath.Dir(file), 0o777))
		must.Do(t, nb.WriteFile(file))
	}
	write(notebook(t, nil), "source", "ps1", "ps1.ipynb")
	for id, sources := range submissions {
		write(notebook(t, sources), "submitted", id, "ps1", "ps1.ipynb")
	}
	return dir
}

// run grades all submissions of a course, two at a time unless set says otherwise, and returns what it reports by student.
func run(ctx context.Context, dir, root string, set ...func(*grade.Options)) (map[string]grade.Graded, error) {
	c, err := course.Open(dir)
	if err != nil {
		return nil, err
	}
	a, err := release.Make(c, "ps1")
	if err != nil {
		return nil, err
	}
	book, err := gradebook.Create(ctx, c.Gradebook())
	if err != nil {
		return nil, err
	}
	defer book.Close()
	entry := gradebook.Assignment{Name: "ps1", Notebooks: []gradebook.Notebook{{Name: "ps1"}}}
	for _, cell := range a.Notebooks[0].Graded.Cells {
		if m, _ := nbgrader.Read(cell); m.Stored() {
			entry.Notebooks[0].Cells = append(entry.Notebooks[0].Cells, gradebook.Cell{ID: m.ID, Type: cell.Type, Grade: m.Grade, Solution: m.Solution, Locked: m.Locked, Max: m.Points})
		}
	}
	if err := book.SetAssignment(ctx, entry); err != nil {
		return nil, err
	}
	all := map[string]grade.Graded{}
	o := grade.Options{Course: c, Release: a, Builder: &grade.Builder{Root: root}, Book: book, Jobs: 2, Report: func(g grade.Graded) { all[g.Student] = g }}
	if o.Students, err = c.Students(course.Submitted); err != nil {
		return nil, err
	}
	for _, set := range set {
		set(&o)
	}
	return all, grade.Run(ctx, o)
}

// Marks stand in the gradebook and in the graded notebook; what has not changed is not judged
// again; after a change it is said whose marks changed; a mark by hand is kept.
func TestRun(t *testing.T) {
	tier.Long(t)
	owncache.Use(t)
	dir := folder(t, map[string]map[string]string{"ada": nil, "ben": {"one": "func One(x int) int { return 0 }", "words": "BEGIN SOLUTION"}})
	os.MkdirAll(filepath.Join(dir, "submitted", "cid", "ps1"), 0o777)
	os.WriteFile(filepath.Join(dir, "submitted", "cid", "ps1", "ps1.ipynb"), []byte("{"), 0o666)
	want := map[string]float64{"ada": 6, "ben": 4, "cid": 0} // 2 points for each of three questions
	for _, unchanged := range []bool{false, true} {
		all := must.Get(run(t.Context(), dir, root(t))).Or(t)
		for id, g := range all {
			if g.Err != nil || g.Score != want[id] || g.Max != 6 || g.Unchanged != unchanged || len(g.Changes) > 0 {
				t.Errorf("%s: %+v, want %g", id, g, want[id])
			}
		}
		if len(all) != 3 || len(all["cid"].Faults) != 1 {
			t.Errorf("%+v", all)
		}
	}
	if got := bookScores(t, dir); fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("the gradebook has %v, want %v", got, want)
	}
	for id := range want {
		at := filepath.Join(dir, "autograded", id, "ps1")
		if rec, err := grade.ReadRecord(at); err != nil || id == "ada" && rec.Notebooks[0].Tests[0].Seconds == 0 {
			t.Errorf("%s: %v, no times of the tests", id, err)
		}
		nb := must.Get(nbformat.Read(filepath.Join(at, "ps1.ipynb"))).Or(t)
		if err := nbgrader.Validate(nb); err != nil {
			t.Error(err)
		}
		if text, _ := nb.Encode(); strings.Contains(string(text), "seven") || strings.Contains(string(text), "-6") {
			t.Errorf("%s: a hidden test stands in the graded notebook", id)
		}
	}
	// Ben hands in again, and the book is lost: ada's marks come from her record.
	must.Do(t, notebook(t, nil).WriteFile(filepath.Join(dir, "submitted", "ben", "ps1", "ps1.ipynb")))
	all, err := run(t.Context(), dir, root(t))
	must.Do(t, err)
	if ben := all["ben"]; ben.Unchanged || ben.Score != 6 || len(ben.Changes) == 0 || *ben.Changes[0].Before != 0 || *ben.Changes[0].After != 2 {
		t.Errorf("ben: %+v", ben)
	}
	os.Remove(filepath.Join(dir, "gradebook.db"))
	if all, err = run(t.Context(), dir, root(t)); err != nil || !all["ada"].Unchanged {
		t.Errorf("ada: %+v, %v", all["ada"], err)
	}
	want["ben"] = 6
	if got := bookScores(t, dir); fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("the new gradebook has %v, want %v", got, want)
	}
}

func bookScores(t testing.TB, dir string) map[string]float64 {
	t.Helper()
	book := must.Get(gradebook.Open(t.Context(), filepath.Join(dir, "gradebook.db"))).Or(t)
	defer book.Close()
	all := must.Get(book.Submissions(t.Context(), "ps1")).Or(t)
	scores := map[string]float64{}
	for _, s := range all {
		scores[s.Student.ID] = s.Score().Total
	}
	return scores
}

// An answer that passes all subtests and fails beside them does not get all points: here Two changes what it is given.
func TestBesideSubtests(t *testing.T) {
	tier.Long(t)
	sources := map[string]string{
		"two":      "func Two(x int) int { return Given(x) + 1 }\n\nfunc Double(x []int) (y []int) {\n\tfor _, v := range x {\n\t\ty = append(y, 2*v)\n\t}\n\treturn y\n}",
		"two-test": "%test\nfunc TestTwo(t *testing.T) {\n\tx := []int{1, 2}\n\tt.Run(\"double\", func(t *testing.T) {\n\t\tif y := Double(x); y[0] != 2 {\n\t\t\tt.Error(y)\n\t\t}\n\t})\n\tt.Run(\"length\", func(t *testing.T) {\n\t\tif len(Double(x)) != Two(0) {\n\t\t\tt.Error()\n\t\t}\n\t})\n\tif x[0] != 1 {\n\t\tt.Error(\"Double has changed what it got\")\n\t}\n}",
	}
	g := newGrader(t, notebook(t, sources))
	sources["two"] = strings.Replace(sources["two"], "y = append(y, 2*v)", "y = append(y, 2*v)\n\t\tx[0] = 9", 1)
	for want, two := range map[float64]string{
		0: strings.Replace(sources["two"], "2*v", "3*v", 1), // one of two, and beside it
		1: sources["two"],
		2: strings.Replace(sources["two"], "x[0] = 9", "", 1),
	} {
		sources["two"] = two
		v := must.Get(g.Grade(t.Context(), "ada", notebook(t, sources))).Or(t)
		if got := v.Tests[1].Score; got != want {
			t.Errorf("%g points, want %g: %s", got, want, grade.Told(v.Tests[1]))
		}
	}
}
