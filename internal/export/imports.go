package export

import (
	"cmp"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"maps"
	"path"
	"slices"
	"strings"
)

// fileImports returns the import declaration of each cell's file. The type
// checker decides: it sees the package with every import in every file, and says
// which of them are not used.
func (g *generator) fileImports() map[string]string {
	specs := g.importSpecs()
	ids := slices.SortedFunc(maps.Keys(g.files), func(a, b string) int { return cmp.Compare(g.place[a], g.place[b]) })
	fset := token.NewFileSet()
	var files []*ast.File
	for _, id := range ids {
		f, err := parser.ParseFile(fset, id, "package main\n"+importDecl(specs)+g.files[id].String(), parser.SkipObjectResolution)
		if err != nil {
			return nil // the go command says what is wrong
		}
		files = append(files, f)
	}
	unused := map[token.Pos]bool{}
	conf := types.Config{Importer: g, Error: func(err error) {
		if e, ok := err.(types.Error); ok {
			unused[e.Pos] = true
		}
	}}
	conf.Check("main", fset, files, nil) // its errors are in unused

	decls := map[string]string{}
	for i, f := range files {
		var used []string
		for k, spec := range f.Imports {
			// `_` imports act without being used: one file has them.
			if !unused[spec.Pos()] && (i == 0 || spec.Name == nil || spec.Name.Name != "_") {
				used = append(used, specs[k])
			}
		}
		decls[ids[i]] = importDecl(used)
	}
	return decls
}

func importDecl(specs []string) string {
	if len(specs) == 0 {
		return ""
	}
	return "import (\n\t" + strings.Join(specs, "\n\t") + "\n)\n\n"
}

// importSpecs returns what the group imports, sorted by path and name.
func (g *generator) importSpecs() []string {
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
	var specs []string
	for _, s := range list {
		specs = append(specs, strings.TrimSpace(fmt.Sprintf("%s %q", s.name, s.path)))
	}
	return specs
}

// Import makes the generator a types.Importer of the packages that its programs import.
func (g *generator) Import(path string) (*types.Package, error) {
	for _, pkg := range g.imports {
		if pkg.Path() == path {
			return pkg, nil
		}
	}
	for _, p := range g.programs {
		if p.shared() {
			for _, pkg := range p.Pkg.Imports() {
				if pkg.Path() == path {
					return pkg, nil
				}
			}
		}
	}
	return nil, fmt.Errorf("no program imports %s", path)
}
