package built

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"marginalia/internal/base/repo/repotest"
	"marginalia/internal/gotest/export"
	"marginalia/internal/notebook/nbformat"
	"marginalia/internal/notebook/nbformat/nbtest"
	"marginalia/internal/notebook/workspace"
	"marginalia/internal/testkit/must"
	"marginalia/internal/testkit/testfile"
)

// A notebook is built anew when a file changes that it is built from, and only
// then: an edit of a lecture's neighbour or of another tool costs nothing.
func TestKeyIsOfWhatTheNotebookImports(t *testing.T) {
	root := t.TempDir()
	for name, text := range map[string]string{
		"go.mod":                                    "module marginalia\n\ngo 1.26.0\n\nrequire example.org/course v0.0.0\n\nreplace example.org/course => ./course\n",
		"go.sum":                                    "",
		"mlkit/perceptron/fit.go":                   "package perceptron\n\nimport _ \"marginalia/mlkit/internal/simd\"\n",
		"mlkit/perceptron/fit_test.go":              "package perceptron\n",
		"mlkit/perceptron/testdata/a.csv":           "",
		"mlkit/internal/simd/dot.go":                "package simd\n",
		"mlkit/internal/simd/dot_amd64.s":           "",
		"mlkit/svm/fit.go":                          "package svm\n",
		"datasets/iris.go":                          "package datasets\n\nimport _ \"embed\"\n\n//go:embed data/iris.csv\nvar Iris string\n",
		"datasets/data/iris.csv":                    "",
		"datasets/fetch/main.go":                    "package main\n",
		"plotting/figure.go":                        "package plotting\n",
		"timing/timing.go":                          "package timing\n",
		"show/show.go":                              "package show\n",
		"mine/mine.go":                              "package mine\n",
		"course/go.mod":                             "module example.org/course\n",
		"course/sub/sub.go":                         "package sub\n",
		"course/internal/tree/tree.go":              "package tree\n",
		"internal/gotest/export/compile/main.go":    "package main\n\nimport _ \"marginalia/internal/notebook/program\"\n",
		"internal/notebook/program/session.go":      "package program\n",
		"internal/notebook/program/session_test.go": "package program\n",
		"internal/cell/cellrun/cellrun.go":          "package cellrun\n",
		"internal/gotest/celltest/suite.go":         "package celltest\n",
		"internal/bench/main.go":                    "package main\n",
	} {
		testfile.Write(t, filepath.Join(root, name), text)
	}
	// An editor's lock, a link to nowhere, is no source.
	must.Do(t, os.Symlink("nobody@nowhere.1", filepath.Join(root, "mlkit/perceptron/.#fit.go")))
	nb := &nbformat.Notebook{Cells: []*nbformat.Cell{
		{ID: "imports", Type: "code", Source: "import m \"marginalia/mine\""},
		{ID: "use", Type: "code", Source: "%%\nperceptron.Fit(datasets.Iris(), m.X)"}, // goimports finds these two
		{ID: "text", Type: "markdown", Source: "svm, plotting"},
	}}
	// Its neighbour imports and names what it does not.
	neighbour := &nbformat.Notebook{Cells: []*nbformat.Cell{
		{ID: "imports", Type: "code", Source: "import (\"marginalia/internal/gotest/celltest\"; \"marginalia/internal/bench\")"},
		{ID: "use", Type: "code", Source: "%%\nplotting.Show(svm.Fit())"},
	}}
	key := func() string {
		t.Helper()
		keys, err := buildKeys(t.Context(), []*nbformat.Notebook{neighbour, nb}, make([]*workspace.Modules, 2), root)
		if err != nil {
			t.Fatal(err)
		}
		return keys[1].all
	}
	before := key()
	if alone, err := buildKeys(t.Context(), []*nbformat.Notebook{nb}, make([]*workspace.Modules, 1), root); err != nil || alone[0].all != before {
		t.Errorf("alone it has another key: %v, %v", alone, err)
	}
	if key() != before {
		t.Fatal("the key of the same files is another")
	}
	edit := func(name string) (undo func()) {
		t.Helper()
		path := filepath.Join(root, name)
		old := testfile.Read(t, path)
		testfile.Write(t, path, old+"\n")
		return func() { testfile.Write(t, path, old) }
	}
	for _, name := range []string{
		"go.mod",
		"go.sum",
		"mlkit/perceptron/fit.go",
		"mlkit/internal/simd/dot_amd64.s",
		"datasets/data/iris.csv", // embedded
		"mine/mine.go",
		"course/sub/sub.go",
		"course/internal/tree/tree.go",
		"internal/gotest/export/compile/main.go",
		"internal/notebook/program/session.go",
		"internal/cell/cellrun/cellrun.go",
		"show/show.go", // of a last expression
	} {
		undo := edit(name)
		if key() == before {
			t.Errorf("an edit of %s does not change the key", name)
		}
		undo()
	}
	// All at once: each look costs a run of the go command.
	for _, name := range []string{
		"mlkit/perceptron/fit_test.go",
		"mlkit/perceptron/testdata/a.csv",
		"mlkit/svm/fit.go",
		"datasets/fetch/main.go",
		"plotting/figure.go",
		"timing/timing.go",
		"internal/notebook/program/session_test.go",
		"internal/gotest/celltest/suite.go", // compares, when the program has run
		"internal/bench/main.go",
	} {
		edit(name)
	}
	if key() != before {
		t.Error("an edit of what the notebook is not built from changes the key")
	}
	nb.Cells[1].Source += "\nsvm.Fit()"
	withSVM := key()
	testfile.Write(t, filepath.Join(root, "mlkit/svm/fit.go"), "package svm\n\nfunc Fit() {}\n")
	if key() == withSVM {
		t.Error("the code names svm, and an edit of mlkit/svm does not change the key")
	}
	nb.Cells[1].Source += "\ntiming.Start()" // goimports finds it, too
	timed := key()
	testfile.Write(t, filepath.Join(root, "timing/timing.go"), "package timing\n\nfunc Start() {}\n")
	if key() == timed {
		t.Error("the code names timing, and an edit of it does not change the key")
	}
}

