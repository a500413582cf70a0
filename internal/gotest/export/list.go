package export

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"go/ast"
	"go/format"
	"go/types"
	"maps"
	"path"
	"slices"
	"strings"

	"marginalia/internal/gotest/layout"
	"marginalia/internal/notebook/vet"
)

// cells writes the program that runs the group's cells, and what celltest has to know of them.
func (g *generator) cells(header string) (program, list []byte) {
	var all []layout.Cell
	var b bytes.Buffer
	caches := slices.ContainsFunc(g.programs, func(p *unit) bool { return p.imports("github.com/janpfeifer/gonb/cache") })
	for _, p := range g.programs {
		c := layout.Cell{ID: p.ID, Args: p.Args, Env: p.Env, Dir: p.Dir, Fails: p.Fails, Skip: p.Skip,
			Missing: p.Missing, NoGo: p.NoGo, Test: p.Test, Program: p.folder, Writes: (*layout.File)(p.Writes),
			Caches: caches, Outside: p.can.Outside || p.Writes != nil, Uses: p.uses()}
		if p.folder != "" {
			c.Build = p.Flags
		}
		if p.folder != "" || p.Fails != "" {
			place := p.ID
			for _, at := range p.File().Origins { // what GoNB adds belongs to the line before it
				if at.Cell != "" {
					place = fmt.Sprintf("%s:%d", at.Cell, at.Line+1)
				}
				c.Lines = append(c.Lines, place)
			}
		}
		for _, problem := range p.Problems {
			to := &c.Warnings
			if problem.Fatal || problem.Random {
				to = &c.Problems
			}
			*to = append(*to, fmt.Sprintf("line %d: %s", problem.Line+1, problem.What))
		}
		if p.Compiles && !p.Test { // go test has read the others
			for _, slip := range vet.Of(p.Fset, []*ast.File{p.Syntax}, vet.Imported{By: p.Pkg}) {
				if at := p.File().Origins[slip.Line-1]; at.Cell == p.ID {
					c.Warnings = append(c.Warnings, fmt.Sprintf("line %d: %s", at.Line+1, slip.Words))
				}
			}
		}
		for _, print := range p.Prints {
			c.Prints = append(c.Prints, layout.Print(print))
		}
		if !c.Outside && !p.can.Reads {
			f := p.File()
			c.Key = fmt.Sprintf("%x", sha256.Sum256(fmt.Appendf(nil, "%q %v", f.Text, f.Origins)))
		}
		all = append(all, c)
		main := g.mains[p.ID]
		if main == "" {
			continue
		}
		fmt.Fprintf(&b, "\t{ID: %q, ", p.ID)
		if inits := g.inits(p); len(inits) > 0 {
			fmt.Fprintf(&b, "Init: []func(){%s}, ", strings.Join(inits, ", "))
		}
		fmt.Fprintf(&b, "Main: %s},\n", main)
	}
	run := g.qualify(types.NewPackage("marginalia/internal/cell/cellrun", "cellrun"))
	program = fmt.Appendf(nil, `%s
package main

%s
func main() { %[3]s.Main(%[4]s) }

// The programs of the notebook's cells, in its order.
var %[4]s = []%[3]s.Cell{
%[5]s}
`, header, g.importDecl(), run, g.fresh("cells"), b.Bytes())
	if tidy, err := format.Source(program); err == nil {
		program = tidy
	}
	program = fmt.Appendf(program, "\n%s", g.body.Bytes())
	list, err := json.MarshalIndent(all, "", "  ")
	if err != nil {
		panic(err) // strings, and lists of them
	}
	return program, append(list, '\n')
}

// importDecl returns what the group imports, sorted by path and name.
func (g *generator) importDecl() string {
	type spec struct{ path, name string }
	var list []spec
	for name, pkg := range g.imports {
		if name == pkg.Name() && name == path.Base(pkg.Path()) {
			name = "" // the package has that name, and its path says so
		}
		list = append(list, spec{pkg.Path(), name})
	}
	for _, i := range g.union.Imports {
		if i.Alias == "_" || i.Alias == "." {
			list = append(list, spec{i.Path, i.Alias})
		}
	}
	slices.SortFunc(list, func(a, b spec) int { return cmp.Or(strings.Compare(a.path, b.path), strings.Compare(a.name, b.name)) })
	var b strings.Builder
	for _, s := range list {
		fmt.Fprintf(&b, "\t%s %q\n", s.name, s.path)
	}
	return "import (\n" + b.String() + ")\n"
}

// inits returns the functions that set up a cell's program: package variables
// in the order of its initialisation, then init functions by name.
func (g *generator) inits(p *unit) []string {
	var fns []string
	seen := map[string]bool{}
	for _, i := range p.Info.InitOrder {
		for _, v := range i.Lhs {
			if fn := g.initVar[v.Name()]; fn != "" && v.Name() != "_" && !seen[fn] {
				seen[fn] = true
				fns = append(fns, fn)
			}
		}
	}
	for _, key := range slices.Sorted(maps.Keys(p.Decls.Funcs)) {
		if name := g.initFn[key]; name != "" {
			fns = append(fns, name)
		}
	}
	return fns
}

// imports reports whether the program imports a package itself.
func (p *unit) imports(path string) bool {
	if p.Decls == nil {
		return false
	}
	for _, i := range p.Decls.Imports {
		if i.Path == path {
			return true
		}
	}
	return false
}
