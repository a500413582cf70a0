package release

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"marginalia/internal/notebook/nbformat"
	"marginalia/internal/notebook/nbgrader"
	"marginalia/internal/testkit/must"
)

// spoken is a notebook of the cells of an archive: each file is one, of the type and with the id in its name.
func spoken(archive string) *nbformat.Notebook {
	nb := &nbformat.Notebook{Minor: 5, Metadata: map[string]any{"kernelspec": map[string]any{"name": "gonb", "language": "go", "display_name": "Go (gonb)"}}}
	for _, f := range txtar.Parse([]byte(archive)).Files {
		kind, id, _ := strings.Cut(f.Name, " ")
		nb.Cells = append(nb.Cells, &nbformat.Cell{ID: id, Type: kind, Source: strings.TrimSuffix(string(f.Data), "\n"), Metadata: map[string]any{}})
	}
	return nb
}

const kindsOfCells = `
-- markdown c1 --
# Problem set 1
-- code c2 --
import "testing"
-- code c3 --
var student = "your id"
-- code c4 --
// LeastSquares fits a line.
func LeastSquares(x, y []float64) (a, b float64) {
	// BEGIN SOLUTION
	return helper(x, y)
	// END SOLUTION
}
-- code c5 --
// BEGIN SOLUTION
func helper(x, y []float64) (a, b float64) { return 1, 2 }
// END SOLUTION
-- code c6 --
%test
// CREDIT: subtests
// BEGIN HIDDEN TESTS
func TestHiddenThing(t *testing.T) {}
// END HIDDEN TESTS
// POINTS: 2.5
// TestLine fits.
func TestLine(t *testing.T) {}
-- code c7 --
func SVMFit() {
	// BEGIN SOLUTION
	// END SOLUTION
}
-- code c8 --
%test
// POINTS: 3
// BEGIN HIDDEN TESTS
func TestHiddenThingToo(t *testing.T) {}
// END HIDDEN TESTS
-- code c9 --
%%
// POINTS: 4
// BEGIN SOLUTION
draw()
// END SOLUTION
-- markdown c10 --
<!-- POINTS: 2 -->
<!-- BEGIN SOLUTION -->
Since it is so.
<!-- END SOLUTION -->
-- markdown c11 --
Draw something below.
<!-- POINTS: 1 -->
### BEGIN MARK SCHEME
half a point for a line
### END MARK SCHEME
-- markdown c12 --
Read this.
`

// metas returns the metadata of all cells, a line each.
func metas(nb *nbformat.Notebook) string {
	var b strings.Builder
	for _, c := range nb.Cells {
		m, _ := nbgrader.Read(c)
		fmt.Fprintf(&b, "%s %s", c.ID, m.ID)
		if m.Stored() {
			fmt.Fprintf(&b, " %v %v locked=%t", m.Kind(), m.Points, m.Locked)
		}
		if credit, ok := c.Setting("credit"); ok {
			fmt.Fprintf(&b, " %v", credit)
		}
		b.WriteString("\n")
	}
	return b.String()
}

// Each kind follows from the text, and no grade_id from what students do not see.
func TestKinds(t *testing.T) {
	nb := spoken(kindsOfCells)
	nb.Cells[2].Metadata["marginalia"] = map[string]any{"student": true}
	must.Get(infer(nb, nil)).Or(t)
	const want = `c1 
c2 c2 given 0 locked=true
c3 
c4 least-squares answer 0 locked=false
c5 line answer 0 locked=false
c6 line-test tests 2.5 locked=true subtests
c7 svm-fit answer 0 locked=false
c8 svm-fit-test tests 3 locked=true
c9 manual-answer-1 manual answer 4 locked=false
c10 manual-answer-2 manual answer 2 locked=false
c11 task-1 task 1 locked=false
c12 
`
	if got := metas(nb); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	if err := nbgrader.Validate(nb); err != nil {
		t.Error(err)
	}
	if said, err := infer(nb, nil); err != nil || len(said) != 0 {
		t.Errorf("the same again says %v, %v", said, err)
	}
}

