package mlkit_test

import (
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// Imports go one way. mlkit imports only gonum and the standard library. The packages
// beside it do not import it, except the command that times it and the playgrounds of the
// site; notebooks use both. A cell that imports svm is relinked after every edit, so svm
// has fewer dependencies than the others.
func TestImports(t *testing.T) {
	readTree(t)
	// With -e, a package that doesn't compile or doesn't exist yet hides no others.
	list := exec.Command("go", "list", "-e", "-f", `{{.ImportPath}} {{join .Imports " "}} : {{join .Deps " "}} : {{if .TestGoFiles}}{{join .XTestImports " "}}{{end}} : {{join .TestImports " "}} {{join .XTestImports " "}}`, "marginalia/...")
	list.Stderr = os.Stderr
	out, err := list.Output()
	if err != nil {
		t.Fatalf("go list: %v", err)
	}
	seen := map[string][]string{}     // the dependencies of each package
	external := map[string][]string{} // the imports of its external tests, if it has internal ones too
	for line := range strings.Lines(string(out)) {
		parts := strings.Split(line, " : ")
		pkg, imports, all := strings.Fields(parts[0])[0], strings.Fields(parts[0])[1:], strings.Fields(parts[1])
		seen[pkg], external[pkg] = all, strings.Fields(parts[2])
		for _, dep := range strings.Fields(parts[3]) {
			if reason := forbiddenInTests(pkg, dep); reason != "" {
				t.Errorf("tests of %s import %s: %s", pkg, dep, reason)
			}
		}
		deps := all
		if within(pkg, "marginalia/mlkit") {
			// gonum's own dependencies are gonum's choice: its optimize needs
			// golang.org/x/tools/container/intsets for its graphs. Every package of
			// mlkit imports only gonum, the standard library and mlkit, so nothing else
			// can come in.
			deps = imports
		}
		if pkg == "marginalia/mlkit/svm" {
			for _, dep := range all {
				if tooMuchForSVM(dep) {
					t.Errorf("%s needs %s, which makes cells that import svm slow to link: see BenchmarkRelink in internal/kernel", pkg, dep)
				}
			}
		}
		for _, dep := range deps {
			if reason := forbidden(pkg, dep); reason != "" {
				t.Errorf("%s imports %s: %s", pkg, dep, reason)
			}
		}
	}
	for _, pkg := range []string{"marginalia/mlkit", "marginalia/mlkit/perceptron", "marginalia/mlkit/svm"} {
		if seen[pkg] == nil {
			t.Errorf("go list does not list %s", pkg)
		}
	}
	// If a package has internal tests, go test compiles it a second time, along with
	// everything that its external tests import and that depends on it. The Jupyter
	// client needs both kinds of tests: its messages are not exported, and its tests
	// start a kernel. The figures and the styles that plotting tests are also those of
	// its small package space.
	for pkg, tests := range external {
		for _, dep := range tests {
			if slices.Contains(seen[dep], pkg) && pkg != "marginalia/internal/kernel/jupyter" && dep != "marginalia/plotting/space" {
				t.Errorf("%s has internal tests, and external ones that import %s, which is compiled twice: make all external", pkg, dep)
			}
		}
	}
}

// readTree walks the folders of the module that contain packages. go test does not see
// what go list reads; since the test itself reads the tree, a cached result is not
// reported after a change. notebooks is left out: it has only tests, nobody imports
// them, and an edit of a lecture should not rerun this.
func readTree(t *testing.T) {
	t.Helper()
	for _, root := range []string{".", "../datasets", "../docker", "../internal", "../plotting"} {
		err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
			if err == nil && d.IsDir() && d.Name() == "testdata" {
				return fs.SkipDir
			}
			return nil // folders may come and go while other tests run
		})
		if err != nil {
			t.Fatal(err)
		}
	}
}

// forbidden returns why pkg must not depend on dep, directly or indirectly, or "".
func forbidden(pkg, dep string) string {
	first, _, _ := strings.Cut(dep, "/")
	standard := !strings.Contains(first, ".") && first != "marginalia" // includes the standard library's own vendor/
	switch {
	case within(pkg, "marginalia/mlkit"):
		if pkg == kitPath && dep == "pgregory.net/rapid" {
			return ""
		}
		if dep == kitPath || dep == samplesPath {
			return "only tests use it"
		}
		if !standard && !within(dep, "marginalia/mlkit") && !within(dep, "gonum.org/v1/gonum") {
			return "mlkit imports gonum and the standard library, nothing else"
		}
		if dep == "encoding/gob" {
			return "models are stored as JSON: see mlkit/internal/codec"
		}
	case within(pkg, "marginalia/plotting"), within(pkg, "marginalia/datasets"):
		if within(dep, "marginalia/mlkit") {
			return "plotting and datasets take plain functions, slices and mat.Matrix"
		}
	case within(pkg, "marginalia/internal/bench"), pkg == "marginalia/internal/site/play":
		// Programs that compare mlkit with others and let a reader play with it; nothing imports them.
	case within(pkg, "marginalia/internal"):
		if within(dep, "marginalia/mlkit") {
			return "the tools serve notebooks of any subject"
		}
	}
	return ""
}

