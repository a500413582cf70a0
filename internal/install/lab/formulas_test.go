//go:build browser

package lab

import (
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"marginalia/internal/base/repo/repotest"
	"marginalia/internal/install/lab/labtest"
	"marginalia/internal/testkit/tier"
)

// TestFormulasInVSCode renders the Markdown of all notebooks with the plugin of markdown-it that
// VS Code has, pinned with hashes in testdata/formulas. It knows KaTeX's LaTeX, not MathJax's, and takes
// no $ for the end of a formula if a letter follows, as in "the $8$s".
func TestFormulasInVSCode(t *testing.T) {
	tier.Browser(t)
	root := repotest.Root(t)
	dir := labtest.NPM(t, filepath.Join("testdata", "formulas"))
	run := func(args ...string) string {
		cmd := exec.CommandContext(t.Context(), args[0], args[1:]...)
		cmd.Dir = dir
		out, err := cmd.Output()
		if err != nil {
			t.Fatalf("%s: %v\n%s%s", args[0], err, out, stderrOf(err))
		}
		return string(out)
	}

	// What the check must find: a command that KaTeX has not, a formula that does not end, one in HTML, a letter.
	faulty := filepath.Join(dir, "faulty.ipynb")
	cell := `{"cells": [{"id": "a", "cell_type": "markdown", "source": ["$x$, $\\mathchoicee$, the $8$s"]},
		{"id": "b", "cell_type": "code", "source": "", "outputs": [{"data": {"text/markdown": "<div>$x$</div>\n\n$$ é $$"}}]}]}`
	if err := os.WriteFile(faulty, []byte(cell), 0o600); err != nil {
		t.Fatal(err)
	}
	if out := run("node", "check.js", faulty); !regexp.MustCompile(`(?s)cell a: .*mathchoicee.*cell a: .*8\$s.*cell b: .*<div>.*cell b: unicode`).MatchString(out) {
		t.Fatalf("the check has not found what is wrong with %s:\n%s", cell, out)
	}

	var files []string
	for _, folder := range []string{"notebooks", "internal/base/scaffold"} {
		err := filepath.WalkDir(filepath.Join(root, folder), func(path string, _ fs.DirEntry, err error) error {
			if filepath.Ext(path) == ".ipynb" && !strings.Contains(path, "testdata") {
				files = append(files, path)
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	out := strings.TrimSpace(run(append([]string{"node", "check.js"}, files...)...))
	faults, last := "", out
	if k := strings.LastIndex(out, "\n"); k >= 0 {
		faults, last = out[:k], out[k+1:]
	}
	formulas := 0
	if _, err := fmt.Sscanf(last, "%d formulas", &formulas); err != nil || formulas < 3000 { // 3923 when this was written
		t.Errorf("%q, want thousands of formulas", last)
	}
	if faults != "" {
		t.Errorf("in VS Code these are no formulas:\n%s", strings.ReplaceAll(faults, root+string(filepath.Separator), ""))
	}
	t.Logf("%d formulas in %d notebooks", formulas, len(files))
}
