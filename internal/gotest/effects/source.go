package effects

import (
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"path/filepath"
	"slices"

	"marginalia/internal/notebook/program"
)

// A source is a package with its types.
type source struct {
	path  string
	decls map[string]*declaration // at package level, by name; methods as type.method
	start []*declaration          // init functions, and variables whose values are computed
}

// A declaration is a function, a method, a type, a constant or a variable.
type declaration struct {
	names   []name                  // what it names at package level, and methods
	calls   []string                // the methods of interfaces that it names
	methods map[string]*declaration // of a type
}

// A name is one at package level.
type name struct{ path, name string }

// source reads a package. The compiler refuses one that has errors, so they do not matter here.
func (g *Graph) source(p *program.Package) *source {
	if s := g.sources[p.ImportPath]; s != nil {
		return s
	}
	s := &source{path: p.ImportPath, decls: map[string]*declaration{}}
	g.sources[p.ImportPath] = s
	set := token.NewFileSet()
	var files []*ast.File
	for _, file := range slices.Concat(p.GoFiles, p.CgoFiles) {
		if f, err := parser.ParseFile(set, filepath.Join(p.Dir, file), nil, parser.SkipObjectResolution); err == nil {
			files = append(files, f)
		}
	}
	info := &types.Info{Uses: map[*ast.Ident]types.Object{}, Types: map[ast.Expr]types.TypeAndValue{}}
	conf := types.Config{Importer: g.checker, FakeImportC: true, Error: func(error) {}}
	conf.Check(p.ImportPath, set, files, info)
	for _, f := range files {
		s.add(f, info)
	}
	return s
}

// at returns the declaration of a name, which may come later.
func (s *source) at(name string) *declaration {
	if s.decls[name] == nil {
		s.decls[name] = &declaration{methods: map[string]*declaration{}}
	}
	return s.decls[name]
}

// add takes in a file.
func (s *source) add(f *ast.File, info *types.Info) {
	for _, d := range f.Decls {
		switch d := d.(type) {
		case *ast.FuncDecl:
			switch {
			case d.Recv != nil && len(d.Recv.List) == 1:
				typ := receiver(d.Recv.List[0].Type)
				m := s.at(typ + "." + d.Name.Name)
				m.read(d, info)
				s.at(typ).methods[d.Name.Name] = m
			case d.Name.Name == "init":
				m := &declaration{}
				m.read(d, info)
				s.start = append(s.start, m)
			default:
				s.at(d.Name.Name).read(d, info)
			}
		case *ast.GenDecl:
			for _, spec := range d.Specs {
				switch spec := spec.(type) {
				case *ast.TypeSpec:
					s.at(spec.Name.Name).read(spec, info)
				case *ast.ValueSpec:
					v := &declaration{}
					v.read(spec, info)
					for _, id := range spec.Names {
						s.decls[id.Name] = v
					}
					if d.Tok == token.VAR && !program.Inert(info, spec.Values) {
						s.start = append(s.start, v)
					}
				}
			}
		}
	}
}

// receiver returns the name of a method's type.
func receiver(t ast.Expr) string {
	switch t := ast.Unparen(t).(type) {
	case *ast.Ident:
		return t.Name
	case *ast.StarExpr:
		return receiver(t.X)
	case *ast.IndexExpr:
		return receiver(t.X)
	case *ast.IndexListExpr:
		return receiver(t.X)
	}
	return ""
}

// read notes what the code of a declaration names.
func (d *declaration) read(n ast.Node, info *types.Info) {
	ast.Inspect(n, func(n ast.Node) bool {
		id, ok := n.(*ast.Ident)
		if !ok {
			return true
		}
		obj := info.Uses[id]
		if obj == nil || obj.Pkg() == nil {
			return true
		}
		path := obj.Pkg().Path()
		if fn, ok := obj.(*types.Func); ok {
			recv := fn.Signature().Recv()
			if recv != nil && types.IsInterface(recv.Type()) {
				d.calls = append(d.calls, id.Name)
				return true
			}
			if recv != nil {
				d.names = append(d.names, name{path, typeName(recv.Type()) + "." + id.Name})
				return true
			}
		}
		if obj.Parent() == obj.Pkg().Scope() {
			d.names = append(d.names, name{path, id.Name})
		}
		return true
	})
}

// typeName returns the name of a receiver's type.
func typeName(t types.Type) string {
	if p, ok := types.Unalias(t).(*types.Pointer); ok {
		t = p.Elem()
	}
	if n, ok := types.Unalias(t).(*types.Named); ok {
		return n.Obj().Name()
	}
	return ""
}
