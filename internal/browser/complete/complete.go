// Package complete answers Tab and Shift+Tab in a cell of a page: which names may stand at the cursor, and what a name
// is. The type checker knows, from the export data of packages. internal/browser/complete/worker is its program, which
// a page loads when the first asks.
//
//	names := complete.New().Complete(question)
package complete

import (
	"fmt"
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"io"
	"os"
	"slices"
	"strings"

	"marginalia/internal/browser/kernel"
)

// A Completer keeps the packages that it has read.
type Completer struct {
	fset     *token.FileSet
	importer types.Importer
	exports  map[string]string // the files of the question, by import path
}

// New returns a completer that has read nothing.
func New() *Completer {
	c := &Completer{fset: token.NewFileSet()}
	c.importer = importer.ForCompiler(c.fset, "gc", func(path string) (io.ReadCloser, error) {
		if file, ok := c.exports[path]; ok {
			return os.Open(file)
		}
		return nil, fmt.Errorf("complete: no package %s", path)
	})
	return c
}

// A Name may stand at the cursor.
type Name struct {
	Text   string `json:"text"`
	Kind   string `json:"type"`      // "function", "class" for a type, "instance" for a value, "module" for a package, "keyword", as internal/kernel/complete has it
	Detail string `json:"signature"` // its type or signature
}

// A checked program is as far as its types are known.
type checked struct {
	main *ast.File
	file *token.File
	pkg  *types.Package
	info *types.Info
}

// check finds the types of a program. What does not parse or has no type is left out.
func (c *Completer) check(main string, q kernel.Question) checked {
	c.exports = q.Exports
	f, _ := parser.ParseFile(c.fset, "main.go", main, parser.AllErrors|parser.SkipObjectResolution)
	earlier, _ := parser.ParseFile(c.fset, "earlier.go", q.Earlier, parser.AllErrors|parser.SkipObjectResolution)
	info := &types.Info{Types: map[ast.Expr]types.TypeAndValue{}, Defs: map[*ast.Ident]types.Object{}, Uses: map[*ast.Ident]types.Object{},
		Scopes: map[ast.Node]*types.Scope{}}
	config := types.Config{Importer: c.importer, Error: func(error) {}, Sizes: types.SizesFor("gc", "wasm")}
	pkg, _ := config.Check("main", c.fset, []*ast.File{f, earlier}, info)
	return checked{f, c.fset.File(f.FileStart), pkg, info}
}

// Complete returns the names that may stand at the cursor, in their order.
func (c *Completer) Complete(q kernel.Question) (names []Name) {
	defer helpless()
	at, main := q.Offsets[0], q.Main
	prefix := string([]rune(main[:at])[len([]rune(main[:at]))-q.Prefix:])
	if prefix == "" { // the parser wants a name
		main = main[:at] + "_" + main[at:]
	}
	p := c.check(main, q)
	pos := p.file.Pos(at)
	if slices.ContainsFunc(p.around(pos), func(n ast.Node) bool { lit, ok := n.(*ast.BasicLit); return ok && lit.Pos() < pos }) {
		return nil
	}
	if s := p.selector(pos); s != nil {
		names = p.members(s.X)
	} else {
		names = p.scope(pos, q.Packages)
	}
	names = slices.DeleteFunc(names, func(n Name) bool { return !strings.HasPrefix(strings.ToLower(n.Text), strings.ToLower(prefix)) })
	slices.SortFunc(names, func(a, b Name) int { return strings.Compare(a.Text, b.Text) })
	return slices.CompactFunc(names, func(a, b Name) bool { return a.Text == b.Text })
}

// helpless has a question stay without an answer where the type checker panics at half a cell.
func helpless() { _ = recover() }

// around are the nodes of main.go at a position, the innermost last.
func (p checked) around(pos token.Pos) (nodes []ast.Node) {
	ast.Inspect(p.main, func(n ast.Node) bool {
		if n == nil || n != p.main && (pos < n.Pos() || n.End() < pos) {
			return false
		}
		nodes = append(nodes, n)
		return true
	})
	return nodes
}

// selector is the selector whose name is at a position; nil if there is none.
func (p checked) selector(pos token.Pos) *ast.SelectorExpr {
	for _, n := range slices.Backward(p.around(pos)) {
		if s, ok := n.(*ast.SelectorExpr); ok && s.Sel.Pos() <= pos {
			return s
		}
	}
	return nil
}
