package lab

import (
	"context"
	"crypto/sha256"
	_ "embed"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"syscall"

	"marginalia/internal/atomicfile"
	"marginalia/internal/lockfile"
	"marginalia/internal/processes"
)

//go:embed requirements.txt
var requirements string

// A venv is the virtual environment of the repository, and within it the
// folder of our own for all that Jupyter keeps: settings, runtime files, the
// marker that says whether the environment is whole.
type venv struct{ dir string }

func venvOf(root string) venv { return venv{filepath.Join(root, ".venv")} }

func (v venv) python() string { return filepath.Join(v.dir, "bin", "python") }
func (v venv) own(elem ...string) string {
	return filepath.Join(append([]string{v.dir, "marginalia"}, elem...)...)
}
func (v venv) marker() string { return v.own("environment.json") }

// JupyterPython returns the Python of the virtual environment of the repository
// at root (see [repo.Root]), which can import what JupyterLab needs, nbformat and
// nbclient among it. It makes the environment first unless it is whole: half a
// minute, announced to p, with a package index in reach.
func JupyterPython(ctx context.Context, root string, p Progress) (string, error) {
	v := venvOf(root)
	if err := v.ensure(ctx, p); err != nil {
		return v.python(), err
	}
	return v.python(), v.pages()
}

// A marker is written first, with Complete false: the environment is ours and
// may be removed. It is written again, Complete, when everything is there.
type marker struct {
	Complete     bool
	Requirements string // SHA-256 of the pinned requirements
	Python       string // "3.12": the version it was made with
}

func requirementsSum() string {
	sum := sha256.Sum256([]byte(requirements))
	return hex.EncodeToString(sum[:])
}

// The state in which a start finds the environment.
type venvState int

const (
	venvAbsent  venvState = iota
	venvPartial           // a set-up was killed, or the pins have changed since, or its Python is gone
	venvWhole
	venvForeign // somebody else's
)

// state says how the environment is, and why where it is neither whole nor absent.
func (v venv) state(ctx context.Context) (venvState, string) {
	info, err := os.Lstat(v.dir)
	if errors.Is(err, fs.ErrNotExist) {
		return venvAbsent, ""
	}
	if err != nil || !info.IsDir() {
		return venvForeign, "it is not a folder"
	}
	b, err := os.ReadFile(v.marker())
	if err != nil {
		if v.justMade() {
			return venvPartial, "a set-up was interrupted"
		}
		return venvForeign, "marginalia did not make it"
	}
	var m marker
	if json.Unmarshal(b, &m) != nil || !m.Complete {
		return venvPartial, "a set-up was interrupted"
	}
	if m.Requirements != requirementsSum() {
		return venvPartial, "the pinned versions have changed"
	}
	out, err := processes.Command(ctx, v.python(), "-I", "-c", "import sys; print('%d.%d' % sys.version_info[:2])").Output()
	if killed := new(exec.ExitError); ctx.Err() != nil || errors.As(err, &killed) && !killed.Exited() {
		return venvWhole, "" // that it was stopped says nothing about it
	}
	if err != nil || strings.TrimSpace(string(out)) != m.Python {
		return venvPartial, "the Python " + m.Python + " it was made with is gone"
	}
	return venvWhole, ""
}

// justMade reports whether the folder holds nothing, or nothing but our own
// folder with nothing in it: a set-up was killed before it wrote the marker.
func (v venv) justMade() bool {
	entries, err := os.ReadDir(v.dir)
	if err != nil || len(entries) > 1 {
		return false
	}
	if len(entries) == 0 {
		return true
	}
	own, err := os.ReadDir(v.own())
	if err != nil {
		return false
	}
	for _, e := range own {
		if !strings.HasPrefix(e.Name(), filepath.Base(v.marker())) {
			return false
		}
	}
	return true
}

func (v venv) foreignError(why string) error {
	return faultf("%s is in the way, %s: move it elsewhere and start again", v.dir, why)
}

