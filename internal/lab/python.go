package lab

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"time"

	"marginalia/internal/processes"
)

// A Python is an interpreter that can make the virtual environment.
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

const installPython = "install Python 3.10 or newer (Debian, Ubuntu: apt install python3 python3-venv; macOS: brew install python3), or name one in MARGINALIA_PYTHON"

// FindPython returns the interpreter that MARGINALIA_PYTHON names or, if that
// is not set, the first suitable one in PATH: Python 3.10 or newer, with the
// modules venv and ensurepip. The error says what is missing and the remedy.
func FindPython(ctx context.Context) (Python, error) {
	if name := os.Getenv("MARGINALIA_PYTHON"); name != "" {
		p, err := probePython(ctx, name)
		if err != nil {
			return p, faultf("MARGINALIA_PYTHON: %w", err)
		}
		return p, nil
	}
	var newest *Python
	var fault error
	for _, name := range pythonNames {
		p, err := probePython(ctx, name)
		switch {
		case ctx.Err() != nil:
			return Python{}, ctx.Err()
		case err == nil && (p.Major > 3 || p.Minor > pythonMaxMinor):
			if newest == nil {
				newest = &p
			}
		case err == nil:
			return p, nil
		case errors.Is(err, exec.ErrNotFound):
		case fault == nil || errors.As(err, new(noVenvError)):
			fault = err
		}
	}
	switch {
	case newest != nil:
		return *newest, nil
	case fault != nil:
		return Python{}, faultf("%w", fault)
	}
	return Python{}, faultf("there is no python3 in PATH: %s", installPython)
}

// A noVenvError is a Python that is new enough and lacks a module.
type noVenvError struct {
	python Python
	module string
}

func (e noVenvError) Error() string {
	return fmt.Sprintf("%v cannot make virtual environments, its module %s is missing: install it (Debian, Ubuntu: apt install python%d.%d-venv), or name another Python in MARGINALIA_PYTHON",
		e.python, e.module, e.python.Major, e.python.Minor)
}

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
		return Python{}, fmt.Errorf("%s does not run (%s): %s", path, lastLines(stderr.String(), err, "error:"), installPython)
	}
	var major, minor int
	var venv, ensurepip bool
	if err := json.Unmarshal(out, &[]any{&major, &minor, &venv, &ensurepip}); err != nil {
		return Python{}, fmt.Errorf("%s is not a Python: %s", path, installPython)
	}
	p := Python{Path: path, Major: major, Minor: minor}
	switch {
	case major < 3 || major == 3 && minor < pythonMinMinor:
		return p, fmt.Errorf("%v is too old for JupyterLab: %s", p, installPython)
	case !venv:
		return p, noVenvError{p, "venv"}
	case !ensurepip:
		return p, noVenvError{p, "ensurepip"}
	}
	return p, nil
}