// Whatever the compiler reads of the repository for the exported package is in the key.
func TestKeyHasWhatIsCompiled(t *testing.T) {
	root := repotest.Root(t)
	file := filepath.Join(t.TempDir(), "one.ipynb")
	// goimports would read all folders of the repository for what is not imported, and go test
	// would run this again after an edit of any.
	testfile.Write(t, file, strings.NewReplacer("%%", `import (\n\"fmt\"\n\n\"marginalia/mlkit\"\n\"marginalia/mlkit/perceptron\"\n)\n%%`,
		"fmt.Println", "").Replace(small("3", ""))) // the last expression shows itself
	nb := nbtest.Read(t, file)
	packages := must.Get(sources(t.Context(), []*nbformat.Notebook{nb}, root)).Or(t)
	inKey := map[string]bool{}
	for _, p := range packages[0] {
		inKey[p.ImportPath] = true
	}
	// Written, and not compiled: that costs a second.
	dir := filepath.Join(t.TempDir(), "exported")
	e, err := export.Notebook(t.Context(), file, root, root)
	if err == nil {
		err = e.Write(dir, root)
	}
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(t.Context(), "go", "list", "-deps", "-f", "{{.ImportPath}}", "./testdata/part1", "marginalia/internal/gotest/export/compile")
	cmd.Dir = dir
	out := must.Get(cmd.Output()).Or(t)
	found := 0
	for line := range strings.Lines(string(out)) {
		path := strings.TrimSpace(line)
		if strings.HasPrefix(path, "marginalia/") && !strings.HasPrefix(path, "marginalia/notebook") {
			found++
			if !inKey[path] {
				t.Errorf("%s is compiled, and not in the key", path)
			}
		}
	}
	if found < 8 { // cell, program, export, compile, exported, cellrun, nbformat, mlkit, mlkit/perceptron at least
		t.Errorf("the go command lists %d packages of the repository:\n%s", found, out)
	}
}
