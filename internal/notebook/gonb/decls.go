package gonb

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"maps"
	"regexp"
	"slices"
	"strings"
)

// An Origin is a place in a notebook: a line (0-based) of a cell. Cell is ""
// for what GoNB adds itself.
type Origin struct {
	Cell string
	Line int
}

// Decls are declarations by GoNB's keys: what is remembered from cell to cell.
// Each knows the place of each of its lines (At).
type Decls struct {
	Imports map[string]*Import // alias, or the last word of the path; ".~path" for a dot import
	Types   map[string]*Type   // name
	Consts  map[string]*Const  // name; members of a block stay linked
	Vars    map[string]*Var    // name
	Funcs   map[string]*Func   // name, or "Type~Name" for a method
}

// An Import is one import; its text is not kept, GoNB writes it anew.
type Import struct {
	Path, Alias string
	At          []Origin
	Added       bool // GoNB does not know it: it stands behind the package clause, so that no line moves
}

// A Type is a type declaration without its comment, which GoNB drops.
type Type struct {
	Name, Text string // Text starts with the name
	At         []Origin
}

// A Const is one constant of a block.
type Const struct {
	Name, Type, Value string
	At                []Origin
	prev, next        *Const
}

// A Var is one variable. Those of `var a, b = f()` share Tuple.
type Var struct {
	Name, Type, Value string
	At                []Origin
	Tuple             []*Var
}

// A Func is a function or method with its comment and directives.
type Func struct {
	Key, Text string
	Doc       []string
	At, DocAt []Origin
}

// NewDecls returns an empty set.
func NewDecls() *Decls {
	return &Decls{map[string]*Import{}, map[string]*Type{}, map[string]*Const{}, map[string]*Var{}, map[string]*Func{}}
}

// Clone returns a copy that can be merged into without changing d.
func (d *Decls) Clone() *Decls {
	return &Decls{maps.Clone(d.Imports), maps.Clone(d.Types), maps.Clone(d.Consts), maps.Clone(d.Vars), maps.Clone(d.Funcs)}
}

// Copy returns a copy that shares no declaration with d.
func (d *Decls) Copy() *Decls {
	own := NewDecls()
	for key, i := range d.Imports {
		c := *i
		own.Imports[key] = &c
	}
	for key, t := range d.Types {
		c := *t
		own.Types[key] = &c
	}
	for key, f := range d.Funcs {
		c := *f
		own.Funcs[key] = &c
	}
	consts := map[*Const]*Const{}
	for _, block := range d.ConstBlocks() {
		var prev *Const
		for _, c := range block {
			copied := *c
			copied.prev, copied.next = prev, nil
			if consts[c] = &copied; prev != nil {
				prev.next = &copied
			}
			prev = &copied
		}
	}
	for key, c := range d.Consts {
		if consts[c] != nil { // a block without its head is lost
			own.Consts[key] = consts[c]
		}
	}
	vars := map[*Var]*Var{}
	copyVar := func(v *Var) *Var {
		if vars[v] == nil {
			copied := *v
			vars[v] = &copied
		}
		return vars[v]
	}
	for key, v := range d.Vars {
		own.Vars[key] = copyVar(v)
	}
	for v, copied := range maps.Clone(vars) {
		if v.Tuple == nil {
			continue
		}
		copied.Tuple = make([]*Var, len(v.Tuple))
		for i, o := range v.Tuple {
			copied.Tuple[i] = copyVar(o)
		}
	}
	return own
}

// Merge takes over all declarations of newer; one of the same key is replaced.
// Redefining one variable of `var a, b = f()` forgets the others too.
func (d *Decls) Merge(newer *Decls) {
	maps.Copy(d.Imports, newer.Imports)
	maps.Copy(d.Types, newer.Types)
	maps.Copy(d.Consts, newer.Consts)
	maps.Copy(d.Funcs, newer.Funcs)
	for key, v := range newer.Vars {
		// A tuple is known by its first variable.
		if old := d.Vars[key]; old != nil && old.Tuple != nil && (v.Tuple == nil || v.Tuple[0] != old.Tuple[0]) {
			for _, o := range old.Tuple {
				delete(d.Vars, o.Name)
			}
		}
	}
	maps.Copy(d.Vars, newer.Vars)
}

