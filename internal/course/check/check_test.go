package check

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"marginalia/internal/base/repo"
	"marginalia/internal/course"
	"marginalia/internal/course/grade"
	"marginalia/internal/course/release"
	"marginalia/internal/notebook/nbformat"
	"marginalia/internal/sandbox/assignment"
	"marginalia/internal/sandbox/verdict"
	"marginalia/internal/testkit/must"
	"marginalia/internal/testkit/reads"
)

func TestMain(m *testing.M) {
	assignment.CompilerMain()
	os.Exit(reads.Short(m).Run())
}

// released returns the example of `course new` as students get it: Mean in cell 4, its tests with
// the checks "several numbers" and "no numbers" and a hidden one in cell 5, words in cell 7.
func released(t testing.TB) *nbformat.Notebook {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "course")
	must.Do(t, course.New(dir))
	c := must.Get(course.Open(dir)).Or(t)
	a := must.Get(release.Make(c, "ps0")).Or(t)
	nb := a.Notebooks[0].Release
	terms := release.Terms{Imports: []string{"math"}, Memory: 64 << 20, Tests: []release.Test{{Name: "TestMean", Seconds: 2,
		Checks: []release.Check{{Name: "TestMean"}, {Name: "TestMean/several numbers", Worth: 1}, {Name: "TestMean/no numbers", Worth: 1}}}}}
	must.Do(t, terms.Store(nb, func(_, source string) string { return source }))
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

func root(t *testing.T) string {
	t.Helper()
	return must.Get(repo.Root()).Or(t)
}

func read(t *testing.T, nb *nbformat.Notebook) *Sheet {
	t.Helper()
	return must.Get(Read(nb, t.TempDir())).Or(t)
}

// printed returns what a student reads.
func printed(t *testing.T, r *Report) string {
	t.Helper()
	var w strings.Builder
	must.Do(t, r.Print(&w))
	return w.String()
}

// The notebook that a submission is judged by: the release where it says what answers declare,
// and else the student's own declarations, without what does not compile.
func TestAssignment(t *testing.T) {
	root := root(t)
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
			r := &Report{places: places(c.nb)}
			a, why, err := s.assignment(t.Context(), root, r)
			must.Do(t, err)
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
	if _, _, err := read(t, released(t)).assignment(ctx, root, &Report{}); !errors.Is(err, context.Canceled) {
		t.Errorf("interrupted: %v", err)
	}
}

// Who passes a test whose hidden lines only the grader has is told that there are some.
func TestHiddenLines(t *testing.T) {
	for _, hides := range []bool{false, true} {
		s := &Sheet{terms: &release.Terms{Tests: []release.Test{{Name: "TestX", Checks: []release.Check{{Name: "TestX", Worth: 2}}, Hides: hides}}}}
		a := &assignment.Assignment{Tests: []*assignment.Tests{{Cell: &assignment.Cell{ID: "x"}, Funcs: []string{"TestX"}}}}
		got := s.test(a, verdict.Test{ID: "x", Max: 2, Checks: []verdict.Check{{Name: "TestX", Passed: true, Worth: 2}}})
		if got.AllOf != hides || got.Score != 2 || got.Hidden != 0 {
			t.Errorf("hidden lines %v: %+v", hides, got)
		}
	}
}

// The student's code reads the files that came with the notebook, or those beside it if nothing is known of them.
func TestFiles(t *testing.T) {
	nb := released(t)
	terms := must.Get(release.ReadTerms(nb)).Or(t)
	sum := func(text string) string { return fmt.Sprintf("%x", sha256.Sum256([]byte(text))) }
	terms.Files = map[string]string{"a.csv": sum("1,2"), "data/b.csv": sum("3"), "data/c.csv": sum("4")}
	must.Do(t, terms.Store(nb, func(_, source string) string { return source }))
	dir := t.TempDir()
	for path, text := range map[string]string{"a.csv": "1,2", "data/b.csv": "changed", "mine.csv": "5", "ps0.ipynb": "", ".hidden": ""} {
		path = filepath.Join(dir, path)
		must.Do(t, errors.Join(os.MkdirAll(filepath.Dir(path), 0o777), os.WriteFile(path, []byte(text), 0o666)))
	}
	for _, c := range []struct {
		nb    *nbformat.Notebook
		files []string
		says  string
	}{
		{nb, []string{"a.csv", "data/b.csv"}, "data/b.csv was changed: the grader takes it as it was handed out, this check as it is\n" +
			"warning: the notebook: the file data/c.csv is missing, which came with the notebook: put it beside it again\n"},
		{bare(t), []string{"a.csv", "mine.csv"}, ""},
	} {
		s := must.Get(Read(c.nb, dir)).Or(t)
		r := &Report{places: places(c.nb)}
		files, err := s.files(r)
		if got := printed(t, r); err != nil || !slices.Equal(files, c.files) || !strings.Contains(got, c.says) || len(r.Warnings) != strings.Count(c.says, "\n") {
			t.Errorf("files %q, %v, want %q; the student reads %q, want %q", files, err, c.files, got, c.says)
		}
	}
}

// Where no test can be compiled, nothing is built, and the grader's own words say why.
func TestNothingToJudge(t *testing.T) {
	root := root(t)
	cache := must.Get(os.UserCacheDir()).Or(t)
	t.Setenv("GOCACHE", cmp.Or(os.Getenv("GOCACHE"), filepath.Join(cache, "go-build")))
	own := t.TempDir() // where the judge would be kept
	t.Setenv("XDG_CACHE_HOME", own)
	nb := bare(t)
	cellOf(nb, "mean").Source = "// Mean\nfunc Mean(x []float64) (float64, error {"
	r := must.Get(read(t, nb).Run(t.Context(), &grade.Builder{Root: root})).Or(t)
	want := `warning: cell 4 (mean), line 2: it does not compile: missing ',' in parameter list
cell 5 (mean-test): 0 of 3 points
    failed: it can't be judged with your answers: line 7: undefined: Mean
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

// Read refuses a notebook that is no assignment, and says why.
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
		if _, err := Read(nb, t.TempDir()); !errors.As(err, &bad) || !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), "\x1b") {
			t.Errorf("%v, want an UnreadableError with %q", err, want)
		}
	}
}

// Whatever stands in a file, it is refused or its cells are looked at; nothing panics.
func FuzzRead(f *testing.F) {
	for _, nb := range []*nbformat.Notebook{released(f), bare(f)} {
		data := must.Get(nb.Encode()).Or(f)
		f.Add(data)
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		nb, err := nbformat.Decode(data)
		if err != nil {
			return
		}
		s, err := Read(nb, t.TempDir())
		if err != nil {
			return
		}
		r := &Report{places: places(nb)}
		s.warn(r)
		s.note(r, nil)
		printed(t, r)
	})
}
