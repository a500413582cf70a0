package assignment

import (
	"go/ast"
	"go/parser"
	"go/token"

	"marginalia/internal/cell"
)

// header returns the text of a function up to its body.
func header(text string) (string, bool) {
	const before = "package p\n"
	f, err := parser.ParseFile(token.NewFileSet(), "", before+text, parser.SkipObjectResolution)
	if err != nil || len(f.Decls) != 1 {
		return "", false
	}
	fn, ok := f.Decls[0].(*ast.FuncDecl)
	if !ok || fn.Body == nil {
		return "", false
	}
	return text[:int(fn.Body.Lbrace)-1-len(before)], true
}

// clean takes comments out of what a student declares, since directives are comments:
// spaces stand for them, so that each line stays where it is.
func clean(d *cell.Decls) {
	for _, f := range d.Funcs {
		f.Doc, f.DocAt = nil, nil
	}
}
