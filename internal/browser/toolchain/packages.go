package toolchain

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"marginalia/internal/browser/manifest"
	"marginalia/internal/notebook/workspace"
)

// A listed package is what the go command says of one.
type listed struct {
	ImportPath, Name, Dir, Export    string
	GoFiles, IgnoredGoFiles, Imports []string
	ImportMap                        map[string]string
	Standard                         bool
	Error                            *struct{ Err string }
}

// paths are the import paths of what it imports.
func (p listed) paths() (paths []string) {
	for _, i := range p.Imports {
		if mapped := p.ImportMap[i]; mapped != "" {
			i = mapped
		}
		if i != "unsafe" {
			paths = append(paths, i)
		}
	}
	return paths
}

// list has the go command compile packages, as far as its cache has not got them, and all that they
// import. env is its environment.
func list(ctx context.Context, root string, env, patterns []string) (packages []listed, err error) {
	all, err := run(ctx, root, env, patterns)
	if err != nil {
		return nil, err
	}
	for _, p := range all {
		if p.Error != nil {
			return nil, fmt.Errorf("toolchain: %s: %s", p.ImportPath, p.Error.Err)
		}
		if p.Export != "" { // unsafe has none
			packages = append(packages, p)
		}
	}
	return packages, nil
}

// run is list with all that the go command says of the packages. args are further flags, and patterns.
func run(ctx context.Context, root string, env, args []string) (packages []listed, err error) {
	args = append([]string{"list", "-trimpath", "-export", "-deps", "-json=ImportPath,Name,Dir,Export,GoFiles,IgnoredGoFiles,Imports,ImportMap,Standard,Error"}, args...)
	cmd := exec.CommandContext(ctx, "go", args...)
	cmd.Dir, cmd.Env = root, env
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("toolchain: go list: %w\n%s", err, stderr.Bytes())
	}
	for dec := json.NewDecoder(bytes.NewReader(out)); dec.More(); {
		var p listed
		if err := dec.Decode(&p); err != nil {
			return nil, fmt.Errorf("toolchain: go list: %w", err)
		}
		packages = append(packages, p)
	}
	return packages, nil
}

// others returns the packages of the standard library that cells could import and a manifest lacks.
func others(ctx context.Context, root string, m *manifest.Manifest) (paths []string, err error) {
	cmd := exec.CommandContext(ctx, "go", "list", "std")
	cmd.Dir, cmd.Env = root, environ(root)
	out, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("toolchain: go list std: %w", err)
	}
	for _, path := range strings.Fields(string(out)) {
		if _, known := m.PackageName(path); !known && open(path) && path != "unsafe" {
			paths = append(paths, path)
		}
	}
	return paths, nil
}

// environ is the environment of a go command that builds for pages.
func environ(dir string) []string {
	return append(workspace.Environ(dir), "GOOS=js", "GOARCH=wasm", "CGO_ENABLED=0", "GOFLAGS=-mod=readonly")
}

// pack adds the two files of a package to the store and to its entry. The object code is a file of its
// own unless the package is of a bundle.
func pack(p listed, entry *manifest.Package, out *store, in *bundle) error {
	archive, err := os.ReadFile(p.Export)
	if err != nil {
		return fmt.Errorf("toolchain: %w", err)
	}
	export, object, err := split(archive)
	if err != nil {
		return fmt.Errorf("toolchain: the archive of %s: %w", p.ImportPath, err)
	}
	if entry.Export, err = out.add(export); err != nil {
		return err
	}
	if in != nil {
		entry.Object = in.add(object)
		return nil
	}
	entry.Object, err = out.add(object)
	return err
}

// entry returns the entry of a package, without its files.
func (p listed) entry() (entry *manifest.Package, err error) {
	entry = &manifest.Package{Name: p.Name, Standard: p.Standard, Imports: p.paths()}
	if open(p.ImportPath) {
		entry.Exports, err = exports(p)
	}
	return entry, err
}

// open reports whether cells can import a package.
func open(path string) bool {
	parts := strings.Split(path, "/")
	return !slices.Contains(parts, "internal") && !slices.Contains(parts, "vendor")
}

// exports are the names of a package that others can use, sorted.
func exports(p listed) ([]string, error) {
	names := []string{}
	for _, file := range p.GoFiles {
		f, err := parser.ParseFile(token.NewFileSet(), filepath.Join(p.Dir, file), nil, parser.SkipObjectResolution)
		if err != nil {
			return nil, fmt.Errorf("toolchain: %w", err)
		}
		for _, d := range f.Decls {
			switch d := d.(type) {
			case *ast.FuncDecl:
				if d.Recv == nil {
					names = append(names, d.Name.Name)
				}
			case *ast.GenDecl:
				for _, spec := range d.Specs {
					switch s := spec.(type) {
					case *ast.TypeSpec:
						names = append(names, s.Name.Name)
					case *ast.ValueSpec:
						for _, id := range s.Names {
							names = append(names, id.Name)
						}
					}
				}
			}
		}
	}
	names = slices.DeleteFunc(names, func(name string) bool { return !ast.IsExported(name) })
	slices.Sort(names)
	return slices.Compact(names), nil
}
