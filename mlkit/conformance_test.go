package mlkit_test

import (
	"bytes"
	"errors"
	"fmt"
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"io"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"marginalia/mlkit/internal/testkit"
)

// An either lists sets of functions of mlkittest. All functions of one set must test a method.
type either [][]string

var (
	fits     = either{{"TestClassifier"}, {"TestManyClasses"}, {"TestRegression"}, {"TestMap"}, {"TestClusterer"}}
	weighted = either{{"TestWeights", "TestAbsence"}}
	options  = either{{"TestWeights", "TestAbsence"}, {"TestUnweighted"}}
	ended    = either{{"TestContext"}}
	reported = either{{"TestReport"}}
)

// instant are the methods FitWith that are over before a context could end them.
var instant = []string{"feature.MinMax.FitWith", "feature.Standardize.FitWith", "neighbors.KNN.FitWith"}

// direct are the algorithms that are not iterative, and whose FitWith reports nothing.
var direct = []string{
	"discriminant.BernoulliNB", "discriminant.DiagonalLDA", "discriminant.GaussianNB", "discriminant.LDA", "discriminant.QDA",
	"feature.MinMax", "feature.PCA", "feature.Standardize",
	"kernelized.Nystroem", "kernelized.PCA", "kernelized.Ridge",
	"leastsquares.Classifier", "leastsquares.Regression",
	"neighbors.KNN",
}

// unweighted are the functions with weights of samples that TestWeights need not test.
var unweighted = map[string]string{
	"kernel.NewWeightedCentering": "it centres the rows of weight 0 too; it is no fit",
}

// Every algorithm of mlkit runs the conformance suite: its method Fit is passed to one of fits,
// directly or through a function that passes a variable on; each method that takes
// mlkit.Options is passed to the tests of weights, or to the one that it takes none; and FitWith
// to those of contexts and of reports. Functions that take weights of samples are passed to the tests of weights.
func TestEveryAlgorithmConforms(t *testing.T) {
	skipShort(t)
	readTree(t)
	l := listPackages()
	if l.err != nil {
		t.Fatalf("go list: %v", l.err)
	}
	tested := map[string]map[string]bool{} // by "package.Type.Method"
	methods := map[string][]either{}
	for _, p := range l.packages {
		external := testkit.Try(l.typeCheck(p, p.external)).Or(t)
		maps.Copy(methods, p.inside.fitMethods())
		for _, c := range []checked{p.inside, external} {
			for method, by := range c.mentions() {
				if tested[method] == nil {
					tested[method] = map[string]bool{}
				}
				maps.Copy(tested[method], by)
			}
		}
	}
	// These must be found, or the search has lost some.
	for _, known := range []string{"perceptron.Perceptron.Fit", "multiclass.OneVsRest.FitWith", "cluster.Spectral.Fit", "feature.Standardize.Fit", "kernelized.Ridge.FitWith", "leastsquares.Regression.FitTargetsWith", "calibration.FitPlatt"} {
		if methods[known] == nil {
			t.Errorf("%s is not found in the source", known)
		}
	}
	for _, algorithm := range direct {
		if methods[algorithm+".FitWith"] == nil {
			t.Errorf("%s, which is not iterative, is not found in the source", algorithm)
		}
	}
	for _, m := range slices.Sorted(maps.Keys(methods)) {
		if bitsOf[m] == nil && strings.HasSuffix(m, ".Fit") {
			t.Errorf("%s is not in bitsOf, whose fits TestBitsOfProcessors tests", m)
		}
		for _, want := range methods[m] {
			if !want.among(tested[m]) {
				t.Errorf("%s is tested by %v of mlkittest, want all of one of %v; instant here has those that need no TestContext, and direct those that need no TestReport", m, slices.Sorted(maps.Keys(tested[m])), want)
			}
		}
	}
}

