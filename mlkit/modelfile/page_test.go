package modelfile_test

import (
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"marginalia/mlkit/feature"
	"marginalia/mlkit/internal/testkit"
	"marginalia/mlkit/modelfile"
	"marginalia/mlkit/pipeline"
	"marginalia/mlkit/svm"
)

// docs/module.md has the code of Example, and the beginning of the file that it writes.
func TestPage(t *testing.T) {
	page, err1 := os.ReadFile(filepath.Join("..", "..", "docs", "module.md"))
	example, err2 := os.ReadFile("example_test.go")
	if err1 != nil || err2 != nil {
		t.Fatal(err1, err2)
	}
	_, section, _ := strings.Cut(string(page), "\n## A model for another program\n")
	_, code, _ := strings.Cut(section, "```go\n")
	code, _, found := strings.Cut(code, "\n```")
	if !found || !strings.Contains(string(example), "\t"+strings.ReplaceAll(code, "\n", "\n\t")) {
		t.Errorf("example_test.go does not have this part of the page:\n%s", code)
	}
	if runtime.GOARCH != "amd64" {
		t.Skip("the page has the file of amd64, which rounds otherwise")
	}
	p := pipeline.Classifier[*svm.Model]{Steps: []pipeline.Step{feature.Standardize{}}, Algorithm: svm.Classifier{}}
	m := testkit.Try(p.Fit(mat.NewDense(4, 1, []float64{0, 1, 2, 3}), []int{-1, -1, +1, +1})).Or(t)
	head := string(written(t, m, modelfile.Notes{"data": "0, 1 against 2, 3"})[:250])
	if !strings.Contains(string(page), "$ head -c 250 halves.model\n"+head+"\n```") {
		t.Errorf("the page does not have the beginning of the file:\n%s", head)
	}
}
