package release

import (
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"marginalia/internal/course"
	"marginalia/internal/notebook/nbformat"
	"marginalia/internal/notebook/nbgrader"
	"marginalia/internal/testkit/must"
)

// example opens a new course folder.
func example(t *testing.T) *course.Course {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "course")
	must.Do(t, course.New(dir))
	return must.Get(course.Open(dir)).Or(t)
}

func put(t *testing.T, c *course.Course, name, text string) {
	t.Helper()
	name = filepath.Join(c.Dir, name)
	os.MkdirAll(filepath.Dir(name), 0o777)
	must.Do(t, os.WriteFile(name, []byte(text), 0o666))
}

// edit changes the source notebook of ps0.
func edit(t *testing.T, c *course.Course, change func(*nbformat.Notebook)) {
	t.Helper()
	file := filepath.Join(c.Dir, "source", "ps0", "ps0.ipynb")
	nb := must.Get(nbformat.Read(file)).Or(t)
	change(nb)
	must.Do(t, nb.WriteFile(file))
}

// The three versions of the example: what each has, and that nothing else is lost.
func TestMake(t *testing.T) {
	c := example(t)
	edit(t, c, func(nb *nbformat.Notebook) {
		one := 1
		for _, cell := range nb.Cells {
			cell.Metadata["ours"] = "kept"
			if cell.Type == "code" {
				cell.ExecutionCount, cell.Outputs = &one, []nbformat.Output{{Type: "stream", Name: "stdout", Text: "3\n"}}
				cell.Metadata["scrolled"] = true
			}
		}
		nb.Metadata["celltoolbar"], nb.Metadata["ours"] = "Create Assignment", "kept"
	})
	put(t, c, "source/ps0/data/x.csv", "1,2\n")
	put(t, c, "source/ps0/.ipynb_checkpoints/ps0-checkpoint.ipynb", "{}")
	put(t, c, "source/ps0/sub/other.ipynb", "{}")
	a := must.Get(Make(c, "ps0")).Or(t)
	if want := []File{{"data/x.csv", []byte("1,2\n")}}; !reflect.DeepEqual(a.Files, want) {
		t.Errorf("files %v, want %v", a.Files, want)
	}
	nb := a.Notebooks[0]
	for _, v := range []struct {
		name     string
		nb       *nbformat.Notebook
		has, not []string
	}{
		{"source", nb.Source, []string{"sum += v", "after Mean(x)", "The mean moves", "Half a point"}, nil},
		{"graded", nb.Graded, []string{"after Mean(x)", "Half a point", `panic("not implemented")`, "YOUR ANSWER HERE"}, []string{"sum += v", "The mean moves", "BEGIN SOLUTION"}},
		{"release", nb.Release, []string{`panic("not implemented")`, "YOUR ANSWER HERE", "several numbers"}, []string{"sum += v", "The mean moves", "after Mean(x)", "Half a point", "BEGIN", "END", "MESSAGE"}},
	} {
		all := ""
		for _, cell := range v.nb.Cells {
			all += cell.Source + "\n"
			if v.name != "source" && (len(cell.Outputs) > 0 || cell.ExecutionCount != nil || cell.Metadata["scrolled"] != nil) {
				t.Errorf("%s: cell %s has outputs", v.name, cell.ID)
			}
			if cell.Metadata["ours"] != "kept" {
				t.Errorf("%s: cell %s lost a key", v.name, cell.ID)
			}
			m, err := nbgrader.Read(cell)
			if err != nil {
				t.Error(err)
			}
			if sum := nbgrader.Checksum(cell, m); v.name != "source" && m.Checksum != sum {
				t.Errorf("%s: cell %s has the checksum %q, want %s", v.name, cell.ID, m.Checksum, sum)
			}
		}
		for _, has := range v.has {
			if !strings.Contains(all, has) {
				t.Errorf("%s lacks %q", v.name, has)
			}
		}
		for _, not := range v.not {
			if strings.Contains(all, not) {
				t.Errorf("%s has %q", v.name, not)
			}
		}
		if len(v.nb.Cells) != len(nb.Source.Cells) || v.nb.Metadata["ours"] != "kept" {
			t.Errorf("%s: %d cells of %d, metadata %v", v.name, len(v.nb.Cells), len(nb.Source.Cells), v.nb.Metadata)
		}
	}
	if nb.Release.Metadata["celltoolbar"] != nil {
		t.Error("the lecturer's toolbar is released")
	}
	if leaks, unsearched := a.Leaks(nil); len(leaks) > 0 || len(unsearched) > 0 {
		t.Errorf("%v", leaks)
	}
}

