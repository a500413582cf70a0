package bridge

import (
	"fmt"
	"go/format"
	"go/types"
	"maps"
	"slices"
	"strings"
)

// Names that generated code declares or imports begin with marginalia_, which no notebook uses.
const (
	wirePath   = "marginalia/internal/sandbox/guest/wire"
	workerPath = "marginalia/internal/sandbox/guest/worker"
	judgePath  = "marginalia/internal/sandbox/host"
)

// A source is a Go file of package main that is being written.
type source struct {
	b       *Bridge
	text    strings.Builder
	imports map[string]string // path to alias
}

func (b *Bridge) source() *source {
	return &source{b: b, imports: map[string]string{wirePath: "marginalia_wire"}}
}

func (s *source) line(format string, args ...any) { fmt.Fprintf(&s.text, format+"\n", args...) }

// file returns the whole file. It is valid Go: what else would be a fault of this package.
func (s *source) file() ([]byte, error) {
	var w strings.Builder
	w.WriteString("package main\n\nimport (\n")
	for _, path := range slices.Sorted(maps.Keys(s.imports)) {
		fmt.Fprintf(&w, "\t%s %q\n", s.imports[path], path)
	}
	w.WriteString(")\n\n" + s.text.String())
	out, err := format.Source([]byte(w.String()))
	if err != nil {
		return nil, fmt.Errorf("bridge: %w in\n%s", err, w.String())
	}
	return out, nil
}

// typ writes a type.
func (s *source) typ(t types.Type) string {
	return types.TypeString(t, s.qualifier)
}

// qualifier returns what stands before the names of a package.
func (s *source) qualifier(p *types.Package) string {
	if p == s.b.pkg {
		return ""
	}
	alias, ok := s.imports[p.Path()]
	if !ok {
		alias = fmt.Sprintf("marginalia_%s_%d", p.Name(), len(s.imports))
		s.imports[p.Path()] = alias
	}
	return alias
}

// params writes parameters or results with the names prefix0, prefix1, …
func (s *source) params(t *types.Tuple, prefix string, variadic bool) (list, pointers string) {
	var all, refs []string
	for i := range t.Len() {
		typ := s.typ(t.At(i).Type())
		if variadic && i == t.Len()-1 {
			typ = "..." + s.typ(t.At(i).Type().(*types.Slice).Elem())
		}
		all = append(all, fmt.Sprintf("%s%d %s", prefix, i, typ))
		refs = append(refs, fmt.Sprintf("&%s%d", prefix, i))
	}
	return strings.Join(all, ", "), strings.Join(refs, ", ")
}

// Stubs writes the judge's file.
func (b *Bridge) Stubs() ([]byte, error) {
	s := b.source()
	s.imports[judgePath] = "marginalia_judge"
	for _, t := range b.handles {
		s.line("type %s struct{ marginalia marginalia_wire.Handle }\n", t.Name())
		s.format(t.Name(), types.NewPointer(t.Type()), t.Name())
	}
	for _, v := range b.values {
		typ := s.typ(types.Default(v.Type()))
		s.line("var %s %s\n", v.Name(), typ)
		need := "Need"
		if _, ok := v.(*types.Var); ok {
			need = "Now"
		}
		s.line("func %s() *%s {\n\tmarginalia_judge.%s(%q)\n\treturn &%s\n}\n", accessor(v), typ, need, "="+v.Name(), v.Name())
	}
	for _, v := range b.errs {
		if b.answers(v) {
			s.line("var %s interface{ Error() string } = marginalia_wire.NewError(%q)\n", v.Name(), v.Name())
		}
	}
	generic := map[*types.Func][]*function{}
	for _, f := range b.funcs {
		if f.args != nil {
			generic[f.obj] = append(generic[f.obj], f)
		}
		s.stub(f)
	}
	for _, f := range slices.SortedFunc(maps.Keys(generic), func(a, c *types.Func) int { return int(a.Pos() - c.Pos()) }) {
		s.dispatch(f, generic[f])
	}
	s.table(nil)
	s.line("func init() {\n\tmarginalia_judge.Table(marginalia_table)")
	for _, v := range b.values {
		s.line("\tmarginalia_judge.Value(%q, &%s)", "="+v.Name(), v.Name())
	}
	s.line("}")
	return s.file()
}

// format writes a method that prints what a value of t is instead of its number on the wire, unless it prints itself.
func (s *source) format(name string, t types.Type, what string) {
	for _, own := range []string{"Format", "String", "Error", "GoString"} {
		if obj, _, _ := types.LookupFieldOrMethod(t, false, s.b.pkg, own); obj != nil {
			return
		}
	}
	format, io := s.qualifier(types.NewPackage("fmt", "fmt")), s.qualifier(types.NewPackage("io", "io"))
	s.line("func (recv %s) Format(to %s.State, verb rune) {\n\t%s.WriteString(to, %q)\n}\n", name, format, io, "a value of "+what)
}

