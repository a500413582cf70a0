//go:build browser

package labtest

import (
	"os"
	"os/exec"
	"testing"
)

// NPM installs the packages that a folder pins with hashes, in package-lock.json, into a copy of the folder,
// and returns the copy. No script of a package runs.
func NPM(t testing.TB, folder string) (dir string) {
	t.Helper()
	dir = t.TempDir()
	if err := os.CopyFS(dir, os.DirFS(folder)); err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(t.Context(), "npm", "ci", "--ignore-scripts", "--no-audit", "--no-fund")
	cmd.Dir = dir
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%s: %v\n%s", cmd, err, out)
	}
	return dir
}
