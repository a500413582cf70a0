// Package venv makes virtual environments of Python: packages pinned with their
// hashes, whole or absent, and one process at a time.
//
// A new environment takes half a minute, a package index in reach, and the Python
// that [Find] finds; its steps are announced. Of callers at the same time, in any
// process, one makes it and the others wait. One that was interrupted, whose pins
// have changed or whose Python is gone is made anew.
package venv

import (
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"marginalia/internal/base/atomicfile"
	"marginalia/internal/base/lockfile"
	"marginalia/internal/base/processes"
	"marginalia/internal/base/setup"
)

// An Env is a virtual environment, and within it a folder of our own: the
// marker that says whether the environment is whole, and whatever else whoever
// uses it keeps there.
type Env struct {
	Dir  string
	What string // what is installed, for messages: "JupyterLab 4.6.2"

	// Requirements are lists in pip's format, with hashes. They are installed one
	// after another, without dependencies. Packages come as wheels, except those that a
	// list names in a line "--no-binary NAME". These are built from source with what
	// earlier lists installed (setuptools, say), and may need a compiler.
	Requirements []string
}

// Python is the interpreter of the environment.
func (e Env) Python() string { return filepath.Join(e.Dir, "bin", "python") }

// Own is a file or folder within our own.
func (e Env) Own(elem ...string) string {
	return filepath.Join(append([]string{e.Dir, "marginalia"}, elem...)...)
}

func (e Env) marker() string { return e.Own("environment.json") }

func (e Env) sum() string {
	return fmt.Sprintf("%x", sha256.Sum256([]byte(strings.Join(e.Requirements, "\x00"))))
}

// Space is the free bytes asked for before an environment is made: what
// JupyterLab's was measured to take, and half as much again.
const Space = 400 << 20

// A marker is written first, with Complete false: the environment is ours and
// may be removed. It is written again, Complete, when everything is there.
type marker struct {
	Complete     bool
	Requirements string // SHA-256 of the pins
	Python       string // "3.12": the version it was made with
}

// The state in which a start finds the environment.
type State int

const (
	Absent  State = iota
	Partial       // a set-up was killed, or the pins have changed since, or its Python is gone
	Whole
	Foreign // somebody else's
)

// State says how the environment is, and why where it is neither whole nor absent.
func (e Env) State(ctx context.Context) (State, string) {
	info, err := os.Lstat(e.Dir)
	if errors.Is(err, fs.ErrNotExist) {
		return Absent, ""
	}
	if err != nil || !info.IsDir() {
		return Foreign, "it is not a folder"
	}
	b, err := os.ReadFile(e.marker())
	if err != nil {
		ours := func(d fs.DirEntry) bool { return d.Name() == filepath.Base(e.Own()) }
		if entries, err := os.ReadDir(e.Dir); err == nil && len(slices.DeleteFunc(entries, ours)) == 0 {
			return Partial, "a set-up was interrupted"
		}
		return Foreign, "marginalia did not make it"
	}
	var m marker
	if json.Unmarshal(b, &m) != nil || !m.Complete {
		return Partial, "a set-up was interrupted"
	}
	if m.Requirements != e.sum() {
		return Partial, "the pinned versions have changed"
	}
	out, err := processes.Command(ctx, e.Python(), "-I", "-c", "import sys; print('%d.%d' % sys.version_info[:2])").Output()
	if killed := new(exec.ExitError); ctx.Err() != nil || errors.As(err, &killed) && !killed.Exited() {
		return Whole, "" // that it was stopped says nothing about it
	}
	if err != nil || strings.TrimSpace(string(out)) != m.Python {
		return Partial, "the Python " + m.Python + " it was made with is gone"
	}
	return Whole, ""
}

// ForeignError is that of an environment in the [State] Foreign.
func (e Env) ForeignError(why string) error {
	return fmt.Errorf("venv: %s is in the way, %s: move it elsewhere and start again", e.Dir, why)
}

// Ensure makes the environment unless it is whole. What it began and could not
// finish it removes; what was left by one that was killed, too.
func (e Env) Ensure(ctx context.Context, p setup.Progress) error {
	if s, _ := e.State(ctx); s == Whole {
		return nil
	}
	cache, err := setup.Cache()
	if err != nil {
		return err
	}
	// The lock is in the cache, since the environment itself comes and goes.
	held, err := setup.Lock(ctx, filepath.Join(cache, fmt.Sprintf("venv-%.6x.lock", sha256.Sum256([]byte(e.Dir)))), p)
	if err != nil {
		return err
	}
	defer held.Close()
	s, why := e.State(ctx)
	if ctx.Err() != nil {
		return ctx.Err()
	}
	switch s {
	case Whole:
		return nil
	case Foreign:
		return e.ForeignError(why)
	case Partial:
		inUse, err := e.Hold(lockfile.Exclusive)
		if err != nil {
			return fmt.Errorf("venv: %s must be made again (%s), but a JupyterLab is running from it: stop that one and start again", e.Dir, why)
		}
		end := p.Begin("removing the old environment: " + why)
		err = e.remove()
		inUse()
		end(err)
		if err != nil {
			return fmt.Errorf("venv: %w", err)
		}
	}
	python, err := Find(ctx)
	if err != nil {
		return err
	}
	if err := setup.Space(map[string]uint64{e.Dir: Space}); err != nil {
		return err
	}
	if err := e.make(ctx, held, python, p); err != nil {
		if rm := e.remove(); rm != nil {
			err = fmt.Errorf("%w (and what had been made could not be removed: %w)", err, rm)
		}
		return err
	}
	return nil
}

