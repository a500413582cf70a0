package site

import (
	"errors"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"marginalia/internal/browser/manifest"
	"marginalia/internal/testkit/must"
	"marginalia/internal/testkit/testfile"
)

// Cells of a course may import all packages of its modules that lie in its folder, and what its notebooks name. A notebook in
// another language names nothing.
func TestCoursePackages(t *testing.T) {
	dir := lecturers(t)
	testfile.Write(t, filepath.Join(dir, "notebooks", "03.ipynb"), string(must.Get(notebookOf("import \"C\"\nimport \"example.org/far/p\"", "%%\nx(", "import \"-o\"\nimport \"net/http\"").Encode()).Or(t)))
	testfile.Write(t, filepath.Join(dir, "alone", "go.mod"), "module example.org/alone\n")
	testfile.Write(t, filepath.Join(dir, "alone", "a.ipynb"), string(must.Get(notebookOf("import \"example.org/alone/x\"").Encode()).Or(t)))
	b := bookOfCourse(t, dir)
	must.Do(t, b.join(t.TempDir()))
	p := must.Get(b.imported()).Or(t)
	for folder, want := range map[string][]string{
		"notebooks": {"example.org/course/...", "example.org/course/ours", "example.org/far/p", "net/http"},
		"alone":     {"example.org/alone/...", "example.org/alone/x"},
	} {
		o := p.beside[p.from[folder]]
		for _, path := range want {
			if o == nil || !slices.Contains(o.Patterns, path) {
				t.Errorf("for notebooks in %s there is no %s: %+v", folder, path, o)
			}
		}
		if o != nil && slices.ContainsFunc(o.Patterns, func(p string) bool { return p == "C" || strings.HasPrefix(p, "-") }) {
			t.Errorf("the go command is asked for %q", o.Patterns)
		}
	}
	if _, ok := p.from["notebooks/other"]; ok {
		t.Error("a notebook in Python has packages")
	}
	p.beside[p.from["alone"]].Fault = errors.New("another version")
	still := b.still(p, &manifest.Manifest{Lacking: map[string]string{"example.org/far/p": "it needs cgo", "example.org/course/unwanted": "x"}})
	var said []string
	for _, fault := range b.faults {
		said = append(said, fault.Error())
	}
	if want := []string{"alone: the cells of its notebooks do not run in their pages: another version", "notebooks/03.ipynb: cells that use example.org/far/p do not run in its page: it needs cgo"}; !slices.Equal(said, want) || !still["alone"] || still["notebooks"] {
		t.Errorf("it says %q, want %q; still are %v", said, want, still)
	}
}

// A course may be a part of a module. What of it lies elsewhere is imported by name alone.
func TestPartOfModule(t *testing.T) {
	dir := must.Get(filepath.EvalSymlinks(t.TempDir())).Or(t)
	testfile.Write(t, filepath.Join(dir, "go.mod"), "module example.org/all\n")
	testfile.Write(t, filepath.Join(dir, "teaching", "ml", "a.ipynb"), string(must.Get(notebookOf("import \"example.org/all/server\"").Encode()).Or(t)))
	b := bookOfCourse(t, filepath.Join(dir, "teaching", "ml"))
	must.Do(t, b.join(t.TempDir()))
	p := must.Get(b.imported()).Or(t)
	if got, want := p.beside[p.from["."]].Patterns, []string{"example.org/all/teaching/ml/...", "example.org/all/server"}; !slices.Equal(got, want) {
		t.Errorf("cells may import %q, want %q", got, want)
	}
}

// Pages have no package of the folders that the site leaves out, nor of an assignment's elsewhere.
func TestHides(t *testing.T) {
	dir := must.Get(filepath.EvalSymlinks(lecturers(t))).Or(t)
	testfile.Write(t, filepath.Join(dir, "a", "week", "x.md"), "# X\n")
	b, below := bookOfCourse(t, dir), bookOfCourse(t, filepath.Join(dir, "a", "week"))
	for rel, want := range map[string]bool{"ours": false, ".": false, "source/ps0": true, "ours/testdata/x": true, "_old": true} {
		if b.hides(filepath.Join(dir, filepath.FromSlash(rel))) != want {
			t.Errorf("the site hides %s: %v", rel, !want)
		}
	}
	for rel, want := range map[string]bool{"ours": false, "source/ps0": true, "_old": false} { // of these the last may be a cache
		if below.hides(filepath.Join(dir, filepath.FromSlash(rel))) != want {
			t.Errorf("the site of a part hides %s: %v", rel, !want)
		}
	}
}

// The site needs two folders more for cells.
func TestClear(t *testing.T) {
	dir := lecturers(t)
	testfile.Write(t, filepath.Join(dir, "lab", "x.md"), "# X\n")
	b := bookOfCourse(t, dir)
	if err := b.clear("go", "lab"); err == nil || !strings.Contains(err.Error(), "lab/x.md lies in lab") {
		t.Errorf("the error is %v", err)
	}
}
