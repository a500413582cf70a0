package mistake

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// Packages finds what packages export in their sources: those of the standard library, and
// those of folders with packages of a module. It finds a package by its name, the last part
// of its path.
type Packages []string

// roots of packages whose last part of the path is their name.
var std = []string{"", "math", "container", "encoding", "text", "unicode", "sync", "os"}

// Members returns the exported names of the package with that name, or the exported fields
// and methods of its type. It returns nil if it finds none.
func (folders Packages) Members(pkg, typ string) []string {
	for _, root := range folders {
		for _, below := range std {
			dir := filepath.Join(root, below, pkg)
			if names := folders.members(dir, typ); names != nil {
				return names
			}
		}
	}
	return nil
}

// encoding are the methods that values are stored by, which no cell calls.
var encoding = []string{"GobEncode", "GobDecode", "MarshalJSON", "UnmarshalJSON", "MarshalText", "UnmarshalText", "MarshalBinary", "UnmarshalBinary", "ModelKind"}

func (folders Packages) members(dir, typ string) (names []string) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil
	}
	for _, e := range entries {
		if !strings.HasSuffix(e.Name(), ".go") || strings.HasSuffix(e.Name(), "_test.go") {
			continue
		}
		file, err := parser.ParseFile(token.NewFileSet(), filepath.Join(dir, e.Name()), nil, parser.SkipObjectResolution)
		if err != nil || file.Name.Name == "main" {
			continue
		}
		for _, decl := range file.Decls {
			for _, name := range folders.declared(dir, decl, typ) {
				if ast.IsExported(name) && !slices.Contains(encoding, name) {
					names = append(names, name)
				}
			}
		}
	}
	slices.Sort(names)
	return slices.Compact(names)
}

// declared returns the names that a declaration adds to a package, or to its type typ.
func (folders Packages) declared(dir string, decl ast.Decl, typ string) (names []string) {
	switch decl := decl.(type) {
	case *ast.FuncDecl:
		if receiver(decl) == typ {
			names = append(names, decl.Name.Name)
		}
	case *ast.GenDecl:
		for _, spec := range decl.Specs {
			switch spec := spec.(type) {
			case *ast.ValueSpec:
				if typ == "" {
					names = append(names, identifiers(spec.Names)...)
				}
			case *ast.TypeSpec:
				switch typ {
				case "":
					names = append(names, spec.Name.Name)
				case spec.Name.Name:
					names = append(names, folders.fields(dir, spec.Type)...)
				}
			}
		}
	}
	return names
}

func identifiers(list []*ast.Ident) (names []string) {
	for _, name := range list {
		names = append(names, name.Name)
	}
	return names
}

// receiver is the name of the type that a method belongs to, "" for a function.
func receiver(f *ast.FuncDecl) string {
	if f.Recv == nil {
		return ""
	}
	t := f.Recv.List[0].Type
	if star, ok := t.(*ast.StarExpr); ok {
		t = star.X
	}
	if generic, ok := t.(*ast.IndexExpr); ok {
		t = generic.X
	}
	if name, ok := t.(*ast.Ident); ok {
		return name.Name
	}
	return "?"
}

// fields returns the fields of a struct or the methods of an interface, with the members of
// embedded types.
func (folders Packages) fields(dir string, t ast.Expr) (names []string) {
	var list *ast.FieldList
	switch t := t.(type) {
	case *ast.StructType:
		list = t.Fields
	case *ast.InterfaceType:
		list = t.Methods
	default:
		return nil
	}
	for _, field := range list.List {
		if len(field.Names) == 0 {
			names = append(names, folders.embedded(dir, field.Type)...)
		}
		names = append(names, identifiers(field.Names)...)
	}
	return names
}

// embedded returns the members of an embedded type.
func (folders Packages) embedded(dir string, t ast.Expr) []string {
	switch t := t.(type) {
	case *ast.Ident:
		return folders.members(dir, t.Name)
	case *ast.StarExpr:
		return folders.embedded(dir, t.X)
	case *ast.SelectorExpr:
		if pkg, ok := t.X.(*ast.Ident); ok {
			return folders.Members(pkg.Name, t.Sel.Name)
		}
	}
	return nil
}
