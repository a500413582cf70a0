// Package pyenv makes virtual environments of Python with pinned packages in the
// user's cache, for programs and tests that hold our work against that of others.
// (JupyterLab's environment, which is the repository's own, is made by
// internal/lab.)
package pyenv

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"marginalia/internal/lab"
	"marginalia/internal/lockfile"
)

// Python returns the path of the interpreter of the virtual environment name, which
// has the packages that requirements pins with versions and hashes (the format of
// pip), and nothing else. The first call makes it, with the Python that
// lab.FindPython finds and a package index; that takes a minute and is announced
// on standard error. Later calls, of any process, find it.
//
// Requirements are lists that are installed one after another. Packages come as
// wheels; one that a list names in a line "--no-binary NAME" is built from its
// source, with what the lists before it have installed (setuptools, say), for which
// a compiler may be needed.
//
// The folder's name has a sum of the requirements, so that other pins are another
// environment. Of callers at the same time one makes it and the others wait. One
// that was interrupted, or whose Python is gone, is made anew.
//
// The error names the step that failed, with the end of its output, and what to do.
func Python(ctx context.Context, name string, requirements ...string) (python string, err error) {
	cache, err := os.UserCacheDir()
	if err != nil {
		return "", fmt.Errorf("pyenv: no place for the environment %s: %w: set HOME or XDG_CACHE_HOME", name, err)
	}
	sum := sha256.Sum256([]byte(strings.Join(requirements, "\x00")))
	dir := filepath.Join(cache, "marginalia", name+"-"+hex.EncodeToString(sum[:6]))
	python, err = ensure(ctx, name, dir, requirements)
	if err != nil {
		return "", fmt.Errorf("pyenv: the environment %s in %s: %w", name, dir, err)
	}
	return python, nil
}

func ensure(ctx context.Context, name, dir string, requirements []string) (python string, err error) {
	held, err := lockfile.Take(ctx, dir+".lock", lockfile.Exclusive, func(holder string) {
		fmt.Fprintf(os.Stderr, "waiting for %s, which installs the Python packages of %s\n", holder, name)
	})
	if err != nil {
		return "", err
	}
	defer held.Close()

	python = filepath.Join(dir, "bin", "python")
	marker := filepath.Join(dir, "complete") // written last: the environment is whole
	_, whole := os.Stat(marker)
	_, alive := os.Stat(python) // a link to a Python that may have been removed since
	if whole == nil && alive == nil {
		return python, nil
	}
	if err := os.RemoveAll(dir); err != nil {
		return "", err
	}
	base, err := lab.FindPython(ctx)
	if err != nil {
		return "", err
	}
	fmt.Fprintf(os.Stderr, "installing the Python packages of %s into %s\n", name, dir)
	if err = install(ctx, held, base.Path, dir, requirements); err == nil {
		err = os.WriteFile(marker, nil, 0o644)
	}
	if err != nil {
		return "", errors.Join(err, os.RemoveAll(dir))
	}
	return python, nil
}

// install makes the virtual environment dir and puts the packages into it. The
// programs that write to it hold the lock too: one that outlives a killed caller is
// waited for.
func install(ctx context.Context, held *os.File, base, dir string, requirements []string) error {
	run := func(remedy, name string, args ...string) error {
		cmd := exec.CommandContext(ctx, name, args...)
		cmd.ExtraFiles = []*os.File{held}
		cmd.Env = slices.DeleteFunc(os.Environ(), func(kv string) bool {
			return strings.HasPrefix(kv, "PYTHON") || strings.HasPrefix(kv, "VIRTUAL_ENV") || strings.HasPrefix(kv, "PIP_REQUIRE_VIRTUALENV")
		})
		out, err := cmd.CombinedOutput()
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if err != nil {
			return fmt.Errorf("%s: %w: %s; %s", strings.Join(cmd.Args, " "), err, tail(string(out)), remedy)
		}
		return nil
	}
	if err := run("name another Python in MARGINALIA_PYTHON, or make room", base, "-m", "venv", dir); err != nil {
		return err
	}
	for i, list := range requirements {
		pins := filepath.Join(dir, fmt.Sprintf("requirements-%d.txt", i+1))
		if err := os.WriteFile(pins, []byte(list), 0o644); err != nil {
			return err
		}
		if err := run("see that pip reaches a package index, and try again", filepath.Join(dir, "bin", "python"), "-m", "pip", "install",
			"--require-hashes", "--only-binary", ":all:", "--no-build-isolation", "--no-deps",
			"--disable-pip-version-check", "--no-input", "--progress-bar", "off", "--retries", "2", "-r", pins); err != nil {
			return err
		}
	}
	return nil
}

// tail is the end of a program's output, where the reason is.
func tail(s string) string {
	lines := strings.Split(strings.TrimSpace(s), "\n")
	return strings.Join(lines[max(0, len(lines)-6):], "\n")
}