// Names returns what is declared at package level, sorted, with the keys of methods and
// without imports.
func (d *Decls) Names() []string {
	names := slices.Concat(slices.Collect(maps.Keys(d.Types)), slices.Collect(maps.Keys(d.Consts)),
		slices.Collect(maps.Keys(d.Vars)), slices.Collect(maps.Keys(d.Funcs)))
	slices.Sort(names)
	return slices.Compact(names)
}

// Remove forgets a key, as %rm does, and names the kind it was ("" if there was none).
func (d *Decls) Remove(key string) string {
	switch {
	case d.Imports[key] != nil:
		delete(d.Imports, key)
		return "import"
	case d.Consts[key] != nil:
		delete(d.Consts, key)
		return "const"
	case d.Types[key] != nil:
		delete(d.Types, key)
		return "type"
	case d.Vars[key] != nil:
		delete(d.Vars, key)
		return "var"
	case d.Funcs[key] != nil:
		delete(d.Funcs, key)
		return "func"
	}
	return ""
}

// A SyntaxError is what GoNB shows for a cell that does not parse: positions
// are those of the file that GoNB writes for the cell alone.
type SyntaxError struct {
	Err     error
	Origins []Origin // of the lines of that file
}

func (e *SyntaxError) Error() string { return e.Err.Error() }
func (e *SyntaxError) Unwrap() error { return e.Err }

// Parse returns what the cell declares and its main function. A cell without
// one gets `func main() { flag.Parse() }`, as GoNB gives it. The error is a
// *SyntaxError.
func (c *Source) Parse() (*Decls, *Func, error) {
	file := c.File()
	name := "main.go"
	if c.Test {
		name = "main_test.go"
	}
	d, err := parse(name, file.Text, file.Origins)
	if err != nil {
		return nil, nil, &SyntaxError{err, file.Origins}
	}
	main := d.Funcs["main"]
	delete(d.Funcs, "main")
	if main == nil {
		main = &Func{Key: "main", Text: "func main() { flag.Parse() }"}
	}
	return d, main, nil
}

// File returns the cell alone as a Go file: `package main`, %% and %exec turned
// into a main function, other commands and lines that start with "package" left out.
func (c *Source) File() File {
	var w writer
	w.emit("package main\n\n", Origin{})
	closing := false
	for i, raw := range c.lines {
		at := Origin{c.ID, i}
		if c.timed && (i == 0 || i == len(c.lines)-1) {
			at = Origin{}
		}
		line := trimPrefix(raw)
		switch {
		case opensMain(line):
			w.emit("func main() {\n\tflag.Parse()\n", at)
			closing = true
		case strings.HasPrefix(line, "%exec"):
			name := ""
			if f := strings.Split(line, " "); len(f) > 1 {
				name = f[1]
			}
			w.emit("func main() {\n\tflag.Parse()\n\t"+name+"()\n}\n", at)
		case c.skip[i] || strings.HasPrefix(raw, "package"):
		default:
			w.emit(raw+"\n", at)
		}
	}
	if closing {
		w.emit("\n}\n", Origin{})
	}
	return w.file()
}

// ParseFile reads the declarations of a whole file, such as goimports leaves it.
func ParseFile(name, text string) (*Decls, error) { return parse(name, text, nil) }

func parse(name, text string, origins []Origin) (*Decls, error) {
	fset := token.NewFileSet()
	f, err := parser.ParseFile(fset, name, text, parser.SkipObjectResolution|parser.ParseComments)
	if err != nil {
		return nil, err
	}
	p := &declParser{fset, text, origins, NewDecls()}
	for _, spec := range f.Imports {
		p.importSpec(spec)
	}
	for _, decl := range f.Decls {
		switch d := decl.(type) {
		case *ast.FuncDecl:
			p.funcDecl(d)
		case *ast.GenDecl:
			p.genDecl(d)
		}
	}
	return p.decls, nil
}

