package assignment_test

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"marginalia/internal/sandbox/assignment"
	"marginalia/internal/sandbox/host"
	"marginalia/internal/testkit/must"
	"marginalia/internal/testkit/tier"
)

// withoutImports is a notebook that runs on the kernel, where goimports finds the packages.
var withoutImports = []part{
	{"given", "near", "func near(a, b float64) bool { return math.Abs(a-b) < 1e-9 }"},
	{"given", "figure", "%%\nfmt.Println(plotting.New(\"norms\"))"},
	{"answer", "norm", "func Norm(v *mat.VecDense) float64 { return math.Sqrt(mat.Dot(v, v)) }"},
	{"tests", "norm-test", "%test\nfunc TestNorm(t *testing.T) {\n\tif got := Norm(mat.NewVecDense(2, []float64{3, 4})); !near(got, 5) {\n\t\tt.Error(fmt.Sprint(got))\n\t}\n}"},
	{"answer", "words", "func Words(s string) []string { return strings.Fields(s) }"},
	{"tests", "words-test", "%test\nfunc TestWords(t *testing.T) {\n\tif !slices.Equal(Words(\"a b\"), []string{\"a\", \"b\"}) {\n\t\tt.Error(\"words\")\n\t}\n}"},
}

// A lecturer's notebook has the imports that the kernel adds, in given cells, answers and tests.
func TestImportsOfTheKernel(t *testing.T) {
	parts := withoutImports
	if !tier.IsLong(t) {
		// To find packages of modules, goimports reads all their folders, and go test would run this
		// again after an edit of any of the repository's.
		parts = append([]part{{"given", "imports", "import (\n\t\"gonum.org/v1/gonum/mat\"\n\t\"marginalia/plotting\"\n)"}}, parts...)
	}
	a := read(t, parts)
	files := must.Get(a.Judge(t.Context())).Or(t)
	for _, path := range []string{`testing "marginalia/internal/sandbox/host"`, `"math"`, `"gonum.org/v1/gonum/mat"`, `"fmt"`, `"slices"`} {
		if !strings.Contains(string(files["cells.go"]), path) {
			t.Errorf("the judge does not import %s:\n%s", path, files["cells.go"])
		}
	}
	if !slices.Contains(a.Imports(), "marginalia/plotting") {
		t.Errorf("the statements of a cell do not import plotting: %q", a.Imports())
	}
	g, err := a.Assemble(t.Context(), notebook(t, parts...), nil, nil)
	if err != nil || len(g.Notes) > 0 {
		t.Errorf("%v, %v", err, g.Notes)
	}
	if !tier.IsLong(t) {
		return
	}
	program, wasm := build(t, a, notebook(t, parts...))
	for _, r := range judged(t, program, host.Request{Wasm: wasm}, a, 5) {
		if c := r.Checks[0]; !c.Passed {
			t.Errorf("%+v", c)
		}
	}
}

// What is wrong with a lecturer's notebook is told in the order of its cells and lines, once, and with a hint.
func TestProblemsInOrder(t *testing.T) {
	root := must.Get(filepath.Abs("../../..")).Or(t)
	_, err := assignment.Read(t.Context(), notebook(t, part{"given", "z", "func Z() float64 { return float64(maths + maths) }"},
		part{"answer", "b", "func B() int {\n\treturn \"\"\n}\n\nfunc C() int { return \"\" }"},
		part{"tests", "a", "%test\nfunc TestA(t *testing.T) {\n\tif B() != total {\n\t\tt.Error()\n\t}\n}"}), root)
	const want = `cell z, line 1: undefined: maths: declare it, or import the package of this name in a given cell
cell b, line 2: cannot use "" (untyped string constant) as int value in return statement
cell b, line 5: cannot use "" (untyped string constant) as int value in return statement
cell a, line 3: undefined: total: declare it, or import the package of this name in a given cell`
	if err == nil || err.Error() != want {
		t.Errorf("%v, want\n%s", err, want)
	}
}

// What is no Go is told with its line in the cell.
func TestSyntaxOfTheLecturer(t *testing.T) {
	root := must.Get(filepath.Abs("../../..")).Or(t)
	_, err := assignment.Read(t.Context(), notebook(t, part{"given", "a", "import \"math\"\n\nvar x = math.Pi *\n\nfunc f() {}"},
		part{"tests", "b", "%test\nfunc TestB(t *testing.T) {\n\t### x\n}"}), root)
	if want := "cell a, line 5: expected '(', found f\ncell b, line 3: illegal character U+0023 '#'"; err == nil || err.Error() != want {
		t.Errorf("%v, want %s", err, want)
	}
}