// A notebook without a POINTS line stays as it is.
func TestKindsAreSilent(t *testing.T) {
	nb := spoken(strings.NewReplacer("POINTS: ", "points: ").Replace(kindsOfCells))
	if said, err := infer(nb, nil); err != nil || said != nil {
		t.Errorf("%v, %v", said, err)
	}
	for _, c := range nb.Cells {
		if len(c.Metadata) > 0 {
			t.Errorf("%s has %v", c.ID, c.Metadata)
		}
	}
}

// What is not clear is an error with its cell, its line and what to do.
func TestKindsThatAreNotClear(t *testing.T) {
	for _, tt := range []struct{ cell, want string }{
		{"-- code x --\n%test\nfunc TestA(t *testing.T) {}", `cell 2 (x): it has tests and no points: write "// POINTS: 4"`},
		{"-- code x --\n// POINTS: 2\nfunc TestA(t *testing.T) {}", `cell 2 (x): it declares TestA and does not begin with %test`},
		{"-- code x --\n// POINTS: 2\nvar x = 3", "cell 2 (x), line 1: POINTS in a cell that has neither tests nor a solution"},
		{"-- code x --\n%test\n// POINTS: 2\nvar x = 3", "cell 2 (x), line 2: it has points and no test"},
		{"-- code x --\n%test\n// POINTS: two\nfunc TestA(t *testing.T) {}", "cell 2 (x), line 2: // POINTS: two: want a number"},
		{"-- code x --\n%test\n// POINTS 2\nfunc TestA(t *testing.T) {}", "cell 2 (x), line 2: // POINTS 2: want a number"},
		{"-- code x --\n%test\nfunc TestA(t *testing.T) { // POINTS: 2\n}", `cell 2 (x), line 2: POINTS in another form: write "// POINTS: 4" on a line of its own`},
		{"-- code x --\n<!-- POINTS: 2 -->", "cell 2 (x), line 1: POINTS in another form"},
		{"-- markdown x --\n# Why?\n// POINTS: 2", "cell 2 (x), line 2: POINTS in another form"},
		{"-- markdown x --\n<!-- POINTS: 2 --> ## Why?", "cell 2 (x), line 1: POINTS in another form"},
		{"-- code x --\n%test\n// POINTS: NaN\nfunc TestA(t *testing.T) {}", "line 2: // POINTS: NaN: want a number"},
		{"-- code x --\n%test\n// POINTS: 1\n// CREDIT: subtest\nfunc TestA(t *testing.T) {}", "line 3: // CREDIT: subtest: want // CREDIT: subtests, or nothing"},
		{"-- code x --\n%test\n// POINTS: -1\nfunc TestA(t *testing.T) {}", "line 2: // POINTS: -1: want a number"},
		{"-- code x --\n%test\n// POINTS: 1\n// POINTS: 2\nfunc TestA(t *testing.T) {}", "line 3: POINTS, as in line 2"},
		{"-- code x --\n%test\n// BEGIN HIDDEN TESTS\n// POINTS: 1\nfunc TestA(t *testing.T) {}\n// END HIDDEN TESTS", "line 3: POINTS within a region"},
		{"-- code x --\n%test\n// POINTS: 1\nfunc TestA(t *testing.T) {}\n// BEGIN SOLUTION\n// END SOLUTION", "line 4: BEGIN SOLUTION in a cell with tests"},
		{"-- code x --\n// BEGIN HIDDEN TESTS\n// END HIDDEN TESTS", "cell 2 (x): BEGIN HIDDEN TESTS in a cell without a test"},
		{"-- code x --\n// BEGIN SOLUTION", "cell 2 (x), line 1: BEGIN SOLUTION without an END SOLUTION"},
		{"-- markdown x --\n### BEGIN MARK SCHEME\n### END MARK SCHEME", "cell 2 (x): a person is to grade it, and it has no points"},
		{"-- markdown x --\n<!-- BEGIN SOLUTION -->\n<!-- END SOLUTION -->", "cell 2 (x): a person is to grade it, and it has no points"},
		{"-- code old --\n%test\n// POINTS: 1\nfunc TestA(t *testing.T) {}", "cell 2 (old), line 2: it has a POINTS line, and its metadata says given"},
	} {
		nb := spoken("-- markdown first --\n<!-- POINTS: 1 -->\n" + tt.cell + "\n")
		if c := nb.Cells[1]; c.ID == "old" {
			nbgrader.Write(c, nbgrader.Meta{ID: "old", Locked: true})
		}
		_, err := infer(nb, nil)
		if err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s\nis %v, want %q", tt.cell, err, tt.want)
		}
		if f := new(nbgrader.Fault); !errors.As(err, &f) || f.Cell != 2 {
			t.Errorf("%v is in cell %d", err, f.Cell)
		}
	}
}

