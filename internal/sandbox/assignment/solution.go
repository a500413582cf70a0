package assignment

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"marginalia/internal/notebook/gonb"
	"marginalia/internal/notebook/program"
)

const (
	// solutionMark ends the ids of the cells of what stands in for an answer. No other id has a ~ in it, so that no line
	// of it is taken for a line of the student's.
	solutionMark = "~solution"
	// privatePrefix begins those names of the solution that students don't know (see names): nothing of theirs has it.
	privatePrefix = "marginalia_solution_"
)

// standIns makes, for each answer, what stands in for it in a guest: the solution, whose private names and packages have names
// that no student's program has.
func (a *Assignment) standIns() {
	r := &renaming{a: a, imports: map[string]*gonb.Import{}, changed: map[string]string{}, private: map[types.Object]string{}}
	for name, c := range a.names {
		if of, _, isMethod := strings.Cut(name, "~"); c.answer() && a.owner(of) == nil && !isMethod && !isInit(c.Decls.Funcs[name]) {
			if obj := a.whole.Pkg.Scope().Lookup(name); obj != nil {
				r.private[obj] = privatePrefix + name
			}
		}
	}
	r.texts()
	for _, c := range a.Cells {
		if c.answer() && c.Decls != nil {
			c.solution = r.of(c)
		}
	}
}

func isInit(f *gonb.Func) bool { return f != nil && (f.Key == "init" || f.IsInit()) }

// A renaming gives names to what only the solution has.
type renaming struct {
	a       *Assignment
	private map[types.Object]string
	imports map[string]*gonb.Import // of the packages of all solutions, by their new names
	changed map[string]string       // texts of declarations, or of parts of them
}

// texts renames in the text of each declaration. The same text means the same in all of them.
func (r *renaming) texts() {
	p := r.a.whole
	text := p.File().Text
	offset := func(pos token.Pos) int { return p.Fset.PositionFor(pos, false).Offset }
	change := func(n ast.Node) {
		from, at := offset(n.Pos()), offset(n.Pos())
		var w strings.Builder
		for n := range ast.Preorder(n) {
			if id, ok := n.(*ast.Ident); ok {
				if name := r.name(id); name != "" {
					w.WriteString(text[at:offset(id.Pos())] + name)
					at = offset(id.End())
				}
			}
		}
		if at > from {
			r.changed[text[from:offset(n.End())]] = w.String() + text[at:offset(n.End())]
		}
	}
	for _, decl := range p.Syntax.Decls {
		switch d := decl.(type) {
		case *ast.FuncDecl:
			change(d)
		case *ast.GenDecl:
			for _, spec := range d.Specs {
				switch s := spec.(type) {
				case *ast.TypeSpec:
					change(s)
				case *ast.ValueSpec:
					if s.Type != nil {
						change(s.Type)
					}
					for _, v := range s.Values {
						change(v)
					}
				}
			}
		}
	}
}

// name returns the new name of an identifier, "" if it keeps its own.
func (r *renaming) name(id *ast.Ident) string {
	info := r.a.whole.Info
	obj := info.Uses[id]
	if obj == nil {
		obj = info.Defs[id]
	}
	switch o := obj.(type) {
	case *types.PkgName:
		name := "marginalia_" + o.Name()
		r.imports[name] = &gonb.Import{Path: o.Imported().Path(), Alias: name}
		return name
	case *types.Var:
		if o.IsField() && o.Embedded() { // it has its type's name
			t := o.Type()
			if p, ok := types.Unalias(t).(*types.Pointer); ok {
				t = p.Elem()
			}
			switch t := t.(type) {
			case *types.Named:
				return r.private[t.Origin().Obj()]
			case *types.Alias:
				return r.private[t.Obj()]
			}
		}
	}
	return r.private[obj]
}

// of returns what stands in for a cell.
func (r *renaming) of(c *Cell) *gonb.Decls {
	d := c.Decls.Copy()
	d.Imports = r.imports
	text := func(text string) string {
		if changed, ok := r.changed[text]; ok {
			return changed
		}
		return text
	}
	key := func(key string) string {
		of, method, isMethod := strings.Cut(key, "~")
		if obj := r.a.whole.Pkg.Scope().Lookup(of); r.private[obj] != "" {
			of = r.private[obj]
		}
		if isMethod {
			return of + "~" + method
		}
		return of
	}
	own := gonb.NewDecls()
	own.Imports = r.imports
	for name, t := range d.Types {
		t.Name, t.Text, t.At = key(name), text(t.Text), marked(t.At)
		own.Types[t.Name] = t
	}
	for _, block := range d.ConstBlocks() {
		for _, c := range block {
			c.Name, c.Type, c.Value, c.At = key(c.Name), text(c.Type), text(c.Value), marked(c.At)
		}
	}
	for name, c := range d.Consts {
		own.Consts[key(name)] = c
	}
	seen := map[*gonb.Var]bool{}
	for name, v := range d.Vars {
		for _, v := range append(slices.Clone(v.Tuple), v) {
			if !seen[v] {
				v.Name, v.Type, v.Value, v.At = key(v.Name), text(v.Type), text(v.Value), marked(v.At)
			}
			seen[v] = true
		}
		own.Vars[key(name)] = v
	}
	for name, f := range d.Funcs {
		if f.IsInit() { // the program has it as init
			f.Text = strings.Replace(text(strings.Replace(f.Text, f.Key, "init", 1)), "init", f.Key, 1)
		} else {
			f.Text = text(f.Text)
		}
		f.Doc, f.DocAt = nil, nil
		f.Key, f.At = key(name), marked(f.At)
		own.Funcs[f.Key] = f
	}
	return own
}

// marked returns places as those of what stands in.
func marked(at []gonb.Origin) []gonb.Origin {
	at = slices.Clone(at)
	for i := range at {
		if at[i].Cell != "" {
			at[i].Cell += solutionMark
		}
	}
	return at
}

// helped adds to a program the private declarations of other answers that what stands in needs.
func (a *Assignment) helped(d *gonb.Decls) {
	for {
		owners := map[*Cell]bool{}
		for name := range identifiers(program.Of(d, noMain()).File().Text) {
			if private, ok := strings.CutPrefix(name, privatePrefix); ok && !declared(d, name) && a.names[private] != nil {
				owners[a.names[private]] = true
			}
		}
		if len(owners) == 0 {
			return
		}
		for c := range owners {
			own := c.solution.Copy()
			for _, name := range own.Names() {
				if of, _, _ := strings.Cut(name, "~"); !strings.HasPrefix(of, privatePrefix) {
					drop(own, name)
				}
			}
			d.Merge(own)
		}
	}
}

// placeholderType is what a guest has for a type that the student does not declare: what students can know of it, since a
// program may print what a type is made of.
func (a *Assignment) placeholderType(name string, c *Cell) *gonb.Type {
	t := *c.solution.Types[name]
	if stub := a.known.stubs[c.ID]; stub != nil && stub.Types[name] != nil {
		t = *stub.Types[name]
	} else if obj := a.whole.Pkg.Scope().Lookup(name); obj != nil && !types.IsInterface(obj.Type()) {
		t.Text = typeHead(t.Text) + " struct{}"
	}
	t.At = nil
	return &t
}
