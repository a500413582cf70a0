package notebooks

import (
	"cmp"
	"errors"
	"fmt"
	"go/ast"
	"go/build"
	"go/doc"
	"go/parser"
	"go/token"
	"maps"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"marginalia/internal/base/repo/repotest"
	"marginalia/internal/gotest/built"
	"marginalia/internal/gotest/layout"
	"marginalia/internal/notebook/nbformat"
	"marginalia/internal/testkit/must"
)

// usesOf returns what each code cell of the lectures uses of the library, by file and id, as their
// exports for Go tests have it.
func usesOf(t *testing.T) map[string]map[string][]layout.Use {
	t.Helper()
	files := slices.DeleteFunc(lectures(t), func(file string) bool { return file == index })
	builds, errs := built.Notebooks(t.Context(), files, repotest.Root(t))
	must.Do(t, errors.Join(errs...))
	used := map[string]map[string][]layout.Use{}
	for i, b := range builds {
		used[files[i]] = map[string][]layout.Use{}
		for _, p := range b.Packages {
			for _, c := range p.Cells {
				used[files[i]][c.ID] = c.Uses
			}
		}
		must.Do(t, b.Close())
	}
	return used
}

// A document is where something is declared and the first sentence of its comment.
type document struct{ file, sentence string }

// documents reads the documentation of a package of the repository. The call without a name is the
// package itself.
func documents(t *testing.T, pkg string) map[layout.Use]document {
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
	found := map[layout.Use]document{{Package: pkg}: {sentence: sentence(p, p.Doc)}}
	add := func(typ, name string, at token.Pos, comment string) {
		found[layout.Use{Package: pkg, Type: typ, Name: name}] = document{path.Join(filepath.ToSlash(dir), filepath.Base(set.Position(at).Filename)), sentence(p, comment)}
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
	uses := usesOf(t)
	documented := map[layout.Use]document{}
	read := map[string]bool{}
	made := map[string]*nbformat.Cell{}
	for file, used := range uses {
		checkTaught(t, c, file, used)
		all := map[layout.Use]bool{}
		for _, calls := range used {
			for _, u := range calls {
				all[u] = true
				if u.Type != "" {
					all[layout.Use{Package: u.Package, Name: u.Type}] = true
				}
				if !read[u.Package] {
					read[u.Package] = true
					maps.Copy(documented, documents(t, u.Package))
				}
			}
		}
		for u := range all {
			if documented[u].sentence == "" {
				t.Errorf("%s calls %s.%s.%s, which has no documentation", file, u.Package, u.Type, u.Name)
			}
		}
		made[file] = &nbformat.Cell{ID: "calls", Type: "markdown", Source: callsText(slices.Collect(maps.Keys(all)), documented)}
	}
	return made
}

// callsText lists calls by package, methods below their types.
func callsText(calls []layout.Use, documented map[layout.Use]document) string {
	slices.SortFunc(calls, layout.Use.Compare)
	var b strings.Builder
	b.WriteString("## Calls\n\nWhat the cells of this lecture call, with the first sentence of its documentation. Each name leads to the file that declares it. In JupyterLab, Shift-Tab on a name in a cell shows the whole documentation.\n")
	pkg := ""
	for _, u := range calls {
		if u.Package != pkg {
			pkg = u.Package
			fmt.Fprintf(&b, "\n**%s**: %s\n\n", strings.TrimPrefix(pkg, "marginalia/"), literal(documented[layout.Use{Package: pkg}].sentence))
		}
		d := documented[u]
		indent, name := "", path.Base(pkg)+"."+u.Name
		if u.Type != "" {
			indent, name = "  ", u.Type+"."+u.Name
		}
		// Most sentences begin with the name.
		said, ok := strings.CutPrefix(d.sentence, u.Name+" ")
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
func checkTaught(t *testing.T, c course, file string, used map[string][]layout.Use) {
	t.Helper()
	for _, k := range c.of(file) {
		s := c.sections[k]
		needed := append(c.before(k), k)
		missing := map[string]string{}
		for _, cell := range s.cells {
			for _, u := range used[cell.ID] {
				name := strings.TrimPrefix(u.Package, "marginalia/mlkit/")
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
