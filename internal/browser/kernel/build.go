package kernel

import (
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"marginalia/internal/browser/manifest"
)

// name is that of a cell's program: the compiler's messages and stacks have it as GoNB's do.
const name = "main.go"

// build compiles and links the program of the cell, and returns the file of the program. It returns ""
// if the program does not compile, and has said so.
func (r *run) build() (program string, err error) {
	work := r.host.Work()
	main, object, config := filepath.Join(work, name), filepath.Join(work, "main.a"), filepath.Join(work, "importcfg")
	paths, missing := r.imports()
	if missing != "" {
		r.explain(missing, nil, "")
		return "", nil
	}
	all, err := r.m.Closure(append(paths, "runtime")...)
	if err != nil {
		return "", err
	}
	exports := func(p *manifest.Package) manifest.File { return p.Export }
	objects := func(p *manifest.Package) manifest.File { return p.Object }
	dir, err := r.host.Load(append(r.files(paths, exports), r.files(all, objects)...))
	if err != nil {
		return "", err
	}
	if err := errors.Join(os.WriteFile(main, []byte(r.p.File().Text), 0o644), os.WriteFile(config, r.config(dir, paths, exports), 0o644)); err != nil {
		return "", err
	}
	said, status, err := r.host.Tool("compile", "-o", object, "-p", "main", "-complete", "-dwarf=false", "-lang="+r.m.Language,
		"-trimpath", work+"=>.", "-importcfg", config, main)
	if err != nil {
		return "", err
	}
	if status != 0 {
		r.notCompiled(said)
		return "", nil
	}
	if err := os.WriteFile(config, r.config(dir, all, objects), 0o644); err != nil {
		return "", err
	}
	program = filepath.Join(work, "main.wasm")
	said, status, err = r.host.Tool("link", "-s", "-w", "-buildid=", "-importcfg", config, "-o", program, object)
	if err == nil && status != 0 {
		r.fail(said, nil)
		return "", nil
	}
	return program, err
}

// imports returns the import paths of the program. If one is not to be had, missing has the words for it.
func (r *run) imports() (paths []string, missing string) {
	for _, key := range slices.Sorted(maps.Keys(r.p.Decls.Imports)) {
		path := r.p.Decls.Imports[key].Path
		if path == "unsafe" {
			continue
		}
		if slices.Contains(r.m.Others, path) { // without quotes, mistake does not ask for the spelling
			return nil, fmt.Sprintf("marginalia: import %s: programs in a page can't import this package", path)
		}
		if _, ok := r.m.PackageName(path); !ok {
			return nil, fmt.Sprintf("marginalia: import %q: programs in a page can't import this package", path)
		}
		if !slices.Contains(paths, path) {
			paths = append(paths, path)
		}
	}
	return paths, ""
}

// files are those of packages, of one kind.
func (r *run) files(paths []string, kind func(*manifest.Package) manifest.File) (files []manifest.File) {
	for _, path := range paths {
		files = append(files, kind(r.m.Packages[path]))
	}
	return files
}

// config says where the tools find packages (go doc cmd/compile, -importcfg).
func (r *run) config(dir string, paths []string, kind func(*manifest.Package) manifest.File) []byte {
	var b strings.Builder
	for _, path := range paths {
		fmt.Fprintf(&b, "packagefile %s=%s\n", path, filepath.Join(dir, kind(r.m.Packages[path]).Name))
	}
	return []byte(b.String())
}
