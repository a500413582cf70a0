// Package built exports and compiles notebooks into the user's cache, and takes
// them from there as long as nothing they depend on has changed.
//
//	b, err := built.Notebook(ctx, "01-perceptron.ipynb", root)
//	…
//	defer b.Close()
//	result := b.Run(ctx, "novikoff-bound")
package built

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"hash"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"

	"marginalia/internal/celltest"
	"marginalia/internal/nbformat"
)

// A Build is a notebook whose packages have been exported and compiled, ready
// to run. Close lets other processes build it anew.
type Build struct {
	*celltest.Suite
	Notebook *nbformat.Notebook
	Packages []celltest.Package
	lock     *os.File
}

// Close ends the use of the binaries.
func (b *Build) Close() error { return b.lock.Close() }

// Notebook exports and compiles the notebook in file against the repository at
// root, or finds that this has been done and that neither the code of the
// notebook nor the repository's code has changed since.
func Notebook(ctx context.Context, file, root string) (_ *Build, err error) {
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
	b := &Build{Notebook: nb}
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
		prune(filepath.Dir(dir))
		if err := os.WriteFile(filepath.Join(dir, "notebook"), []byte(abs), 0o644); err != nil {
			return nil, err
		}
		if err := compile(ctx, abs, filepath.Join(dir, "package"), root); err != nil {
			return nil, err
		}
		// A key that is cut short by a crash is no key, and what it stands for is built again.
		if err := os.WriteFile(keyFile, []byte(key), 0o644); err != nil {
			return nil, err
		}
	}
	for _, pkg := range binaries(dir) {
		p, err := celltest.Open(filepath.Dir(pkg), pkg)
		if err != nil {
			os.Remove(keyFile) // whatever is wrong with the binary, make it anew next time
			return nil, err
		}
		b.Packages = append(b.Packages, p)
	}
	if b.Suite, err = celltest.NewSuite(file, nb, b.Packages); err != nil {
		return nil, err
	}
	return b, nil
}

// compile runs the exporter. It is a program of its own: see there.
func compile(ctx context.Context, file, dir, root string) error {
	cmd := exec.CommandContext(ctx, "go", "run", "marginalia/internal/export/compile", file, dir, root)
	cmd.Dir = root
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGINT) }
	var stderr strings.Builder
	cmd.Stderr = &stderr
	err := cmd.Run()
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	var exit *exec.ExitError
	if errors.As(err, &exit) {
		return errors.New(strings.TrimSuffix(strings.TrimSpace(stderr.String()), "\nexit status 1"))
	}
	return err
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

func binaries(dir string) []string {
	found, _ := filepath.Glob(filepath.Join(dir, "package", "part*", celltest.BinaryName))
	return append([]string{filepath.Join(dir, "package", celltest.BinaryName)}, found...)
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
