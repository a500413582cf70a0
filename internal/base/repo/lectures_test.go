package repo

import (
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"marginalia/internal/testkit/must"
)

// A lecture that notebooks/README.md does not name would never be tested. What git knows
// in that folder are the lectures, all of them.
func TestLectures(t *testing.T) {
	root := must.Get(Root()).Or(t)
	files := must.Get(Lectures(root)).Or(t)
	var got []string
	for _, file := range files {
		got = append(got, filepath.Base(file))
	}
	cmd := exec.Command("git", "ls-files", "--", "*.ipynb")
	cmd.Dir = filepath.Join(root, "notebooks")
	out, err := cmd.Output()
	if err != nil {
		t.Skip("this is no clone: git does not say which notebooks are the repository's")
	}
	want := slices.DeleteFunc(strings.Fields(string(out)), func(name string) bool { return strings.Contains(name, "/") })
	if !slices.Equal(got, want) {
		t.Errorf("README.md of the lectures names %q, git knows %q", got, want)
	}
}
