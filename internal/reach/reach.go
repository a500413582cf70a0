// Package reach finds out what the program of a cell can do beside computing: whether it may
// touch what cells share, such as files and ports, and what the packages that it imports do
// before its main begins.
//
//	g := reach.New(checker)
//	can := g.Of(program)
//	if can.Outside { … }              // it runs in the notebook's order
//	if can.Start != other.Start { … } // the two can't share a build
//
// The answer comes from the source of all packages that are no part of the standard library: a
// graph of declarations and what they name. A method that is called through an interface counts for
// each type that is reached and has a method of that name, as in rapid type analysis (Bacon and
// Sweeney, Fast static analysis of C++ virtual function calls, 1996). So the answer errs on one
// side: a program may count as one that touches the outside and not do so. Of the standard library
// a table says what does.
package reach

import (
	"go/types"
	"slices"
	"strings"

	"marginalia/internal/program"
)

// A Graph has the packages that programs import, parsed as far as somebody has asked.
type Graph struct {
	checker *program.Checker
	Why     []name
	sources map[string]*source
	reaches map[string]bool     // of each package, whether its code matters
	loud    map[string]bool     // of each package, whether something is seen of its start
	offers  map[string][]string // the methods of each package's interfaces
}

// New returns a graph of the packages that a checker has loaded, and will.
func New(c *program.Checker) *Graph {
	return &Graph{checker: c, sources: map[string]*source{},
		reaches: map[string]bool{}, loud: map[string]bool{}, offers: map[string][]string{}}
}

// A walk collects what can be reached from some declarations.
type walk struct {
	g        *Graph
	main     *source // the program, if it begins there
	seen     map[*declaration]bool
	todo     []*declaration
	entered  map[string]bool
	called   map[string]bool
	methods  map[string][]*declaration // those of reached types, by name, until their name is called
	standard map[name]bool
	cgo      bool
}

func (g *Graph) walk() *walk {
	return &walk{g: g, seen: map[*declaration]bool{}, entered: map[string]bool{}, called: map[string]bool{},
		methods: map[string][]*declaration{}, standard: map[name]bool{}}
}

func (w *walk) reach(d *declaration) {
	if d != nil && !w.seen[d] {
		w.seen[d] = true
		w.todo = append(w.todo, d)
	}
}

// enter takes in a package that code names. Of one whose code can't touch anything, only the
// interfaces matter, through which it may call methods of others.
func (w *walk) enter(path string) {
	if w.entered[path] {
		return
	}
	w.entered[path] = true
	p := w.g.checker.Package(path)
	if p == nil {
		return
	}
	if !opaque(p) && !harmless(path) && w.g.matters(path) {
		s := w.g.source(p)
		w.cgo = w.cgo || len(p.CgoFiles) > 0
		if local(p) {
			for _, d := range s.start {
				w.reach(d)
			}
			for _, imported := range p.Imports {
				w.enter(imported) // it starts, too
			}
		}
		return
	}
	for _, name := range w.g.interfaces(path) {
		w.call(name)
	}
}

func (w *walk) call(name string) {
	w.called[name] = true
	for _, d := range w.methods[name] {
		w.reach(d)
	}
	delete(w.methods, name)
}

// run goes on until nothing new is reached.
func (w *walk) run() {
	for len(w.todo) > 0 {
		d := w.todo[len(w.todo)-1]
		w.todo = w.todo[:len(w.todo)-1]
		for _, name := range d.calls {
			w.call(name)
		}
		for name, m := range d.methods {
			if w.called[name] {
				w.reach(m)
			} else {
				w.methods[name] = append(w.methods[name], m)
			}
		}
		for _, to := range d.names {
			w.enter(to.path)
			p := w.g.checker.Package(to.path)
			switch {
			case w.main != nil && to.path == w.main.path:
				w.reach(w.main.decls[to.name])
			case p == nil, opaque(p):
				w.standard[to] = true
			case !harmless(to.path) && w.g.matters(to.path):
				w.reach(w.g.source(p).decls[to.name])
			}
		}
	}
}

// A Reach is what a program can do beside computing.
type Reach struct {
	// Outside says that it may touch what another cell can see of it: files, ports, processes.
	// What it prints and shows does not count.
	Outside bool
	// Start names what its packages do before main begins. Programs for which it is the same
	// can share a build.
	Start string
}

