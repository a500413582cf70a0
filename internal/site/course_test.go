package site

import (
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"marginalia/internal/base/repo/repotest"
	"marginalia/internal/base/scaffold"
	"marginalia/internal/notebook/nbformat"
	"marginalia/internal/testkit/must"
	"marginalia/internal/testkit/testfile"
)

// lecturers is a course as `marginalia new` makes it, with a notebook whose slider reads a file through
// the course's package, a page with a name that an address may not have as it is, a notebook in
// Python, and the source of an assignment, which students may not see.
func lecturers(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	must.Do(t, scaffold.Course(dir))
	slack := read(t, "testdata", "slack.ipynb")
	for name, text := range map[string]string{
		"notebooks/02-slack.ipynb":    slack,
		"notebooks/other/plain.ipynb": `{"cells": [{"cell_type": "code", "execution_count": 1, "id": "a", "metadata": {}, "outputs": [{"name": "stdout", "output_type": "stream", "text": "3\n"}], "source": "print(1 + 2)"}], "metadata": {"kernelspec": {"name": "python3", "display_name": "Python 3", "language": "python"}}, "nbformat": 4, "nbformat_minor": 5}`,
		"notes/Woche 1.md":            "# Woche 1\n\n[slider](../notebooks/02-slack.ipynb#cell-id=slack), [section](../notebooks/02-slack.ipynb#What-does-C-do?), [front](../README.md), [ours.Mean](../ours/ours.go), [data](../data/points.csv)\n",
		"course.toml":                 "",
		"source/ps0/ps0.ipynb":        `{"cells": [{"cell_type": "code", "execution_count": null, "id": "a", "metadata": {}, "outputs": [], "source": "// BEGIN SOLUTION\nconst answer = 4711\n// END SOLUTION"}], "metadata": {"kernelspec": {"name": "gonb", "display_name": "Go", "language": "go"}}, "nbformat": 4, "nbformat_minor": 5}`,
	} {
		testfile.Write(t, filepath.Join(dir, filepath.FromSlash(name)), text)
	}
	return dir
}

// bookOfCourse is the book of a course.
func bookOfCourse(t *testing.T, dir string) *book {
	t.Helper()
	root := repotest.Root(t)
	b := must.Get(newBook(root, dir)).Or(t)
	return b
}

// A course has all its notebooks and pages, and none of what students may not see.
func TestCoursePages(t *testing.T) {
	dir := lecturers(t)
	testfile.Write(t, filepath.Join(dir, "public", mark), "")
	testfile.Write(t, filepath.Join(dir, "public", "files", "old.md"), "# Of an older site\n")
	testfile.Write(t, filepath.Join(dir, ".venv", "a.md"), "")
	b := bookOfCourse(t, dir)
	var got []string
	for _, file := range slices.Concat(b.lectures, b.documents) {
		got = append(got, b.rel(file))
	}
	if want := []string{"notebooks/01-first.ipynb", "notebooks/02-slack.ipynb", "notebooks/other/plain.ipynb", "notes/Woche 1.md"}; !slices.Equal(got, want) || b.front != "README.md" || b.title != "A course in notebooks" {
		t.Errorf("pages %q, first %q, title %q; want %q, README.md and its heading", got, b.front, b.title, want)
	}
	for rel, want := range map[string]bool{"data/points.csv": true, "source/ps0/ps0.ipynb": false, "../outside.csv": false, "public/files/old.md": false, "course.toml": true, ".env": false, "notebooks/.token": false, "gradebook.db": false} {
		if b.holds(rel) != want {
			t.Errorf("holds(%q) = %v", rel, !want)
		}
	}
}

// What can't become a site is refused with the file and what to do.
func TestCourseRefused(t *testing.T) {
	root := repotest.Root(t)
	for name, c := range map[string]struct {
		files map[string]string
		want  string
	}{
		"nothing there":    {nil, "no notebooks"},
		"two of one page":  {map[string]string{"a/x.md": "# X", "a/X.ipynb": "{}"}, "a/x.md would be a/x.html, as that of a/X.ipynb"},
		"the site's name":  {map[string]string{"gallery.md": "# G"}, "gallery.md would be gallery.html"},
		"the site's place": {map[string]string{"library/a.md": "# A"}, "library/a.md lies in library"},
	} {
		dir := t.TempDir()
		for file, text := range c.files {
			testfile.Write(t, filepath.Join(dir, filepath.FromSlash(file)), text)
		}
		if _, err := newBook(root, dir); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: error %v, want %q", name, err, c.want)
		}
	}
	for dir, want := range map[string]string{filepath.Join(t.TempDir(), "x"): "there is no folder", root: "is marginalia itself", filepath.Join(root, "go.mod"): "is not a folder"} {
		if _, err := newBook(root, dir); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: error %v, want %q", dir, err, want)
		}
	}
}

// A notebook with a solution is refused wherever it lies, and the old site stays.
func TestCourseSolution(t *testing.T) {
	dir := lecturers(t)
	b := bookOfCourse(t, dir)
	testfile.Write(t, filepath.Join(dir, "notebooks", "03.ipynb"), read(t, dir, "source", "ps0", "ps0.ipynb"))
	s := newStage(b, t.TempDir(), "", &library{})
	if err := s.notebook(t.Context(), "notebooks/03.ipynb", true); err == nil || !strings.Contains(err.Error(), "BEGIN SOLUTION") || !strings.Contains(err.Error(), "course release") {
		t.Errorf("error %v", err)
	}
	if text, err := s.resolved("notes/a.md", []byte(`<a href="cell:0:../source/ps0/ps0.ipynb">x</a>`)); err != nil || string(text) != "x" || len(b.faults) != 1 || len(s.files) != 0 {
		t.Errorf("a link to a solution becomes %s, %v, with faults %v and %d files", text, err, b.faults, len(s.files))
	}
}

// The files that strings in a notebook's code name are what its programs may read.
func TestReads(t *testing.T) {
	dir := lecturers(t)
	testfile.Write(t, filepath.Join(filepath.Dir(dir), "secret.csv"), "1")
	b := bookOfCourse(t, dir)
	nb := notebookOf("%%\nf(\"../data/points.csv\", `./../data/points.csv`, \"../data\", \"../../secret.csv\", \"../source/ps0/ps0.ipynb\", \"none.csv\", \"\", '…')", "!cat \"02-slack.ipynb\"")
	want := map[string]string{"../data/points.csv": "data/points.csv", "./../data/points.csv": "data/points.csv", "02-slack.ipynb": "notebooks/02-slack.ipynb"}
	if got := b.reads(nb, b.at("notebooks")); !maps.Equal(got, want) {
		t.Errorf("reads %q, want %q", got, want)
	}
}

// notebookOf is a notebook with these cells of code.
func notebookOf(sources ...string) *nbformat.Notebook {
	nb := &nbformat.Notebook{}
	for i, s := range sources {
		nb.Cells = append(nb.Cells, &nbformat.Cell{ID: fmt.Sprint(i), Type: "code", Source: s})
	}
	return nb
}
