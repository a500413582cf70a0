package export

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"hash"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"

	"marginalia/internal/celltest"
	"marginalia/internal/nbformat"
)

// A Built notebook is one whose packages have been exported and compiled, in
// the user's cache. Close lets other processes build it anew.
type Built struct {
	Packages []celltest.Package
	Notebook *nbformat.Notebook
	File     string
	lock     *os.File
}

// Close ends the use of the binaries.
func (b *Built) Close() error { return b.lock.Close() }

// Build exports and compiles the notebook in file against the repository at
// root. What it makes is kept in the user's cache and taken from there as long
// as neither the code of the notebook nor the repository's code changes.
func Build(ctx context.Context, file, root string) (_ *Built, err error) {
	nb, err := nbformat.Read(file)
	if err != nil {
		return nil, err
	}
	abs, err := filepath.Abs(file)
	if err != nil {
		return nil, err
	}
	cache, err := os.UserCacheDir()
	if err != nil {
		return nil, err
	}
	name := sha256.Sum256([]byte(root + "\x00" + abs))
	base := strings.TrimSuffix(filepath.Base(file), ".ipynb")
	dir := filepath.Join(cache, "marginalia", "export", base+"-"+hex.EncodeToString(name[:6]))
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return nil, err
	}
	b := &Built{Notebook: nb, File: file}
	if b.lock, err = lock(dir); err != nil {
		return nil, err
	}
	defer func() {
		if err != nil {
			b.lock.Close()
		}
	}()
	key, err := buildKey(ctx, nb, root)
	if err != nil {
		return nil, err
	}
	keyFile := filepath.Join(dir, "key")
	old, _ := os.ReadFile(keyFile)
	if string(old) != key {
		os.Remove(keyFile)
		if err := compile(ctx, abs, dir, root); err != nil {
			return nil, err
		}
		if err := writeAll(dir, map[string][]byte{"key": []byte(key), "notebook": []byte(abs)}); err != nil {
			return nil, err
		}
		prune(filepath.Dir(dir))
	}
	for _, pkg := range binaries(dir) {
		p, err := celltest.Open(filepath.Dir(pkg), pkg)
		if err != nil {
			os.Remove(keyFile) // whatever is wrong with the binary, make it anew next time
			return nil, err
		}
		b.Packages = append(b.Packages, p)
	}
	return b, nil
}

// lock keeps other processes from rebuilding in dir while this one uses it.
func lock(dir string) (*os.File, error) {
	f, err := os.OpenFile(filepath.Join(dir, "lock"), os.O_CREATE|os.O_RDWR, 0o644)
	if err != nil {
		return nil, err
	}
	if err := syscall.Flock(int(f.Fd()), syscall.LOCK_EX); err != nil {
		f.Close()
		return nil, fmt.Errorf("%s: %w", f.Name(), err)
	}
	return f, nil
}

// prune removes what was built for notebooks that are no longer there. It is
// in nobody's way: their folders are not looked at again.
func prune(exports string) {
	entries, _ := os.ReadDir(exports)
	for _, e := range entries {
		dir := filepath.Join(exports, e.Name())
		file, err := os.ReadFile(filepath.Join(dir, "notebook"))
		if err != nil {
			continue
		}
		if _, err := os.Stat(string(file)); os.IsNotExist(err) {
			os.RemoveAll(dir)
		}
	}
}

const binaryName = "cells.test"

func binaries(dir string) []string {
	found, _ := filepath.Glob(filepath.Join(dir, "package", "part*", binaryName))
	return append([]string{filepath.Join(dir, "package", binaryName)}, found...)
}

func compile(ctx context.Context, file, dir, root string) error {
	pkg := filepath.Join(dir, "package")
	if err := os.RemoveAll(pkg); err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Join(pkg, "cell"), 0o755); err != nil {
		return err
	}
	if err := WriteModule(pkg, root); err != nil {
		return err
	}
	e, err := Notebook(ctx, file, pkg)
	if err != nil {
		return err
	}
	if err := writeAll(pkg, e.Files); err != nil {
		return err
	}
	errs := make([]error, len(e.Packages))
	var wait sync.WaitGroup
	for i, p := range e.Packages {
		wait.Go(func() {
			// No vet: GoNB runs none. No symbol tables: linking is half the time.
			cmd := exec.CommandContext(ctx, "go", "test", "-c", "-vet=off", "-ldflags=-s", "-o", binaryName, ".")
			cmd.Dir = filepath.Join(pkg, p)
			if out, err := cmd.CombinedOutput(); err != nil {
				errs[i] = fmt.Errorf("%s: the exported package does not compile, which is a fault of the exporter: %w\n%s", file, err, out)
			}
		})
	}
	wait.Wait()
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return nil
}

// buildKey is a sum over all that decides what the binaries are: the code
// cells, every source file of the repository (the exporter's own too), the
// versions of its dependencies, the Go toolchain and its settings.
//
// It reads the files themselves, so that the go command, which notes the files
// a test reads, never takes a result of `go test` from its cache after a change.
func buildKey(ctx context.Context, nb *nbformat.Notebook, root string) (string, error) {
	h := sha256.New()
	for _, c := range nb.Cells {
		if c.Type == "code" {
			fmt.Fprintf(h, "%q %q\n", c.ID, c.Source)
		}
	}
	goVersion := exec.CommandContext(ctx, "go", "version")
	goVersion.Dir = root
	out, err := goVersion.Output()
	if err != nil {
		return "", fmt.Errorf("go version: %w", err)
	}
	h.Write(out)
	for _, name := range []string{"GOOS", "GOARCH", "GOAMD64", "GOARM64", "CGO_ENABLED", "GOFLAGS", "GOEXPERIMENT", "GOWORK"} {
		fmt.Fprintln(h, name, os.Getenv(name))
	}
	for _, name := range []string{"go.mod", "go.sum"} {
		if err := sumFile(h, filepath.Join(root, name)); err != nil {
			return "", err
		}
	}
	for _, top := range []string{"mlkit", "plotting", "datasets", "internal"} {
		err := filepath.WalkDir(filepath.Join(root, top), func(path string, d fs.DirEntry, err error) error {
			switch {
			case os.IsNotExist(err):
				return nil
			case err != nil:
				return err
			case d.IsDir() && d.Name() == "testdata":
				return fs.SkipDir
			case d.IsDir() || strings.HasSuffix(path, "_test.go"):
				return nil
			}
			return sumFile(h, path)
		})
		if err != nil {
			return "", err
		}
	}
	return hex.EncodeToString(h.Sum(nil)), nil
}

func sumFile(h hash.Hash, path string) error {
	data, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	sum := sha256.Sum256(data)
	_, err = fmt.Fprintf(h, "%s %x\n", path, sum)
	return err
}
