//go:build unix

package peer

import (
	"context"
	"crypto/sha256"
	_ "embed"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
)

//go:embed requirements.txt
var requirements string

// environment returns the Python of the virtual environment with the pinned
// packages, which it makes if it is not there. Its folder is named after the
// pins, so that new pins are a new environment; a marker, written last, says that
// it is whole.
func environment(ctx context.Context) (python string, err error) {
	cache, err := os.UserCacheDir()
	if err != nil {
		return "", err
	}
	sum := sha256.Sum256([]byte(requirements))
	dir := filepath.Join(cache, "marginalia", "peer-"+hex.EncodeToString(sum[:6]))
	if err := os.MkdirAll(filepath.Dir(dir), 0o755); err != nil {
		return "", err
	}
	// Two test programs may want it at once. The programs that write to it hold
	// the lock too: one that outlives a killed test is waited for.
	held, err := os.OpenFile(dir+".lock", os.O_RDWR|os.O_CREATE, 0o644)
	if err != nil {
		return "", err
	}
	defer held.Close()
	if err := flock(held); err != nil {
		return "", fmt.Errorf("%s: %w", held.Name(), err)
	}

	python = filepath.Join(dir, "bin", "python")
	marker := filepath.Join(dir, "complete")
	_, whole := os.Stat(marker)
	_, alive := os.Stat(python) // a link to a Python that may have been removed since
	if whole == nil && alive == nil {
		return python, nil
	}
	if err := os.RemoveAll(dir); err != nil {
		return "", err
	}
	base, err := findPython(ctx)
	if err == nil {
		err = install(ctx, held, base, dir)
	}
	if err == nil {
		err = os.WriteFile(marker, nil, 0o644)
	}
	if err != nil {
		return "", errors.Join(err, os.RemoveAll(dir))
	}
	return python, nil
}

// flock waits for the exclusive lock of f, which ends when f is closed.
func flock(f *os.File) error {
	for {
		err := syscall.Flock(int(f.Fd()), syscall.LOCK_EX)
		if err != syscall.EINTR {
			return err
		}
	}
}

// pythonNames are looked for in PATH in this order. The pinned packages are
// built for 3.10 to 3.14.
var pythonNames = []string{"python3", "python3.13", "python3.12", "python3.14", "python3.11", "python3.10"}

// findPython returns the interpreter that MARGINALIA_PYTHON names, or the first
// in PATH that is new enough and can make virtual environments.
func findPython(ctx context.Context) (string, error) {
	names := pythonNames
	if name := os.Getenv("MARGINALIA_PYTHON"); name != "" {
		names = []string{name}
	}
	for _, name := range names {
		const usable = `import sys, venv, ensurepip; sys.exit(not (3, 10) <= sys.version_info < (3, 15))`
		if exec.CommandContext(ctx, name, "-I", "-c", usable).Run() == nil {
			return name, nil
		}
	}
	return "", fmt.Errorf("no Python 3.10 to 3.14 with its module venv among %s: install one, or name it in MARGINALIA_PYTHON", strings.Join(names, ", "))
}

// install makes the virtual environment dir and puts the pinned packages into it.
func install(ctx context.Context, held *os.File, base, dir string) error {
	pins := filepath.Join(dir, "requirements.txt")
	run := func(name string, args ...string) error {
		cmd := exec.CommandContext(ctx, name, args...)
		cmd.ExtraFiles = []*os.File{held}
		cmd.Env = slices.DeleteFunc(os.Environ(), func(kv string) bool {
			return strings.HasPrefix(kv, "PYTHON") || strings.HasPrefix(kv, "VIRTUAL_ENV") || strings.HasPrefix(kv, "PIP_REQUIRE_VIRTUALENV")
		})
		if out, err := cmd.CombinedOutput(); err != nil {
			return fmt.Errorf("%s: %w: %s", strings.Join(cmd.Args, " "), err, tail(string(out)))
		}
		return nil
	}
	if err := run(base, "-m", "venv", dir); err != nil {
		return err
	}
	if err := os.WriteFile(pins, []byte(requirements), 0o644); err != nil {
		return err
	}
	return run(filepath.Join(dir, "bin", "python"), "-m", "pip", "install", "--require-hashes", "--only-binary", ":all:", "--no-deps",
		"--disable-pip-version-check", "--no-input", "--progress-bar", "off", "--retries", "2", "-r", pins)
}