// The stub of a function that returns values compiles: panic ends it.
func TestStubCompiles(t *testing.T) {
	a := must.Get(Make(example(t), "ps0")).Or(t)
	stub := a.Notebooks[0].Release.Cells[3].Source
	fset := token.NewFileSet()
	f := must.Get(parser.ParseFile(fset, "mean.go", "package ps0\n"+stub, 0)).Or(t)
	if _, err := new(types.Config).Check("ps0", fset, []*ast.File{f}, nil); err != nil || !strings.Contains(stub, "YOUR CODE HERE") {
		t.Errorf("%v in\n%s", err, stub)
	}
}

// Header and footer of nbgrader's configuration come with every notebook.
func TestHeader(t *testing.T) {
	c := example(t)
	for _, name := range []string{"header", "footer"} {
		if err := (&nbformat.Notebook{Cells: []*nbformat.Cell{{ID: name, Type: "markdown", Source: "the " + name}}}).WriteFile(filepath.Join(c.Dir, "source", name+".ipynb")); err != nil {
			t.Fatal(err)
		}
	}
	c.Header, c.Footer = "source/header.ipynb", "source/footer.ipynb"
	a := must.Get(Make(c, "ps0")).Or(t)
	cells := a.Notebooks[0].Release.Cells
	if cells[0].Source != "the header" || cells[len(cells)-1].Source != "the footer" || cells[1].ID != "title" {
		t.Errorf("first %q, then %s, last %q", cells[0].Source, cells[1].ID, cells[len(cells)-1].Source)
	}
	// A header of an old format, as nbgrader ships it, gets ids in a notebook that has them.
	put(t, c, "source/header.ipynb", `{"cells": [{"cell_type": "markdown", "metadata": {}, "source": "the header"}], "metadata": {}, "nbformat": 4, "nbformat_minor": 0}`)
	a = must.Get(Make(c, "ps0")).Or(t)
	if data, err := a.Notebooks[0].Release.Encode(); err != nil || strings.Count(string(data), "\"id\":") != len(cells) {
		t.Errorf("%d of %d cells have an id (%v)", strings.Count(string(data), "\"id\":"), len(cells), err)
	}
	put(t, c, "source/header.ipynb", `{"cells": [{"id": "title", "cell_type": "markdown", "metadata": {}, "source": ""}], "metadata": {}, "nbformat": 4, "nbformat_minor": 5}`)
	if _, err := Make(c, "ps0"); err == nil || !strings.Contains(err.Error(), `id "title"`) {
		t.Errorf("two cells of one id: %v", err)
	}
}

