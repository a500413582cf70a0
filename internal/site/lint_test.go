//go:build browser

package site

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"marginalia/internal/install/lab/labtest"
	"marginalia/internal/site/live"
	"marginalia/internal/testkit/must"
	"marginalia/internal/testkit/testfile"
	"marginalia/internal/testkit/tier"
)

// The scripts have the types that their comments say, and ESLint has no complaint: those of what
// moves, and the script of all pages as the site has it, with the lab's figure.js in it. Both tools
// are pinned, with hashes, in testdata/lint.
func TestScripts(t *testing.T) {
	tier.Browser(t)
	dir := labtest.NPM(t, filepath.Join("testdata", "lint"))
	must.Do(t, live.Scripts(t.Context(), dir))
	if err := os.Remove(filepath.Join(dir, "wasm_exec.js")); err != nil { // Go's own
		t.Fatal(err)
	}
	script := must.Get(siteScript(true)).Or(t)
	testfile.Write(t, filepath.Join(dir, "marginalia.js"), script)
	for _, name := range []string{"finder.js", "reload.js"} {
		testfile.Write(t, filepath.Join(dir, name), must.Get(pageFiles.ReadFile("page/reading/"+name)).Or(t))
	}
	for _, args := range [][]string{
		{"npx", "--no-install", "tsc", "-p", "."}, {"npx", "--no-install", "eslint", "--max-warnings=0", "."},
	} {
		cmd := exec.CommandContext(t.Context(), args[0], args[1:]...)
		cmd.Dir = dir
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("%s: %v\n%s", cmd, err, out)
		}
	}
}