// The packages of mlkit that only its tests import.
const (
	kitPath     = "marginalia/mlkit/internal/testkit"
	samplesPath = "marginalia/mlkit/internal/samples"
)

// forbiddenInTests returns why tests of pkg must not import dep, or "". The folder mlkit can
// be cut out as a module: its tests need the data sets, and no tools.
func forbiddenInTests(pkg, dep string) string {
	if within(pkg, "marginalia/mlkit") && within(dep, "marginalia") && !within(dep, "marginalia/mlkit") && dep != "marginalia/datasets" {
		return "tests of mlkit need mlkit and datasets alone: see mlkit/internal/testkit"
	}
	return ""
}

// tooMuchForSVM reports whether svm must not depend on dep, directly or indirectly. Of
// mlkit it needs only the kernels and the interfaces of many classes, and of gonum only the matrices and their
// dependencies. It needs neither math/big nor a second encoding.
func tooMuchForSVM(dep string) bool {
	switch dep {
	case "marginalia/mlkit", "marginalia/mlkit/kernel", "marginalia/mlkit/multiclass":
		return false
	case "math/big", "encoding/gob":
		return true
	}
	for _, root := range []string{"marginalia/mlkit/internal", "marginalia/mlkit/svm/internal", "gonum.org/v1/gonum/mat", "gonum.org/v1/gonum/floats", "gonum.org/v1/gonum/blas", "gonum.org/v1/gonum/lapack", "gonum.org/v1/gonum/internal"} {
		if within(dep, root) {
			return false
		}
	}
	return within(dep, "marginalia") || within(dep, "gonum.org") || within(dep, "golang.org")
}

// within reports whether pkg is root or below it.
func within(pkg, root string) bool { return pkg == root || strings.HasPrefix(pkg, root+"/") }

func TestForbidden(t *testing.T) {
	for _, c := range []struct {
		pkg, dep string
		allowed  bool
	}{
		{"marginalia/mlkit/svm", "marginalia/mlkit/kernel", true},
		{"marginalia/mlkit/svm", "gonum.org/v1/gonum/mat", true},
		{"marginalia/mlkit/svm", "vendor/golang.org/x/text/unicode/norm", true},
		{"marginalia/mlkit/svm", "math/rand/v2", true},
		{"marginalia/mlkit/svm", "gonum.org/v1/plot", false},
		{"marginalia/mlkit/svm", "marginalia/datasets", false},
		{"marginalia/mlkit", "marginalia/internal/notebook/gonb", false},
		{"marginalia/mlkit/kernel", "encoding/gob", false},
		{"marginalia/mlkit/svm", "pgregory.net/rapid", false},
		{"marginalia/mlkit/internal/testkit", "pgregory.net/rapid", true},
		{"marginalia/mlkit/svm", "marginalia/mlkit/internal/testkit", false},
		{"marginalia/plotting/isoline", "marginalia/mlkit/perceptron", false},
		{"marginalia/datasets", "marginalia/mlkit", false},
		{"marginalia/datasets", "gonum.org/v1/gonum/mat", true},
		{"marginalia/internal/install/lab", "marginalia/mlkit", false},
		{"marginalia/internal/bench", "marginalia/mlkit/svm", true},
		{"marginalia/internal/bench/peer", "marginalia/mlkit/svm", true},
		{"marginalia/internal/site/play", "marginalia/mlkit/svm", true},
		{"marginalia/internal/site/live", "marginalia/mlkit/svm", false},
		{"marginalia/notebooks", "marginalia/mlkit/perceptron", true},
	} {
		if got := forbidden(c.pkg, c.dep) == ""; got != c.allowed {
			t.Errorf("%s imports %s: allowed %v, want %v", c.pkg, c.dep, got, c.allowed)
		}
	}
}

func TestForbiddenInTests(t *testing.T) {
	for dep, allowed := range map[string]bool{
		"marginalia/mlkit/internal/testkit": true,
		"marginalia/datasets":               true,
		"pgregory.net/rapid":                true,
		"marginalia/internal/testkit/tier":  false,
		"marginalia/plotting":               false,
	} {
		if got := forbiddenInTests("marginalia/mlkit/svm", dep) == ""; got != allowed {
			t.Errorf("tests of svm import %s: allowed %v, want %v", dep, got, allowed)
		}
	}
}

func TestTooMuchForSVM(t *testing.T) {
	for dep, want := range map[string]bool{
		"marginalia/mlkit/perceptron":           true,
		"gonum.org/v1/gonum/optimize":           true,
		"gonum.org/v1/gonum/stat/distuv":        true,
		"golang.org/x/tools/container/intsets":  true,
		"marginalia/mlkit/kernel":               false,
		"marginalia/mlkit/internal/gram":        false,
		"gonum.org/v1/gonum/blas/gonum":         false,
		"gonum.org/v1/gonum/floats/scalar":      false,
		"vendor/golang.org/x/text/unicode/norm": false,
		"math/big":                              true,
		"encoding/gob":                          true,
		"encoding/json":                         false,
	} {
		if got := tooMuchForSVM(dep); got != want {
			t.Errorf("%s: %v, want %v", dep, got, want)
		}
	}
}