func TestMakeRefuses(t *testing.T) {
	for want, change := range map[string]func(*nbformat.Notebook){
		"is a notebook in python, want Go": func(nb *nbformat.Notebook) {
			nb.Metadata = map[string]any{"kernelspec": map[string]any{"name": "python3", "display_name": "x"}}
		},
		"cell 4 (mean), line 3: BEGIN SOLUTION without an END SOLUTION": func(nb *nbformat.Notebook) {
			nb.Cells[3].Source = strings.Replace(nb.Cells[3].Source, "END SOLUTION", "END SOLUTIONS"[:8], 1)
		},
		"cell 5 (mean-test), line 25: END HIDDEN TESTS without a BEGIN": func(nb *nbformat.Notebook) {
			nb.Cells[4].Source = strings.Replace(nb.Cells[4].Source, "BEGIN HIDDEN TESTS", "", 1)
		},
		"cell 2 (imports), line 1: BEGIN HIDDEN TESTS in a cell of kind given": func(nb *nbformat.Notebook) {
			nb.Cells[1].Source = "// BEGIN HIDDEN TESTS\n// END HIDDEN TESTS"
		},
		"cell 5 (mean-test), line 2: BEGIN SOLUTION in a cell of kind tests": func(nb *nbformat.Notebook) {
			nb.Cells[4].Source = "%test\n// BEGIN SOLUTION\n// END SOLUTION"
		},
		"cell 5 (mean-test), line 2: AUTOTEST": func(nb *nbformat.Notebook) {
			nb.Cells[4].Source = "%test\n// HASHED AUTOTEST Mean(x)"
		},
		`grade_id "mean" is that of cell 4 too`: func(nb *nbformat.Notebook) {
			nb.Cells[4].Metadata["nbgrader"].(map[string]any)["grade_id"] = "mean"
		},
	} {
		c := example(t)
		edit(t, c, change)
		if _, err := Make(c, "ps0"); err == nil || strings.Count(err.Error(), want) != 1 {
			t.Errorf("%v, want %q, once", err, want)
		}
	}
	c := example(t)
	put(t, c, "secret.txt", "of another folder")
	must.Do(t, os.Symlink("../../secret.txt", filepath.Join(c.Dir, "source", "ps0", "data.txt")))
	if _, err := Make(c, "ps0"); err == nil || !strings.Contains(err.Error(), "data.txt") {
		t.Errorf("a link that leads out: %v", err)
	}
	if _, err := Make(c, "ps9"); err == nil || !strings.Contains(err.Error(), "there are ps0") {
		t.Errorf("no such assignment: %v", err)
	}
}

// The release folder has the release and nothing else, whatever was there.
func TestWriteAndDiff(t *testing.T) {
	c := example(t)
	put(t, c, "source/ps0/data/x.csv", "1,2\n")
	a := must.Get(Make(c, "ps0")).Or(t)
	first, err := a.Diff(c)
	if err != nil || !strings.Contains(first, "+func Mean(") || !strings.Contains(first, "+4 bytes, SHA-256") || strings.Contains(strings.ReplaceAll(first, "\n---", ""), "\n-") {
		t.Errorf("the first diff (%v):\n%s", err, first)
	}
	put(t, c, "release/ps0/solution/old.ipynb", "half a noteb")
	put(t, c, "release/ps0/data/old.csv", "")
	if old, err := a.Diff(c); err != nil || !strings.Contains(old, "-nbformat: ") {
		t.Errorf("with a file that is no notebook (%v):\n%s", err, old)
	}
	must.Do(t, a.Write(c))
	if same, err := a.Diff(c); err != nil || same != "" {
		t.Errorf("after it was written (%v):\n%s", err, same)
	}
	var there []string
	filepath.WalkDir(filepath.Join(c.Dir, "release"), func(path string, d os.DirEntry, err error) error {
		rel, _ := filepath.Rel(c.Dir, path)
		there = append(there, rel)
		return err
	})
	if want := []string{"release", "release/ps0", "release/ps0/data", "release/ps0/data/x.csv", "release/ps0/ps0.ipynb"}; !slices.Equal(there, want) {
		t.Errorf("released are %q, want %q", there, want)
	}
	nb, err := nbformat.Read(filepath.Join(c.Dir, "release", "ps0", "ps0.ipynb"))
	if err != nil || nbgrader.Validate(nb) != nil {
		t.Errorf("%v, %v", err, nbgrader.Validate(nb))
	}

	edit(t, c, func(nb *nbformat.Notebook) {
		nb.Cells[2].Source += "\n\nA new sentence."
		nb.Cells[4].Source = strings.Replace(nb.Cells[4].Source, "POINTS: 3", "POINTS: 4", 1)
	})
	a = must.Get(Make(c, "ps0")).Or(t)
	got, err := a.Diff(c)
	if err != nil || !strings.Contains(got, "\n+A new sentence.") || !strings.Contains(got, "-── mean-test (code, tests, 3 points, read-only)\n+── mean-test (code, tests, 4 points, read-only)") || strings.Contains(got, "x.csv") {
		t.Errorf("the second diff (%v):\n%s", err, got)
	}
	if n := strings.Count(got, "\n+"); n > 5 {
		t.Errorf("the second diff adds %d lines:\n%s", n, got)
	}
}
