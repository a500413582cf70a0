package platforms

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"marginalia/internal/course/formgrade"
	"marginalia/internal/course/gradebook"
	"marginalia/internal/testkit/must"
	"marginalia/internal/testkit/tier"
)

// Nbgrader writes what nbgrader's own export writes of the same book, byte for byte, as long
// as no name needs quotes.
func TestNbgraderExport(t *testing.T) {
	tier.Peer(t)
	python := must.Get(formgrade.Nbgrader().Python(t.Context(), nil)).Or(t)
	dir := t.TempDir()
	b := book(t)
	if err := b.SetStudents(t.Context(), gradebook.Student{ID: "müller", LastName: "Müller", Email: "m@example.org"}); err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(t.Context(), python, "-I", "-m", "nbgrader", "export", "--db", "sqlite:///"+b.Path(), "--to", filepath.Join(dir, "theirs.csv"))
	cmd.Dir, cmd.Env = dir, append(os.Environ(), "HOME="+dir, "PYTHONUTF8=1", "PATH="+filepath.Dir(python)+":"+os.Getenv("PATH"))
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	theirs := must.Get(os.ReadFile(filepath.Join(dir, "theirs.csv"))).Or(t)
	m := must.Get(Read(t.Context(), b)).Or(t)
	var ours strings.Builder
	if _, err := Nbgrader(&ours, m); err != nil || ours.String() != string(theirs) {
		t.Errorf("%v\n%s\nnbgrader writes\n%s", err, ours.String(), theirs)
	}
}
