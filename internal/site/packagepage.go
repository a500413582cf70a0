package site

import (
	"bytes"
	"errors"
	"fmt"
	"go/ast"
	"go/doc"
	"go/format"
	"go/printer"
	"html"
	"slices"
	"strings"
)

// libraryPages writes a page for each package, and the page that lists them.
func (s *stage) libraryPages() error {
	const page = "library/index.md"
	var index bytes.Buffer
	index.WriteString("# The library\n\nWhat `go doc` says of the packages.\n\n<div class=\"table-wrapper\"><table class=\"docutils align-default packages\">\n<thead><tr><th>package</th><th>what is there</th></tr></thead>\n<tbody>\n")
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
