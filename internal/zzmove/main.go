// zzmove splits package kernel: moved files, and those top-level declarations of its tests that use what moved, go to package kernelised.
package main

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"os"
	"path/filepath"
	"sort"
	"strings"

	"golang.org/x/tools/go/packages"
)

type edit struct {
	at   int
	text string
}

func main() {
	src, newName := "marginalia/mlkit/kernel", os.Args[1]
	moved := map[string]bool{}
	for _, f := range strings.Split(os.Args[2], ",") {
		moved[f] = true
	}
	both := map[string]bool{} // helpers to duplicate
	for _, f := range strings.Split(os.Args[3], ",") {
		both[f] = true
	}
	ps, err := packages.Load(&packages.Config{Mode: packages.LoadAllSyntax, Tests: true}, src)
	if err != nil {
		panic(err)
	}
	dst := filepath.Join("mlkit", newName)
	os.MkdirAll(dst, 0o755)
	for _, p := range ps {
		if !strings.Contains(p.ID, "[") && !strings.HasSuffix(p.PkgPath, "_test") {
			continue // the variant with tests has all files
		}
		for _, e := range p.Errors {
			fmt.Println("error", e)
		}
		// objects that move: package-level of moved files; then test decls, to a fixpoint
		fileOf := func(pos token.Pos) string { return filepath.Base(p.Fset.Position(pos).Filename) }
		external := strings.HasSuffix(p.PkgPath, "_test")
		movesObj := func(o types.Object) bool {
			return o != nil && o.Pkg() != nil && (o.Pkg().Path() == src) && moved[filepath.Base(p.Fset.Position(o.Pos()).Filename)]
		}
		type declKey struct {
			file string
			pos  token.Pos
		}
		movedDecl := map[ast.Decl]bool{}
		declOf := map[types.Object]ast.Decl{}
		for _, f := range p.Syntax {
			for _, d := range f.Decls {
				switch d := d.(type) {
				case *ast.FuncDecl:
					declOf[p.TypesInfo.Defs[d.Name]] = d
					if d.Recv != nil {
						t := d.Recv.List[0].Type
						if s, ok := t.(*ast.StarExpr); ok {
							t = s.X
						}
						if id, ok := t.(*ast.Ident); ok {
							_ = id
						}
					}
				case *ast.GenDecl:
					for _, s := range d.Specs {
						switch s := s.(type) {
						case *ast.TypeSpec:
							declOf[p.TypesInfo.Defs[s.Name]] = d
						case *ast.ValueSpec:
							for _, n := range s.Names {
								declOf[p.TypesInfo.Defs[n]] = d
							}
						}
					}
				}
			}
		}
		for changed := true; changed; {
			changed = false
			for _, f := range p.Syntax {
				name := fileOf(f.Pos())
				if !strings.HasSuffix(name, "_test.go") {
					continue
				}
				for _, d := range f.Decls {
					if movedDecl[d] {
						continue
					}
					if g, ok := d.(*ast.GenDecl); ok && g.Tok == token.IMPORT {
						continue
					}
					uses := moved[name]
					ast.Inspect(d, func(n ast.Node) bool {
						if id, ok := n.(*ast.Ident); ok {
							o := p.TypesInfo.Uses[id]
							if o == nil {
								return true
							}
							if v, ok := o.(*types.Var); ok && v.IsField() {
								return true
							}
							if movesObj(o) {
								uses = true
							}
							if dd := declOf[o]; dd != nil && movedDecl[dd] && !both[o.Name()] {
								uses = true
							}
						}
						return true
					})
					if fd, ok := d.(*ast.FuncDecl); ok && both[fd.Name.Name] {
						uses = false
					}
					if uses {
						movedDecl[d] = true
						changed = true
					}
				}
			}
		}
		for _, f := range p.Syntax {
			name := fileOf(f.Pos())
			full := p.Fset.Position(f.Pos()).Filename
			text, _ := os.ReadFile(full)
			test := strings.HasSuffix(name, "_test.go")
			if !test && !moved[name] {
				continue
			}
			off := func(pos token.Pos) int { return p.Fset.Position(pos).Offset }
			// qualify
			var edits []edit
			inMoved := func(pos token.Pos) bool {
				if !test {
					return true
				}
				for _, d := range f.Decls {
					if movedDecl[d] && d.Pos() <= pos && pos <= d.End() {
						return true
					}
				}
				return false
			}
			ast.Inspect(f, func(n ast.Node) bool {
				switch n := n.(type) {
				case *ast.SelectorExpr:
					if id, ok := n.X.(*ast.Ident); ok {
						if pn, ok := p.TypesInfo.Uses[id].(*types.PkgName); ok && pn.Imported().Path() == src {
							if movesObj(p.TypesInfo.Uses[n.Sel]) {
								edits = append(edits, edit{off(id.Pos()), "\x00" + id.Name + "\x01" + newName})
							}
							return false
						}
					}
				case *ast.Ident:
					o := p.TypesInfo.Uses[n]
					if o == nil || o.Pkg() == nil || o.Pkg().Path() != src || o.Parent() != o.Pkg().Scope() || external {
						return true
					}
					file := filepath.Base(p.Fset.Position(o.Pos()).Filename)
					if inMoved(n.Pos()) && !moved[file] && !strings.HasSuffix(file, "_test.go") {
						edits = append(edits, edit{off(n.Pos()), "kernel."})
					}
				}
				return true
			})
			sort.Slice(edits, func(i, j int) bool { return edits[i].at > edits[j].at })
			s := string(text)
			apply := func(s string, base int, lo, hi int) string {
				part := s[lo:hi]
				for _, e := range edits {
					if e.at < lo || e.at >= hi {
						continue
					}
					k := e.at - lo
					if strings.HasPrefix(e.text, "\x00") {
						old, nw, _ := strings.Cut(e.text[1:], "\x01")
						part = part[:k] + nw + part[k+len(old):]
					} else {
						part = part[:k] + e.text + part[k:]
					}
				}
				return part
			}
			if !test {
				out := apply(s, 0, 0, len(s))
				out = strings.Replace(out, "package kernel", "package "+newName, 1)
				os.WriteFile(filepath.Join(dst, name), []byte(out), 0o644)
				os.Remove(full)
				continue
			}
			// split the test file
			var keep, move strings.Builder
			pk := f.Name.Name
			header := s[:off(f.Name.End())]
			imports := ""
			last := off(f.Name.End())
			for _, d := range f.Decls {
				if g, ok := d.(*ast.GenDecl); ok && g.Tok == token.IMPORT {
					imports = s[last:off(d.End())]
					last = off(d.End())
				}
			}
			keep.WriteString(header + imports)
			npk := strings.Replace(pk, "kernel", newName, 1)
			move.WriteString(strings.Replace(header, "package "+pk, "package "+npk, 1) + imports)
			anyMove, anyKeep := false, false
			for _, d := range f.Decls {
				if g, ok := d.(*ast.GenDecl); ok && g.Tok == token.IMPORT {
					continue
				}
				end := off(d.End())
				for end < len(s) && s[end] != '\n' {
					end++
				}
				part := apply(s, 0, last, end)
				isBoth := false
				if fd, ok := d.(*ast.FuncDecl); ok && both[fd.Name.Name] {
					isBoth = true
				}
				if movedDecl[d] || isBoth {
					move.WriteString(part)
					if movedDecl[d] {
						anyMove = true
					}
				}
				if !movedDecl[d] || isBoth {
					keep.WriteString(part)
					if !isBoth {
						anyKeep = true
					}
				}
				last = end
			}
			if anyMove {
				os.WriteFile(filepath.Join(dst, name), []byte(move.String()+"\n"), 0o644)
				if anyKeep {
					os.WriteFile(full, []byte(keep.String()+"\n"), 0o644)
				} else {
					os.Remove(full)
				}
				fmt.Println("split", name, anyKeep)
			}
		}
	}
}
