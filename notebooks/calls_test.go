package notebooks

import (
	"cmp"
	"fmt"
	"go/ast"
	"go/build"
	"go/doc"
	"go/parser"
	"go/token"
	"go/types"
	"maps"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"marginalia/internal/base/repo/repotest"
	"marginalia/internal/notebook/nbformat"
	"marginalia/internal/notebook/program"
	"marginalia/internal/testkit/must"
)

// A call is a function, a type or a method that cells use. typ is "" unless it is a method.
type call struct{ pkg, typ, name string }

// callsOf returns what each code cell of a lecture uses of the library, by the cell's id.
func callsOf(t *testing.T, checker *program.Checker, file string, nb *nbformat.Notebook) map[string][]call {
	t.Helper()
	used := map[string][]call{}
	session := program.NewSession(".")
	for _, c := range nb.Cells {
		if c.Type != "code" {
			continue
		}
		p, err := checker.Step(t.Context(), session, c.ID, c.Source)
		if err != nil {
			t.Fatalf("%s: %v", file, err)
		}
		if p.NoGo {
			continue
		}
		origins := p.File().Origins
		for id, o := range p.Info.Uses {
			line := p.Fset.Position(id.Pos()).Line - 1
			if line >= len(origins) || origins[line].Cell != c.ID {
				continue
			}
			if u, ok := callOf(o); ok && !slices.Contains(used[c.ID], u) {
				used[c.ID] = append(used[c.ID], u)
			}
		}
	}
	return used
}

// callOf returns the call that an object is, if mlkit, plotting or datasets exports it.
func callOf(o types.Object) (call, bool) {
	if o.Pkg() == nil || !o.Exported() {
		return call{}, false
	}
	c := call{pkg: o.Pkg().Path(), name: o.Name()}
	switch o := o.(type) {
	case *types.TypeName:
		if o.Parent() != o.Pkg().Scope() {
			return call{}, false // a type parameter, or of a function
		}
	case *types.Func:
		if recv := o.Signature().Recv(); recv != nil {
			typ := types.Unalias(recv.Type())
			if p, ok := typ.(*types.Pointer); ok {
				typ = types.Unalias(p.Elem())
			}
			named, ok := typ.(*types.Named)
			if !ok || !named.Obj().Exported() {
				return call{}, false
			}
			c.typ = named.Obj().Name()
		}
	default:
		return call{}, false
	}
	return c, library.MatchString(c.pkg) && !strings.Contains(c.pkg, "/internal/")
}

var library = regexp.MustCompile(`^marginalia/(mlkit|plotting|datasets)(/|$)`)

// A document is where something is declared and the first sentence of its comment.
type document struct{ file, sentence string }

// documents reads the documentation of a package of the repository. The call without a name is the
// package itself.
func documents(t *testing.T, pkg string) map[call]document {
	t.Helper()
	dir := filepath.Join("..", filepath.FromSlash(strings.TrimPrefix(pkg, "marginalia/")))
	entries := must.Get(os.ReadDir(dir)).Or(t)
	set := token.NewFileSet()
	var files []*ast.File
	for _, e := range entries {
		if ok, err := build.Default.MatchFile(dir, e.Name()); err != nil || !ok || strings.HasSuffix(e.Name(), "_test.go") || filepath.Ext(e.Name()) != ".go" {
			continue
		}
		f := must.Get(parser.ParseFile(set, filepath.Join(dir, e.Name()), nil, parser.ParseComments)).Or(t)
		files = append(files, f)
	}
	p := must.Get(doc.NewFromFiles(set, files, pkg)).Or(t)
	found := map[call]document{{pkg: pkg}: {sentence: sentence(p, p.Doc)}}
	add := func(typ, name string, at token.Pos, comment string) {
		found[call{pkg, typ, name}] = document{path.Join(filepath.ToSlash(dir), filepath.Base(set.Position(at).Filename)), sentence(p, comment)}
	}
	functions := func(typ string, list []*doc.Func) {
		for _, f := range list {
			add(typ, f.Name, f.Decl.Pos(), f.Doc)
		}
	}
	functions("", p.Funcs)
	for _, typ := range p.Types {
		add("", typ.Name, typ.Decl.Pos(), typ.Doc)
		functions("", typ.Funcs)
		functions(typ.Name, typ.Methods)
		if i, ok := typ.Decl.Specs[0].(*ast.TypeSpec).Type.(*ast.InterfaceType); ok {
			for _, m := range i.Methods.List {
				for _, name := range m.Names {
					add(typ.Name, name.Name, m.Pos(), cmp.Or(m.Doc.Text(), m.Comment.Text()))
				}
			}
		}
	}
	return found
}

// sentence returns the first sentence of a comment, without a formula or a list that follows in a
// paragraph of its own.
func sentence(p *doc.Package, comment string) string {
	text := p.Synopsis(comment)
	if cut := strings.TrimRight(text, ",:"); cut != text {
		return cut + "."
	}
	return text
}

