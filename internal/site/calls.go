package site

import (
	"context"
	"crypto/sha256"
	"errors"
	"go/ast"
	"go/token"
	"go/types"
	"path/filepath"
	"slices"
	"strings"
	"unicode/utf8"

	"marginalia/internal/notebook/program"
)

// A call is a name in code with the address of its documentation: line and column from 0, and
// length, in code points, then the address.
type call [4]any

// calls finds the names in the cells of one notebook. Each cell is type-checked as the program
// that GoNB makes of it.
type calls struct {
	s       *stage
	page    string
	types   *program.Checker
	session *program.Session
}

func newCalls(s *stage, page string) *calls {
	dir := filepath.Dir(s.book.at(page))
	return &calls{s: s, page: page, types: s.checker(dir), session: program.NewSession(dir)}
}

// step takes the next cell and returns what it links to. A cell that does not compile links
// to what is known of it, and later cells know its declarations all the same.
func (c *calls) step(ctx context.Context, id, source string) ([]call, error) {
	p := c.session.Step(id, source)
	if p.NoGo {
		return nil, nil
	}
	c.session.Remember(p)
	// Most cells of a page that is made anew have the program that they had. Looking for their imports
	// and checking their types took 1.3 s of a notebook with six cells.
	key := sha256.Sum256([]byte(strings.Join([]string{c.page, id, source, p.File().Text}, "\x00")))
	found, known := c.s.called[key]
	if known {
		return found, nil
	}
	// A Checker's Step would also build the tests, as go test does.
	if err := errors.Join(c.types.Imports(ctx, p), c.types.Types(ctx, p)); err != nil {
		return nil, err
	}
	if p.Syntax == nil {
		return nil, nil
	}
	file := p.File()
	built, cell := strings.Split(file.Text, "\n"), strings.Split(source, "\n")
	of := map[*ast.Ident]types.Type{} // of what stands before the dot
	ast.Inspect(p.Syntax, func(n ast.Node) bool {
		if s, ok := n.(*ast.SelectorExpr); ok {
			of[s.Sel] = p.Info.Types[s.X].Type
		}
		id, ok := n.(*ast.Ident)
		if !ok {
			return true
		}
		address := c.s.library.address(c.page, p.Fset, p.Info.Uses[id], of[id])
		if address == "" {
			return true
		}
		at := p.Fset.PositionFor(id.Pos(), false)
		if at.Line > len(file.Origins) {
			return true
		}
		origin := file.Origins[at.Line-1]
		if origin.Cell != p.ID || origin.Line >= len(cell) {
			return true
		}
		// GoNB indents some lines anew.
		line, shift := cell[origin.Line], 0
		if text := built[at.Line-1]; text != line {
			shift = strings.Index(line, strings.TrimSpace(text)) - strings.Index(text, strings.TrimSpace(text))
			if !strings.Contains(line, strings.TrimSpace(text)) {
				return true
			}
		}
		column := at.Column - 1 + shift
		if column < 0 || column+len(id.Name) > len(line) || line[column:column+len(id.Name)] != id.Name {
			return true
		}
		found = append(found, call{origin.Line, utf8.RuneCountInString(line[:column]), utf8.RuneCountInString(id.Name), address})
		return true
	})
	c.s.called[key] = found
	return found, nil
}

// address is where the documentation of an object is, seen from a page: in the site for the
// library, on pkg.go.dev for Go's own packages and other modules, "" for what has none. of is the
// type that a method was selected from, nil if it is not known.
func (l *library) address(page string, set *token.FileSet, o types.Object, of types.Type) string {
	if o == nil || o.Pkg() == nil || l.addressOf(page, o.Pkg().Path(), "") == "" {
		return ""
	}
	name := l.documented(set, o, of)
	if name == "" {
		return ""
	}
	return l.addressOf(page, o.Pkg().Path(), name)
}

// addressOf is where a package documents a name, "" for the package itself.
func (l *library) addressOf(page, pkg, name string) string {
	at := ""
	switch {
	case l.pages[pkg] != "":
		at = relative(page, l.pages[pkg])
	case pkg == "main" || slices.ContainsFunc(l.local, func(module string) bool { return pkg == module || strings.HasPrefix(pkg, module+"/") }):
		return ""
	default:
		at = "https://pkg.go.dev/" + pkg
	}
	if name != "" {
		at += "#" + name
	}
	return at
}

// documented is the name under which go doc has an object: Func, Type, Type.Method, Type.Field; ""
// for what is not exported. A method that a type has from one that is not exported is documented
// with the type it was selected from: testing.T.Errorf.
func (l *library) documented(set *token.FileSet, o types.Object, of types.Type) string {
	if !o.Exported() {
		return ""
	}
	switch o := o.(type) {
	case *types.Func:
		recv := o.Signature().Recv()
		if recv == nil {
			return o.Name()
		}
		for _, t := range []types.Type{recv.Type(), of} {
			if p, ok := t.(*types.Pointer); ok {
				t = p.Elem()
			}
			if named, ok := t.(*types.Named); ok && named.Obj().Exported() && named.Obj().Pkg() == o.Pkg() {
				return named.Obj().Name() + "." + o.Name()
			}
		}
		return ""
	case *types.TypeName, *types.Const:
	case *types.Var:
		if o.IsField() {
			return l.field(set, o.Origin())
		}
	default:
		return ""
	}
	if o.Parent() != o.Pkg().Scope() {
		return ""
	}
	return o.Name()
}

// field is the name of a field with its type, "" if it is not a field of an exported struct. An
// object does not know its struct, so the structs of its package are searched once. After
// "type Probable Classifier" both have the same fields, and if Classifier is generic, those of Probable
// are copies with the same places: they belong to the type that stands nearest before them in their file.
func (l *library) field(set *token.FileSet, f *types.Var) string {
	names, known := l.fields[f.Pkg()]
	if !known {
		names = map[fieldAt]string{}
		nearest := map[fieldAt]token.Pos{}
		scope := f.Pkg().Scope()
		for _, name := range scope.Names() {
			of, ok := scope.Lookup(name).(*types.TypeName)
			if !ok || !of.Exported() || of.IsAlias() {
				continue
			}
			if s, ok := of.Type().Underlying().(*types.Struct); ok {
				for field := range s.Fields() {
					at := fieldAt{field.Pos(), field.Name()}
					if of.Pos() <= at.pos && of.Pos() > nearest[at] && set.File(of.Pos()) == set.File(at.pos) {
						names[at], nearest[at] = name+"."+field.Name(), of.Pos()
					}
				}
			}
		}
		l.fields[f.Pkg()] = names
	}
	return names[fieldAt{f.Pos(), f.Name()}]
}

// fieldAt is a field by its place. Packages that were compiled know the line alone, so the name belongs
// to it.
type fieldAt struct {
	pos  token.Pos
	name string
}
