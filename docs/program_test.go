package docs_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"marginalia/mlkit/modelfile"
	"marginalia/mlkit/pipeline"
	"marginalia/mlkit/svm"

	// What the program on the page is made of: go test runs it again after their edits.
	_ "marginalia/datasets"
	_ "marginalia/mlkit/eval"
	_ "marginalia/plotting"
)

// The whole program of module.md runs as it stands there, in a folder beside the clone. It prints
// what the page says, saves a model that can be loaded, and a figure. It stays short.
func TestProgram(t *testing.T) {
	page, err := os.ReadFile("module.md")
	if err != nil {
		t.Fatal(err)
	}
	_, section, _ := strings.Cut(string(page), "\n## A whole program\n")
	_, program, _ := strings.Cut(section, "```go\n")
	program, after, _ := strings.Cut(program, "```\n")
	_, output, _ := strings.Cut(after, "```\n")
	output, _, found := strings.Cut(output, "```\n")
	_, body, main := strings.Cut(program, "\nfunc main() {\n")
	if !found || !main {
		t.Fatalf("the section has no program, or not what it prints:\n%s", section)
	}
	if lines := 1 + strings.Count(body, "\n"); lines > 28 {
		t.Errorf("the program has %d lines from func main on, want at most 28", lines)
	}

	root, err := filepath.Abs("..")
	if err != nil {
		t.Fatal(err)
	}
	dir := filepath.Join(t.TempDir(), "hello")
	source := filepath.Join(dir, "main.go")
	for _, err := range []error{
		os.Mkdir(dir, 0o777), os.WriteFile(source, []byte(program), 0o666),
		os.Symlink(root, filepath.Join(dir, "..", "marginalia")),
	} {
		if err != nil {
			t.Fatal(err)
		}
	}
	// Compiled as a part of this module, it needs no go.mod of its own.
	built := filepath.Join(dir, "program")
	if out, err := exec.Command("go", "build", "-o", built, source).CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	run := exec.Command(built)
	run.Dir = dir
	if out, err := run.CombinedOutput(); err != nil || string(out) != output {
		t.Errorf("%v, and it prints\n%s", err, out)
	}
	m, err := modelfile.Load[*pipeline.ClassifierModel[*svm.Model]](filepath.Join(dir, "iris.model"))
	if err != nil {
		t.Fatal(err)
	}
	// The means of versicolor and virginica (Fisher 1936, table I).
	for label, x := range map[int][]float64{-1: {5.936, 2.770, 4.260, 1.326}, +1: {6.588, 2.974, 5.552, 2.026}} {
		if got := m.Predict(x); got != label {
			t.Errorf("the model in the file predicts %d of the mean of class %d", got, label)
		}
	}
	if figure, err := os.ReadFile(filepath.Join(dir, "search.svg")); err != nil || !strings.HasPrefix(string(figure), "<svg ") || !strings.Contains(string(figure), "Algorithm.C") {
		t.Errorf("search.svg begins with %.60q, %v", figure, err)
	}
}
