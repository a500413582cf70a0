package effects

import "marginalia/internal/notebook/program"

// Touches reports whether a function of the standard library touches the outside.
func Touches(path, function string) bool { return touches(name{path, function}) }

// Loud returns those of the packages and of all that they import of whose start something is seen.
func (g *Graph) Loud(paths []string) (loud []string) {
	g.below(paths, func(p *program.Package) bool {
		if g.isLoud(p) {
			loud = append(loud, p.ImportPath)
		}
		return true
	})
	return loud
}