// grade_ids stay what they are when the notebook changes; the points are those of the text; the file changes once, and
// only in metadata. A file that has been saved in between is left alone.
func TestKeep(t *testing.T) {
	c := example(t)
	file := filepath.Join(c.Dir, "source", "ps1", "ps1.ipynb")
	os.Mkdir(filepath.Dir(file), 0o777)
	save := func(nb *nbformat.Notebook) {
		t.Helper()
		must.Do(t, nb.WriteFile(file))
	}
	make := func() *Handout {
		t.Helper()
		return must.Get(Make(c, "ps1")).Or(t)
	}
	keep := func(want ...string) *nbformat.Notebook {
		t.Helper()
		words, err := make().Keep()
		for i := range words {
			words[i] = strings.TrimPrefix(words[i], file+": ")
		}
		if err != nil || !slices.Equal(words, want) {
			t.Errorf("it says %q, %v, want %q", words, err, want)
		}
		return must.Get(nbformat.Read(file)).Or(t)
	}
	save(spoken(kindsOfCells))
	// Grading before the first release knows the same ids.
	before := metas(make().Notebooks[0].Source)
	nb := keep("least-squares: answer", "line: answer", "line-test: tests, 2.5 points", "svm-fit: answer", "svm-fit-test: tests, 3 points",
		"manual-answer-1: manual answer, 4 points", "manual-answer-2: manual answer, 2 points", "task-1: task, 1 points")
	if after := metas(make().Notebooks[0].Source); after != before {
		t.Errorf("the cells are\n%s\nand were\n%s", after, before)
	}
	sources := func(nb *nbformat.Notebook) (all []string) {
		for _, c := range nb.Cells {
			all = append(all, c.ID, c.Source)
		}
		return all
	}
	if !slices.Equal(sources(nb), sources(spoken(kindsOfCells))) || nb.Cells[1].Metadata["nbgrader"] != nil {
		t.Error("the file has changed otherwise")
	}
	keep()

	// A test with another name and points, and a new question before all others.
	nb.Cells[5].Source = strings.NewReplacer("TestLine", "TestSquares", "POINTS: 2.5", "POINTS: 5").Replace(nb.Cells[5].Source)
	fresh := spoken("-- code n1 --\nfunc LeastSquares2() {\n\t// BEGIN SOLUTION\n\t// END SOLUTION\n}\n-- code n2 --\n%test\n// POINTS: 1\nfunc TestLine(t *testing.T) {}\n")
	nb.Cells = append(fresh.Cells, nb.Cells...)
	save(nb)
	nb = keep("least-squares2: answer", "line-test-2: tests, 1 points", "line-test: 5 points, as its POINTS line says; before, 2.5")
	if m, _ := nbgrader.Read(nb.Cells[7]); m.ID != "line-test" || m.Points != 5 {
		t.Errorf("the tests are %+v", m)
	}

	nb.Cells[7].Source = strings.Replace(nb.Cells[7].Source, "POINTS: 5", "POINTS: 6", 1)
	save(nb)
	a := make()
	nb.Cells[0].Source += "\n"
	save(nb)
	saved, _ := os.ReadFile(file)
	if words, err := a.Keep(); err == nil || !strings.Contains(err.Error(), "release it again") || words != nil {
		t.Errorf("%q, %v", words, err)
	}
	if now, _ := os.ReadFile(file); string(now) != string(saved) {
		t.Error("what was saved meanwhile is lost")
	}
}
