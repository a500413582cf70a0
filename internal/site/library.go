package site

import (
	"context"
	"errors"
	"fmt"
	"go/doc"
	"go/parser"
	"go/token"
	"go/types"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/mod/modfile"
	"golang.org/x/tools/go/packages"

	"marginalia/internal/notebook/workspace"
)

// documentedPatterns name the packages that have pages, as for go list.
var documentedPatterns = []string{"./mlkit/...", "./plotting/...", "./datasets/..."}

// A library is the packages that have pages: those of the repository, and those of a course.
type library struct {
	fset     *token.FileSet
	packages []*documentedPackage
	pages    map[string]string                     // import path to page
	in       map[string]string                     // folder to import path
	local    []string                              // modules that no proxy has
	fields   map[*types.Package]map[fieldAt]string // see field
}

// A documentedPackage is a package with its documentation and what its names mean.
type documentedPackage struct {
	*doc.Package
	page string // "library/mlkit/svm.html"
	info *types.Info
	own  bool // it is a course's
}

// loadLibrary reads the packages that [documentedPatterns] names, and those of a course's modules.
func loadLibrary(ctx context.Context, b *book) (*library, error) {
	l := &library{fset: token.NewFileSet(), pages: map[string]string{}, in: map[string]string{}, local: []string{"marginalia"}, fields: map[*types.Package]map[fieldAt]string{}}
	if err := l.load(ctx, b, b.root, b.root, documentedPatterns...); err != nil {
		return nil, err
	}
	if len(l.packages) == 0 {
		return nil, errors.New("site: there are no packages to document")
	}
	seen := map[string]bool{}
	for _, dir := range slices.Sorted(maps.Keys(b.imports)) {
		for _, module := range b.imports[dir].folders() {
			if seen[module] {
				continue
			}
			seen[module] = true
			data, err := os.ReadFile(filepath.Join(module, "go.mod"))
			if err != nil {
				return nil, fmt.Errorf("site: %w", err)
			}
			name := modfile.ModulePath(data)
			l.local = append(l.local, name)
			in, pattern := module, "./..."
			if slices.Contains(b.imports[dir].modules.Local, module) { // the workspace does not use it
				in, pattern = b.imports[dir].from, name+"/..."
			}
			if rel := b.rel(module); rel == "." || b.holds(rel+"/go.mod") {
				if err := l.load(ctx, b, in, b.imports[dir].from, pattern); err != nil {
					return nil, err
				}
			}
		}
	}
	slices.SortFunc(l.packages, func(a, b *documentedPackage) int {
		if a.own != b.own {
			return map[bool]int{true: -1, false: 1}[a.own]
		}
		return strings.Compare(a.ImportPath, b.ImportPath)
	})
	return l, nil
}

// load reads packages of the module in folder dir, less internal ones and commands, with the versions
// of the module in the folder from.
func (l *library) load(ctx context.Context, b *book, dir, from string, patterns ...string) error {
	// Dependencies come from export data, so that packages of other modules are not checked anew.
	const mode = packages.NeedName | packages.NeedFiles | packages.NeedCompiledGoFiles | packages.NeedImports |
		packages.NeedTypes | packages.NeedTypesSizes | packages.NeedSyntax | packages.NeedTypesInfo
	loaded, err := packages.Load(&packages.Config{Context: ctx, Mode: mode, Dir: dir, Env: append(workspace.Environ(from), "PWD="+dir), Fset: l.fset}, patterns...)
	if err != nil {
		return fmt.Errorf("site: reading the packages: %w", err)
	}
	for _, p := range loaded {
		if p.Name == "main" || slices.Contains(strings.Split(p.PkgPath, "/"), "internal") {
			continue
		}
		if len(p.Errors) > 0 {
			if err := b.fault(fmt.Errorf("site: %s does not compile: %v", p.PkgPath, p.Errors[0])); err != nil {
				return err
			}
			continue
		}
		if len(p.CompiledGoFiles) == 0 {
			continue
		}
		in := filepath.Dir(p.CompiledGoFiles[0])
		if own := dir != b.root; own && !b.holds(b.rel(p.CompiledGoFiles[0])) {
			continue
		}
		files := p.Syntax
		tests, err := filepath.Glob(filepath.Join(in, "*_test.go"))
		if err != nil {
			return err
		}
		for _, name := range tests {
			f, err := parser.ParseFile(l.fset, name, nil, parser.ParseComments|parser.SkipObjectResolution)
			if err != nil {
				return fmt.Errorf("site: %w", err)
			}
			files = append(files, f)
		}
		d, err := doc.NewFromFiles(l.fset, files, p.PkgPath)
		if err != nil {
			return fmt.Errorf("site: %s: %w", p.PkgPath, err)
		}
		page := "library/" + strings.TrimPrefix(p.PkgPath, "marginalia/") + ".html"
		l.packages = append(l.packages, &documentedPackage{Package: d, page: page, info: p.TypesInfo, own: dir != b.root})
		l.pages[p.PkgPath], l.in[in] = page, p.PkgPath
	}
	return nil
}

// documents reports whether the page of a package has a place for a function, type or method.
func (l *library) documents(pkg, name string) bool {
	of, method, _ := strings.Cut(name, ".")
	named := func(name string) func(*doc.Func) bool {
		return func(f *doc.Func) bool { return f.Name == name }
	}
	for _, p := range l.packages {
		if p.ImportPath != pkg {
			continue
		}
		if slices.ContainsFunc(p.Funcs, named(name)) {
			return true
		}
		for _, t := range p.Types {
			if t.Name == of && (method == "" || slices.ContainsFunc(t.Methods, named(method))) || slices.ContainsFunc(t.Funcs, named(name)) {
				return true
			}
		}
	}
	return false
}
