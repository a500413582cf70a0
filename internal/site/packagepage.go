package site

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"go/ast"
	"go/doc"
	"go/format"
	"go/printer"
	"go/scanner"
	"go/token"
	"html"
	"path/filepath"
	"slices"
	"strings"
	"unicode/utf8"
)

// libraryPages writes a page for each package, and the page that lists them.
func (s *stage) libraryPages() error {
	const page = "library/index.md"
	var index bytes.Buffer
	index.WriteString("# The library\n\nWhat `go doc` says of the packages.\n\n<div class=\"table-wrapper\"><table class=\"docutils align-default\">\n<thead><tr><th>package</th><th>what is there</th></tr></thead>\n<tbody>\n")
	for _, p := range s.library.packages {
		fmt.Fprintf(&index, "<tr><td><a href=\"%s\"><code>%s</code></a></td><td>%s</td></tr>\n", relative(page, p.page),
			strings.TrimPrefix(p.ImportPath, "marginalia/"), html.EscapeString(strings.TrimPrefix(p.Synopsis(p.Doc), "Package "+p.Name+" ")))
	}
	index.WriteString("</tbody></table></div>\n\n```{toctree}\n:hidden:\n:maxdepth: 1\n\n")
	for _, p := range s.library.packages {
		name := strings.TrimPrefix(p.ImportPath, "marginalia/")
		fmt.Fprintf(&index, "%s <%s>\n", name, name)
		w := &packagePage{s: s, p: p}
		w.write()
		if w.err != nil {
			return fmt.Errorf("site: the documentation of %s: %w", p.ImportPath, w.err)
		}
		if err := s.write(strings.TrimSuffix(p.page, ".html")+".md", w.b.Bytes()); err != nil {
			return err
		}
	}
	index.WriteString("```\n")
	s.frame[page] = index.String()
	return s.write(page, index.Bytes())
}

// packagePage writes the page of a package in MyST.
type packagePage struct {
	s   *stage
	p   *documentedPackage
	b   bytes.Buffer
	err error
}

func (w *packagePage) printf(format string, args ...any) { fmt.Fprintf(&w.b, format, args...) }

func (w *packagePage) write() {
	p := w.p
	w.printf("# %s\n\n", strings.TrimPrefix(p.ImportPath, "marginalia/"))
	w.code(fmt.Sprintf("import %q", p.ImportPath), nil)
	w.comment(p.Doc, 2)
	w.examples(p.Examples)
	w.values("Constants", p.Consts)
	w.values("Variables", p.Vars)
	if len(p.Funcs) > 0 {
		w.printf("## Functions\n\n")
	}
	for _, f := range p.Funcs {
		w.function(f, 3)
	}
	if len(p.Types) > 0 {
		w.printf("## Types\n\n")
	}
	for _, t := range p.Types {
		w.heading(3, "type "+t.Name, t.Name)
		w.declaration(t.Decl)
		w.comment(t.Doc, 0)
		w.examples(t.Examples)
		for _, v := range slices.Concat(t.Consts, t.Vars) {
			w.value(v)
		}
		for _, f := range slices.Concat(t.Funcs, t.Methods) {
			w.function(f, 4)
		}
	}
}

// heading writes a heading, before it the anchor that go doc's pages have.
func (w *packagePage) heading(level int, title, anchor string) {
	w.printf("<span id=\"%s\" class=\"go-anchor\"></span>\n\n%s %s\n\n", anchor, strings.Repeat("#", level), title)
}

func (w *packagePage) values(title string, values []*doc.Value) {
	if len(values) > 0 {
		w.printf("## %s\n\n", title)
	}
	for _, v := range values {
		w.value(v)
	}
}

func (w *packagePage) value(v *doc.Value) {
	for _, name := range v.Names {
		w.printf("<span id=\"%s\" class=\"go-anchor\"></span>", name)
	}
	w.printf("\n\n")
	w.declaration(v.Decl)
	w.comment(v.Doc, 0)
}

func (w *packagePage) function(f *doc.Func, level int) {
	name := f.Name
	if f.Recv != "" {
		receiver, _, _ := strings.Cut(strings.TrimPrefix(f.Recv, "*"), "[")
		name = receiver + "." + f.Name
	}
	w.heading(level, name, name)
	w.declaration(f.Decl)
	w.comment(f.Doc, 0)
	w.examples(f.Examples)
}

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
// text in the order of their positions.
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
		address := w.s.library.address(w.p.page, w.p.info.Uses[names[0]], nil)
		names = names[1:]
		if address != "" {
			at := fset.Position(pos)
			links = append(links, call{at.Line - 1, utf8.RuneCountInString(lines[at.Line-1][:at.Column-1]), utf8.RuneCountInString(name), address})
		}
	}
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

// examples writes examples with what they print, folded.
func (w *packagePage) examples(examples []*doc.Example) {
	for _, e := range examples {
		var text bytes.Buffer
		node := any(e.Code)
		if block, ok := e.Code.(*ast.BlockStmt); ok {
			node = &printer.CommentedNode{Node: block, Comments: e.Comments}
		} else if e.Play != nil {
			node = e.Play
		}
		if err := format.Node(&text, w.s.library.fset, node); err != nil {
			w.err = errors.Join(w.err, err)
			return
		}
		code := strings.TrimSpace(text.String())
		if inner, ok := strings.CutPrefix(code, "{"); ok {
			code = unindented(strings.TrimSuffix(inner, "}"))
		}
		if i := strings.LastIndex(code, "// Output:"); i > 0 {
			code = strings.TrimRight(code[:i], " \t\n")
		}
		title := "Example"
		if e.Suffix != "" {
			title += ": " + strings.ReplaceAll(e.Suffix, "_", " ")
		}
		w.printf("<details class=\"example\"><summary>%s</summary>\n\n", html.EscapeString(title))
		w.code(code, nil)
		if e.Output != "" {
			fence := fenceFor(e.Output)
			w.printf("prints\n\n%stext\n%s\n%s\n\n", fence, strings.TrimRight(e.Output, "\n"), fence)
		}
		w.printf("</details>\n\n")
	}
}

// unindented takes one tab from each line.
func unindented(text string) string {
	var b strings.Builder
	for line := range strings.Lines(strings.Trim(text, "\n")) {
		b.WriteString(strings.TrimPrefix(line, "\t"))
	}
	return strings.TrimSpace(b.String())
}
