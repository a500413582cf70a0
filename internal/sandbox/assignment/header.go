package assignment

import (
	"go/ast"
	"go/parser"
	"go/scanner"
	"go/token"
	"slices"
	"strings"

	"marginalia/internal/notebook/gonb"
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

// typeHead returns the text of a type declaration up to the type: its name and parameters.
func typeHead(text string) string {
	const before = "package p\ntype "
	f, err := parser.ParseFile(token.NewFileSet(), "", before+text, parser.SkipObjectResolution)
	if err == nil && len(f.Decls) == 1 {
		if d, ok := f.Decls[0].(*ast.GenDecl); ok && len(d.Specs) == 1 {
			s := d.Specs[0].(*ast.TypeSpec)
			if s.TypeParams != nil {
				return text[:int(s.TypeParams.End())-1-len(before)]
			}
			return s.Name.Name
		}
	}
	name, _, _ := strings.Cut(text, " ")
	return name
}

// receiverName returns the name of the type that a method belongs to, "" if the text is no method's.
func receiverName(text string) string {
	f, err := parser.ParseFile(token.NewFileSet(), "", "package p\n"+text, parser.SkipObjectResolution)
	if err != nil || len(f.Decls) != 1 {
		return ""
	}
	if fn, ok := f.Decls[0].(*ast.FuncDecl); ok && fn.Recv.NumFields() == 1 {
		if of := receiver(fn.Recv.List[0].Type); of != nil {
			return of.Name
		}
	}
	return ""
}

// embeds reports whether a type may have methods of another: it is a struct with an embedded field, or an alias.
func embeds(text string) bool {
	f, err := parser.ParseFile(token.NewFileSet(), "", "package p\ntype "+text, parser.SkipObjectResolution)
	if err != nil {
		return false
	}
	found := false
	ast.Inspect(f, func(n ast.Node) bool {
		switch s := n.(type) {
		case *ast.TypeSpec:
			found = found || s.Assign.IsValid()
		case *ast.StructType:
			found = found || slices.ContainsFunc(s.Fields.List, func(f *ast.Field) bool { return f.Names == nil })
		}
		return true
	})
	return found
}

func hasBody(text string) bool { _, ok := header(text); return ok }

// clean takes comments out of what a student declares, since directives are comments:
// spaces stand for them, so that each line stays where it is.
func clean(d *gonb.Decls) {
	for _, f := range d.Funcs {
		f.Doc, f.DocAt = nil, nil
		f.Text = blank(f.Text)
	}
	for _, t := range d.Types {
		t.Text = blank(t.Text)
	}
	for _, v := range d.Vars {
		v.Type, v.Value = blank(v.Type), blank(v.Value)
	}
	for _, block := range d.ConstBlocks() { // d.Consts has only the last of several called _
		for _, c := range block {
			c.Type, c.Value = blank(c.Type), blank(c.Value)
		}
	}
}

// blank replaces comments by spaces.
func blank(text string) string {
	var s scanner.Scanner
	fset := token.NewFileSet()
	file := fset.AddFile("", -1, len(text))
	s.Init(file, []byte(text), func(token.Position, string) {}, scanner.ScanComments)
	out := []byte(text)
	for {
		pos, tok, _ := s.Scan()
		if tok == token.EOF {
			return string(out)
		}
		if tok != token.COMMENT {
			continue
		}
		// The scanner's literal lacks the carriage returns: its length is not the comment's.
		from := file.Offset(pos)
		end := "\n"
		if text[from+1] == '*' {
			end = "*/"
		}
		to := len(text)
		if i := strings.Index(text[from+2:], end); i >= 0 {
			to = from + 2 + i + len(end)
		}
		for i := from; i < to; i++ {
			if out[i] != '\n' {
				out[i] = ' '
			}
		}
	}
}
