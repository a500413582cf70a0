package check

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"marginalia/internal/assignment"
	"marginalia/internal/course"
	"marginalia/internal/course/grade"
	"marginalia/internal/course/release"
	"marginalia/internal/nbformat"
	"marginalia/internal/nbgrader"
	"marginalia/internal/verdict"
)

// released returns the example of `course new` as students get it: Mean in cell 4, its tests with
// the checks "several numbers" and "no numbers" and a hidden one in cell 5, words in cell 7.
func released(t testing.TB) *nbformat.Notebook {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "course")
	if err := course.New(dir); err != nil {
		t.Fatal(err)
	}
	c, err := course.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	a, err := release.Make(c, "ps0")
	if err != nil {
		t.Fatal(err)
	}
	nb := a.Notebooks[0].Release
	terms := release.Terms{Imports: []string{"math"}, Memory: 64 << 20, Tests: []release.Test{{Name: "TestMean", Seconds: 2,
		Checks: []release.Check{{Name: "TestMean"}, {Name: "TestMean/several numbers", Worth: 1}, {Name: "TestMean/no numbers", Worth: 1}}}}}
	if err := terms.Store(nb, func(_, source string) string { return source }); err != nil {
		t.Fatal(err)
	}
	return nb
}

// bare is a release by nbgrader, which says nothing of its terms.
func bare(t testing.TB) *nbformat.Notebook {
	nb := released(t)
	delete(nb.Metadata, "marginalia")
	return nb
}

func cellOf(nb *nbformat.Notebook, id string) *nbformat.Cell {
	return nb.Cells[slices.IndexFunc(nb.Cells, func(c *nbformat.Cell) bool { return name(c) == id })]
}

func without(nb *nbformat.Notebook, id string) {
	nb.Cells = slices.DeleteFunc(nb.Cells, func(c *nbformat.Cell) bool { return name(c) == id })
}