// accessor is the name of the function that the judge's program calls where the notebook uses a variable or a
// constant of an answer.
func accessor(v types.Object) string { return "marginalia_of_" + v.Name() }

// Value returns what stands in the judge's program for a use of obj, if that is a variable or a constant of
// an answer: a call that fails the test if the student's program does not have it.
func (b *Bridge) Value(obj types.Object) (expr string, ok bool) {
	if !slices.Contains(b.values, obj) {
		return "", false
	}
	return "(*" + accessor(obj) + "())", true
}

// stub writes a function that calls the guest's.
func (s *source) stub(f *function) {
	in, args := s.params(f.sig.Params(), "p", f.sig.Variadic())
	out, results := s.params(f.sig.Results(), "r", false)
	name, recv := f.obj.Name(), ""
	switch {
	case f.stub != "":
		name = f.stub
	case f.owner != nil:
		star := ""
		if f.pointer {
			star = "*"
		}
		recv = fmt.Sprintf("(recv %s%s) ", star, f.owner.Name())
		args = strings.TrimSuffix("&recv, "+args, ", ")
	}
	s.line("func %s%s(%s) (%s) {", recv, name, in, out)
	s.line("\tmarginalia_judge.Call(%q, []interface{}{%s}, []interface{}{%s})\n\treturn\n}\n", f.name, args, results)
}

// dispatch writes a generic function that finds the stub of its instance.
func (s *source) dispatch(f *types.Func, all []*function) {
	sig := f.Signature()
	var tparams, args []string
	for t := range sig.TypeParams().TypeParams() {
		tparams = append(tparams, t.Obj().Name()+" "+s.typ(t.Constraint()))
	}
	in, refs := s.params(sig.Params(), "p", sig.Variadic())
	out, _ := s.params(sig.Results(), "r", false)
	for _, r := range strings.Split(refs, ", ") {
		args = append(args, strings.TrimPrefix(r, "&"))
	}
	call := strings.Join(args, ", ")
	if sig.Variadic() {
		call += "..."
	}
	plain := types.NewSignatureType(nil, nil, nil, sig.Params(), sig.Results(), sig.Variadic())
	s.line("func %s[%s](%s) (%s) {", f.Name(), strings.Join(tparams, ", "), in, out)
	for _, i := range all {
		ret := "return f(" + call + ")"
		if sig.Results().Len() == 0 {
			ret = "f(" + call + ")\nreturn"
		}
		s.line("\tif f, ok := interface{}(%s).(%s); ok {\n\t\t%s\n\t}", i.stub, s.typ(plain), ret)
	}
	s.line("\tpanic(%q)\n}\n", "no stub for these types of "+f.Name())
}

// Worker writes the guest's file. missing says why the student's program does not declare a
// function, a method ("T.M"), a variable or a constant as the solution does, or returns "". Who calls
// what is missing gets a panic that says so. cells are the names of functions that run the
// notebook's cells.
func (b *Bridge) Worker(missing func(name string) string, cells []string) ([]byte, error) {
	s := b.source()
	s.imports[workerPath] = "marginalia_worker"
	s.table(missing)
	s.line("func init() { marginalia_worker.Serve(%s) }", strings.Join(append([]string{"marginalia_table"}, cells...), ", "))
	return s.file()
}

