package effects

import "go/types"

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
	reads    bool // what functions named in cached read
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
			case contains(cached[to.path], to.name):
				w.reads = true
			case !harmless(to.path) && w.g.matters(to.path):
				w.reach(w.g.source(p).decls[to.name])
			}
		}
	}
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