func read(t *testing.T, nb *nbformat.Notebook) *Sheet {
	t.Helper()
	s, err := Read(nb)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// printed returns what a student reads.
func printed(t *testing.T, r *Result) string {
	t.Helper()
	var w strings.Builder
	if err := r.Print(&w); err != nil {
		t.Fatal(err)
	}
	return w.String()
}

// What a student has done to the notebook is said by cell and line, and the lecturer's cells are
// judged as they were handed out.
func TestWarnings(t *testing.T) {
	for what, c := range map[string]struct {
		change func(*nbformat.Notebook)
		want   string // a warning; "" for none
		bare   string // without terms, if it is another
	}{
		"nothing": {func(*nbformat.Notebook) {}, "", ""},
		"answered": {func(nb *nbformat.Notebook) {
			cellOf(nb, "mean").Source = "// Mean is right.\nfunc Mean(x []float64) (float64, error) { return 0, nil }"
		}, "", ""},
		"space": {func(nb *nbformat.Notebook) { cellOf(nb, "imports").Source += "\n" }, "", "cell 2 (imports): the cell was changed, and students must not: the grader takes it as it was handed out, this check as it is"},
		"tests changed": {func(nb *nbformat.Notebook) { cellOf(nb, "mean-test").Source = "%test\nfunc TestMean(t *testing.T) {}" },
			"cell 5 (mean-test): the cell was changed, and students must not: the grader takes it as it was handed out, and so does this check",
			"cell 5 (mean-test): the cell was changed, and students must not: the grader takes it as it was handed out, this check as it is"},
		"text changed": {func(nb *nbformat.Notebook) { cellOf(nb, "mean-question").Source = "easier" }, "cell 3 (mean-question): the cell was changed", ""},
		"tests deleted": {func(nb *nbformat.Notebook) { without(nb, "imports") },
			"cell imports: the cell was deleted, and students must not: the grader puts it back, and so does this check", "-"},
		"answer deleted": {func(nb *nbformat.Notebook) { without(nb, "mean") }, "cell mean: the cell is missing, and with it your answer", "-"},
		"words deleted":  {func(nb *nbformat.Notebook) { without(nb, "words") }, "cell words: the cell is missing, and with it your answer", "-"},
		"type": {func(nb *nbformat.Notebook) { cellOf(nb, "mean").Type = "markdown" },
			"cell 4 (mean): it is a markdown cell, and was a code cell: the grader does not find your answer", "-"},
		"copy": {func(nb *nbformat.Notebook) {
			own := *cellOf(nb, "mean")
			own.ID = "copy"
			nb.Cells = append(nb.Cells, &own)
		}, "cell 9: it is a copy of cell 4, which counts: delete one of them", ""},
		"directive": {func(nb *nbformat.Notebook) { cellOf(nb, "mean").Source += "\n//go:linkname f runtime.g" },
			"cell 4 (mean), line 6: //go:linkname does nothing here: the grader takes out all comments", ""},
		"build tag":  {func(nb *nbformat.Notebook) { cellOf(nb, "mean").Source = "// +build linux\n" }, "cell 4 (mean), line 1: // +build does nothing here", ""},
		"no comment": {func(nb *nbformat.Notebook) { cellOf(nb, "mean").Source += "\n//godoc is a tool, //lined too" }, "", ""},
		"own cell": {func(nb *nbformat.Notebook) {
			nb.Cells = append(nb.Cells, &nbformat.Cell{ID: "mine", Type: "code", Source: "!ls\n//export f\n", Metadata: map[string]any{}})
		}, "cell 9, line 2: //export does nothing here", ""},
		"shell":   {func(nb *nbformat.Notebook) { cellOf(nb, "mean").Source = "\n!rm -rf /" }, "cell 4 (mean), line 2: !rm -rf / does nothing here: the grader takes the Go code alone", ""},
		"command": {func(nb *nbformat.Notebook) { cellOf(nb, "mean").Source = "%goflags -race\nfunc f() {}\n%%\nf()" }, "cell 4 (mean), line 1: %goflags -race does nothing here", ""},
	} {
		for _, kind := range []string{"release", "bare"} {
			nb, want := released(t), c.want
			if kind == "bare" {
				if nb = bare(t); c.bare == "-" {
					continue // nobody knows which cells there were
				} else if c.bare != "" {
					want = c.bare
				} else {
					want = strings.Replace(want, "and so does this check", "this check as it is", 1)
				}
			}
			handed := map[string]string{}
			for _, c := range nb.Cells {
				handed[name(c)] = c.Source
			}
			c.change(nb)
			s := read(t, nb)
			r := &Result{places: places(nb)}
			submitted := s.warn(r)
			s.note(r, nil)
			text, _, _ := strings.Cut(printed(t, r), "cell 7 (words): ")
			if want == "" && strings.Contains(text, "warning") || want != "" && !strings.HasPrefix(text, "warning: "+want) || strings.Count(text, "warning") > 1 {
				t.Errorf("%s, %s: %q, want %q", what, kind, text, want)
			}
			for _, c := range submitted.Cells {
				if m, _ := nbgrader.Read(c); kind == "release" && m.ReadOnly() && strings.TrimSpace(c.Source) != strings.TrimSpace(handed[m.ID]) {
					t.Errorf("%s: cell %s is judged as %q", what, m.ID, c.Source)
				}
			}
		}
	}
}

// What the grader says of a submission reaches the student once, with the place in the notebook.
func TestNotes(t *testing.T) {
	nb := released(t)
	nb.Cells = append(nb.Cells, &nbformat.Cell{ID: "mine", Type: "code", Source: "func x() {}", Metadata: map[string]any{}})
	s := read(t, nb)
	r := &Result{places: places(nb)}
	s.warn(r)
	note := func(cell string, line int, text string) verdict.Note {
		return verdict.Note{Place: verdict.Place{Cell: cell, Line: line}, Text: text}
	}
	s.note(r, []verdict.Note{
		note("cell-mine", 2, "it declares Mean again, which cell mean declares: that one counts"),
		note("mean", 3, "Mean does not compile: undefined: sum"), note("mean", 3, "Mean does not compile: undefined: sum"),
		note("mean", 0, "the cell is missing"), note("", 0, "\x1b[31mred"),
	})
	want := `warning: the notebook: ` + "\uFFFD" + `[31mred
warning: cell 4 (mean), line 3: Mean does not compile: undefined: sum
warning: cell 9, line 2: it declares Mean again, which cell 4 (mean) declares: that one counts
cell 7 (words): not answered yet; a person marks it
`
	if got := printed(t, r); !strings.HasPrefix(got, want) {
		t.Errorf("the student reads\n%s\nwant\n%s", got, want)
	}
}

// The points are those that visible checks decide on; a check that was not reached is failed.
func TestPoints(t *testing.T) {
	check := func(name string, passed bool) verdict.Check {
		return verdict.Check{Name: name, Words: name[strings.LastIndex(name, "/")+1:], Passed: passed}
	}
	cell := &assignment.Tests{Cell: &assignment.Cell{ID: "mean-test"}, Funcs: []string{"TestMean"}, Subtests: true}
	a := &assignment.Assignment{Tests: []*assignment.Tests{cell}}
	both := []verdict.Check{check("TestMean", true), check("TestMean/several numbers", true), check("TestMean/no numbers", true)}
	half := []verdict.Check{check("TestMean", false), check("TestMean/several numbers", true), {Name: "TestMean/no numbers", Words: "no numbers", Panic: "panic: not implemented", Place: &verdict.Place{Cell: "mean", Line: 4}}}
	cut := []verdict.Check{{Name: "TestMean", Words: "TestMean", Panic: "it takes too long"}, check("TestMean/several numbers", true)}
	for _, c := range []struct {
		subtests bool
		checks   []verdict.Check
		terms    bool
		want     string
	}{
		{true, both, true, `cell 5 (mean-test): 2 of 2 points; hidden checks give 1 more
    passed: several numbers
    passed: no numbers
2 of 2 checks passed, 2 of 2 points; the grader has hidden checks besides
`},
		{true, half, true, `cell 5 (mean-test): 1 of 2 points; hidden checks give 1 more
    failed: TestMean
    passed: several numbers
    failed: no numbers
        panic: not implemented
        in cell 4 (mean), line 4
1 of 2 checks passed, 1 of 2 points; the grader has hidden checks besides
`},
		{true, cut, true, `cell 5 (mean-test): 1 of 2 points; hidden checks give 1 more
    failed: TestMean
        it takes too long
    passed: several numbers
    failed: no numbers
        it takes too long
1 of 3 checks passed, 1 of 2 points; the grader has hidden checks besides
`},
		{false, both, true, `cell 5 (mean-test): 3 of 3 points; hidden checks must pass too
    passed: several numbers
    passed: no numbers
2 of 2 checks passed, 3 of 3 points; the grader has hidden checks besides
`},
		{false, half[:2], true, `cell 5 (mean-test): 0 of 3 points; hidden checks must pass too
    failed: TestMean
    passed: several numbers
    failed: no numbers
1 of 2 checks passed, 0 of 3 points; the grader has hidden checks besides
`},
	} {
		s := read(t, released(t))
		cell.Subtests = c.subtests
		r := &Result{places: places(s.student), Tests: []Test{s.test(a, verdict.Test{ID: "mean-test", Max: 3, Checks: c.checks})}}
		if got := printed(t, r); got != c.want {
			t.Errorf("the student reads\n%s\nwant\n%s", got, c.want)
		}
		if passed := strings.HasPrefix(c.want, "cell 5 (mean-test): 2 of 2") || strings.HasPrefix(c.want, "cell 5 (mean-test): 3 of 3"); r.Passed() != passed {
			t.Errorf("passed: %v, want %v", r.Passed(), passed)
		}
	}
}

// What a test could not be judged for, and what it says at length, is told.
func TestPrint(t *testing.T) {
	nb := released(t)
	r := &Result{places: places(nb), Tests: []Test{
		{Test: verdict.Test{ID: "mean-test", Max: 3}, Why: "line 4: undefined: Mean"},
		{Test: verdict.Test{ID: "other", Max: 1, Output: "one\ntwo\n", Checks: []verdict.Check{{Name: "TestX", Words: "x", Messages: []string{strings.Repeat("é", 5000)}}}}, Uses: []string{"mean"}},
	}, ByHand: []Answer{{"words", false}}}
	text := printed(t, r)
	for _, want := range []string{
		"cell 5 (mean-test): 0 of 3 points\n    failed: it can't be judged with your answers: line 4: undefined: Mean\n",
		"cell other: 0 of 1 points\n    failed: x\n        ééé", "é …\n",
		"    your code printed:\n        one\n        two\n",
		"    it uses answers that fail, too: mend cell 4 (mean) first",
		"cell 7 (words): a person marks it\n", "0 of 2 checks passed, 0 of 4 points\n",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("the student reads %q, want %q in it", text, want)
		}
	}
	if len(text) > 3000 || r.Passed() {
		t.Errorf("%d bytes are printed, want a message of 5000 letters cut; passed: %v", len(text), r.Passed())
	}
}

