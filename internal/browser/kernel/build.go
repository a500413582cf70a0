package kernel

import (
	"errors"
	"fmt"
	"go/parser"
	"go/token"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"marginalia/internal/browser/manifest"
	"marginalia/internal/build/testmain"
)

// pkg is the import path of a package of tests.
const pkg = "gonb_00000000"

// build compiles and links the program of the cell, and returns the file of the program. It returns ""
// if the program does not compile, and has said so.
func (r *run) build() (program string, err error) {
	paths, missing := r.imports()
	if missing != "" {
		r.explain(missing, nil, "")
		return "", nil
	}
	own, linked := "main", append(slices.Clone(paths), "runtime")
	if r.p.Test {
		own, linked = pkg, append(linked, testmain.Imports...)
	}
	all, err := r.m.Closure(linked...)
	if err != nil {
		return "", err
	}
	exports := func(p *manifest.Package) manifest.File { return p.Export }
	objects := func(p *manifest.Package) manifest.File { return p.Object }
	direct := paths
	if r.p.Test {
		direct = append(slices.Clone(paths), testmain.Imports...)
	}
	dir, err := r.host.Load(r.files(direct, exports))
	if err != nil {
		return "", err
	}
	config := append(r.config(dir, all, objects), "# main imports "+strings.Join(paths, " ")+"\n"...)
	program = filepath.Join(r.host.Work(), "main.wasm")
	file := filepath.Join(r.host.Work(), "importcfg.link")
	args := []string{"-s", "-w", "-buildid=", "-importcfg", file, "-o", program}
	tested := ""
	if r.p.Test {
		args = append(args, "-X", "testing.testBinary=1")
		tested = fmt.Sprintf("packagefile %s=%s\n", pkg, r.object(pkg))
	}
	args = append(args, r.object("main"))
	if err := os.WriteFile(file, append(config, tested...), 0o644); err != nil {
		return "", err
	}
	r.host.Begin(args...)
	said, ok, err := r.compile(own, r.p.FileName(), r.p.File().Text, r.config(dir, paths, exports))
	if err == nil && ok && r.p.Test {
		said, ok, err = r.compileTestmain(append(r.config(dir, testmain.Imports, exports), tested...))
	}
	if err != nil || !ok {
		r.notCompiled(said, err)
		return "", err
	}
	said, status, err := r.host.Tool("link", args...)
	if err == nil && status != 0 {
		r.fail(said, nil)
		return "", nil
	}
	return program, err
}

// object is the file of a package that is compiled here.
func (r *run) object(path string) string { return filepath.Join(r.host.Work(), path+".a") }

// compile compiles a file to the object of a package. said is what the compiler says if it is not ok.
func (r *run) compile(path, name, text string, config []byte) (said string, ok bool, err error) {
	work := r.host.Work()
	file, importcfg := filepath.Join(work, name), filepath.Join(work, "importcfg")
	if err := errors.Join(os.WriteFile(file, []byte(text), 0o644), os.WriteFile(importcfg, config, 0o644)); err != nil {
		return "", false, err
	}
	said, status, err := r.host.Tool("compile", "-o", r.object(path), "-p", path, "-complete", "-dwarf=false", "-lang="+r.m.Language,
		"-trimpath", work+"=>.", "-importcfg", importcfg, file)
	return said, status == 0, err
}

// compileTestmain compiles the main function of tests.
func (r *run) compileTestmain(config []byte) (said string, ok bool, err error) {
	f, err := parser.ParseFile(token.NewFileSet(), r.p.FileName(), r.p.File().Text, parser.ParseComments|parser.SkipObjectResolution)
	if err != nil {
		return "", false, err
	}
	text, ok := testmain.Write(f, pkg, pkg)
	if !ok {
		return "", false, errors.New("marginalia: in a page a %test cell has tests, benchmarks or examples of the usual form, and no TestMain")
	}
	return r.compile("main", testmain.Name, text, config)
}

// imports returns the import paths of the program. If a page lacks one, missing says so.
func (r *run) imports() (paths []string, missing string) {
	for _, key := range slices.Sorted(maps.Keys(r.p.Decls.Imports)) {
		path := r.p.Decls.Imports[key].Path
		if path == "unsafe" {
			continue
		}
		// On the kernel there is no syscall/js either. (It is no wall: //go:wasmimport reaches what it does.)
		if path == "syscall/js" || slices.Contains(r.m.Others, path) { // without quotes, mistake does not ask for the spelling
			return nil, fmt.Sprintf("marginalia: import %s: programs in a page can't import this package", path)
		}
		if why := r.m.Lacking[path]; why != "" && r.m.Packages[path] == nil {
			return nil, fmt.Sprintf("marginalia: import %s: this site has no such package: %s; %s", path, why, inLab)
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
