package export

import (
	"cmp"
	"fmt"
	"path"
	"slices"
	"strings"
)

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
