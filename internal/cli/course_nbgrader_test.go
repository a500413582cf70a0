package cli

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"marginalia/internal/notebook/nbformat"
	"marginalia/internal/notebook/nbformat/nbtest"
	"marginalia/internal/notebook/nbgrader"
	"marginalia/internal/testkit/must"
	"marginalia/internal/testkit/testfile"
	"marginalia/internal/testkit/tier"
)

// We grade in a folder that nbgrader quickstart made what nbgrader generate_assignment released: its header comes
// first, whose code cell declares names and has no metadata. nbgrader exports the marks.
func TestCourseOfNbgrader(t *testing.T) {
	tier.Long(t)
	tier.Peer(t)
	run := withNbgrader(t)
	example, dir := exampleCourse(t), filepath.Join(t.TempDir(), "course")
	read := func(path ...string) *nbformat.Notebook {
		t.Helper()
		return nbtest.Read(t, filepath.Join(append([]string{dir}, path...)...))
	}
	write := func(nb *nbformat.Notebook, path ...string) {
		t.Helper()
		data := must.Get(nb.Encode()).Or(t)
		file := filepath.Join(append([]string{dir}, path...)...)
		testfile.Write(t, file, data)
	}

	run(filepath.Dir(dir), "-m", "nbgrader", "quickstart", filepath.Base(dir))
	header := read("source", "header.ipynb") // in Python: NAME = ""
	for _, c := range header.Cells {
		if c.Type == "code" {
			c.Source = "const Name = \"\""
		}
	}
	write(header, "source", "header.ipynb")
	must.Do(t, os.CopyFS(filepath.Join(dir, "source", "ps0"), os.DirFS(filepath.Join(example, "source", "ps0"))))
	config := testfile.Read(t, filepath.Join(dir, "nbgrader_config.py"))
	config += "\nc.ClearSolutions.code_stub = {\"go\": 'panic(\"not implemented\")'}\n"
	testfile.Write(t, filepath.Join(dir, "nbgrader_config.py"), config)
	run(dir, "-m", "nbgrader", "generate_assignment", "ps0")

	released := read("release", "ps0", "ps0.ipynb")
	write(released, "submitted", "ann", "ps0", "ps0.ipynb")
	solutions := map[string]string{}
	for _, c := range read("source", "ps0", "ps0.ipynb").Cells {
		if m, _ := nbgrader.Read(c); m.Kind() == nbgrader.Answer {
			solutions[m.ID] = c.Source
		}
	}
	for _, c := range released.Cells {
		if m, _ := nbgrader.Read(c); solutions[m.ID] != "" {
			c.Source = solutions[m.ID]
		}
		if c.Source == "const Name = \"\"" {
			c.Source = "const Name = \"Bob\""
		}
	}
	write(released, "submitted", "bob", "ps0", "ps0.ipynb")
	for _, command := range []string{"grade", "feedback"} {
		if status := statusOf(t.Context(), []string{"course", command, "ps0", "--course", dir}); status != 0 {
			t.Fatalf("course %s: status %d", command, status)
		}
	}
	run(dir, "-m", "nbgrader", "export")
	marks := testfile.Read(t, filepath.Join(dir, "grades.csv"))
	// course new's example has a question of 3 points with tests, and 3 points that are given by hand.
	for _, want := range []string{"ps0,,,ann,,,,0.0,0.0,0.0,6.0", "ps0,,,bob,,,,3.0,0.0,3.0,6.0"} {
		if !strings.Contains(marks, want) {
			t.Errorf("nbgrader export has no line %q:\n%s", want, marks)
		}
	}
}
