package live_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"marginalia/internal/site/live"
	"marginalia/internal/tier"
)

// The scripts have the types that their comments say, and ESLint has no complaint. Both tools are
// pinned, with hashes, in testdata/lint.
func TestScripts(t *testing.T) {
	tier.Browser(t)
	dir := t.TempDir()
	if err := os.CopyFS(dir, os.DirFS(filepath.Join("testdata", "lint"))); err != nil {
		t.Fatal(err)
	}
	if err := live.Scripts(t.Context(), dir); err != nil {
		t.Fatal(err)
	}
	if err := os.Remove(filepath.Join(dir, "wasm_exec.js")); err != nil { // Go's own
		t.Fatal(err)
	}
	for _, args := range [][]string{
		{"npm", "ci", "--ignore-scripts", "--no-audit", "--no-fund"}, {"npx", "--no-install", "tsc", "-p", "."}, {"npx", "--no-install", "eslint", "--max-warnings=0", "."},
	} {
		cmd := exec.CommandContext(t.Context(), args[0], args[1:]...)
		cmd.Dir = dir
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("%s: %v\n%s", cmd, err, out)
		}
	}
}

// The glue stays glue: the site promises fewer than 500 lines.
func TestGlueIsShort(t *testing.T) {
	lines := 0
	scripts, err := filepath.Glob(filepath.Join("page", "*.js"))
	if err != nil || len(scripts) == 0 {
		t.Fatal(scripts, err)
	}
	for _, script := range scripts {
		text, err := os.ReadFile(script)
		if err != nil {
			t.Fatal(err)
		}
		for _, b := range text {
			if b == '\n' {
				lines++
			}
		}
	}
	if lines >= 500 {
		t.Errorf("%d lines, want fewer than 500", lines)
	}
}
