package mlkit_test

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// Exported declarations of mlkit use only types that other programs can name. A result
// of an internal type could not be declared, stored in a field, or looked up with go
// doc.
func TestNoInternalTypesExported(t *testing.T) {
	files := 0
	err := filepath.WalkDir(".", func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() && (d.Name() == "internal" || d.Name() == "testdata") {
			return fs.SkipDir
		}
		if !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
			return nil
		}
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		files++
		for _, what := range internalInAPI(t, path, string(text)) {
			t.Error(what)
		}
		return nil
	})
	if err != nil || files < 100 {
		t.Errorf("%d files read, %v", files, err)
	}
}

// The search finds every way in which an internal type can leak, and ignores unexported
// declarations.
func TestInternalInAPI(t *testing.T) {
	const head = "package p\nimport \"m/internal/gram\"\nimport g \"m/internal/grim\"\nimport \"m/public\"\n"
	for text, want := range map[string]int{
		"func F() (gram.Function, bool) { panic(0) }":         1,
		"func F(f func([]*g.T)) {}":                           1,
		"func F[E gram.Float]() {}":                           1,
		"type T struct { A int; B map[string]gram.Function }": 1,
		"type T struct { a gram.Function; B g.T }":            1,
		"type T struct { gram.Function }":                     1,
		"type T = gram.Function":                              1,
		"type T[E gram.Float] int":                            1,
		"type I interface { M(gram.Function) }":               1,
		"type T struct{}\nfunc (*T) M(gram.Function) {}":      1,
		"type T[E any] struct{}\nfunc (T[E]) M(g.T) {}":       1,
		"var V gram.Function":                                 1,
		"type t struct{}\nfunc (t) M(gram.Function) {}":       0,
		"type T struct { a gram.Function }":                   0,
		"func f(gram.Function) {}":                            0,
		"func F(public.T) { var _ gram.Function }":            0,
		"var v gram.Function":                                 0,
	} {
		if got := internalInAPI(t, "p.go", head+text); len(got) != want {
			t.Errorf("%s: %q, want %d", text, got, want)
		}
	}
}

// internalInAPI lists the exported declarations of a file that mention an internal
// package in their types.
func internalInAPI(t *testing.T, path, text string) (found []string) {
	t.Helper()
	set := token.NewFileSet()
	file, err := parser.ParseFile(set, path, text, parser.SkipObjectResolution)
	if err != nil {
		t.Fatal(err)
	}
	internal := map[string]bool{}
	for _, s := range file.Imports {
		if from, _ := strconv.Unquote(s.Path.Value); strings.Contains(from, "/internal/") {
			name := from[strings.LastIndex(from, "/")+1:]
			if s.Name != nil {
				name = s.Name.Name
			}
			internal[name] = true
		}
	}
	exported := (*ast.Ident).IsExported
	look := func(name *ast.Ident, of ast.Node) {
		ast.Inspect(of, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.StructType:
				n.Fields.List = slices.DeleteFunc(n.Fields.List, func(f *ast.Field) bool {
					return len(f.Names) > 0 && !slices.ContainsFunc(f.Names, exported)
				})
			case *ast.SelectorExpr:
				if x, ok := n.X.(*ast.Ident); ok && internal[x.Name] {
					found = append(found, fmt.Sprintf("%v: %s has the internal type %s.%s", set.Position(n.Pos()), name.Name, x.Name, n.Sel.Name))
				}
			}
			return true
		})
	}
	for _, decl := range file.Decls {
		switch d := decl.(type) {
		case *ast.FuncDecl:
			if d.Name.IsExported() && (d.Recv == nil || receiver(d.Recv.List[0].Type).IsExported()) {
				look(d.Name, d.Type)
			}
		case *ast.GenDecl:
			for _, spec := range d.Specs {
				switch s := spec.(type) {
				case *ast.TypeSpec:
					if s.Name.IsExported() {
						look(s.Name, s)
					}
				case *ast.ValueSpec:
					if s.Type != nil && slices.ContainsFunc(s.Names, exported) {
						look(s.Names[0], s.Type)
					}
				}
			}
		}
	}
	return found
}

// receiver returns the name of a method's receiver type.
func receiver(e ast.Expr) *ast.Ident {
	for {
		switch t := e.(type) {
		case *ast.StarExpr:
			e = t.X
		case *ast.IndexExpr:
			e = t.X
		case *ast.IndexListExpr:
			e = t.X
		case *ast.Ident:
			return t
		}
	}
}
