package mlkit_test

import (
	"bytes"
	"cmp"
	"go/ast"
	"go/doc"
	"go/parser"
	"go/printer"
	"go/token"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// A name is an exported name at one of its places.
type name struct {
	kind      string // type, function, method, field or constant
	word      string
	of        string // "package", or "package.Type" for methods and fields
	typ       string // its type as in the source
	signature string // the same without the names of arguments, and with those of packages
	doc       string // the first sentence of its comment
	parameter bool   // a field of an algorithm: of a type with Fit or FitMap
}

// slice reports whether n is a field that is a slice, or an array of two.
func (n name) slice() bool {
	return n.kind == "field" && (strings.HasPrefix(n.signature, "[]") || strings.HasPrefix(n.signature, "[2][]"))
}

// exportedNames returns what go doc shows of all packages below mlkit, sorted. go/doc leaves
// out what is not exported.
func exportedNames(t *testing.T) []name {
	t.Helper()
	var all []name
	for _, dir := range packageFolders(t) {
		p := packageDoc(t, dir)
		add := func(n name, typ ast.Expr, comment string) {
			if typ != nil {
				n.typ, n.signature = typeText(typ), signature(p.Name, typ)
			}
			n.doc = strings.TrimRight(p.Synopsis(comment), ",:") // before a formula
			all = append(all, n)
		}
		functions := func(kind, of string, list []*doc.Func) {
			for _, f := range list {
				add(name{kind: kind, word: f.Name, of: of}, f.Decl.Type, f.Doc)
			}
		}
		constants := func(list []*doc.Value) {
			for _, v := range list {
				for _, spec := range v.Decl.Specs {
					s := spec.(*ast.ValueSpec)
					for _, id := range s.Names {
						add(name{kind: "constant", word: id.Name, of: p.Name}, s.Type, cmp.Or(s.Doc.Text(), s.Comment.Text()))
					}
				}
			}
		}
		fields := func(n name, list *ast.FieldList) {
			for _, f := range list.List {
				for _, id := range f.Names {
					n.word = id.Name
					add(n, f.Type, cmp.Or(f.Doc.Text(), f.Comment.Text()))
				}
			}
		}
		functions("function", p.Name, p.Funcs)
		constants(slices.Concat(p.Consts, p.Vars))
		for _, typ := range p.Types {
			of := p.Name + "." + typ.Name
			add(name{kind: "type", word: typ.Name, of: p.Name}, nil, typ.Doc)
			functions("function", p.Name, typ.Funcs)
			functions("method", of, typ.Methods)
			constants(slices.Concat(typ.Consts, typ.Vars))
			algorithm := slices.ContainsFunc(typ.Methods, func(f *doc.Func) bool { return f.Name == "Fit" || f.Name == "FitMap" })
			switch s := typ.Decl.Specs[0].(*ast.TypeSpec).Type.(type) {
			case *ast.StructType:
				fields(name{kind: "field", of: of, parameter: algorithm}, s.Fields)
			case *ast.InterfaceType:
				fields(name{kind: "method", of: of}, s.Methods)
			}
		}
	}
	slices.SortFunc(all, func(a, b name) int { return cmp.Or(cmp.Compare(a.word, b.word), cmp.Compare(a.of, b.of)) })
	return all
}

// packageFolders returns the folders of the packages that other programs can import.
func packageFolders(t *testing.T) []string {
	t.Helper()
	dirs := []string{"."}
	entries, err := os.ReadDir(".")
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		if e.IsDir() && e.Name() != "internal" && e.Name() != "testdata" {
			dirs = append(dirs, e.Name())
		}
	}
	return dirs
}

func packageDoc(t *testing.T, dir string) *doc.Package {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(dir, "*.go"))
	if err != nil {
		t.Fatal(err)
	}
	set := token.NewFileSet()
	var parsed []*ast.File
	for _, file := range files {
		if strings.HasSuffix(file, "_test.go") {
			continue
		}
		f, err := parser.ParseFile(set, file, nil, parser.ParseComments)
		if err != nil {
			t.Fatal(err)
		}
		parsed = append(parsed, f)
	}
	p, err := doc.NewFromFiles(set, parsed, "marginalia/mlkit/"+dir)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// typeText returns the text of a type on one line, without func.
func typeText(e ast.Node) string {
	var b bytes.Buffer
	if err := printer.Fprint(&b, token.NewFileSet(), e); err != nil {
		return err.Error()
	}
	return strings.Join(strings.Fields(strings.TrimPrefix(b.String(), "func")), " ")
}

// signature returns the text of a type for comparisons across packages.
func signature(pkg string, e ast.Expr) string {
	switch e := e.(type) {
	case *ast.Ident:
		if ast.IsExported(e.Name) && len(e.Name) > 1 { // one letter is a type parameter
			return pkg + "." + e.Name
		}
	case *ast.StarExpr:
		return "*" + signature(pkg, e.X)
	case *ast.ArrayType:
		if e.Len == nil {
			return "[]" + signature(pkg, e.Elt)
		}
		return "[" + typeText(e.Len) + "]" + signature(pkg, e.Elt)
	case *ast.FuncType:
		list := func(fields *ast.FieldList) string {
			var types []string
			for _, f := range fieldsOf(fields) {
				types = append(types, slices.Repeat([]string{signature(pkg, f.Type)}, max(1, len(f.Names)))...)
			}
			return "(" + strings.Join(types, ", ") + ")"
		}
		return list(e.Params) + list(e.Results)
	}
	return typeText(e)
}

func fieldsOf(l *ast.FieldList) []*ast.Field {
	if l == nil {
		return nil
	}
	return l.List
}
