package lab

import (
	"context"
	"debug/buildinfo"
	"encoding/json"
	"fmt"
	"go/version"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"golang.org/x/mod/modfile"

	"marginalia/internal/jupyter"
	"marginalia/internal/processes"
)

// A Status is the outcome of one check.
type Status int

const (
	OK      Status = iota
	Warn           // works without, or is made by the next start of JupyterLab
	Missing        // needed, and the user has to do something
)

func (s Status) String() string { return [...]string{"ok", "warn", "missing"}[s] }

// A Check is one thing looked at: what was found and, where Status is not OK,
// what to do.
type Check struct {
	Status Status
	What   string
	Found  string
}

// Diagnose checks all that marginalia needs for the repository at root, and
// hands each result to report as it comes. It changes nothing; it uses the
// network only if something still has to be fetched.
func Diagnose(ctx context.Context, root string, report func(Check)) {
	d := doctor{ctx: ctx, root: root, v: venvOf(root), report: report}
	if !d.golang() {
		return // all else asks go
	}
	d.git()
	d.python()
	d.tools()
	d.gopls()
	d.environment()
	d.kernelspec()
	d.space()
	d.registries()
	d.port()
	d.chromium()
}

type doctor struct {
	ctx    context.Context
	root   string
	v      venv
	report func(Check)

	g        goEnv
	found    Python // what the environment is or would be made with; Path "" if there is none
	noTools  bool   // the kernel has to be built
	noVenv   bool   // the environment has to be made
	ours     bool   // the environment is there and ours
	toolsDir string
}

func (d *doctor) say(s Status, what, format string, args ...any) {
	d.report(Check{s, what, strings.TrimPrefix(fmt.Sprintf(format, args...), "lab: ")})
}

const madeByLab = "not made yet; go run . lab makes it"

func (d *doctor) golang() bool {
	g, err := readGoEnv(d.ctx, d.root)
	if err != nil {
		d.say(Missing, "go", "%v", err)
		return false
	}
	d.g = g
	mod, err := d.mod()
	if err != nil {
		d.say(Missing, "go", "%v", err)
		return false
	}
	if version.Compare(g.GOVERSION, "go"+mod.Go.Version) < 0 {
		d.say(Missing, "go", "%s, and go.mod asks for %s: install a newer Go (https://go.dev/dl)", g.GOVERSION, mod.Go.Version)
		return false
	}
	d.say(OK, "go", "%s in %s; go.mod asks for %s", g.GOVERSION, g.GOROOT, mod.Go.Version)
	return true
}

func (d *doctor) mod() (*modfile.File, error) {
	path := filepath.Join(d.root, "go.mod")
	b, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	return modfile.Parse(path, b, nil)
}

func (d *doctor) git() {
	out, err := exec.CommandContext(d.ctx, "git", "--version").Output()
	if err != nil {
		d.say(Warn, "git", "not found; only needed to get the next version: install it (Debian, Ubuntu: apt install git)")
		return
	}
	d.say(OK, "git", "%s", strings.TrimSpace(string(out)))
}

func (d *doctor) python() {
	p, err := FindPython(d.ctx)
	if err != nil {
		d.say(Missing, "python", "%v", err)
		return
	}
	d.found = p
	if p.Major > 3 || p.Minor > pythonMaxMinor {
		d.say(Warn, "python", "%v is newer than the pinned packages: if the installation fails, name a Python of 3.10 to 3.%d in MARGINALIA_PYTHON", p, pythonMaxMinor)
		return
	}
	d.say(OK, "python", "%v, makes virtual environments", p)
}

