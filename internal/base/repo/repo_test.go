package repo

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"marginalia/internal/testkit/must"
)

func TestFind(t *testing.T) {
	root := t.TempDir()
	sub := filepath.Join(root, "a", "b")
	for _, dir := range []string{sub, filepath.Join(root, "internal", "base", "repo")} {
		must.Do(t, os.MkdirAll(dir, 0o755))
	}
	for path, text := range map[string]string{
		filepath.Join(root, "go.mod"):      "// ours\nmodule marginalia\n",
		filepath.Join(root, "a", "go.mod"): "module marginalia/a\n",
	} {
		must.Do(t, os.WriteFile(path, []byte(text), 0o644))
	}
	if got, err := find(sub); err != nil || got != root {
		t.Errorf("the root above %s: %q, %v; want %q", sub, got, err, root)
	}
	if got, err := find(t.TempDir()); err != nil || got != "" {
		t.Errorf("outside: %q, %v; want none", got, err)
	}
	comma := filepath.Join(t.TempDir(), "a,b")
	must.Do(t, os.CopyFS(comma, os.DirFS(root)))
	if _, err := find(comma); err == nil || !strings.Contains(err.Error(), "comma") {
		t.Errorf("a root with a comma: error %v, want one that names it", err)
	}
	must.Do(t, os.RemoveAll(filepath.Join(root, "internal")))
	if _, err := find(sub); err == nil || !strings.Contains(err.Error(), "not a clone") {
		t.Errorf("a course that is named like the repository: %v", err)
	}
}

// Outside the repository the notebook's folder decides, then the variable, then the
// checkout that the program was built in: for a test that is this one.
func TestRootFromOutside(t *testing.T) {
	here := must.Get(Root()).Or(t)
	other := t.TempDir()
	must.Do(t, os.WriteFile(filepath.Join(other, "go.mod"), []byte("module marginalia\n"), 0o644))
	must.Do(t, os.MkdirAll(filepath.Join(other, "internal", "base", "repo"), 0o755))
	outside := t.TempDir()
	t.Chdir(outside)
	file := filepath.Join(outside, "nb.ipynb")
	for _, tt := range []struct {
		name, variable string
		files          []string
		want           string
	}{
		{"nothing names one", "", []string{file}, here},
		{"the second notebook lies in one", "", []string{file, filepath.Join(other, "nb.ipynb")}, other},
		{"the variable names one", other, []string{file}, other},
		{"the notebook lies in another than the variable names", here, []string{filepath.Join(other, "nb.ipynb")}, other},
	} {
		t.Setenv(RootEnv, tt.variable)
		if got, err := Root(tt.files...); err != nil || got != tt.want {
			t.Errorf("%s: %q, %v; want %q", tt.name, got, err, tt.want)
		}
	}
	t.Setenv(RootEnv, outside)
	if _, err := Root(file); err == nil || !strings.Contains(err.Error(), outside) || !strings.Contains(err.Error(), RootEnv) {
		t.Errorf("the variable names none: %v", err)
	}
}
