// Package effects finds out what the program of a cell can do beside computing: whether it may
// touch what cells share, such as files and ports, and what the packages that it imports do
// before its main begins.
//
//	g := effects.New(checker)
//	can := g.Of(program)
//	if can.Outside { … }              // it runs in the notebook's order
//	if can.Start != other.Start { … } // the two can't share a build
//
// The answer comes from the source of all packages that are not part of the standard library: a
// graph of declarations and what they name. A method that is called through an interface counts for
// each type that is reached and has a method of that name, as in rapid type analysis (Bacon and
// Sweeney, Fast static analysis of C++ virtual function calls, 1996). So the answer errs on one
// side: a program may count as one that touches the outside and not do so. Of the standard library
// a table says what does.
package effects

import (
	"slices"
	"strings"

	"marginalia/internal/notebook/program"
)

// A Graph has the packages that programs import, parsed as far as somebody has asked.
type Graph struct {
	checker *program.Checker
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

// A Reach is what a program can do beside computing.
type Reach struct {
	// Outside says that it may touch what another cell can see of it: files, ports, processes.
	// What it prints and shows does not count.
	Outside bool
	// Reads says that it may read what this repository keeps in the user's cache.
	Reads bool
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
	can := Reach{Outside: w.cgo, Reads: w.reads}
	for s := range w.standard {
		can.Outside = can.Outside || touches(s)
	}
	_, decodes := w.standard[name{"image", "Decode"}]
	_, configs := w.standard[name{"image", "DecodeConfig"}]
	can.Start = g.start(imports, decodes || configs)
	if g.linksC(imports) {
		can.Start += " C"
	}
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

// linksC reports whether a program with these imports has C in it, as those with package net have.
// The runtime of such a program does not see that all goroutines wait for each other. What the
// repository's packages bring along does not count: see ours.
func (g *Graph) linksC(imports []string) (links bool) {
	g.below(imports, func(p *program.Package) bool {
		links = links || len(p.CgoFiles) > 0 && !ours(p.ImportPath)
		return !ours(p.ImportPath)
	})
	return links
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