// Of returns what a program, which compiles, can do.
func (g *Graph) Of(p *program.Program) Reach {
	w := g.walk()
	s := &source{path: p.Pkg.Path(), decls: map[string]*declaration{}}
	s.add(p.Syntax, p.Info)
	w.main = s
	var imports []string
	for _, i := range p.Decls.Imports {
		imports = append(imports, i.Path)
		w.enter(i.Path)
	}
	for _, d := range s.start {
		w.reach(d)
	}
	w.reach(s.decls["main"])
	if p.Test {
		for _, d := range s.decls { // whichever tests are chosen
			w.reach(d)
		}
	}
	w.run()
	can := Reach{Outside: w.cgo}
	for s := range w.standard {
		can.Outside = can.Outside || touches(s)
	}
	_, decodes := w.standard[name{"image", "Decode"}]
	_, configs := w.standard[name{"image", "DecodeConfig"}]
	can.Start = g.start(imports, decodes || configs)
	return can
}

// start names the packages that do something visible when a program with these imports starts,
// and, for one that decodes images, those that register a format.
func (g *Graph) start(imports []string, decodes bool) string {
	var found []string
	g.below(imports, func(p *program.Package) bool {
		if !ours(p.ImportPath) && g.isLoud(p) {
			found = append(found, p.ImportPath)
		}
		return !p.Standard && !ours(p.ImportPath)
	})
	if decodes {
		found = append(found, "image.Decode:")
		g.below(imports, func(p *program.Package) bool {
			if contains(formats, p.ImportPath) {
				found = append(found, p.ImportPath)
			}
			return true
		})
	}
	slices.Sort(found)
	return strings.Join(found, " ")
}

// below calls visit once for each package of a program with these imports, save those that are
// imported only by packages for which it returned false.
func (g *Graph) below(imports []string, visit func(*program.Package) bool) {
	seen := map[string]bool{}
	for todo := slices.Clone(imports); len(todo) > 0; {
		path := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		if p := g.checker.Package(path); p != nil && !seen[path] {
			seen[path] = true
			if visit(p) {
				todo = append(todo, p.Imports...)
			}
		}
	}
}

// isLoud reports whether something may be seen of a package's start. A package of the course
// counts if it computes anything then, since it may panic; one of a downloaded module if its init
// functions or the values of its variables name what prints or registers flags. The standard
// library is silent.
func (g *Graph) isLoud(p *program.Package) bool {
	if opaque(p) {
		return false
	}
	is, known := g.loud[p.ImportPath]
	if known {
		return is
	}
	if local(p) {
		is = len(g.source(p).start) > 0 || len(p.CgoFiles) > 0
	} else if slices.ContainsFunc(p.Imports, func(path string) bool { return announces[path] != "" }) {
		for _, d := range g.source(p).start {
			for _, n := range d.names {
				is = is || contains(announces[n.path], n.name)
			}
		}
	}
	g.loud[p.ImportPath] = is
	return is
}

// matters reports whether the code of a package, or of one that it imports, can name anything
// outside, or decode images. The code of others need not be parsed.
func (g *Graph) matters(path string) bool {
	can, known := g.reaches[path]
	if known {
		return can
	}
	g.reaches[path] = false
	p := g.checker.Package(path)
	switch {
	case path == "C":
		can = true
	case p == nil || harmless(path):
	case opaque(p):
		can = outside[path] != "" || path == "image"
	default:
		can = len(p.CgoFiles) > 0
		for _, i := range p.Imports {
			can = g.matters(i) || can
		}
	}
	g.reaches[path] = can
	return can
}

// interfaces returns the names of the methods of a package's interfaces.
func (g *Graph) interfaces(path string) []string {
	if names, known := g.offers[path]; known {
		return names
	}
	var names []string
	if pkg, err := g.checker.Import(path); err == nil {
		for _, name := range pkg.Scope().Names() {
			obj, _ := pkg.Scope().Lookup(name).(*types.TypeName)
			if obj == nil {
				continue
			}
			if i, ok := obj.Type().Underlying().(*types.Interface); ok {
				for m := range i.Methods() {
					names = append(names, m.Name())
				}
			}
		}
	}
	g.offers[path] = names
	return names
}

// local reports whether a package is the course's own: it is neither the repository's nor of a
// downloaded module.
func local(p *program.Package) bool {
	return !opaque(p) && !ours(p.ImportPath) && !p.Downloaded
}

// ours reports whether a package is the repository's, or one on which its lectures rest. Nothing
// is seen of their starts, nor of what they import: see testOursAreSilent.
func ours(path string) bool {
	return strings.HasPrefix(path, "marginalia/") || strings.HasPrefix(path, "gonum.org/v1/")
}
