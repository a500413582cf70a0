//go:build unix

package peer_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"marginalia/internal/base/repo/repotest"
	"marginalia/internal/install/venv"
	"marginalia/internal/notebook/mistake"
	"marginalia/internal/testkit/must"
	"marginalia/internal/testkit/tier"
)

// scikit-learn has the names that docs/scikit-learn.md says what stands for.
func TestNamesOfPeers(t *testing.T) {
	tier.Peer(t)
	var names []string
	for _, chapter := range mistake.Peers {
		for _, p := range chapter.Names {
			if strings.HasPrefix(p.Theirs, "sklearn.") {
				names = append(names, p.Theirs)
			}
		}
	}
	if len(names) < 50 {
		t.Fatalf("%d names", len(names))
	}
	var answer struct{ Missing []string }
	must.Do(t, start(t).solve(map[string]any{"model": "names", "names": names}, &answer))
	if len(answer.Missing) > 0 {
		t.Errorf("scikit-learn has no %q", answer.Missing)
	}
}

// The program in Python on the page runs with the scikit-learn that is pinned, and saves a model.
func TestProgramOfPeers(t *testing.T) {
	tier.Peer(t)
	page := string(must.Get(os.ReadFile(filepath.Join(repotest.Root(t), "docs", "scikit-learn.md"))).Or(t))
	_, program, _ := strings.Cut(page, "```python\n")
	program, _, found := strings.Cut(program, "```\n")
	if !found {
		t.Fatal("the page has no program")
	}
	run := exec.Command(must.Get(venv.ScikitLearn(t.Context())).Or(t), "-I", "-c", program)
	run.Dir = t.TempDir()
	out, err := run.CombinedOutput()
	if err != nil || !strings.Contains(string(out), "'svc__C': ") {
		t.Fatalf("%v\n%s", err, out)
	}
	if _, err := os.Stat(filepath.Join(run.Dir, "iris.joblib")); err != nil {
		t.Error(err)
	}
	t.Logf("%s", out)
}