type declParser struct {
	fset    *token.FileSet
	text    string
	origins []Origin
	decls   *Decls
}

// source returns the text of n, "" if there is none.
func (p *declParser) source(n ast.Node) string {
	if n == nil {
		return ""
	}
	f := p.fset.File(n.Pos())
	return p.text[f.Offset(n.Pos()):f.Offset(n.End())]
}

// lineOf returns the line in which pos stands, whatever a //line directive says.
func lineOf(fset *token.FileSet, pos token.Pos) int { return fset.PositionFor(pos, false).Line }

// at returns the origin of each line of n.
func (p *declParser) at(n ast.Node) []Origin {
	from, to := lineOf(p.fset, n.Pos()), lineOf(p.fset, n.End())
	at := make([]Origin, to-from+1)
	for i := range at {
		if from+i <= len(p.origins) {
			at[i] = p.origins[from+i-1]
		}
	}
	return at
}

// lastWord finds the name under which GoNB remembers an import without alias.
var lastWord = regexp.MustCompile(`^.*?(\w[\w0-9_]*)\s*$`)

func (p *declParser) importSpec(spec *ast.ImportSpec) {
	path := spec.Path.Value[1 : len(spec.Path.Value)-1]
	imp := &Import{Path: path, At: p.at(spec.Path)}
	key := path
	if m := lastWord.FindStringSubmatch(path); m != nil {
		key = m[1]
	}
	if spec.Name != nil {
		imp.Alias = spec.Name.Name
		if key = imp.Alias; key == "." {
			key = ".~" + path
		}
	}
	p.decls.Imports[key] = imp
}

func (p *declParser) funcDecl(d *ast.FuncDecl) {
	f := &Func{Key: d.Name.Name, Text: p.source(d), At: p.at(d)}
	if d.Recv != nil && len(d.Recv.List) > 0 {
		// Only these two forms are told apart: a generic value receiver is "unknown".
		recv := "unknown"
		switch t := d.Recv.List[0].Type.(type) {
		case *ast.Ident:
			recv = t.Name
		case *ast.StarExpr:
			recv = p.source(t.X)
		}
		f.Key = recv + "~" + f.Key
	}
	if d.Doc != nil {
		f.DocAt = p.at(d.Doc)
		for _, c := range d.Doc.List {
			f.Doc = append(f.Doc, c.Text)
		}
	}
	p.decls.Funcs[f.Key] = f
}

func (p *declParser) genDecl(d *ast.GenDecl) {
	var prev *Const
	for _, spec := range d.Specs {
		switch s := spec.(type) {
		case *ast.TypeSpec:
			p.decls.Types[s.Name.Name] = &Type{s.Name.Name, p.source(s), p.at(s)}
		case *ast.ValueSpec:
			if d.Tok == token.CONST {
				prev = p.constSpec(s, prev)
			} else {
				p.varSpec(s)
			}
		}
	}
}

func (p *declParser) constSpec(s *ast.ValueSpec, prev *Const) *Const {
	for i, name := range s.Names {
		c := &Const{Name: name.Name, Type: p.source(s.Type), At: p.at(s), prev: prev}
		if i < len(s.Values) {
			c.Value = p.source(s.Values[i])
		}
		if prev != nil {
			prev.next = c
		}
		p.decls.Consts[c.Name] = c
		prev = c
	}
	return prev
}

func (p *declParser) varSpec(s *ast.ValueSpec) {
	var tuple []*Var
	if len(s.Values) == 1 {
		tuple = make([]*Var, len(s.Names))
	}
	for i, name := range s.Names {
		v := &Var{Name: name.Name, Type: p.source(s.Type), At: p.at(s), Tuple: tuple}
		if i < len(s.Values) {
			v.Value = p.source(s.Values[i])
		}
		if tuple != nil {
			tuple[i] = v
		}
		key := v.Name
		if key == "_" {
			// GoNB draws a random key, so that none replaces another.
			key = fmt.Sprintf("_~%s~%d", v.At[0].Cell, name.Pos())
		}
		p.decls.Vars[key] = v
	}
}
