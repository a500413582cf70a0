package cli

import (
	"bytes"
	"path/filepath"
	"testing"

	"marginalia/internal/testkit/must"
	"marginalia/internal/testkit/testfile"
)

// Whoever tests a lecture after a change in JupyterLab reads where the change is: the lecture itself has none, and "ok" would
// be no answer.
func TestNoteCopies(t *testing.T) {
	root := t.TempDir()
	at := func(name string) string { return filepath.Join(root, filepath.FromSlash(name)) }
	for _, name := range []string{"notebooks/04-margins.ipynb", "notebooks/05-kernels.ipynb", "notebooks/exercises/04-margins.ipynb",
		"notebooks/own/lectures/04-margins.ipynb", "notebooks/own/exercises/04-margins.ipynb", "notebooks/own/lectures/mine.ipynb", "mine.ipynb"} {
		testfile.Write(t, at(name), "{}")
	}
	const of = "note 04-margins.ipynb: what you changed in JupyterLab is not here but in "
	for dir, want := range map[string]string{ // by paths that can be given to the next command
		"":                    of + "notebooks/own/lectures/04-margins.ipynb\n" + of + "notebooks/own/exercises/04-margins.ipynb\n",
		"notebooks":           of + "own/lectures/04-margins.ipynb\n" + of + "own/exercises/04-margins.ipynb\n",
		"notebooks/exercises": of + "../own/lectures/04-margins.ipynb\n" + of + "../own/exercises/04-margins.ipynb\n",
	} {
		t.Chdir(at(dir))
		var files []string
		for _, name := range []string{"notebooks/04-margins.ipynb", "notebooks/05-kernels.ipynb", "notebooks/exercises/04-margins.ipynb", "notebooks/own/lectures/04-margins.ipynb", "mine.ipynb"} {
			files = append(files, must.Get(filepath.Rel(at(dir), at(name))).Or(t))
		}
		var said bytes.Buffer
		if noteCopies(&said, root, files); said.String() != want {
			t.Errorf("in %q said is\n%s, want\n%s", dir, said.String(), want)
		}
	}
}
