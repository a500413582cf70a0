// Package doctor looks whether all is there that marginalia needs.
package doctor

import (
	"context"
	"debug/buildinfo"
	"errors"
	"fmt"
	"go/version"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"time"

	"golang.org/x/mod/modfile"

	"marginalia/internal/jupyter"
	"marginalia/internal/kernel"
	"marginalia/internal/lab"
	"marginalia/internal/setup"
	"marginalia/internal/venv"
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
	d := doctor{ctx: ctx, root: root, e: lab.EnvironmentOf(root), report: report}
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
	e      lab.Environment
	report func(Check)

	t       *kernel.Toolchain
	found   venv.Python // what the environment is or would be made with; Path "" if there is none
	noTools bool        // the kernel has to be built
	noVenv  bool        // the environment has to be made
}

// packageName begins our own errors, and says nothing to who reads a diagnosis.
var packageName = regexp.MustCompile(`^(kernel|lab|setup|venv): `)

func (d *doctor) say(s Status, what, format string, args ...any) {
	d.report(Check{s, what, packageName.ReplaceAllString(fmt.Sprintf(format, args...), "")})
}

const madeByLab = "not made yet; go run . lab makes it"

func (d *doctor) golang() bool {
	t, err := kernel.New(d.ctx, d.root)
	if err != nil {
		d.say(Missing, "go", "%v", err)
		return false
	}
	d.t = t
	mod, err := d.mod()
	if err != nil {
		d.say(Missing, "go", "%v", err)
		return false
	}
	if version.Compare(t.GOVERSION, "go"+mod.Go.Version) < 0 {
		d.say(Missing, "go", "%s, and go.mod asks for %s: install a newer Go (https://go.dev/dl)", t.GOVERSION, mod.Go.Version)
		return false
	}
	d.say(OK, "go", "%s in %s; go.mod asks for %s", t.GOVERSION, t.GOROOT, mod.Go.Version)
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
	p, err := venv.Find(d.ctx)
	if err != nil {
		d.say(Missing, "python", "%v", err)
		return
	}
	d.found = p
	if p.Untried() {
		d.say(Warn, "python", "%v is newer than the pinned packages: if the installation fails, name a Python of 3.10 to 3.14 in MARGINALIA_PYTHON", p)
		return
	}
	d.say(OK, "python", "%v, makes virtual environments", p)
}

// tools looks whether the kernel is there and of the version in go.mod (gonb
// itself gives a stale one), and starts it.
func (d *doctor) tools() {
	dir := d.t.Tools
	if _, err := os.Stat(dir); err != nil {
		d.noTools = true
		d.say(Warn, "kernel", "%s", madeByLab)
		return
	}
	remedy := "remove " + dir + " and start again"
	info, err := buildinfo.ReadFile(filepath.Join(dir, "gonb"))
	if err != nil {
		d.say(Missing, "kernel", "%v: %s", err, remedy)
		return
	}
	spec, err := kernel.Spec(d.ctx, d.root, nil)
	if err != nil {
		d.say(Missing, "kernel", "%v", err)
		return
	}
	ctx, cancel := context.WithTimeout(d.ctx, 30*time.Second)
	defer cancel()
	start := time.Now()
	k, err := jupyter.Start(ctx, spec)
	if err != nil {
		d.say(Missing, "kernel", "does not start (%v): %s", err, remedy)
		return
	}
	took := time.Since(start)
	k.Shutdown()
	d.say(OK, "kernel", "GoNB %s answers %.1f s after its start", info.Main.Version, took.Seconds())
}

func (d *doctor) gopls() {
	if _, err := os.Stat(d.t.Gopls); err != nil {
		d.say(Warn, "gopls", "%s, in the background; cells do not complete code without", madeByLab)
		return
	}
	d.say(OK, "gopls", "built; cells complete code")
}

func (d *doctor) environment() {
	switch s, why := d.e.State(d.ctx); s {
	case venv.Absent:
		d.noVenv = true
		d.say(Warn, "environment", "%s: %s", d.e.Dir, madeByLab)
		return
	case venv.Partial:
		d.noVenv = true
		d.say(Warn, "environment", "%s: %s; go run . lab makes it anew", d.e.Dir, why)
		return
	case venv.Foreign:
		d.say(Missing, "environment", "%v", d.e.ForeignError(why))
		return
	}
	n, err := d.e.Check(d.ctx)
	if err != nil {
		d.say(Missing, "environment", "%s: %s: remove it and start again", d.e.Dir, packageName.ReplaceAllString(err.Error(), ""))
		return
	}
	d.say(OK, "environment", "%s: JupyterLab %s, %d packages as pinned", d.e.Dir, d.e.Pinned("jupyterlab"), n)
}

// kernelspec looks whether kernel.json, which editors read too, is up to date.
func (d *doctor) kernelspec() {
	if state, _ := d.e.State(d.ctx); state != venv.Whole {
		return
	}
	if path, current := d.e.Kernelspec(d.t); current {
		d.say(OK, "kernelspec", "%s", path)
	} else {
		d.say(Warn, "kernelspec", "%s is not there or names an older kernel; go run . lab writes it anew", path)
	}
}

func (d *doctor) space() {
	least := ^uint64(0)
	err := setup.Space(lab.SpaceNeeded(d.ctx, d.t))
	for _, path := range []string{d.t.Tools, d.t.GOCACHE, d.t.GOMODCACHE, d.e.Dir} {
		if err == nil {
			err = setup.Space(map[string]uint64{path: kernel.SpaceWarm})
		}
		if free, err := setup.Free(path); err == nil {
			least = min(least, free)
		}
	}
	if err != nil {
		d.say(Missing, "disk", "%v", err)
		return
	}
	d.say(OK, "disk", "%d MB free", least>>20)
}

// registries fetches something small from where the rest would come.
func (d *doctor) registries() {
	ctx, cancel := context.WithTimeout(d.ctx, 30*time.Second)
	defer cancel()
	if d.noTools {
		if err := d.t.Download(ctx); err != nil {
			d.say(Missing, "go proxy", "%v", err)
		} else {
			d.say(OK, "go proxy", "answers")
		}
	}
	if d.noVenv && d.found.Path != "" {
		const small = "webencodings" // 11 kB
		switch err := d.found.Download(ctx, small+"=="+d.e.Pinned(small)); {
		case errors.Is(err, venv.ErrNoPip):
			d.say(Warn, "pip", "not tried, as %v has no pip of its own", d.found)
		case err != nil:
			d.say(Missing, "pip", "%v", err)
		default:
			d.say(OK, "pip", "the package registry answers")
		}
	}
}

func (d *doctor) port() {
	if err := lab.Listenable("127.0.0.1", lab.DefaultPort); err != nil {
		d.say(Warn, "port", "%d is taken; JupyterLab will use the next free one", lab.DefaultPort)
		return
	}
	d.say(OK, "port", "%d is free", lab.DefaultPort)
}

func (d *doctor) chromium() {
	if path, ok := setup.Chromium(); ok {
		d.say(OK, "chromium", "%s", path)
		return
	}
	d.say(Warn, "chromium", "not found; only needed for the test that runs the lecture in a browser (Debian: apt install chromium)")
}
