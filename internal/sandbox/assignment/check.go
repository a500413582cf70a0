package assignment

import (
	"cmp"
	"context"
	"fmt"
	"go/parser"
	"go/token"
	"go/types"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"marginalia/internal/notebook/gonb"
	"marginalia/internal/notebook/nbgrader"
	"marginalia/internal/notebook/program"
)

// resolve adds the imports that the program uses and does not have, as GoNB does: those of
// the release, then those of the standard library that students may import.
func (g *Guest) resolve(d *gonb.Decls) {
	f, err := parser.ParseFile(token.NewFileSet(), "", program.Of(d, noMain()).File().Text, parser.SkipObjectResolution)
	if err != nil {
		return
	}
	have := map[string]bool{}
	for key, i := range d.Imports {
		have[key], have[packageName(i)] = true, true
	}
	for _, name := range sortedKeys(usesOf(f)) {
		if !have[name] && !declared(d, name) {
			if i := g.found(name); i != nil {
				d.Imports[name] = i
			}
		}
	}
}

// found returns the import that a name before a dot needs, nil if there is none. What only the lecturer knows comes last.
func (g *Guest) found(name string) *gonb.Import {
	if i := g.assignment.known.imports[name]; i != nil {
		return i
	}
	for _, path := range standard {
		if i := (&gonb.Import{Path: path}); packageName(i) == name && g.refused(i) == "" {
			return i
		}
	}
	return g.assignment.imports[name]
}

// standard are packages that goimports finds by the last part of their path.
var standard = []string{"bufio", "bytes", "cmp", "container/heap", "container/list", "encoding/csv", "encoding/json", "errors", "fmt", "image", "image/color", "io", "iter",
	"log", "maps", "math", "math/big", "math/bits", "math/cmplx", "math/rand", "os", "regexp", "slices", "sort", "strconv", "strings", "sync", "text/tabwriter", "time",
	"unicode", "unicode/utf8", "gonum.org/v1/gonum/floats", "gonum.org/v1/gonum/mat", "gonum.org/v1/gonum/stat"}

// unimported adds to an error of the type checker about a package that goimports would find why it is not there.
func (g *Guest) unimported(msg string) string {
	if name, ok := strings.CutPrefix(msg, "undefined: "); ok {
		for _, path := range standard {
			if i := (&gonb.Import{Path: path}); packageName(i) == name && g.refused(i) != "" {
				return msg + ": " + g.refused(i)
			}
		}
	}
	return msg
}

// compile type-checks what the guest is made of, and leaves out what has errors, until the rest
// has none. A function that is left out panics with the reason.
func (g *Guest) compile(ctx context.Context, d *gonb.Decls) error {
	a := g.assignment
	g.signatures(d)
	g.resolve(d)
	for round := 0; ; round++ { // each leaves something out
		p := program.Of(d, noMain())
		if err := a.check(ctx, p); err != nil {
			return err
		}
		if p.Syntax == nil {
			return &Refused{"the answers don't compile together"}
		}
		if g.showLast(d, p) {
			continue
		}
		r := a.reach(p)
		if round == 0 && g.circles == nil && len(g.reference) == 0 && g.mains == nil {
			g.circles = a.circles(p, r)
		}
		errors := p.Errors
		if p.Compiles {
			errors = large(p)
		}
		if len(errors) == 0 {
			if g.decls, g.program = d, p; g.mains != nil {
				return nil
			}
			return g.write(ctx, p, r)
		}
		left := false
		errors = slices.DeleteFunc(errors, func(e types.Error) bool {
			path, ok := strings.CutSuffix(e.Msg, " imported and not used")
			if ok {
				maps.DeleteFunc(d.Imports, func(_ string, i *gonb.Import) bool { return strings.HasPrefix(path, strconv.Quote(i.Path)) })
				left = true
			}
			return ok
		})
		if left = g.mend(d, p, r, g.faults(p, r, errors), round) || left; !left {
			return &Refused{"the answers don't compile together with the given cells: " + short(errors[0].Error())}
		}
	}
}

// large finds arrays that take a large part of a guest's memory, and that the compiler may write to its file element by
// element.
func large(p *program.Program) []types.Error {
	var found []types.Error
	for expr, tv := range p.Info.Types {
		n, array := int64(1), false
		for t, ok := tv.Type.Underlying().(*types.Array); ok && n <= maxArray; t, ok = t.Elem().Underlying().(*types.Array) {
			n, array = n*max(1, min(t.Len(), maxArray+1)), true
		}
		if array && n > maxArray {
			found = append(found, types.Error{Fset: p.Fset, Pos: expr.Pos(), Msg: fmt.Sprintf("an array of more than %d elements", maxArray)})
		}
	}
	slices.SortFunc(found, func(a, b types.Error) int { return cmp.Compare(a.Pos, b.Pos) })
	return found
}