// ensure makes the environment unless it is whole. What it began and could not
// finish it removes; what was left by one that was killed, too.
func (v venv) ensure(ctx context.Context, p Progress) error {
	if s, _ := v.state(ctx); s == venvWhole {
		return nil
	}
	held, err := v.lock(ctx, p)
	if err != nil {
		return err
	}
	defer held.Close()
	s, why := v.state(ctx)
	if ctx.Err() != nil {
		return ctx.Err()
	}
	switch s {
	case venvWhole:
		return nil
	case venvForeign:
		return v.foreignError(why)
	case venvPartial:
		inUse, err := v.hold(lockfile.Exclusive)
		if err != nil {
			return faultf("%s has to be made anew (%s), and a JupyterLab is running from it: end that one and start again", v.dir, why)
		}
		end := p.begin("removing the old environment: " + why)
		err = v.remove()
		inUse()
		end(err)
		if err != nil {
			return faultf("%w", err)
		}
	}
	python, err := FindPython(ctx)
	if err != nil {
		return err
	}
	if err := checkSpace(v.dir, spaceVenv); err != nil {
		return err
	}
	if err := v.make(ctx, held, python, p); err != nil {
		if rm := v.remove(); rm != nil {
			err = fmt.Errorf("%w (and what had been made could not be removed: %w)", err, rm)
		}
		return err
	}
	return nil
}

func (v venv) make(ctx context.Context, held *os.File, python Python, p Progress) error {
	m := marker{Requirements: requirementsSum(), Python: fmt.Sprintf("%d.%d", python.Major, python.Minor)}
	if err := os.MkdirAll(v.own(), 0o755); err != nil {
		return faultf("%w", fileCause(err))
	}
	if err := v.mark(m); err != nil {
		return err
	}
	end := p.begin(fmt.Sprintf("making a virtual environment with %v", python))
	out, err := v.command(ctx, held, python.Path, "-m", "venv", v.dir).CombinedOutput()
	end(err)
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if err != nil {
		return faultf("%v cannot make a virtual environment: %s", python, v.cause(out, err))
	}
	pins := v.own("requirements.txt")
	if err := os.WriteFile(pins, []byte(requirements), 0o644); err != nil {
		return faultf("%w", fileCause(err))
	}
	end = p.begin("installing JupyterLab " + pinned("jupyterlab") + " and what it needs")
	out, err = v.command(ctx, held, v.python(), "-m", "pip", "install", "--require-hashes", "--only-binary", ":all:", "--no-deps",
		"--no-warn-script-location", "--progress-bar", "off", "--retries", "2", "-r", pins).CombinedOutput()
	end(err)
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if err != nil {
		return faultf("installing JupyterLab: %s", v.cause(out, err))
	}
	m.Complete = true
	return v.mark(m)
}

// cause is that of a failed step. On a full disk Python's own messages can be
// about anything.
func (v venv) cause(out []byte, err error) string {
	if free, e := freeSpace(v.dir); e == nil && free < 16<<20 {
		return fileCause(syscall.ENOSPC).Error()
	}
	return pipCause(string(out), err)
}

// remove removes the environment, the marker last: killed in between, the next
// start still knows it as ours.
func (v venv) remove() error {
	own, marker := filepath.Base(v.own()), filepath.Base(v.marker())
	return errors.Join(removeBut(v.dir, own), removeBut(v.own(), marker), os.RemoveAll(v.dir))
}

