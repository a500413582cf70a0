package site

import (
	"bytes"
	"encoding/json"
	"errors"
	"go/ast"
	"go/printer"
	"go/scanner"
	"go/token"
	"go/types"
	"html"
	"path/filepath"
	"slices"
	"strings"
	"unicode/utf8"
)

// declaration writes a declaration with its names linked, and the place of its source.
func (w *packagePage) declaration(n ast.Decl) {
	var text bytes.Buffer
	config := printer.Config{Mode: printer.UseSpaces | printer.TabIndent, Tabwidth: 8}
	if err := config.Fprint(&text, w.s.library.fset, &printer.CommentedNode{Node: n, Comments: nil}); err != nil {
		w.err = errors.Join(w.err, err)
		return
	}
	w.code(text.String(), w.linked(n, text.String()))
	at := w.s.library.fset.Position(n.Pos())
	address, err := w.s.goSource(w.p.page, at, w.p.own)
	if err != nil {
		w.err = errors.Join(w.err, err)
		return
	}
	w.printf("<p class=\"go-source\"><a href=\"%s\">%s:%d</a></p>\n\n", html.EscapeString(address), filepath.Base(at.Filename), at.Line)
}

// linked finds the documented names in a declaration that was printed: its identifiers stand in the
// text in the order of their positions. A field of a struct and a method of an interface, which have
// no heading, get the address "#Type.Field": there they are.
func (w *packagePage) linked(n ast.Node, text string) (links []call) {
	var names []*ast.Ident
	ast.Inspect(n, func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok {
			names = append(names, id)
		}
		return true
	})
	slices.SortStableFunc(names, func(a, b *ast.Ident) int { return int(a.Pos() - b.Pos()) })
	var scan scanner.Scanner
	fset := token.NewFileSet()
	file := fset.AddFile("", fset.Base(), len(text))
	scan.Init(file, []byte(text), nil, 0)
	lines := strings.Split(text, "\n")
	for {
		pos, tok, name := scan.Scan()
		if tok == token.EOF {
			return links
		}
		if tok != token.IDENT {
			continue
		}
		if len(names) == 0 || names[0].Name != name { // the printer left something out
			return nil
		}
		at := fset.Position(pos)
		link := func(address string) {
			links = append(links, call{at.Line - 1, utf8.RuneCountInString(lines[at.Line-1][:at.Column-1]), utf8.RuneCountInString(name), address})
		}
		if address := w.s.library.address(w.p.page, w.s.library.fset, w.p.info.Uses[names[0]], nil); address != "" {
			link(address)
		}
		if member := w.member(names[0]); member != "" {
			link("#" + member)
		}
		names = names[1:]
	}
}

// member is the name of the field or of the interface's method that an identifier declares, with its
// type; or "".
func (w *packagePage) member(id *ast.Ident) string {
	switch o := w.p.info.Defs[id].(type) {
	case *types.Var:
		if o.IsField() && o.Exported() {
			return w.s.library.field(w.s.library.fset, o)
		}
	case *types.Func:
		if recv := o.Signature().Recv(); recv != nil && types.IsInterface(recv.Type()) {
			return w.s.library.documented(w.s.library.fset, o, nil)
		}
	}
	return ""
}

// code writes a block of Go.
func (w *packagePage) code(text string, links []call) {
	if links == nil {
		links = []call{}
	}
	encoded, err := json.Marshal(links)
	w.err = errors.Join(w.err, err)
	fence := fenceFor(text)
	w.printf("%s{go-code}\n%s\n%s\n%s\n\n", fence, encoded, text, fence)
}

// fenceFor is a fence longer than any run of backquotes in the text.
func fenceFor(text string) string {
	fence := "```"
	for strings.Contains(text, fence) {
		fence += "`"
	}
	return fence
}