// write makes the guest's files.
func (g *Guest) write(ctx context.Context, p *program.Program, r *reach) error {
	a := g.assignment
	for _, name := range sortedKeys(a.known.owners) {
		want, got := lookup(a.whole.Pkg.Scope(), shown(name)), lookup(p.Pkg.Scope(), shown(name))
		if want == nil || a.owner(name).Meta.Kind() != nbgrader.Answer || !a.bridge.Needs(shown(name)) {
			continue
		}
		if got = method(p, want, got); got == nil {
			g.lacks(name)
			continue
		}
		if _, ok := want.(*types.TypeName); ok || signature(got) == signature(want) {
			continue
		}
		if fits, err := g.fits(ctx, p, got, want); err != nil {
			return err
		} else if !fits {
			g.Missing[name] = mismatch(got, want)
			if a.known.shown[name] {
				g.note(a.names[name].ID, 0, "%s: %s", shown(name), g.Missing[name])
			}
		}
	}
	worker, err := a.bridge.Worker(func(name string) string { return g.Missing[strings.Replace(name, ".", "~", 1)] }, nil)
	if err != nil {
		return err
	}
	// The lecturer's declarations and packages that only tests use would be compiled and linked for each student.
	d := only(p.Decls, r.from(identifiers(string(worker)), r.own...))
	prune(d, program.Of(d, p.Main).File().Text)
	g.Files = map[string][]byte{"cells.go": lines(program.Of(d, p.Main).File()), "worker.go": worker, "main.go": []byte("package main\n\nimport marginalia_worker \"marginalia/internal/sandbox/guest/worker\"\n\nvar (\n\tmarginalia_missing = marginalia_worker.Missing\n\tmarginalia_student = marginalia_worker.Student\n)\n\nfunc marginalia_main() {}\n")}
	return nil
}

// mismatch says that something is declared otherwise than tests use it.
func mismatch(got, want types.Object) string {
	wanted := signature(want)
	if _, ok := want.(*types.Const); ok { // the judge has it in a variable
		wanted = types.TypeString(types.Default(want.Type()), types.RelativeTo(want.Pkg()))
	}
	return short(fmt.Sprintf("it is %s, want %s", folders.ReplaceAllString(signature(got), ""), folders.ReplaceAllString(wanted, "")))
}

// fits reports whether a variable or a constant can be used where tests use one of another type: the judge has it in a variable
// of the type that the solution gives it.
func (g *Guest) fits(ctx context.Context, p *program.Program, got, want types.Object) (bool, error) {
	if _, ok := g.assignment.bridge.Value(want); !ok {
		return false, nil
	}
	const name = "marginalia_fits"
	typ := types.TypeString(types.Default(want.Type()), types.RelativeTo(want.Pkg()))
	if strings.ContainsAny(typ, "/.") { // a package that the program may not import
		return false, nil
	}
	d := p.Decls.Clone()
	d.Funcs[name] = &gonb.Func{Key: name, Text: fmt.Sprintf("func %s() %s { return %s }", name, typ, got.Name())}
	tried := program.Of(d, p.Main)
	err := g.assignment.check(ctx, tried)
	return tried.Compiles, err
}

// method returns what the student's program has in the place of want, if that is a method and calls of it find another than
// got: one of an embedded field, or of the value where the solution's is the pointer's. It is like want then, with the receiver.
func method(p *program.Program, want, got types.Object) types.Object {
	f, ok := want.(*types.Func)
	if !ok || f.Signature().Recv() == nil {
		return got
	}
	recv := f.Signature().Recv().Type()
	pointer, isPointer := recv.(*types.Pointer)
	if isPointer {
		recv = pointer.Elem()
	}
	of, ok := p.Pkg.Scope().Lookup(recv.(*types.Named).Obj().Name()).(*types.TypeName)
	if !ok || types.IsInterface(of.Type()) {
		return got
	}
	typ := of.Type()
	if n, ok := typ.(*types.Named); ok && n.TypeParams().Len() > 0 {
		var args []types.Type
		for p := range n.TypeParams().TypeParams() {
			args = append(args, p)
		}
		typ, _ = types.Instantiate(nil, n, args, false)
	}
	if isPointer {
		typ = types.NewPointer(typ)
	}
	found := types.NewMethodSet(typ).Lookup(p.Pkg, f.Name())
	if found == nil {
		return got
	}
	sig := found.Type().(*types.Signature)
	return types.NewFunc(found.Obj().Pos(), p.Pkg, f.Name(), types.NewSignatureType(types.NewParam(0, p.Pkg, "", typ), nil, nil, sig.Params(), sig.Results(), sig.Variadic()))
}

// folders is what stands before a package's name in a type.
var folders = regexp.MustCompile(`[\w.~-]+/`)

// lookup finds a package-level object, or a method "T.M".
func lookup(scope *types.Scope, name string) types.Object {
	owner, method, ok := strings.Cut(name, ".")
	obj := scope.Lookup(owner)
	if !ok || obj == nil {
		return obj
	}
	n, ok := obj.Type().(*types.Named)
	if !ok {
		return nil
	}
	for m := range n.Methods() {
		if m.Name() == method {
			return m
		}
	}
	return nil
}