// table writes the function that makes the table, the judge's if missing is nil.
func (s *source) table(missing func(string) string) {
	b := s.b
	var t strings.Builder
	add := func(format string, args ...any) { fmt.Fprintf(&t, "\t"+format+"\n", args...) }
	for _, h := range b.handles {
		add("marginalia_wire.HandleType[%s](t)", h.Name())
	}
	for _, f := range b.funcs {
		add("t.Type((*%s)(nil))", s.typ(f.wireType()))
	}
	for _, v := range b.values {
		add("t.Type((*func() %s)(nil))", s.typ(types.Default(v.Type())))
	}
	for _, n := range b.named {
		add("t.Type((*%s)(nil))", s.typ(n))
		if _, ok := n.(*types.Pointer); !ok {
			add("t.Type((**%s)(nil))", s.typ(n))
		}
	}
	for i, p := range b.proxies {
		s.proxy(i, p, add)
	}
	for _, v := range b.errs {
		switch {
		case missing != nil && b.answers(v) && missing(v.Name()) != "":
			add("t.Own(nil)")
		case b.answers(v):
			add("t.Own(%s)", v.Name())
		case v.Pkg() == b.pkg:
			add("t.Sentinel(%s)", v.Name())
		default:
			add("t.Sentinel(%s.%s)", s.qualifier(v.Pkg()), v.Name())
		}
	}
	if missing != nil {
		for _, f := range b.funcs {
			name, _, _ := strings.Cut(f.name, "[")
			expr := f.name
			if why := missing(name); why != "" {
				expr = s.absent(f.wireType(), name+": "+why)
			} else if f.args != nil {
				var args []string
				for _, a := range f.args {
					args = append(args, s.typ(a))
				}
				expr = name + "[" + strings.Join(args, ", ") + "]"
			} else if f.pointer {
				expr = "(*" + f.owner.Name() + ")." + f.obj.Name()
			}
			add("t.Func(%q, %s)", f.name, expr)
		}
		for _, v := range b.values {
			if why := missing(v.Name()); why != "" {
				result := types.NewTuple(types.NewParam(0, nil, "", types.Default(v.Type())))
				add("t.Func(%q, %s)", "="+v.Name(), s.absent(types.NewSignatureType(nil, nil, nil, nil, result, false), v.Name()+": "+why))
			} else {
				add("t.Func(%q, func() %s { return %s })", "="+v.Name(), s.typ(types.Default(v.Type())), v.Name())
			}
		}
	} else if mat := b.matrices(); mat {
		add("marginalia_judge.CheckMatrices(t)")
	}
	s.line("func marginalia_table(e *marginalia_wire.End) *marginalia_wire.Table {\n\tt := marginalia_wire.NewTable()\n%s\treturn t\n}\n", t.String())
}

// absent writes a function that says why it is missing.
func (s *source) absent(sig *types.Signature, why string) string {
	return fmt.Sprintf("%s {\nmarginalia_worker.Missing(%q)\nfor {\n}\n}", s.typ(sig), why)
}

// matrices reports whether matrices of gonum cross.
func (b *Bridge) matrices() bool {
	for t := range b.seen {
		if n, ok := t.(*types.Named); ok && n.Obj().Pkg() != nil && n.Obj().Pkg().Path() == "gonum.org/v1/gonum/mat" {
			return true
		}
	}
	return false
}

// wireType is the function's type with its receiver first, and no names.
func (f *function) wireType() *types.Signature {
	var in []*types.Var
	add := func(v *types.Var) { in = append(in, types.NewParam(0, nil, "", v.Type())) }
	if f.owner != nil {
		add(f.sig.Recv())
	}
	for v := range f.sig.Params().Variables() {
		add(v)
	}
	return types.NewSignatureType(nil, nil, nil, types.NewTuple(in...), f.sig.Results(), f.sig.Variadic())
}

// proxy writes a type whose methods call the other side, and adds it to the table.
func (s *source) proxy(i int, p *types.TypeName, add func(string, ...any)) {
	name, typ := fmt.Sprintf("marginalia_proxy_%d", i), s.typ(p.Type())
	s.line("type %s struct {\n\tmarginalia_wire.Remote\n\tmarginalia_end *marginalia_wire.End\n}\n", name)
	if s.imports[judgePath] != "" {
		s.format(name, p.Type(), types.TypeString(p.Type(), func(o *types.Package) string { return strings.TrimPrefix(o.Name(), "main") }))
	}
	add("marginalia_wire.Proxy(t, func(r marginalia_wire.Remote) %s { return %s{r, e} })", typ, name)
	for m := range p.Type().Underlying().(*types.Interface).Methods() {
		sig := m.Signature()
		in, args := s.params(sig.Params(), "p", sig.Variadic())
		out, results := s.params(sig.Results(), "r", false)
		wire := p.Pkg().Path() + "." + p.Name() + "." + m.Name()
		s.line("func (recv %s) %s(%s) (%s) {\n\tvar self %s = recv", name, m.Name(), in, out, typ)
		s.line("\trecv.marginalia_end.Invoke(%q, []interface{}{%s}, []interface{}{%s})\n\treturn\n}\n", wire, strings.TrimSuffix("&self, "+args, ", "), results)
		add("t.Func(%q, %s.%s)", wire, typ, m.Name())
	}
}

// Needs reports whether the tests use a function, a method ("T.M"), a type, a variable or a constant
// of the answers.
func (b *Bridge) Needs(name string) bool {
	is := func(o types.Object) bool { return o.Name() == name }
	return slices.ContainsFunc(b.funcs, func(f *function) bool { n, _, _ := strings.Cut(f.name, "["); return n == name }) ||
		slices.ContainsFunc(b.values, is) || slices.ContainsFunc(b.errs, func(o types.Object) bool { return is(o) && o.Pkg() == b.pkg }) ||
		slices.ContainsFunc(b.handles, func(t *types.TypeName) bool { return t.Name() == name })
}
