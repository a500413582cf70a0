//go:build unix

package buildserver

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
)

// imports does what "goimports -w" does for GoNB, which takes from the file only which imports it
// has: those that are not used go, and flag comes in. It returns false, and has changed nothing, if a package is to be
// found, or if it is not sure. name says how the packages are named that are known.
func imports(file string, name func(path string) (string, bool)) bool {
	others, _ := filepath.Glob(filepath.Join(filepath.Dir(file), "*.go")) // what they declare counts, too
	text, err := os.ReadFile(file)
	if err != nil || name == nil || len(others) != 1 {
		return false
	}
	files := token.NewFileSet()
	f, err := parser.ParseFile(files, file, text, parser.ParseComments)
	if err != nil {
		return false
	}
	imported := map[string]bool{} // names, and whether they are used
	local := func(i *ast.ImportSpec) (string, bool) {
		of, err := strconv.Unquote(i.Path.Value)
		if err != nil || of == "C" {
			return "", false
		}
		if i.Name != nil {
			return i.Name.Name, i.Name.Name != "."
		}
		known, ok := name(of)
		return known, ok && known == assumed(of)
	}
	for _, i := range f.Imports {
		n, ok := local(i)
		if _, twice := imported[n]; !ok || twice && n != "_" {
			return false
		}
		imported[n] = n == "_"
	}
	all, flags := true, false
	ast.Inspect(f, func(n ast.Node) bool {
		if s, ok := n.(*ast.SelectorExpr); ok {
			if x, ok := s.X.(*ast.Ident); ok && x.Obj == nil {
				_, known := imported[x.Name]
				switch {
				case known:
					imported[x.Name] = true
				case x.Name == "flag" && s.Sel.Name == "Parse": // in each main that GoNB writes
					flags = true
				default:
					all = false
				}
			}
		}
		return true
	})
	if !all {
		return false
	}
	edited := false
	blank := func(n ast.Node) {
		edited = true
		for i := files.Position(n.Pos()).Offset; i < files.Position(n.End()).Offset; i++ {
			if text[i] != '\n' {
				text[i] = ' '
			}
		}
	}
	for _, d := range f.Decls {
		d, ok := d.(*ast.GenDecl)
		if !ok || d.Tok != token.IMPORT {
			continue
		}
		for _, spec := range d.Specs {
			i := spec.(*ast.ImportSpec)
			switch n, _ := local(i); {
			case imported[n]:
			case d.Lparen.IsValid():
				blank(i)
			default:
				blank(d)
			}
		}
	}
	if flags {
		edited = true
		text = slices.Insert(text, files.Position(f.Name.End()).Offset, []byte(`; import "flag"`)...)
	}
	return !edited || os.WriteFile(file, text, 0o600) == nil
}

// assumed is the name that a package has if its import path says it: goimports writes any other
// before the path.
func assumed(importPath string) string {
	if dir, last := path.Split(importPath); dir != "" && version.MatchString(last) {
		importPath = path.Clean(dir)
	}
	return path.Base(importPath)
}

var version = regexp.MustCompile(`^v\d+$`)
