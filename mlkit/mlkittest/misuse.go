package mlkittest

import (
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"maps"
	"path/filepath"
	"slices"
	"strings"
)

// TestMisuse makes calls with senseless arguments and tests them against the promise of
// package mlkit: a function that returns an error does not panic, and any other panics
// only if its doc comment, or that of its type or interface, says so. The panic's message
// must begin with the name of the package. The keys of calls are the names of the called
// functions or methods, "Pick" or "KFold.Folds", of the package in dir. All exported ones
// must be there, except those that encode and decode models.
func TestMisuse(dir string, calls map[string][]func()) error {
	functions, pkg, err := exported(dir)
	if err != nil {
		return err
	}
	var errs []error
	for _, name := range slices.Sorted(maps.Keys(functions)) {
		if len(calls[name]) == 0 {
			errs = append(errs, fmt.Errorf("mlkittest: %s.%s is exported, want a call of it", pkg, name))
		}
	}
	for _, name := range slices.Sorted(maps.Keys(calls)) {
		f, ok := functions[name]
		if !ok {
			errs = append(errs, fmt.Errorf("mlkittest: %s has no exported %s", pkg, name))
			continue
		}
		for i, call := range calls[name] {
			v := panicOf(call)
			switch {
			case v == nil:
			case f.hasError:
				errs = append(errs, fmt.Errorf("mlkittest: call %d of %s.%s panics: %v; want an error", i, pkg, name, v))
			case !f.mayPanic:
				errs = append(errs, fmt.Errorf("mlkittest: call %d of %s.%s panics: %v; want its doc comment to say so", i, pkg, name, v))
			case !strings.HasPrefix(fmt.Sprint(v), pkg+": "):
				errs = append(errs, fmt.Errorf("mlkittest: call %d of %s.%s panics: %v; want a message that begins with %q", i, pkg, name, v, pkg+": "))
			}
		}
	}
	return errors.Join(errs...)
}

// panicOf returns what f panics with, or nil.
func panicOf(f func()) (v any) {
	defer func() { v = recover() }()
	f()
	return nil
}

// function describes an exported function or method.
type function struct {
	hasError bool // whether its last result is an error
	mayPanic bool // whether its documentation says so
}

// exported returns the exported functions and methods of the package in dir.
func exported(dir string) (functions map[string]function, pkg string, err error) {
	files, err := parsed(dir)
	if err != nil {
		return nil, "", err
	}
	// The types and interface methods whose comments mention a panic.
	types, methods := map[string]bool{}, map[string]bool{}
	for _, file := range files {
		pkg = file.Name.Name
		ast.Inspect(file, func(n ast.Node) bool {
			decl, ok := n.(*ast.GenDecl)
			if !ok {
				return true
			}
			for _, spec := range decl.Specs {
				if t, ok := spec.(*ast.TypeSpec); ok {
					types[t.Name.Name] = panics(decl.Doc) || panics(t.Doc)
					markMethods(t.Type, types[t.Name.Name], methods)
				}
			}
			return true
		})
	}
	functions = map[string]function{}
	for _, file := range files {
		for _, decl := range file.Decls {
			f, ok := decl.(*ast.FuncDecl)
			if !ok || !f.Name.IsExported() || codes(f.Name.Name) {
				continue
			}
			name, may := f.Name.Name, panics(f.Doc)
			if f.Recv != nil {
				receiver := typeName(f.Recv.List[0].Type)
				if !ast.IsExported(receiver) {
					continue
				}
				may = may || types[receiver] || methods[name]
				name = receiver + "." + name
			}
			functions[name] = function{hasError: lastIsError(f.Type.Results), mayPanic: may}
		}
	}
	return functions, pkg, nil
}

// parsed returns the parsed files of a package, except its tests.
func parsed(dir string) (files []*ast.File, err error) {
	paths, err := filepath.Glob(filepath.Join(dir, "*.go"))
	if err != nil {
		return nil, err
	}
	for _, path := range paths {
		if strings.HasSuffix(path, "_test.go") {
			continue
		}
		file, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.ParseComments)
		if err != nil {
			return nil, err
		}
		files = append(files, file)
	}
	return files, nil
}

// markMethods adds the methods of an interface that may panic: all of them, or those
// whose own comments say so.
func markMethods(t ast.Expr, all bool, methods map[string]bool) {
	i, ok := t.(*ast.InterfaceType)
	if !ok {
		return
	}
	for _, m := range i.Methods.List {
		if len(m.Names) > 0 && (all || panics(m.Doc)) {
			methods[m.Names[0].Name] = true
		}
	}
}

// panics reports whether a comment mentions a panic.
func panics(doc *ast.CommentGroup) bool { return strings.Contains(doc.Text(), "panic") }

// codes reports whether a method encodes or decodes models, or describes their encoding.
func codes(method string) bool {
	return slices.Contains([]string{"MarshalJSON", "UnmarshalJSON", "ModelKind", "FormVersions"}, method)
}

// typeName returns T for T, *T, T[P] and *T[P].
func typeName(t ast.Expr) string {
	switch t := t.(type) {
	case *ast.StarExpr:
		return typeName(t.X)
	case *ast.IndexExpr:
		return typeName(t.X)
	case *ast.IndexListExpr:
		return typeName(t.X)
	case *ast.Ident:
		return t.Name
	}
	return ""
}

// lastIsError reports whether the last result is an error.
func lastIsError(results *ast.FieldList) bool {
	if results == nil || len(results.List) == 0 {
		return false
	}
	last, ok := results.List[len(results.List)-1].Type.(*ast.Ident)
	return ok && last.Name == "error"
}
