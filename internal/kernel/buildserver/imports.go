//go:build unix

package buildserver

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"slices"
	"strconv"

	"marginalia/internal/notebook/program"
)

// imports does what "goimports -w" does for GoNB, which takes from the file only which imports it
// has: those that are not used go, and those of program.Supplied come in. It
// returns false, and changes nothing, if a package is missing or if it is not sure. name returns the
// names of known packages.
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
	needed := program.Needed(f)
	unused := map[*ast.ImportSpec]bool{}
	locals := map[string]bool{}
	for _, i := range f.Imports {
		path, err := strconv.Unquote(i.Path.Value)
		if err != nil || path == "C" {
			return false
		}
		local, known := name(path)
		switch {
		case i.Name != nil:
			local = i.Name.Name
		case !known || local != program.Assumed(path):
			return false
		}
		if local == "." || locals[local] && local != "_" {
			return false // of two with one name goimports keeps both
		}
		locals[local] = true
		_, used := needed[local]
		unused[i] = !used && local != "_"
		delete(needed, local)
	}
	supplied := program.Supplied(needed)
	for _, path := range supplied {
		delete(needed, path)
	}
	if len(needed) > 0 {
		return false
	}
	edited := slices.Clone(text)
	blank := func(n ast.Node) {
		for i := files.Position(n.Pos()).Offset; i < files.Position(n.End()).Offset; i++ {
			if edited[i] != '\n' {
				edited[i] = ' '
			}
		}
	}
	for _, d := range f.Decls {
		d, ok := d.(*ast.GenDecl)
		if !ok || d.Tok != token.IMPORT {
			continue
		}
		for _, spec := range d.Specs {
			switch {
			case !unused[spec.(*ast.ImportSpec)]:
			case d.Lparen.IsValid():
				blank(spec)
			default:
				blank(d)
			}
		}
	}
	for _, path := range supplied {
		edited = slices.Insert(edited, files.Position(f.Name.End()).Offset, []byte("; import "+strconv.Quote(path))...)
	}
	return slices.Equal(edited, text) || os.WriteFile(file, edited, 0o600) == nil
}
