package datasets_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"marginalia/internal/testkit/must"
	"marginalia/internal/testkit/tier"
)

// A program that only generates points has no decoders linked in: a cell is linked after
// every edit, and a student's answers are compiled for each submission.
func TestLinked(t *testing.T) {
	tier.Long(t)
	dir := t.TempDir()
	source := filepath.Join(dir, "main.go")
	if err := os.WriteFile(source, []byte("package main\n\nimport \"marginalia/datasets\"\n\nfunc main() { datasets.Must(datasets.Moons(1, 10, 0.1)) }\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	program := filepath.Join(dir, "program")
	if out, err := exec.Command("go", "build", "-o", program, source).CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	names := must.Get(exec.Command("go", "tool", "nm", program).Output()).Or(t)
	for _, f := range []string{"encoding/csv.(*Reader).Read", "compress/gzip.NewReader", "marginalia/datasets.Iris"} {
		if strings.Contains(string(names), f) {
			t.Errorf("%s is linked", f)
		}
	}
	if f := "marginalia/datasets.Moons"; !strings.Contains(string(names), f) {
		t.Errorf("%s is not linked, or go tool nm names it otherwise", f)
	}
}
