package main

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

	"marginalia/internal/lab"
)

//go:embed requirements.txt
var requirements string

// environment returns the Python of the virtual environment with the pinned packages,
// in the user's cache, which it makes if it is not there. Its folder is named after the
// pins, and it gets that name when it is whole.
func environment(ctx context.Context) (python string, err error) {
	cache, err := os.UserCacheDir()
	if err != nil {
		return "", err
	}
	sum := sha256.Sum256([]byte(requirements))
	dir := filepath.Join(cache, "marginalia", "figbench-"+hex.EncodeToString(sum[:6]))
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
	base, err := lab.FindPython(ctx)
	if err != nil {
		return "", err
	}
	fmt.Fprintln(os.Stderr, "installing matplotlib")
	if err := install(ctx, base.Path, dir); err != nil {
		return "", errors.Join(err, os.RemoveAll(dir))
	}
	return python, os.WriteFile(marker, nil, 0o644)
}

// install makes the virtual environment dir and puts the pinned packages into it.
func install(ctx context.Context, base, dir string) error {
	run := func(name string, args ...string) error {
		cmd := exec.CommandContext(ctx, name, args...)
		cmd.Env = slices.DeleteFunc(os.Environ(), func(kv string) bool {
			return strings.HasPrefix(kv, "PYTHON") || strings.HasPrefix(kv, "VIRTUAL_ENV") || strings.HasPrefix(kv, "PIP_REQUIRE_VIRTUALENV")
		})
		if out, err := cmd.CombinedOutput(); err != nil {
			return fmt.Errorf("%s: %w: %s", strings.Join(cmd.Args, " "), err, strings.TrimSpace(string(out)))
		}
		return nil
	}
	if err := run(base, "-m", "venv", dir); err != nil {
		return err
	}
	pins := filepath.Join(dir, "requirements.txt")
	if err := os.WriteFile(pins, []byte(requirements), 0o644); err != nil {
		return err
	}
	return run(filepath.Join(dir, "bin", "python"), "-m", "pip", "install", "--require-hashes", "--only-binary", ":all:", "--no-deps",
		"--disable-pip-version-check", "--no-input", "--progress-bar", "off", "--retries", "2", "-r", pins)
}
