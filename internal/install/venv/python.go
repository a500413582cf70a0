package venv

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"time"

	"marginalia/internal/base/processes"
	"marginalia/internal/base/setup"
)

// A Python is an interpreter that can make virtual environments.
type Python struct {
	Path         string
	Major, Minor int
}

func (p Python) String() string { return fmt.Sprintf("Python %d.%d (%s)", p.Major, p.Minor, p.Path) }

// pythonNames are looked for in PATH in this order. The pinned packages are
// built for 3.10 to 3.14; a newer python3 comes last, and may serve or not.
var pythonNames = []string{"python3", "python3.13", "python3.12", "python3.14", "python3.11", "python3.10"}

const (
	pythonMinMinor = 10
	pythonMaxMinor = 14
)

// Untried reports whether this Python is newer than the pinned packages are built for.
func (p Python) Untried() bool { return p.Major > 3 || p.Minor > pythonMaxMinor }

const installPython = "install Python 3.10 or newer (Debian, Ubuntu: apt install python3 python3-venv; macOS: brew install python3), or name one in MARGINALIA_PYTHON"

// Find returns the interpreter that MARGINALIA_PYTHON names or, if that
// is not set, the first suitable one in PATH: Python 3.10 or newer, with the
// modules venv and ensurepip. The error says what is missing and the remedy.
func Find(ctx context.Context) (Python, error) {
	if name := os.Getenv("MARGINALIA_PYTHON"); name != "" {
		p, err := probePython(ctx, name)
		if err != nil {
			err = fmt.Errorf("venv: MARGINALIA_PYTHON: %w", err)
		}
		return p, err
	}
	var newest Python
	var fault error
	for _, name := range pythonNames {
		p, err := probePython(ctx, name)
		switch {
		case ctx.Err() != nil:
			return Python{}, ctx.Err()
		case err == nil && p.Untried():
			newest = cmp.Or(newest, p)
		case err == nil:
			return p, nil
		case errors.Is(err, exec.ErrNotFound):
		case fault == nil || errors.Is(err, errNoVenv):
			fault = err
		}
	}
	switch {
	case newest != Python{}:
		return newest, nil
	case fault != nil:
		return Python{}, fmt.Errorf("venv: %w", fault)
	}
	return Python{}, fmt.Errorf("venv: there is no python3 in PATH: %s", installPython)
}

// errNoVenv is in the error of a Python that is new enough and lacks a module.
var errNoVenv = errors.New("cannot make virtual environments")

// probe runs in any Python of the last fifteen years.
const probe = `
import sys, json
def has(name):
    try:
        __import__(name)
        return True
    except ImportError:
        return False
print(json.dumps([sys.version_info[0], sys.version_info[1], has("venv"), has("ensurepip")]))
`

func probePython(ctx context.Context, name string) (Python, error) {
	path, err := exec.LookPath(name)
	if err != nil {
		return Python{}, fmt.Errorf("%w: %s", err, installPython)
	}
	ctx, cancel := context.WithTimeout(ctx, 20*time.Second)
	defer cancel()
	cmd := processes.Command(ctx, path, "-I", "-c", probe)
	var stderr strings.Builder
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		return Python{}, fmt.Errorf("%s does not run (%s): %s", path, setup.Last(stderr.String(), err, "error:"), installPython)
	}
	var major, minor int
	var venv, ensurepip bool
	if err := json.Unmarshal(out, &[]any{&major, &minor, &venv, &ensurepip}); err != nil {
		return Python{}, fmt.Errorf("%s is not a Python: %s", path, installPython)
	}
	p := Python{Path: path, Major: major, Minor: minor}
	lacks := func(module string) error {
		return fmt.Errorf("%v %w, its module %s is missing: install it (Debian, Ubuntu: apt install python%d.%d-venv), or name another Python in MARGINALIA_PYTHON",
			p, errNoVenv, module, major, minor)
	}
	switch {
	case major < 3 || major == 3 && minor < pythonMinMinor:
		return p, fmt.Errorf("%v is too old: %s", p, installPython)
	case !venv:
		return p, lacks("venv")
	case !ensurepip:
		return p, lacks("ensurepip")
	}
	return p, nil
}

// Download fetches the package that a line of requirements without its hash
// pins, with the user's settings of pip, to see whether the registry answers.
// The error is an [ErrNoPip] where this Python has none of its own.
func (p Python) Download(ctx context.Context, pin string) error {
	if processes.Command(ctx, p.Path, "-m", "pip", "--version").Run() != nil {
		return ErrNoPip
	}
	dir, err := os.MkdirTemp("", "marginalia-download-")
	if err != nil {
		return fmt.Errorf("venv: %w", err)
	}
	defer os.RemoveAll(dir)
	cmd := processes.Command(ctx, p.Path, "-m", "pip", "download", "--disable-pip-version-check", "--no-cache-dir", "--no-deps", "--retries", "0", "--timeout", "10",
		"--only-binary", ":all:", "--dest", dir, pin)
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("venv: %s", cause(string(out), err))
	}
	return nil
}

// ErrNoPip is the error of a Python without pip.
var ErrNoPip = errors.New("venv: this Python has no pip of its own")

// cause condenses what a failed pip printed to one clause with its remedy.
func cause(output string, err error) string {
	if known := setup.Cause(output, "the Python package registry", "PIP_INDEX_URL"); known != "" {
		return known
	}
	if strings.Contains(output, "DO NOT MATCH THE HASHES") {
		return "the registry serves a file that is not the one pinned (its hash differs): use another registry (PIP_INDEX_URL)"
	}
	if _, after, found := strings.Cut(output, "No matching distribution found for "); found {
		pin, _, _ := strings.Cut(after, "\n")
		return fmt.Sprintf("the registry has no %s built for this Python: set MARGINALIA_PYTHON to a Python of 3.10 to 3.14, or PIP_INDEX_URL to a complete registry", pin)
	}
	return setup.Last(output, err, "ERROR:")
}
