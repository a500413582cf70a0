package program

import (
	"cmp"
	"go/ast"
	"go/parser"
	"go/token"
	"path"
	"slices"

	"golang.org/x/mod/module"

	"marginalia/internal/notebook/gonb"
)

// Settle does what goimports does to a program that lacks no import of its own: it removes unused
// imports, and adds those of Supplied. It reports whether the program then has all it needs; if not, or
// if Settle is not sure, ask goimports. name returns the name of the package with an import path.
func (p *Program) Settle(name func(path string) (name string, ok bool)) bool {
	return p.complete(name, nil)
}

// Complete does what Settle does where there is no goimports to ask, and adds the imports that find knows:
// the path of a package with a name and the members that the program uses. A path whose last element is not
// the name gets it as its alias. What is missing then the compiler says.
func (p *Program) Complete(name func(path string) (name string, ok bool), find func(name string, members []string) (path string, ok bool)) {
	p.complete(name, find)
}

func (p *Program) complete(name func(path string) (name string, ok bool), find func(name string, members []string) (path string, ok bool)) bool {
	f, err := parser.ParseFile(token.NewFileSet(), p.FileName(), p.File().Text, 0)
	if err != nil {
		return false
	}
	needed := Needed(f)
	used := map[string]*gonb.Import{}
	locals := map[string]bool{}
	for key, i := range p.Decls.Imports {
		local := i.Alias
		if local == "" {
			known, ok := name(i.Path)
			if find == nil && (!ok || known != Assumed(i.Path)) {
				return false
			}
			if !ok { // there is no such package, and somebody has to say so
				used[key] = i
			}
			local = cmp.Or(known, Assumed(i.Path))
		}
		if find == nil && (local == "." || locals[local] && local != "_") {
			return false
		}
		locals[local] = true
		if _, ok := needed[local]; ok || local == "_" || local == "." {
			used[key] = i
		}
	}
	for local := range locals {
		delete(needed, local)
	}
	for _, path := range Supplied(needed) {
		used[path] = &gonb.Import{Path: path}
		delete(needed, path)
	}
	for local, members := range needed {
		if find == nil {
			break
		}
		if path, ok := find(local, members); ok {
			i := &gonb.Import{Path: path}
			if local != Assumed(path) {
				i.Alias = local
			}
			used[local] = i
			delete(needed, local)
		}
	}
	p.Decls.Imports = used
	p.file = gonb.File{}
	return len(needed) == 0
}

// supplied are the packages that cells use without an import, and names for which goimports finds no
// other package: GoNB's main calls flag.Parse, and tests take *testing.T.
var supplied = map[string][]string{"flag": {"Parse"}, "testing": {"B", "F", "M", "PB", "T", "TB"}}

// Supplied returns the import paths of packages that cells use without an import, as far as they
// are needed.
func Supplied(needed map[string][]string) (paths []string) {
	for path, names := range supplied {
		used, ok := needed[path]
		if ok && !slices.ContainsFunc(used, func(name string) bool { return !slices.Contains(names, name) }) {
			paths = append(paths, path)
		}
	}
	slices.Sort(paths)
	return paths
}

// Needed returns the names of packages that a file uses, those before a dot that it does not declare,
// and what it uses of each.
func Needed(f *ast.File) map[string][]string {
	free := map[*ast.Ident]bool{}
	for _, id := range f.Unresolved {
		free[id] = true
	}
	needed := map[string][]string{}
	ast.Inspect(f, func(n ast.Node) bool {
		if s, ok := n.(*ast.SelectorExpr); ok {
			if id, ok := s.X.(*ast.Ident); ok && free[id] && s.Sel.IsExported() {
				needed[id.Name] = append(needed[id.Name], s.Sel.Name)
			}
		}
		return true
	})
	return needed
}

// Assumed is the name that a package has if its path says it. goimports writes out any other.
func Assumed(of string) string {
	prefix, _, _ := module.SplitPathVersion(of)
	return path.Base(prefix)
}
