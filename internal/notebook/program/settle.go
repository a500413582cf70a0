package program

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path"
	"slices"

	"golang.org/x/mod/module"

	"marginalia/internal/notebook/gonb"
)

// Settle does what goimports does to a program that lacks no import: it removes unused imports, and
// adds flag, which GoNB's main calls. It reports whether the program then has all it needs; if not, or
// if Settle is not sure, ask goimports. name returns the name of the package with an import path.
func (p *Program) Settle(name func(path string) (name string, ok bool)) bool {
	return p.Complete(name, func(string, []string) (string, bool) { return "", false })
}

// Complete does what Settle does, and adds the imports that find knows: the path of a package with a
// name, of which the program uses some members. A path whose last element is not the name gets it as
// its alias.
func (p *Program) Complete(name func(path string) (name string, ok bool), find func(name string, members []string) (path string, ok bool)) bool {
	f, err := parser.ParseFile(token.NewFileSet(), p.name(), p.File().Text, 0)
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
			if !ok || known != Assumed(i.Path) {
				return false
			}
			local = known
		}
		if local == "." || locals[local] && local != "_" {
			return false
		}
		locals[local] = true
		if _, ok := needed[local]; ok || local == "_" {
			used[key] = i
			delete(needed, local)
		}
	}
	if needed["flag"] == "Parse" {
		used["flag"] = &gonb.Import{Path: "flag"}
		delete(needed, "flag")
	}
	for local, members := range membersOf(f) {
		if _, ok := needed[local]; !ok {
			continue
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

// Needed returns the names of packages that a file uses: those before a dot that it does not
// declare. With each comes what is used of it, or "" if that is more than one name.
func Needed(f *ast.File) map[string]string {
	needed := map[string]string{}
	for name, members := range membersOf(f) {
		needed[name] = ""
		if len(members) == 1 {
			needed[name] = members[0]
		}
	}
	return needed
}

// membersOf returns the names of packages that a file uses, each with the members that it uses.
func membersOf(f *ast.File) map[string][]string {
	free := map[*ast.Ident]bool{}
	for _, id := range f.Unresolved {
		free[id] = true
	}
	used := map[string][]string{}
	ast.Inspect(f, func(n ast.Node) bool {
		if s, ok := n.(*ast.SelectorExpr); ok {
			if id, ok := s.X.(*ast.Ident); ok && free[id] && s.Sel.IsExported() && !slices.Contains(used[id.Name], s.Sel.Name) {
				used[id.Name] = append(used[id.Name], s.Sel.Name)
			}
		}
		return true
	})
	return used
}

// Assumed is the name that a package has if its path says it. goimports writes out any other.
func Assumed(of string) string {
	prefix, _, _ := module.SplitPathVersion(of)
	return path.Base(prefix)
}
