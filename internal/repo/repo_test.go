package repo

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestFind(t *testing.T) {
	root := t.TempDir()
	sub := filepath.Join(root, "a", "b")
	if err := os.MkdirAll(sub, 0o755); err != nil {
		t.Fatal(err)
	}
	for path, text := range map[string]string{
		filepath.Join(root, "go.mod"):      "// ours\nmodule marginalia\n",
		filepath.Join(root, "a", "go.mod"): "module marginalia/a\n",
	} {
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if got, err := Find(sub); err != nil || got != root {
		t.Errorf("the root above %s: %q, %v; want %q", sub, got, err, root)
	}
	var none *NoneError
	elsewhere := t.TempDir()
	if _, err := Find(elsewhere); !errors.As(err, &none) || none.Dir != elsewhere || !strings.Contains(err.Error(), "not inside the marginalia repository") {
		t.Errorf("outside: error %v, want a NoneError of %s", err, elsewhere)
	}
	comma := filepath.Join(t.TempDir(), "a,b")
	if err := os.CopyFS(comma, os.DirFS(root)); err != nil {
		t.Fatal(err)
	}
	if _, err := Find(comma); err == nil || errors.As(err, &none) || !strings.Contains(err.Error(), "comma") {
		t.Errorf("a root with a comma: error %v, want one that names it", err)
	}
}
