package assignment

import (
	"bytes"
	"context"
	"fmt"
	"go/parser"
	"go/token"
	"go/version"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
)

// guestSystem is what guests are compiled for. The network and compilers of other languages are out of reach.
var guestSystem = []string{"GOOS=wasip1", "GOARCH=wasm", "CGO_ENABLED=0", "GOPROXY=off", "GOFLAGS=-mod=readonly", "GOTOOLCHAIN=local"}

// A toolchain compiles guests with Go's compiler and linker. go build would find out for each
// guest anew which packages there are, and whether they are up to date: half of what it takes.
// The zero toolchain is ready.
type toolchain struct {
	mu       sync.Mutex
	tools    string            // folder of the compiler and the linker
	language string            // "go1.26", from go.mod
	packages map[string]string // import path to file, of all that guests have imported and what that imports
}

// prepare finds the tools, and has the go command compile the packages that are not known yet. some says that not all of them
// need be there.
func (tc *toolchain) prepare(ctx context.Context, root string, paths []string, some bool) error {
	tc.mu.Lock()
	defer tc.mu.Unlock()
	run := func(args ...string) (string, error) {
		cmd := exec.CommandContext(ctx, "go", args...)
		cmd.Dir, cmd.Env = root, append(os.Environ(), guestSystem...)
		out, err := output(ctx, cmd)
		return strings.TrimSpace(out), err
	}
	if tc.tools == "" {
		dir, err := run("env", "GOTOOLDIR")
		if err != nil {
			return err
		}
		language, err := run("list", "-m", "-f", "go{{.GoVersion}}", "marginalia")
		if err != nil {
			return err
		}
		tc.tools, tc.language, tc.packages = dir, version.Lang(language), map[string]string{"unsafe": ""}
	}
	unknown := slices.DeleteFunc(slices.Clone(paths), func(path string) bool { _, ok := tc.packages[path]; return ok })
	if len(unknown) == 0 {
		return nil
	}
	// gonum/plot leaves out all formats of files with the tag minimal: a guest writes no files, and half of
	// what a figure costs is to compile the guest.
	list, err := run(append([]string{"list", fmt.Sprintf("-e=%t", some), "-buildvcs=false", "-trimpath", "-tags=minimal", "-export", "-deps", "-f", "{{.ImportPath}}={{.Export}}", "--", "runtime"}, unknown...)...)
	if err != nil {
		return err
	}
	known := maps.Clone(tc.packages) // build reads that of its time
	for line := range strings.Lines(list) {
		if path, file, _ := strings.Cut(strings.TrimSpace(line), "="); file != "" || path == "unsafe" {
			known[path] = file
		}
	}
	tc.packages = known
	return nil
}

// build writes files to dir, which it makes, and compiles them as a WebAssembly module. The same
// files give the same module in every folder.
func (tc *toolchain) build(ctx context.Context, root, dir string, files map[string][]byte, to string) error {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	var imports, sources []string
	for _, name := range slices.Sorted(maps.Keys(files)) {
		if err := os.WriteFile(filepath.Join(dir, name), files[name], 0o644); err != nil {
			return err
		}
		f, err := parser.ParseFile(token.NewFileSet(), name, files[name], parser.ImportsOnly)
		if err != nil {
			return err
		}
		for _, i := range f.Imports {
			path, _ := strconv.Unquote(i.Path.Value)
			imports = append(imports, path)
		}
		sources = append(sources, name)
	}
	if err := tc.prepare(ctx, root, imports, false); err != nil {
		return err
	}
	tc.mu.Lock()
	packages := tc.packages
	tc.mu.Unlock()
	var config strings.Builder
	for _, path := range slices.Sorted(maps.Keys(packages)) {
		if path != "unsafe" {
			fmt.Fprintf(&config, "packagefile %s=%s\n", path, packages[path])
		}
	}
	if err := os.WriteFile(filepath.Join(dir, "importcfg"), []byte(config.String()), 0o644); err != nil {
		return err
	}
	tool := func(name string, args ...string) error {
		cmd := exec.CommandContext(ctx, filepath.Join(tc.tools, name), args...)
		cmd.Dir, cmd.Env = dir, append(os.Environ(), guestSystem...)
		if name == "link" {
			// The collector takes a sixth of the linker's time, to save 13 MB. The compiler sees to that itself. GOMEMLIMIT,
			// which a Compiler sets, still has it run.
			cmd.Env = append(cmd.Env, "GOGC=off")
		}
		_, err := output(ctx, cmd)
		return err
	}
	// As go build calls them with -ldflags="-s -w -checklinkname=0" and -buildmode=c-shared. Package worker refers to a variable of package
	// syscall; a student's code can refer to nothing so, since directives are left out of it.
	if err := tool("compile", append([]string{"-o", "guest.a", "-p", "main", "-lang", tc.language, "-trimpath", dir, "-complete", "-dwarf=false", "-nolocalimports", "-importcfg", "importcfg", "-pack"}, sources...)...); err != nil {
		return err
	}
	return tool("link", "-o", to, "-importcfg", "importcfg", "-buildmode=c-shared", "-checklinkname=0", "-s", "-w", "guest.a")
}

// A compileError is what a tool says of a program that it refuses.
type compileError struct{ tool, text string }

func (e *compileError) Error() string { return e.tool + ":\n" + e.text }

// output runs one of Go's tools.
func output(ctx context.Context, cmd *exec.Cmd) (string, error) {
	var out, all bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &all
	err := cmd.Run()
	if ctx.Err() != nil {
		return "", context.Cause(ctx)
	}
	if err != nil {
		said := all.String() + out.String()
		if fault := machineFault(filepath.Base(cmd.Path), err, said); fault != nil {
			return "", fault
		}
		return "", &compileError{strings.Join(cmd.Args, " "), said}
	}
	return out.String(), nil
}
