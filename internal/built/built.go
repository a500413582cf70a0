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
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"

	"marginalia/internal/celltest"
	"marginalia/internal/exported"
	"marginalia/internal/lockfile"
	"marginalia/internal/nbformat"
)

// A Build is a notebook whose packages have been exported and compiled, ready
// to run. Close ends the use of the binaries, which may be removed then.
type Build struct {
	*celltest.Suite
	Notebook *nbformat.Notebook
	Packages []exported.Package
	lock     *os.File
}

// Close ends the use of the binaries.
func (b *Build) Close() error { return b.lock.Close() }

// Notebook exports and compiles the notebook in file against the repository at
// root, or finds that this has been done for the same code of the notebook and
// the repository. What it waits for when another process is at the same notebook,
// it says on standard error.
func Notebook(ctx context.Context, file, root string) (*Build, error) {
	return notebook(ctx, file, root, func(holder string) {
		fmt.Fprintf(os.Stderr, "waiting for %s, which builds %s\n", holder, file)
	})
}

// In the cache a notebook has a folder, and each state of its code and of the
// repository's a folder in that, which never changes once it is complete. Who
// uses it has its lock shared, so that any number of processes run the same
// build, or different ones; exclusive has it only who makes or removes it.
func notebook(ctx context.Context, file, root string, waiting func(holder string)) (*Build, error) {
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
	key, err := buildKey(ctx, nb, root)
	if err != nil {
		return nil, err
	}
	name := sha256.Sum256([]byte(root + "\x00" + abs))
	base := strings.TrimSuffix(filepath.Base(file), ".ipynb")
	dir := filepath.Join(cache, "marginalia", "export", base+"-"+hex.EncodeToString(name[:6]), key[:16])
	for {
		held, err := lockfile.Take(ctx, dir+".lock", lockfile.Shared, waiting)
		if err != nil {
			return nil, err
		}
		if complete(dir) {
			b, err := open(file, nb, dir)
			if err != nil {
				held.Close()
				return nil, err
			}
			b.lock = held
			return b, nil
		}
		held.Close()
		if err := build(ctx, abs, dir, root, waiting); err != nil {
			return nil, err
		}
		// Another process may have removed it before it is ours to use: look again.
	}
}

// build makes the build in dir, unless another process has done so meanwhile,
// and removes what no notebook and nobody uses any more.
func build(ctx context.Context, file, dir, root string, waiting func(holder string)) error {
	held, err := lockfile.Take(ctx, dir+".lock", lockfile.Exclusive, waiting)
	if err != nil {
		return err
	}
	defer held.Close()
	if complete(dir) {
		return nil
	}
	if err := os.RemoveAll(dir); err != nil {
		return err
	}
	if err := os.WriteFile(filepath.Join(filepath.Dir(dir), notebookName), []byte(file), 0o644); err != nil {
		return err
	}
	if err := compile(ctx, file, filepath.Join(dir, "package"), root); err != nil {
		return err
	}
	if err := os.WriteFile(filepath.Join(dir, completeName), nil, 0o644); err != nil {
		return err
	}
	prune(dir)
	return nil
}

const (
	notebookName = "notebook" // in a notebook's folder: the path of its file
	completeName = "complete" // in a build's folder, written last
)

func complete(dir string) bool {
	_, err := os.Stat(filepath.Join(dir, completeName))
	return err == nil
}

// open reads what cells the packages of a build have.
func open(file string, nb *nbformat.Notebook, dir string) (*Build, error) {
	b := &Build{Notebook: nb}
	programs, _ := filepath.Glob(filepath.Join(dir, "package", "part*", exported.ProgramFile))
	for _, program := range append([]string{filepath.Join(dir, "package", exported.ProgramFile)}, programs...) {
		p, err := exported.Open(filepath.Dir(program), program)
		if err != nil {
			os.Remove(filepath.Join(dir, completeName)) // whatever is wrong, make it anew next time
			return nil, err
		}
		b.Packages = append(b.Packages, p)
	}
	var err error
	b.Suite, err = celltest.NewSuite(file, nb, b.Packages)
	return b, err
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
	if _, failed := errors.AsType[*exec.ExitError](err); failed {
		return errors.New(strings.TrimSuffix(strings.TrimSpace(stderr.String()), "\nexit status 1"))
	}
	return err
}

// prune removes the other builds of the notebook whose build is in dir, unless a
// process uses them, and all builds of notebooks that are no longer there.
func prune(dir string) {
	own := filepath.Dir(dir)
	entries, _ := os.ReadDir(own)
	for _, e := range entries {
		other := filepath.Join(own, strings.TrimSuffix(e.Name(), ".lock"))
		if other == dir || e.Name() == notebookName {
			continue
		}
		held, err := lockfile.Try(other+".lock", lockfile.Exclusive)
		if err != nil {
			continue
		}
		os.RemoveAll(other)
		os.Remove(other + ".lock")
		held.Close()
	}
	notebooks, _ := os.ReadDir(filepath.Dir(own))
	for _, e := range notebooks {
		gone := filepath.Join(filepath.Dir(own), e.Name())
		file, err := os.ReadFile(filepath.Join(gone, notebookName))
		if err != nil {
			continue
		}
		if _, err := os.Stat(string(file)); os.IsNotExist(err) {
			os.RemoveAll(gone)
		}
	}
}