// The notebook that a submission is judged by: the release where it says what answers declare,
// and else the student's own declarations, without what does not compile.
func TestAssignment(t *testing.T) {
	root, err := filepath.Abs("../../..")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(filepath.Join(root, "go.mod")); err != nil {
		t.Fatal(err)
	}
	for what, c := range map[string]struct {
		nb     *nbformat.Notebook
		mean   string
		tests  int
		says   string // why, or a warning
		listed string // of the answer in the judge's notebook
	}{
		"release":             {released(t), "func Mean(x int) int { return x }", 1, "", "panic(\"not implemented\")"},
		"no terms":            {bare(t), "func Mean(x []float64) (float64, error) { return solve(x), nil }", 1, "", "not implemented"},
		"other type":          {bare(t), "func Mean(x []float64) error { return nil }", 0, "assignment mismatch", ""},
		"does not parse":      {bare(t), "func Mean(", 0, "undefined: Mean", ""},
		"an unknown type":     {bare(t), "func Mean(x []float64) (Number, error) { return 0, nil }", 0, "undefined: Number", ""},
		"a cell of their own": {bare(t), "func Mean(x []float64) (float64, error) { return 0, nil }", 1, "errors redeclared", "not implemented"},
	} {
		t.Run(what, func(t *testing.T) {
			cellOf(c.nb, "mean").Source = c.mean
			if what == "a cell of their own" {
				c.nb.Cells = append(c.nb.Cells, &nbformat.Cell{ID: "mine", Type: "code", Source: "func Mean() {}", Metadata: map[string]any{}})
				c.says = "Mean is declared in cell 4 (mean) already"
			}
			s := read(t, c.nb)
			r := &Result{places: places(c.nb)}
			a, why, err := s.assignment(t.Context(), root, r)
			if err != nil {
				t.Fatal(err)
			}
			text := why["mean-test"] + "\n" + printed(t, r)
			if len(a.Tests) != c.tests || !strings.Contains(text, c.says) {
				t.Errorf("%d tests cells, want %d; it says %q, want %q", len(a.Tests), c.tests, text, c.says)
			}
			i := slices.IndexFunc(a.Cells, func(c *assignment.Cell) bool { return c.ID == "mean" })
			if i >= 0 && (!strings.Contains(a.Cells[i].Source, c.listed) || strings.Contains(a.Cells[i].Source, "solve")) {
				t.Errorf("the answer is %q, want %q in it and no body", a.Cells[i].Source, c.listed)
			}
		})
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, _, err := read(t, released(t)).assignment(ctx, root, &Result{}); !errors.Is(err, context.Canceled) {
		t.Errorf("interrupted: %v", err)
	}
}

// Where no test can be compiled, nothing is built, and the grader's own words say why.
func TestNothingToJudge(t *testing.T) {
	root, err := filepath.Abs("../../..")
	if err != nil {
		t.Fatal(err)
	}
	cache, err := os.UserCacheDir()
	if err != nil {
		t.Fatal(err)
	}
	t.Setenv("GOCACHE", cmp.Or(os.Getenv("GOCACHE"), filepath.Join(cache, "go-build")))
	own := t.TempDir() // where the judge would be kept
	t.Setenv("XDG_CACHE_HOME", own)
	nb := bare(t)
	cellOf(nb, "mean").Source = "// Mean\nfunc Mean(x []float64) (float64, error {"
	r, err := read(t, nb).Run(t.Context(), &grade.Builder{Root: root})
	if err != nil {
		t.Fatal(err)
	}
	want := `warning: cell 4 (mean), line 2: it does not compile: missing ',' in parameter list
cell 5 (mean-test): 0 of 3 points
    failed: it can't be judged with your answers: line 5: undefined: Mean
cell 7 (words): not answered yet; a person marks it
0 of 1 checks passed, 0 of 3 points
`
	if got := printed(t, r); got != want || r.Passed() {
		t.Errorf("the student reads\n%s\nwant\n%s", got, want)
	}
	if built, _ := filepath.Glob(filepath.Join(own, "*")); len(built) > 0 {
		t.Errorf("%q are made", built)
	}
}

// Where numbers differ from student to student, the notebook's id counts, and has to be there.
func TestWhose(t *testing.T) {
	root, err := filepath.Abs("../../..")
	if err != nil {
		t.Fatal(err)
	}
	nb := bare(t)
	nb.Cells = append(nb.Cells, &nbformat.Cell{ID: "who", Type: "code", Source: "var student = \"your id\"", Metadata: map[string]any{"marginalia": map[string]any{"student": true}}})
	if err := (release.Terms{Memory: 1}).Store(nb, func(_, source string) string { return source }); err != nil {
		t.Fatal(err)
	}
	s := read(t, nb)
	r := &Result{}
	a, _, err := s.assignment(t.Context(), root, r)
	if err != nil {
		t.Fatal(err)
	}
	if id := s.whose(r, a); id != "your id" || !strings.Contains(printed(t, r), `warning: the notebook: it does not say whose it is: write your id in place of "your id"`) {
		t.Errorf("as it was handed out it is %q's: %v", id, r.Warnings)
	}
	nb.Cells[len(nb.Cells)-1].Source = "var student = `ada`"
	r = &Result{}
	if id := s.whose(r, a); id != "ada" || len(r.Warnings) > 0 {
		t.Errorf("it is %q's: %v, want ada and no warning", id, r.Warnings)
	}
}

// Notebooks that are none of ours are refused, with a reason.
func TestReadRefuses(t *testing.T) {
	// A grade_id becomes the name of a file in the judge.
	tricky := map[string]any{"nbgrader": map[string]any{"schema_version": json.Number("3"), "grade": true, "solution": false, "locked": true, "points": json.Number("1"), "grade_id": "a\nfunc init() { println(1) }\x1b[31m"}}
	for want, nb := range map[string]*nbformat.Notebook{
		"no cell of it has tests": {Metadata: map[string]any{"kernelspec": map[string]any{"name": "gonb"}}, Cells: []*nbformat.Cell{{ID: "a", Type: "code", Source: "x"}}},
		"a notebook in python":    {Metadata: map[string]any{"kernelspec": map[string]any{"name": "python3"}}},
		"schema_version":          {Metadata: map[string]any{"kernelspec": map[string]any{"name": "gonb"}}, Cells: []*nbformat.Cell{{ID: "a", Type: "code", Metadata: map[string]any{"nbgrader": map[string]any{"schema_version": json.Number("9")}}}}},
		"grade_id":                {Metadata: map[string]any{"kernelspec": map[string]any{"name": "gonb"}}, Cells: []*nbformat.Cell{{ID: "a", Type: "code", Metadata: tricky}}},
		"memory":                  {Metadata: map[string]any{"marginalia": map[string]any{"release": map[string]any{}}}},
	} {
		var bad *UnreadableError
		if _, err := Read(nb); !errors.As(err, &bad) || !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), "\x1b") {
			t.Errorf("%v, want an UnreadableError with %q", err, want)
		}
	}
}

// Whatever stands in a file, it is refused or its cells are looked at; nothing panics.
func FuzzRead(f *testing.F) {
	for _, nb := range []*nbformat.Notebook{released(f), bare(f)} {
		data, err := nb.Encode()
		if err != nil {
			f.Fatal(err)
		}
		f.Add(data)
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		nb, err := nbformat.Decode(data)
		if err != nil {
			return
		}
		s, err := Read(nb)
		if err != nil {
			return
		}
		r := &Result{places: places(nb)}
		s.warn(r)
		s.note(r, nil)
		printed(t, r)
	})
}