// tools looks whether the kernel is there and of the version in go.mod (gonb
// itself gives a stale one), and starts it.
func (d *doctor) tools() {
	name, err := toolsName(d.root, d.g)
	if err != nil {
		d.say(Missing, "kernel", "%v", err)
		return
	}
	cache, err := cacheDir()
	if err != nil {
		d.say(Missing, "kernel", "%v", err)
		return
	}
	dir := filepath.Join(cache, name)
	if _, err := os.Stat(dir); err != nil {
		d.noTools = true
		d.say(Warn, "kernel", "%s", madeByLab)
		return
	}
	d.toolsDir = dir
	remedy := "remove " + dir + " and start again"
	info, err := buildinfo.ReadFile(filepath.Join(dir, "gonb"))
	if err != nil {
		d.say(Missing, "kernel", "%v: %s", err, remedy)
		return
	}
	for _, name := range []string{"bin/go", "bin/goimports"} {
		if err := executable(filepath.Join(dir, name)); err != nil {
			d.say(Missing, "kernel", "%v: %s", err, remedy)
			return
		}
	}
	spec, err := Kernel(d.ctx, d.root, nil)
	if err != nil {
		d.say(Missing, "kernel", "%v", err)
		return
	}
	ctx, cancel := context.WithTimeout(d.ctx, 30*time.Second)
	defer cancel()
	start := time.Now()
	k, err := jupyter.Start(ctx, jupyter.Spec{Argv: spec.Argv, Env: spec.Env})
	if err != nil {
		d.say(Missing, "kernel", "does not start (%v): %s", err, remedy)
		return
	}
	took := time.Since(start)
	k.Shutdown()
	d.say(OK, "kernel", "GoNB %s answers %.1f s after its start", info.Main.Version, took.Seconds())
}

func (d *doctor) gopls() {
	name, err := goplsName(d.root, d.g)
	if err != nil {
		d.say(Missing, "gopls", "%v", err)
		return
	}
	cache, err := cacheDir()
	if err != nil {
		d.say(Missing, "gopls", "%v", err)
		return
	}
	if err := executable(filepath.Join(cache, name, "gopls")); err != nil {
		d.say(Warn, "gopls", "%s, in the background; cells do not complete code without", madeByLab)
		return
	}
	d.say(OK, "gopls", "built; cells complete code")
}

func (d *doctor) environment() {
	switch s, why := d.v.state(d.ctx); s {
	case venvAbsent:
		d.noVenv = true
		d.say(Warn, "environment", "%s: %s", d.v.dir, madeByLab)
		return
	case venvPartial:
		d.noVenv = true
		d.say(Warn, "environment", "%s: %s; go run . lab makes it anew", d.v.dir, why)
		return
	case venvForeign:
		d.say(Missing, "environment", "%v", d.v.foreignError(why))
		return
	}
	d.ours = true
	wrong, n, err := d.v.compare(d.ctx)
	switch {
	case err != nil:
		d.say(Missing, "environment", "%v: remove %s and start again", err, d.v.dir)
	case len(wrong) > 0:
		d.say(Missing, "environment", "%s: not as pinned: %s: remove it and start again", d.v.dir, strings.Join(wrong, ", "))
	default:
		d.say(OK, "environment", "%s: JupyterLab %s, %d packages as pinned", d.v.dir, pinned("jupyterlab"), n)
	}
}

// kernelspec looks whether the files that kernel.json names are there.
func (d *doctor) kernelspec() {
	if !d.ours {
		return
	}
	path := filepath.Join(d.v.kernelspecDir(), "kernel.json")
	b, err := os.ReadFile(path)
	if err != nil {
		d.say(Warn, "kernelspec", "%s: %s", path, madeByLab)
		return
	}
	var spec kernelspec
	if err := json.Unmarshal(b, &spec); err != nil || len(spec.Argv) == 0 {
		d.say(Warn, "kernelspec", "%s cannot be read; go run . lab writes it anew", path)
		return
	}
	dirs, _, _ := strings.Cut(spec.Env["PATH"], string(os.PathListSeparator))
	for _, program := range []string{spec.Argv[0], spec.Env["MARGINALIA_GO"], filepath.Join(dirs, "goimports")} {
		if err := executable(program); err != nil {
			d.say(Warn, "kernelspec", "%s names what is not there (%v); go run . lab writes it anew", path, err)
			return
		}
	}
	if d.toolsDir != "" && filepath.Dir(spec.Argv[0]) != d.toolsDir {
		d.say(Warn, "kernelspec", "%s names an older kernel; go run . lab writes it anew", path)
		return
	}
	d.say(OK, "kernelspec", "%s", path)
}

