// Package vet finds what go vet would find in the program of a cell, as far as that is sure to be a
// slip: formats that do not fit their arguments, and numbers that are converted to text as a letter.
// Both are among the checks that "go test" makes before it runs tests. It also finds where fmt prints the
// fields of a matrix, and where print stands for fmt.Println (own.go).
//
//	for _, f := range vet.Find([]string{text}, open) {
//		fmt.Println(f.Line, f.Words) // 7 fmt.Printf format %d has arg 2.5 of wrong type float64 (go vet)
//	}
package vet

import (
	"cmp"
	"fmt"
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"io"
	"reflect"
	"runtime"
	"slices"
	"strings"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/analysis/passes/printf"
	"golang.org/x/tools/go/analysis/passes/stringintconv"
)

var analyzers = []*analysis.Analyzer{printf.Analyzer, stringintconv.Analyzer}

// A Finding is a slip in a line of the program.
type Finding struct {
	Line  int
	Words string
}

// Find returns the findings in the first of the files of a program, whose imports' export data open
// opens. It returns none if the program does not compile.
func Find(texts []string, open func(path string) (io.ReadCloser, error)) []Finding {
	fset := token.NewFileSet()
	var files []*ast.File
	for _, text := range texts {
		f, err := parser.ParseFile(fset, "", text, parser.SkipObjectResolution)
		if err != nil {
			return nil
		}
		files = append(files, f)
	}
	return Of(fset, files, importer.ForCompiler(fset, "gc", open))
}

// Imported finds the packages that a checked package imports.
type Imported struct{ By *types.Package }

func (i Imported) Import(path string) (*types.Package, error) {
	for _, pkg := range i.By.Imports() {
		if pkg.Path() == path {
			return pkg, nil
		}
	}
	return nil, fmt.Errorf("vet: %s is not imported", path)
}

// Of does the same with files that have been parsed.
func Of(fset *token.FileSet, files []*ast.File, packages types.Importer) (found []Finding) {
	info := &types.Info{
		Types: map[ast.Expr]types.TypeAndValue{}, Defs: map[*ast.Ident]types.Object{}, Uses: map[*ast.Ident]types.Object{},
		Implicits: map[ast.Node]types.Object{}, Selections: map[*ast.SelectorExpr]*types.Selection{},
		Instances: map[*ast.Ident]types.Instance{}, Scopes: map[ast.Node]*types.Scope{}, FileVersions: map[*ast.File]string{},
	}
	wrong := false
	sizes := types.SizesFor("gc", runtime.GOARCH)
	config := types.Config{Importer: packages, Sizes: sizes, Error: func(err error) {
		wrong = wrong || !strings.HasSuffix(err.Error(), " is not used") // as a last line that shows itself
	}}
	pkg, _ := config.Check("main", fset, files, info) // the errors are counted above
	if wrong {
		return nil
	}
	defer func() {
		if recover() != nil { // a cell runs without what an analyzer may say of it
			found = nil
		}
	}()
	facts := map[fact]analysis.Fact{} // of the program's own functions
	results := map[*analysis.Analyzer]any{}
	var run func(a *analysis.Analyzer) error
	run = func(a *analysis.Analyzer) (err error) {
		if _, done := results[a]; done {
			return nil
		}
		for _, first := range a.Requires {
			if err := run(first); err != nil {
				return err
			}
		}
		results[a], err = a.Run(&analysis.Pass{
			Analyzer: a, Fset: fset, Files: files, Pkg: pkg, TypesInfo: info, TypesSizes: sizes,
			ResultOf: results,
			Report: func(d analysis.Diagnostic) {
				if fset.File(d.Pos) == fset.File(files[0].Package) {
					found = append(found, Finding{fset.Position(d.Pos).Line, d.Message + " (go vet)"})
				}
			},
			ImportObjectFact: func(of types.Object, to analysis.Fact) bool {
				known := facts[fact{of, reflect.TypeOf(to)}]
				if known != nil {
					reflect.ValueOf(to).Elem().Set(reflect.ValueOf(known).Elem())
				}
				return known != nil
			},
			ExportObjectFact:  func(of types.Object, known analysis.Fact) { facts[fact{of, reflect.TypeOf(known)}] = known },
			ImportPackageFact: func(*types.Package, analysis.Fact) bool { return false },
			ExportPackageFact: func(analysis.Fact) {},
			AllObjectFacts:    func() []analysis.ObjectFact { return nil },
			AllPackageFacts:   func() []analysis.PackageFact { return nil },
		})
		return err
	}
	for _, a := range analyzers {
		if run(a) != nil {
			return nil
		}
	}
	found = append(found, own(fset, files[0], info)...)
	slices.SortStableFunc(found, func(a, b Finding) int { return cmp.Compare(a.Line, b.Line) })
	return found
}

// A fact is what is known of an object in one regard.
type fact struct {
	of   types.Object
	kind reflect.Type
}
