package lab

import (
	"os"
	"path/filepath"
	"testing"

	"marginalia/internal/testkit/testfile"
)

func TestFirst(t *testing.T) {
	for want, files := range map[string][]string{
		"":                            {"data.csv"},
		"/tree/00-index.ipynb":        {"00-index.ipynb", "00-a.ipynb", "README.md"},
		"/tree/a%20b.ipynb":           {"a b.ipynb", "c.ipynb", "README.md"},
		"/tree/notebooks/week1.ipynb": {"notebooks/week1.ipynb", "README.md"},
		"/tree/source/a/b.ipynb":      {"course.toml", "source/a/b.ipynb", "release/a/b.ipynb"},
		"/tree/README.md":             {"README.md", "src/x.go"},
	} {
		dir := t.TempDir()
		for _, file := range files {
			if err := os.MkdirAll(filepath.Join(dir, filepath.Dir(file)), 0o755); err != nil {
				t.Fatal(err)
			}
			testfile.Write(t, filepath.Join(dir, file), "")
		}
		if got := first(dir); got != want {
			t.Errorf("of %q %q is opened, want %q", files, got, want)
		}
	}
}