// among reports whether by has all functions of one of the choices.
func (e either) among(by map[string]bool) bool {
	return slices.ContainsFunc(e, func(all []string) bool {
		return !slices.ContainsFunc(all, func(f string) bool { return !by[f] })
	})
}

// skipShort skips a test that reads the source: it is the same on other processors and with
// the race detector, where .ci/all tests with -short.
func skipShort(t *testing.T) {
	t.Helper()
	if testing.Short() {
		t.Skip("reads the source alone: go test without -short")
	}
}

// A source is a package of mlkit and its files.
type source struct {
	path, dir              string
	files, tests, external []string
	inside                 checked // files and tests
}

// A listing holds the packages of the library below mlkit, and the compiled types of
// everything that they and their tests import.
type listing struct {
	packages []source
	fset     *token.FileSet
	imports  types.Importer
	err      error
}

// listPackages does not use go list -test, which would compile all of mlkit and its
// tests again.
var listPackages = sync.OnceValue(func() (l listing) {
	list := func(format string, args ...string) []string {
		cmd := exec.Command("go", append([]string{"list", "-f", format}, args...)...)
		cmd.Stderr = os.Stderr
		out, err := cmd.Output()
		l.err = errors.Join(l.err, err)
		return strings.Split(strings.TrimSpace(string(out)), "\n")
	}
	imports := map[string]bool{}
	for _, line := range list(`{{.ImportPath}}|{{.Dir}}|{{join .GoFiles " "}}|{{join .TestGoFiles " "}}|{{join .XTestGoFiles " "}}|{{join .Imports " "}} {{join .TestImports " "}} {{join .XTestImports " "}}`, "marginalia/mlkit/...") {
		f := strings.Split(line, "|")
		if strings.Contains(f[0], "/internal/") || strings.HasSuffix(f[0], "/mlkittest") {
			continue
		}
		l.packages = append(l.packages, source{path: f[0], dir: f[1], files: strings.Fields(f[2]), tests: strings.Fields(f[3]), external: strings.Fields(f[4])})
		for _, path := range strings.Fields(f[5]) {
			imports[path] = true
		}
	}
	exports := map[string]string{}
	for _, line := range list("{{.ImportPath}}|{{.Export}}", append([]string{"-export", "-deps"}, slices.Collect(maps.Keys(imports))...)...) {
		path, export, _ := strings.Cut(line, "|")
		exports[path] = export
	}
	l.fset = token.NewFileSet()
	l.imports = compiled(l.fset, exports)
	for i, p := range l.packages {
		inside, err := l.typeCheck(p, slices.Concat(p.files, p.tests))
		l.err = errors.Join(l.err, err)
		l.packages[i].inside = inside
	}
	return l
})

// compiled returns an importer that reads the export data of each package once.
func compiled(fset *token.FileSet, exports map[string]string) types.Importer {
	return importer.ForCompiler(fset, "gc", func(path string) (io.ReadCloser, error) {
		if exports[path] == "" {
			return nil, fmt.Errorf("no compiled types of %s", path)
		}
		return os.Open(exports[path])
	})
}

// checked is what type-checking found in files of a package.
type checked struct {
	fset  *token.FileSet
	files []*ast.File
	pkg   *types.Package
	info  *types.Info
}

// typeCheck type-checks files of a package and continues after errors: the imports of an
// external test were compiled without the package's own test files.
func (l listing) typeCheck(p source, names []string) (checked, error) {
	var files []*ast.File
	for _, name := range names {
		f, err := parser.ParseFile(l.fset, filepath.Join(p.dir, name), nil, parser.SkipObjectResolution)
		if err != nil {
			return checked{}, err
		}
		// Without mlkittest, a file matters for its declarations only.
		if !slices.ContainsFunc(f.Imports, func(i *ast.ImportSpec) bool { return i.Path.Value == `"marginalia/mlkit/mlkittest"` }) {
			for _, d := range f.Decls {
				if function, ok := d.(*ast.FuncDecl); ok {
					function.Body = nil
				}
			}
		}
		files = append(files, f)
	}
	info := &types.Info{Selections: map[*ast.SelectorExpr]*types.Selection{}, Uses: map[*ast.Ident]types.Object{}}
	config := types.Config{Importer: l.imports, Error: func(error) {}}
	pkg, _ := config.Check(p.path, l.fset, files, info)
	return checked{l.fset, files, pkg, info}, nil
}