// removeBut removes all in dir but one entry.
func removeBut(dir, keep string) error {
	entries, err := os.ReadDir(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	for _, e := range entries {
		if e.Name() != keep {
			err = errors.Join(err, os.RemoveAll(filepath.Join(dir, e.Name())))
		}
	}
	return err
}

func (v venv) mark(m marker) error {
	b, err := json.MarshalIndent(m, "", "  ")
	if err != nil {
		return err
	}
	return writeFile(v.marker(), append(b, '\n'))
}

// command is a Python that sees none of the user's own Python settings but
// those that say where packages come from. One that writes to the environment
// gets its lock along.
func (v venv) command(ctx context.Context, held *os.File, name string, args ...string) *exec.Cmd {
	cmd := processes.Command(ctx, name, args...)
	if held != nil {
		cmd.ExtraFiles = []*os.File{held}
	}
	cmd.Dir = v.own()
	cmd.Env = append(without(os.Environ(), "PYTHON", "VIRTUAL_ENV", "PIP_TARGET", "PIP_PREFIX", "PIP_ROOT", "PIP_REQUIRE_VIRTUALENV"),
		"PYTHONNOUSERSITE=1", "PIP_USER=0", "PIP_NO_INPUT=1", "PIP_DISABLE_PIP_VERSION_CHECK=1", "PIP_ROOT_USER_ACTION=ignore")
	return cmd
}

// without returns env less the variables whose names begin with one of prefixes.
func without(env []string, prefixes ...string) []string {
	var kept []string
next:
	for _, kv := range env {
		for _, p := range prefixes {
			if strings.HasPrefix(kv, p) {
				continue next
			}
		}
		kept = append(kept, kv)
	}
	return kept
}

// id names the environment in the cache.
func (v venv) id() string {
	sum := sha256.Sum256([]byte(v.dir))
	return hex.EncodeToString(sum[:6])
}

// lock keeps two set-ups of one environment apart. Its file is in the cache,
// since the environment itself comes and goes.
func (v venv) lock(ctx context.Context, p Progress) (held *os.File, err error) {
	cache, err := cacheDir()
	if err != nil {
		return nil, err
	}
	held, err = lock(ctx, filepath.Join(cache, "venv-"+v.id()+".lock"), p)
	if err != nil {
		return nil, faultf("%w", err)
	}
	return held, nil
}

// hold takes a shared or exclusive lock of the marker, or fails at once: a
// running JupyterLab has it shared, who removes the environment exclusive.
func (v venv) hold(how lockfile.Kind) (release func(), err error) {
	f, err := os.OpenFile(v.marker(), os.O_RDONLY|os.O_CREATE, 0o644)
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

// pinned is the pinned version of a package.
func pinned(name string) string {
	for line := range strings.Lines(requirements) {
		if rest, ok := strings.CutPrefix(line, name+"=="); ok {
			version, _, _ := strings.Cut(rest, " ")
			return version
		}
	}
	return ""
}

// writeFile replaces path whole or not at all.
func writeFile(path string, data []byte) error {
	if err := atomicfile.Write(path, data); err != nil {
		return faultf("%w", fileCause(err))
	}
	return nil
}

// compare returns the packages of the environment whose version is not among
// the pinned ones, or that are pinned without a condition and not there, and
// the number of those that are right.
func (v venv) compare(ctx context.Context) (wrong []string, right int, err error) {
	const list = `
import json
from importlib.metadata import distributions
print(json.dumps({d.metadata["Name"]: d.version for d in distributions()}))
`
	out, err := v.command(ctx, nil, v.python(), "-I", "-c", list).Output()
	if err != nil {
		return nil, 0, fmt.Errorf("its Python does not run: %w", err)
	}
	var installed map[string]string
	if err := json.Unmarshal(out, &installed); err != nil {
		return nil, 0, err
	}
	pins := map[string][]string{}
	for line := range strings.Lines(requirements) {
		name, rest, ok := strings.Cut(line, "==")
		if !ok || strings.HasPrefix(line, " ") {
			continue
		}
		version, condition, _ := strings.Cut(rest, " ")
		pins[name] = append(pins[name], version)
		if !strings.HasPrefix(condition, ";") {
			pins[name] = append(pins[name], "required")
		}
	}
	for name, version := range installed {
		name := canonicalName.ReplaceAllString(strings.ToLower(name), "-")
		pin := pins[name]
		delete(pins, name)
		switch {
		case slices.Contains(pin, version):
			right++
		case pin != nil:
			wrong = append(wrong, fmt.Sprintf("%s %s instead of %s", name, version, pin[0]))
		}
	}
	for name, pin := range pins {
		if slices.Contains(pin, "required") {
			wrong = append(wrong, "no "+name)
		}
	}
	slices.Sort(wrong)
	return wrong, right, nil
}

// canonicalName is how the names of Python packages are compared (PEP 503).
var canonicalName = regexp.MustCompile(`[-_.]+`)