func (e Env) make(ctx context.Context, held *os.File, python Python, p setup.Progress) error {
	m := marker{Requirements: e.sum(), Python: fmt.Sprintf("%d.%d", python.Major, python.Minor)}
	if err := os.MkdirAll(e.Own(), 0o755); err != nil {
		return fmt.Errorf("venv: %w", err)
	}
	if err := e.mark(m); err != nil {
		return err
	}
	end := p.Begin(fmt.Sprintf("making a virtual environment with %v", python))
	err := e.run(ctx, held, python.Path, "-m", "venv", e.Dir)
	end(err)
	if err != nil {
		return fmt.Errorf("venv: %v cannot make a virtual environment: %w", python, err)
	}
	end = p.Begin("installing " + e.What)
	for i, list := range e.Requirements {
		pins := e.Own(fmt.Sprintf("requirements-%d.txt", i+1))
		if err = os.WriteFile(pins, []byte(list), 0o644); err == nil {
			err = e.run(ctx, held, e.Python(), "-m", "pip", "install", "--require-hashes", "--only-binary", ":all:", "--no-deps", "--no-build-isolation",
				"--no-warn-script-location", "--progress-bar", "off", "--retries", "2", "-r", pins)
		}
		if err != nil {
			break
		}
	}
	end(err)
	if err != nil {
		return fmt.Errorf("venv: installing %s: %w", e.What, err)
	}
	m.Complete = true
	return e.mark(m)
}

// run runs a step that writes to the environment, and so gets its lock along. Its temporary files lie there too: those
// of a step that is ended go with it.
func (e Env) run(ctx context.Context, held *os.File, name string, args ...string) error {
	tmp := e.Own("tmp")
	if err := os.MkdirAll(tmp, 0o755); err != nil {
		return err
	}
	defer os.RemoveAll(tmp)
	cmd := e.command(ctx, name, args...)
	cmd.ExtraFiles, cmd.Env = []*os.File{held}, append(cmd.Env, "TMPDIR="+tmp)
	out, err := cmd.CombinedOutput()
	if err == nil || ctx.Err() != nil {
		return ctx.Err()
	}
	// On a full disk Python's own messages can be about anything.
	if free, e := setup.Free(e.Dir); e == nil && free < 16<<20 {
		return errors.New(setup.DiskFull)
	}
	return errors.New(cause(string(out), err))
}

// remove removes the environment, our own folder last: killed in between, the
// next start still knows it as ours.
func (e Env) remove() error {
	entries, _ := os.ReadDir(e.Dir)
	for _, d := range entries {
		if d.Name() != filepath.Base(e.Own()) {
			if err := os.RemoveAll(filepath.Join(e.Dir, d.Name())); err != nil {
				return err
			}
		}
	}
	return os.RemoveAll(e.Dir)
}

func (e Env) mark(m marker) error {
	b, err := json.MarshalIndent(m, "", "  ")
	if err = errors.Join(err, atomicfile.Write(e.marker(), append(b, '\n'))); err != nil {
		return fmt.Errorf("venv: %w", err)
	}
	return nil
}

// command is a Python that sees none of the user's own Python settings but
// those that say where packages come from.
func (e Env) command(ctx context.Context, name string, args ...string) *exec.Cmd {
	cmd := processes.Command(ctx, name, args...)
	cmd.Dir = e.Own()
	cmd.Env = append(Without(os.Environ(), "PYTHON", "VIRTUAL_ENV", "PIP_TARGET", "PIP_PREFIX", "PIP_ROOT", "PIP_REQUIRE_VIRTUALENV"),
		"PYTHONNOUSERSITE=1", "PIP_USER=0", "PIP_NO_INPUT=1", "PIP_DISABLE_PIP_VERSION_CHECK=1", "PIP_ROOT_USER_ACTION=ignore")
	return cmd
}

// Without returns env less the variables whose names begin with one of prefixes.
func Without(env []string, prefixes ...string) []string {
	return slices.DeleteFunc(slices.Clone(env), func(kv string) bool {
		return slices.ContainsFunc(prefixes, func(p string) bool { return strings.HasPrefix(kv, p) })
	})
}

// Hold takes a shared or exclusive lock of the marker, or fails at once: a
// running JupyterLab has it shared, who removes the environment exclusive.
func (e Env) Hold(how lockfile.Kind) (release func(), err error) {
	f, err := os.OpenFile(e.marker(), os.O_RDONLY|os.O_CREATE, 0o644)
	if errors.Is(err, fs.ErrNotExist) {
		return func() {}, nil
	}
	if err != nil {
		return nil, err
	}
	if err := lockfile.Lock(f, how); err != nil {
		f.Close()
		return nil, err
	}
	return func() { f.Close() }, nil
}