// exported returns the exported types of the package, outside of its tests, that are no
// interfaces.
func (c checked) exported() []*types.Named {
	var all []*types.Named
	for _, name := range c.pkg.Scope().Names() {
		object := c.pkg.Scope().Lookup(name)
		named, ok := object.Type().(*types.Named)
		if !ok || named.Obj() != object || !object.Exported() || types.IsInterface(named) || strings.HasSuffix(c.fset.Position(object.Pos()).Filename, "_test.go") {
			continue
		}
		all = append(all, named)
	}
	return all
}

// fitMethods returns the methods Fit of the exported types, those that take mlkit.Options, and
// the exported functions that take weights, with the tests that each needs.
func (c checked) fitMethods() map[string][]either {
	methods := map[string][]either{}
	for _, named := range c.exported() {
		for m := range named.Methods() {
			name := fmt.Sprintf("%s.%s.%s", c.pkg.Name(), named.Obj().Name(), m.Name())
			switch {
			case m.Name() == "Fit":
				methods[name] = []either{fits}
			case m.Name() == "FitMap": // FitWith of a step
			case takesOptions(m):
				methods[name] = []either{options}
				if m.Name() == "FitWith" && !slices.Contains(instant, name) {
					methods[name] = append(methods[name], ended)
				}
				if m.Name() == "FitWith" && !slices.Contains(direct, strings.TrimSuffix(name, ".FitWith")) {
					methods[name] = append(methods[name], reported)
				}
			}
		}
	}
	for _, name := range c.pkg.Scope().Names() {
		f, ok := c.pkg.Scope().Lookup(name).(*types.Func)
		if ok && takesWeights(f) && unweighted[c.pkg.Name()+"."+name] == "" {
			methods[c.pkg.Name()+"."+name] = []either{weighted}
		}
	}
	return methods
}

// takesOptions reports whether the first parameter of an exported method is mlkit.Options.
func takesOptions(f *types.Func) bool {
	p := f.Signature().Params()
	return f.Exported() && p.Len() > 0 && p.At(0).Type().String() == "marginalia/mlkit.Options"
}

// takesWeights reports whether f is exported and has a parameter for the weights of samples.
func takesWeights(f *types.Func) bool {
	if !f.Exported() {
		return false
	}
	for p := range f.Signature().Params().Variables() {
		if p.Name() == "weights" && p.Type().String() == "[]float64" {
			return true
		}
	}
	return false
}

// mentions returns, for each method and function, the functions of mlkittest that the files
// pass it to.
func (c checked) mentions() map[string]map[string]bool {
	files, info := c.files, c.info
	found := map[string]map[string]bool{}
	collect := func(in ast.Node, by string) {
		ast.Inspect(in, func(n ast.Node) bool {
			var method string
			switch n := n.(type) {
			case *ast.SelectorExpr:
				if info.Selections[n] != nil {
					method = methodName(info.Selections[n])
				}
			case *ast.Ident:
				if f, ok := info.Uses[n].(*types.Func); ok && f.Pkg() != nil && f.Pkg().Name() != "mlkittest" && f.Signature().Recv() == nil {
					method = f.Pkg().Name() + "." + f.Name()
				}
			}
			if method != "" {
				if found[method] == nil {
					found[method] = map[string]bool{}
				}
				found[method][by] = true
			}
			return true
		})
	}
	for _, file := range files {
		for _, decl := range file.Decls {
			ast.Inspect(decl, func(n ast.Node) bool {
				call, ok := n.(*ast.CallExpr)
				if !ok || len(call.Args) == 0 {
					return true
				}
				by, ok := conformance(info, call.Fun)
				if !ok {
					return true
				}
				if _, variable := call.Args[0].(*ast.Ident); variable {
					collect(decl, by)
				}
				collect(call.Args[0], by)
				return true
			})
		}
	}
	return found
}

