package cli

import (
	"bytes"
	"path/filepath"
	"testing"

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
	var said bytes.Buffer
	noteCopies(&said, root, []string{at("notebooks/04-margins.ipynb"), at("notebooks/05-kernels.ipynb"), at("notebooks/exercises/04-margins.ipynb"),
		at("notebooks/own/lectures/04-margins.ipynb"), at("mine.ipynb")})
	const of = "note 04-margins.ipynb: this is the lecture as it was given; what you changed in JupyterLab is in "
	if want := of + "notebooks/own/lectures/04-margins.ipynb\n" + of + "notebooks/own/exercises/04-margins.ipynb\n"; said.String() != want {
		t.Errorf("said is\n%s, want\n%s", said.String(), want)
	}
}
