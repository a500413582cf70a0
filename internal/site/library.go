package site

import (
	"context"
	"errors"
	"fmt"
	"go/doc"
	"go/parser"
	"go/token"
	"go/types"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/tools/go/packages"
)

// documentedPatterns name the packages that have pages, as for go list.
var documentedPatterns = []string{"./mlkit/...", "./plotting/...", "./datasets/..."}

// A library is the packages that have pages.
type library struct {
	fset     *token.FileSet
	packages []*documentedPackage
	pages    map[string]string                        // import path to page
	fields   map[*types.Package]map[*types.Var]string // see field
}

// A documentedPackage is a package with its documentation and what its names mean.
type documentedPackage struct {
	*doc.Package
	page string // "library/mlkit/svm.html"
	info *types.Info
}

// loadLibrary reads the packages that [documentedPatterns] names, less internal ones and commands.
func loadLibrary(ctx context.Context, root string) (*library, error) {
	l := &library{fset: token.NewFileSet(), pages: map[string]string{}, fields: map[*types.Package]map[*types.Var]string{}}
	// Dependencies come from export data, so that packages of other modules are not checked anew.
	const mode = packages.NeedName | packages.NeedFiles | packages.NeedCompiledGoFiles | packages.NeedImports |
		packages.NeedTypes | packages.NeedTypesSizes | packages.NeedSyntax | packages.NeedTypesInfo
	loaded, err := packages.Load(&packages.Config{Context: ctx, Mode: mode, Dir: root, Fset: l.fset}, documentedPatterns...)
	if err != nil {
		return nil, fmt.Errorf("site: reading the packages: %w", err)
	}
	for _, p := range loaded {
		if p.Name == "main" || slices.Contains(strings.Split(p.PkgPath, "/"), "internal") {
			continue
		}
		if len(p.Errors) > 0 {
			return nil, fmt.Errorf("site: %s does not compile: %v", p.PkgPath, p.Errors[0])
		}
		if len(p.CompiledGoFiles) == 0 {
			continue
		}
		files := p.Syntax
		tests, err := filepath.Glob(filepath.Join(filepath.Dir(p.CompiledGoFiles[0]), "*_test.go"))
		if err != nil {
			return nil, err
		}
		for _, name := range tests {
			f, err := parser.ParseFile(l.fset, name, nil, parser.ParseComments|parser.SkipObjectResolution)
			if err != nil {
				return nil, fmt.Errorf("site: %w", err)
			}
			files = append(files, f)
		}
		d, err := doc.NewFromFiles(l.fset, files, p.PkgPath)
		if err != nil {
			return nil, fmt.Errorf("site: %s: %w", p.PkgPath, err)
		}
		page := "library/" + strings.TrimPrefix(p.PkgPath, "marginalia/") + ".html"
		l.packages = append(l.packages, &documentedPackage{Package: d, page: page, info: p.TypesInfo})
		l.pages[p.PkgPath] = page
	}
	if len(l.packages) == 0 {
		return nil, errors.New("site: there are no packages to document")
	}
	slices.SortFunc(l.packages, func(a, b *documentedPackage) int { return strings.Compare(a.ImportPath, b.ImportPath) })
	return l, nil
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
