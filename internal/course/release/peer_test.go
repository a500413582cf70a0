package release

import (
	"bytes"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"marginalia/internal/base/repo"
	"marginalia/internal/course"
	"marginalia/internal/course/formgrade"
	"marginalia/internal/notebook/nbformat"
	"marginalia/internal/notebook/nbgrader"
	"marginalia/internal/testkit/must"
	"marginalia/internal/testkit/tier"
)

// In the folder that `course new` makes, nbgrader generate_assignment releases the
// same cells as we do, with the same metadata and checksums: of the example, of an
// assignment of the lectures, and of notebooks of nbgrader's own, in Python.
func TestAsGenerateAssignment(t *testing.T) {
	tier.Peer(t)
	python := must.Get(formgrade.Nbgrader().Python(t.Context(), nil)).Or(t)
	out, err := exec.Command(python, "-c", "from importlib.util import find_spec; print(find_spec('nbgrader').submodule_search_locations[0])").Output()
	must.Do(t, err)
	root := must.Get(repo.Root()).Or(t)
	theirs := strings.TrimSpace(string(out))
	dir := filepath.Join(t.TempDir(), "course")
	must.Do(t, course.New(dir))
	for name, from := range map[string]string{
		"ps1":        theirs + "/docs/source/user_guide/source/ps1",
		"tasks":      theirs + "/tests/preprocessors/files/test_taskcell.ipynb",
		"hidden":     theirs + "/tests/apps/files/test-hidden-tests.ipynb",
		"perceptron": root + "/notebooks/assignments/source/perceptron",
	} {
		to := filepath.Join(dir, "source", name)
		if info, err := os.Stat(from); err == nil && !info.IsDir() {
			data, _ := os.ReadFile(from)
			os.MkdirAll(to, 0o777)
			must.Do(t, os.WriteFile(filepath.Join(to, name+".ipynb"), data, 0o666))
		} else if err := os.CopyFS(to, os.DirFS(from)); err != nil {
			t.Fatal(err)
		}
	}
	c := must.Get(course.Open(dir)).Or(t)
	names, err := c.Assignments()
	if err != nil || len(names) != 5 {
		t.Fatalf("%q, %v", names, err)
	}
	cmd := exec.Command(python, "-m", "nbgrader", "generate_assignment", "*") // all in one start
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "PATH="+filepath.Dir(python)+":"+os.Getenv("PATH"), "JUPYTER_CONFIG_DIR="+t.TempDir(), "JUPYTER_DATA_DIR="+t.TempDir())
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("nbgrader generate_assignment: %v\n%s", err, out)
	}
	compared := 0
	for _, name := range names {
		files := must.Get(c.Notebooks(name)).Or(t)
		for _, file := range files {
			want := must.Get(nbformat.Read(filepath.Join(dir, "release", name, filepath.Base(file)))).Or(t)
			own := must.Get(load(file)).Or(t)
			nb := must.Get(own.read(c)).Or(t)
			stubs := nbgrader.Go
			if nb.Language() == "python" {
				stubs.Code = "# YOUR CODE HERE\nraise NotImplementedError()"
			}
			stubs.Whole = stubs.Code // where we add %%, which a statement needs in GoNB
			var removed []nbgrader.Removed
			must.Do(t, withoutSolutions(nb, stubs, &removed))
			must.Do(t, withoutTests(nb, &removed))
			if len(nb.Cells) != len(want.Cells) {
				t.Errorf("%s: %d cells, nbgrader has %d", file, len(nb.Cells), len(want.Cells))
				continue
			}
			for i := range nb.Cells {
				if got, want := fields(t, nb.Cells[i]), fields(t, want.Cells[i]); got != want {
					t.Errorf("%s, cell %d:\n%s\nnbgrader has\n%s", file, i+1, got, want)
				}
				compared++
			}
		}
		// The files beside the notebooks are the same too.
		ours := must.Get(beside(filepath.Join(dir, "source", name))).Or(t)
		for _, f := range ours {
			if data, err := os.ReadFile(filepath.Join(dir, "release", name, f.Path)); err != nil || !bytes.Equal(data, f.Data) {
				t.Errorf("%s: %v", f.Path, err)
			}
		}
	}
	if compared < 60 {
		t.Errorf("%d cells were compared, want at least 60", compared)
	}
}

// fields are the parts of a cell, as JSON. Its id is left out: nbgrader makes new ones
// for old notebooks.
func fields(t *testing.T, c *nbformat.Cell) string {
	t.Helper()
	metadata := must.Get(json.Marshal(c.Metadata)).Or(t)
	rest := must.Get(json.Marshal([]any{c.Type, c.Source, c.Outputs, c.ExecutionCount, len(c.Attachments)})).Or(t)
	return string(metadata) + "\n" + string(rest)
}