// callsCells makes the cell of each lecture that lists what its cells call, and compares what the
// sections call with what they need.
func callsCells(t *testing.T, c course) map[string]*nbformat.Cell {
	root := repotest.Root(t)
	checker := program.NewChecker(root, root)
	documented := map[call]document{}
	read := map[string]bool{}
	made := map[string]*nbformat.Cell{}
	for file, nb := range notebooks(t) {
		used := callsOf(t, checker, file, nb)
		checkTaught(t, c, file, used)
		all := map[call]bool{}
		for _, calls := range used {
			for _, u := range calls {
				all[u] = true
				if u.typ != "" {
					all[call{pkg: u.pkg, name: u.typ}] = true
				}
				if !read[u.pkg] {
					read[u.pkg] = true
					maps.Copy(documented, documents(t, u.pkg))
				}
			}
		}
		for u := range all {
			if documented[u].sentence == "" {
				t.Errorf("%s calls %s.%s.%s, which has no documentation", file, u.pkg, u.typ, u.name)
			}
		}
		made[file] = &nbformat.Cell{ID: "calls", Type: "markdown", Source: callsText(slices.Collect(maps.Keys(all)), documented)}
	}
	return made
}

// callsText lists calls by package, methods below their types.
func callsText(calls []call, documented map[call]document) string {
	slices.SortFunc(calls, func(a, b call) int {
		return cmp.Or(cmp.Compare(a.pkg, b.pkg), cmp.Compare(cmp.Or(a.typ, a.name), cmp.Or(b.typ, b.name)), cmp.Compare(a.typ, b.typ), cmp.Compare(a.name, b.name))
	})
	var b strings.Builder
	b.WriteString("## Calls\n\nWhat the cells of this lecture call, with the first sentence of its documentation. Each name leads to the file that declares it. In JupyterLab, Shift-Tab on a name in a cell shows the whole documentation.\n")
	pkg := ""
	for _, u := range calls {
		if u.pkg != pkg {
			pkg = u.pkg
			fmt.Fprintf(&b, "\n**%s**: %s\n\n", strings.TrimPrefix(pkg, "marginalia/"), literal(documented[call{pkg: pkg}].sentence))
		}
		d := documented[u]
		indent, name := "", path.Base(pkg)+"."+u.name
		if u.typ != "" {
			indent, name = "  ", u.typ+"."+u.name
		}
		// Most sentences begin with the name.
		said, ok := strings.CutPrefix(d.sentence, u.name+" ")
		if !ok {
			said = ": " + d.sentence
		} else {
			said = " " + said
		}
		fmt.Fprintf(&b, "%s- [%s](%s)%s\n", indent, name, d.file, literal(said))
	}
	return strings.TrimSuffix(b.String(), "\n")
}

// literal returns text as Markdown that shows it.
func literal(text string) string { return markup.ReplaceAllString(text, `\$0`) }

var markup = regexp.MustCompile("[\\\\`*_<>\\[\\]|$]")

// introduces has the sections that introduce the algorithms of mlkit's packages.
var introduces = map[string]string{
	"perceptron":   "01-perceptron#The perceptron rule",
	"leastsquares": "02-least-squares#Near enough",
	"discriminant": "03-logistic#Two clouds of one shape",
	"logistic":     "03-logistic#Forget the clouds",
	"svm":          "04-margins#The widest street",
	"multiclass":   "04-margins#More than two classes",
	"kernel":       "05-kernels#A dot product in another space",
	"kernelized":   "05-kernels#The perceptron, up there",
	"cluster":      "06-spectral-clustering#Round clusters, and others",
	"neighbors":    "07-features#Ask the neighbours",
}

// inPassing has packages that a section calls without needing the section that introduces them.
var inPassing = map[string]string{
	"05-kernels#Not only classifiers": "cluster", // Purity counts which ring the points of a cluster are from
}

// checkTaught wants a section that uses an algorithm to need the section that introduces it.
func checkTaught(t *testing.T, c course, file string, used map[string][]call) {
	t.Helper()
	for _, k := range c.of(file) {
		s := c.sections[k]
		needed := append(c.before(k), k)
		missing := map[string]string{}
		for _, cell := range s.cells {
			for _, u := range used[cell.ID] {
				name := strings.TrimPrefix(u.pkg, "marginalia/mlkit/")
				if key := introduces[name]; key != "" && inPassing[s.key()] != name && !slices.Contains(needed, c.at(t, key)) {
					missing[name] = cell.ID
				}
			}
		}
		for name, id := range missing {
			t.Errorf("%s, cell %s uses %s, and section %q does not need %q: name it in metadata.marginalia.after of its heading", file, id, name, s.title(), introduces[name])
		}
	}
}
