package cli

import (
	"os"
	"path/filepath"
	"testing"
)

func TestFiguresRefused(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "out")
	for _, tt := range []struct {
		args []string
		code int
	}{
		{[]string{"figures", "-o", dir, "--check", "--update"}, 1},
		{[]string{"figures", "-o", dir, "--check", "--width", "4"}, 1},
		{[]string{"figures", "-o", dir, "--update", "some.ipynb"}, 1},
		{[]string{"figures", "-o", dir, "--format", "eps"}, 1},
		{[]string{"figures", "-o", dir, "--width", "wide"}, 2},
		{[]string{"figures", "-o", dir, "missing.ipynb"}, 1},
	} {
		if code := Main(tt.args); code != tt.code {
			t.Errorf("%v: exit status %d, want %d", tt.args, code, tt.code)
		}
	}
	if entries, _ := os.ReadDir(dir); len(entries) > 0 {
		t.Errorf("%v is left", entries)
	}
}
