package program

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path"

	"golang.org/x/mod/module"

	"marginalia/internal/notebook/gonb"
)

// Settle does what goimports does to a program that lacks no import: it removes unused imports, and
// adds flag, which GoNB's main calls. It reports whether the program then has all it needs; if not, or
// if Settle is not sure, ask goimports. name returns the name of the package with an import path.
func (p *Program) Settle(name func(path string) (name string, ok bool)) bool {
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
	p.Decls.Imports = used
	p.file = gonb.File{}
	return len(needed) == 0
}

// Needed returns the names of packages that a file uses: those before a dot that it does not
// declare. With each comes what is used of it, or "" if that is more than one name.
func Needed(f *ast.File) map[string]string {
	free := map[*ast.Ident]bool{}
	for _, id := range f.Unresolved {
		free[id] = true
	}
	needed := map[string]string{}
	ast.Inspect(f, func(n ast.Node) bool {
		if s, ok := n.(*ast.SelectorExpr); ok {
			if id, ok := s.X.(*ast.Ident); ok && free[id] && s.Sel.IsExported() {
				if before, more := needed[id.Name]; more && before != s.Sel.Name {
					needed[id.Name] = ""
				} else {
					needed[id.Name] = s.Sel.Name
				}
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