// conformance returns the name of fun if it is a function of mlkittest.
func conformance(info *types.Info, fun ast.Expr) (string, bool) {
	if index, ok := fun.(*ast.IndexListExpr); ok {
		fun = index.X
	}
	selector, ok := fun.(*ast.SelectorExpr)
	if !ok {
		return "", false
	}
	f, ok := info.Uses[selector.Sel].(*types.Func)
	if !ok || f.Pkg() == nil || f.Pkg().Path() != "marginalia/mlkit/mlkittest" {
		return "", false
	}
	return f.Name(), true
}

// methodName returns "package.Type.Method" for a method of an mlkit type, "" otherwise.
func methodName(s *types.Selection) string {
	f, ok := s.Obj().(*types.Func)
	if !ok || f.Pkg() == nil {
		return ""
	}
	receiver := f.Signature().Recv().Type()
	if p, ok := receiver.(*types.Pointer); ok {
		receiver = p.Elem()
	}
	named, ok := receiver.(*types.Named)
	if !ok {
		return ""
	}
	return fmt.Sprintf("%s.%s.%s", f.Pkg().Name(), named.Obj().Name(), f.Name())
}

// The search finds the two tested algorithms out of four, one of them passed in a
// variable.
func TestMentions(t *testing.T) {
	testkit.Long(t)
	dir := t.TempDir()
	for name, content := range map[string]string{
		"a.go": `package a
import "marginalia/mlkit"
type A struct{}
func (A) Fit(int) {}
type B struct{}
func (*B) FitWith(mlkit.Options) {}
type C[T any] struct{}
func (C[T]) Fit(int) {}
type D struct{}
func (D) Fit(int) {}
func (D) Fitting(int) {}
func (D) Learn(o mlkit.Options) {}
func (D) FitMap(o mlkit.Options) {}
func (D) learn(o mlkit.Options) {}
func Weigh(weights []float64) {}
type hidden struct{}
func (hidden) Fit(int) {}
`,
		"a_test.go": `package a
import ("marginalia/mlkit"; "marginalia/mlkit/mlkittest")
func one() { mlkittest.TestClassifier(A{}.Fit) }
func two() {
	f := func() { new(B).FitWith(mlkit.Options{}) }
	mlkittest.TestContext(f)
}
func three() { mlkittest.TestClusterer(C[int]{}.Fit); _ = D{}.Fit }
func four() { mlkittest.TestWeights(func() { Weigh(nil) }) }
`,
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(content), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	p := source{path: "marginalia/mlkit/a", dir: dir}
	c := testkit.Try(listPackages().typeCheck(p, []string{"a.go", "a_test.go"})).Or(t)
	methods := c.fitMethods()
	if want := []string{"a.A.Fit", "a.B.FitWith", "a.C.Fit", "a.D.Fit", "a.D.Learn", "a.Weigh"}; !slices.Equal(slices.Sorted(maps.Keys(methods)), want) {
		t.Errorf("methods %v, want %v", methods, want)
	}
	var got bytes.Buffer
	found := c.mentions()
	for _, method := range slices.Sorted(maps.Keys(found)) {
		fmt.Fprintln(&got, method, slices.Sorted(maps.Keys(found[method])))
	}
	want := "a.A.Fit [TestClassifier]\na.B.FitWith [TestContext]\na.C.Fit [TestClusterer]\na.Weigh [TestWeights]\n"
	if got.String() != want {
		t.Errorf("found %s, want %s", got.String(), want)
	}
}
