package kernel

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"

	"marginalia/internal/base/processes"
	"marginalia/internal/base/setup"
	"marginalia/internal/notebook/workspace"
)

// A Toolchain is what the kernels of a repository are built with, and where.
type Toolchain struct {
	// What "go env" says in the repository: the toolchain that go.mod selects, and
	// the user's settings.
	GOROOT, GOVERSION, GOFLAGS, GOCACHE, GOMODCACHE string

	Root string // of the repository
	// Folders in the user's cache for the programs, built or not yet. Their names have a
	// hash of everything that the programs depend on, so each version has its own.
	Tools, Front, Gopls string
}

// New finds the toolchain of the repository at root, and builds nothing.
func New(ctx context.Context, root string) (*Toolchain, error) {
	t := &Toolchain{Root: root}
	path, err := exec.LookPath("go")
	if err != nil {
		return nil, errors.New("kernel: there is no go command in PATH: install Go 1.26 or newer (https://go.dev/dl)")
	}
	cmd := processes.Command(ctx, path, "env", "-json", "GOROOT", "GOVERSION", "GOFLAGS", "GOCACHE", "GOMODCACHE")
	cmd.Dir = root
	cmd.Env = append(os.Environ(), "GOWORK=off")
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("kernel: go env: %s", cause(stderr.String(), err))
	}
	if err := json.Unmarshal(out, t); err != nil {
		return nil, fmt.Errorf("kernel: go env: %w", err)
	}
	if t.GOCACHE == "off" || t.GOCACHE == "" {
		return nil, fmt.Errorf("kernel: Go has no build cache (GOCACHE=%s): unset GOCACHE, or set HOME", t.GOCACHE)
	}
	cache, err := setup.Cache()
	if err != nil {
		return nil, err
	}
	tools, err1 := t.key(root, gonbChanges()...)
	front, err2 := t.key(root, t.frontSources()...)
	gopls, err3 := t.key(t.goplsModule())
	if err := errors.Join(err1, err2, err3); err != nil {
		return nil, fmt.Errorf("kernel: %w: the repository is incomplete: clone it again", err)
	}
	t.Tools, t.Front, t.Gopls = filepath.Join(cache, "tools-"+tools), filepath.Join(cache, "front-"+front), filepath.Join(cache, "gopls-"+gopls)
	return t, nil
}

// key hashes what determines the programs built from the module at dir.
func (t *Toolchain) key(dir string, more ...string) (string, error) {
	h := sha256.New()
	fmt.Fprintf(h, "%s %s/%s %s\n", t.GOVERSION, runtime.GOOS, runtime.GOARCH, t.cellFlags())
	for _, name := range []string{"go.mod", "go.sum"} {
		b, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil {
			return "", err
		}
		more = append(more, string(b))
	}
	for _, s := range more {
		fmt.Fprintf(h, "%d\n%s", len(s), s)
	}
	return hex.EncodeToString(h.Sum(nil))[:12], nil
}

// frontPackages are the packages of this repository that the front is made of, and the commands go
// and goimports that GoNB calls.
var frontPackages = []string{"base/atomicfile", "base/lockfile", "base/processes", "base/setup", "build", "build/testmain", "cell/display", "kernel/buildserver", "kernel/complete", "kernel/front",
	"kernel/gocommand", "kernel/jupyter",
	"notebook/checks", "notebook/cursor", "notebook/excerpt", "notebook/gonb", "notebook/mistake", "notebook/nbformat", "notebook/program", "notebook/stays", "notebook/vet", "notebook/workspace"}

func (t *Toolchain) frontSources() (all []string) {
	for _, pkg := range frontPackages {
		files, _ := filepath.Glob(filepath.Join(t.Root, "internal", filepath.FromSlash(pkg), "*.go")) // the pattern is well-formed
		for _, file := range files {
			if text, err := os.ReadFile(file); err == nil && !strings.HasSuffix(file, "_test.go") {
				all = append(all, string(text))
			}
		}
	}
	return all
}

// Go is the go command itself, not one that picks a toolchain first.
func (t *Toolchain) Go() string { return filepath.Join(t.GOROOT, "bin", "go") }

// goplsModule is the module that pins gopls, apart from go.mod because its
// requirements are its own.
func (t *Toolchain) goplsModule() string { return filepath.Join(t.Root, "internal", "kernel", "gopls") }

// cellFlags is the GOFLAGS of cells: the user's own, without -mod and -modfile
// (which a workspace does not admit), and no symbol table, which makes a cell
// link in 0.6 of the time. Panics keep their file and line.
func (t *Toolchain) cellFlags() string {
	return strings.Join(append(workspace.Flags(t.GOFLAGS), "-ldflags=-s"), " ")
}

// command is the go command in dir, independent of any go.work and -mod flag of
// the user, and with the flags of cells, so that the packages both use are
// compiled once.
func (t *Toolchain) command(ctx context.Context, dir string, args ...string) *exec.Cmd {
	cmd := processes.Command(ctx, t.Go(), args...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "GOWORK=off", "GOFLAGS="+t.cellFlags())
	return cmd
}

// Download fetches a module of 6 kB into a module cache of its own, to see
// whether the proxy answers.
func (t *Toolchain) Download(ctx context.Context) error {
	dir, err := os.MkdirTemp("", "marginalia-download-")
	if err != nil {
		return fmt.Errorf("kernel: %w", err)
	}
	defer os.RemoveAll(dir)
	cmd := t.command(ctx, t.Root, "mod", "download", "-modcacherw", "github.com/inconshreveable/mousetrap")
	cmd.Env = append(cmd.Env, "GOMODCACHE="+dir)
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("kernel: %s", cause(string(out), err))
	}
	return nil
}

// cause condenses what a failed go command printed to one clause.
func cause(output string, err error) string {
	if known := ofComputer(output); known != "" {
		return known
	}
	return setup.Last(progress.ReplaceAllString(output, ""), err, "go:")
}

// progress is what go says while all is well.
var progress = regexp.MustCompile(`(?m)^go: (downloading|finding|warning:) .*\n?`)

// ofComputer is "" when the code is at fault, and not the network or the disk.
func ofComputer(output string) string {
	return setup.Cause(output, "the Go module proxy", "GOPROXY")
}