func executable(path string) error {
	info, err := os.Stat(path)
	if err == nil && (info.IsDir() || info.Mode()&0o111 == 0) {
		err = &fs.PathError{Op: "exec", Path: path, Err: fs.ErrPermission}
	}
	return err
}

func (d *doctor) space() {
	cache, err := cacheDir()
	if err != nil {
		d.say(Missing, "disk", "%v", err)
		return
	}
	tools, err := toolsName(d.root, d.g)
	if err != nil {
		d.say(Missing, "disk", "%v", err)
		return
	}
	state, _ := d.v.state(d.ctx)
	if err := checkSpaces(spaceNeeded(d.g, d.v, cache, tools, state)); err != nil {
		d.say(Missing, "disk", "%v", err)
		return
	}
	least := ^uint64(0)
	for _, path := range []string{cache, d.g.GOCACHE, d.g.GOMODCACHE, d.v.dir} {
		if err := checkSpace(path, spaceWarm); err != nil {
			d.say(Missing, "disk", "%v", err)
			return
		}
		if free, err := freeSpace(path); err == nil {
			least = min(least, free)
		}
	}
	d.say(OK, "disk", "%d MB free", least>>20)
}

// registries fetches something small from where the rest would come.
func (d *doctor) registries() {
	if d.noTools {
		if err := d.goProxy(); err != nil {
			d.say(Missing, "go proxy", "%v", err)
		} else {
			d.say(OK, "go proxy", "answers")
		}
	}
	if d.noVenv && d.found.Path != "" {
		s, found := d.packageRegistry()
		d.say(s, "pip", "%s", found)
	}
}

// goProxy fetches a module of 6 kB into a module cache of its own.
func (d *doctor) goProxy() error {
	dir, err := os.MkdirTemp("", "marginalia-doctor-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	ctx, cancel := context.WithTimeout(d.ctx, 30*time.Second)
	defer cancel()
	cmd := processes.Command(ctx, d.g.binary(), "mod", "download", "-modcacherw", "github.com/inconshreveable/mousetrap")
	cmd.Dir = d.root
	cmd.Env = append(os.Environ(), "GOMODCACHE="+dir, "GOWORK=off")
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("%s", goCause(string(out), err))
	}
	return nil
}

// packageRegistry fetches the pinned webencodings, of 11 kB, with the user's settings of pip.
func (d *doctor) packageRegistry() (Status, string) {
	if processes.Command(d.ctx, d.found.Path, "-m", "pip", "--version").Run() != nil {
		return Warn, fmt.Sprintf("not tried, as %v has no pip of its own", d.found)
	}
	dir, err := os.MkdirTemp("", "marginalia-doctor-")
	if err != nil {
		return Missing, err.Error()
	}
	defer os.RemoveAll(dir)
	ctx, cancel := context.WithTimeout(d.ctx, 30*time.Second)
	defer cancel()
	cmd := processes.Command(ctx, d.found.Path, "-m", "pip", "download", "--disable-pip-version-check", "--no-cache-dir", "--no-deps", "--retries", "0", "--timeout", "10",
		"--only-binary", ":all:", "--dest", dir, "webencodings=="+pinned("webencodings"))
	if out, err := cmd.CombinedOutput(); err != nil {
		return Missing, pipCause(string(out), err)
	}
	return OK, "the package registry answers"
}

func (d *doctor) port() {
	if err := listenable("127.0.0.1", defaultPort); err != nil {
		d.say(Warn, "port", "%d is taken; JupyterLab will use the next free one", defaultPort)
		return
	}
	d.say(OK, "port", "%d is free", defaultPort)
}

// Chromium returns the path of the browser for the tests that drive one.
func Chromium() (path string, ok bool) {
	for _, name := range []string{"chromium", "chromium-browser", "google-chrome", "google-chrome-stable"} {
		if path, err := exec.LookPath(name); err == nil {
			return path, true
		}
	}
	return "", false
}

func (d *doctor) chromium() {
	if path, ok := Chromium(); ok {
		d.say(OK, "chromium", "%s", path)
		return
	}
	d.say(Warn, "chromium", "not found; only needed for the test that runs the lecture in a browser (Debian: apt install chromium)")
}
