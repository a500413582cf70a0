// Package doctor checks that everything marginalia needs is installed.
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

	"marginalia/internal/base/setup"
	"marginalia/internal/install/lab"
	"marginalia/internal/install/venv"
	"marginalia/internal/kernel"
	"marginalia/internal/kernel/jupyter"
)

// A Status is the outcome of one check.
type Status string

const (
	OK      Status = "ok"
	Warn    Status = "warn"    // works without, or is made by the next start of JupyterLab
	Missing Status = "missing" // needed, and the user has to do something
)

// A Check is one thing looked at: what was found and, where Status is not OK,
// what to do.
type Check struct {
	Status Status
	What   string
	Found  string
}

// Diagnose checks everything that marginalia needs for the repository at root, and
// hands each result to report as it comes. It changes nothing; it uses the
// network only if something still has to be fetched.
func Diagnose(ctx context.Context, root string, report func(Check)) {
	d := doctor{ctx: ctx, root: root, e: lab.EnvironmentOf(root)}
	for _, c := range []struct {
		what string
		look func() (s Status, found string) // "" where there is nothing to look at
	}{
		{"go", d.golang}, {"git", d.git}, {"python", d.findPython}, {"kernel", d.tools}, {"gopls", d.gopls},
		{"environment", d.environment}, {"kernelspec", d.kernelspec}, {"disk", d.space},
		{"go proxy", d.proxy}, {"pip", d.pip}, {"port", d.port}, {"chromium", d.chromium},
	} {
		status, found := c.look()
		if found != "" {
			report(Check{status, c.what, packageName.ReplaceAllString(found, "")})
		}
		if c.what == "go" && status != OK {
			return // all else asks go
		}
	}
}

type doctor struct {
	ctx  context.Context
	root string
	e    lab.Environment

	t      *kernel.Toolchain
	python venv.Python // what the environment is or would be made with; Path "" if there is none
	state  venv.State
}

// packageName begins our own errors, and says nothing to who reads a diagnosis.
var packageName = regexp.MustCompile(`^(kernel|lab|setup|venv): `)

const madeByLab = "not made yet; go run . lab makes it"

func (d *doctor) golang() (Status, string) {
	var err error
	if d.t, err = kernel.New(d.ctx, d.root); err != nil {
		return Missing, err.Error()
	}
	path := filepath.Join(d.root, "go.mod")
	text, err := os.ReadFile(path)
	if err != nil {
		return Missing, err.Error()
	}
	mod, err := modfile.Parse(path, text, nil)
	if err != nil {
		return Missing, err.Error()
	}
	if version.Compare(d.t.GOVERSION, "go"+mod.Go.Version) < 0 {
		return Missing, fmt.Sprintf("%s, and go.mod asks for %s: install a newer Go (https://go.dev/dl)", d.t.GOVERSION, mod.Go.Version)
	}
	return OK, fmt.Sprintf("%s in %s; go.mod asks for %s", d.t.GOVERSION, d.t.GOROOT, mod.Go.Version)
}

func (d *doctor) git() (Status, string) {
	out, err := exec.CommandContext(d.ctx, "git", "--version").Output()
	if err != nil {
		return Warn, "not found; only needed to get the next version: install it (Debian, Ubuntu: apt install git)"
	}
	return OK, strings.TrimSpace(string(out))
}

func (d *doctor) findPython() (Status, string) {
	p, err := venv.Find(d.ctx)
	if err != nil {
		return Missing, err.Error()
	}
	d.python = p
	if p.Untried() {
		return Warn, fmt.Sprintf("%v is newer than the pinned packages: if the installation fails, name a Python of 3.10 to 3.14 in MARGINALIA_PYTHON", p)
	}
	return OK, fmt.Sprintf("%v, makes virtual environments", p)
}

// tools looks whether the kernel is there and of the version in go.mod (gonb
// itself gives a stale one), and starts it.
func (d *doctor) tools() (Status, string) {
	dir := d.t.Tools
	if _, err := os.Stat(dir); err != nil {
		return Warn, madeByLab
	}
	info, err := buildinfo.ReadFile(filepath.Join(dir, "gonb"))
	if err != nil {
		return Missing, fmt.Sprintf("%v: remove %s and start again", err, dir)
	}
	spec, err := kernel.Spec(d.ctx, d.root, nil)
	if err != nil {
		return Missing, err.Error()
	}
	ctx, cancel := context.WithTimeout(d.ctx, 30*time.Second)
	defer cancel()
	start := time.Now()
	k, err := jupyter.Start(ctx, spec)
	if err != nil {
		return Missing, fmt.Sprintf("does not start (%v): remove %s and start again", err, dir)
	}
	took := time.Since(start)
	k.Shutdown()
	return OK, fmt.Sprintf("GoNB %s answers %.1f s after its start", info.Main.Version, took.Seconds())
}

func (d *doctor) gopls() (Status, string) {
	if _, err := os.Stat(d.t.Gopls); err != nil {
		return Warn, madeByLab + ", in the background; cells do not complete code without"
	}
	return OK, "built; cells complete code"
}

func (d *doctor) environment() (Status, string) {
	var why string
	switch d.state, why = d.e.State(d.ctx); d.state {
	case venv.Absent:
		return Warn, d.e.Dir + ": " + madeByLab
	case venv.Partial:
		return Warn, fmt.Sprintf("%s: %s; go run . lab makes it anew", d.e.Dir, why)
	case venv.Foreign:
		return Missing, d.e.ForeignError(why).Error()
	}
	n, err := d.e.Check(d.ctx)
	if err != nil {
		return Missing, fmt.Sprintf("%s: %s: remove it and start again", d.e.Dir, packageName.ReplaceAllString(err.Error(), ""))
	}
	return OK, fmt.Sprintf("%s: JupyterLab %s, %d packages as pinned", d.e.Dir, d.e.Pinned("jupyterlab"), n)
}

// kernelspec looks whether kernel.json, which editors read too, is up to date.
func (d *doctor) kernelspec() (Status, string) {
	if d.state != venv.Whole {
		return OK, ""
	}
	path, current := d.e.Kernelspec(d.t)
	if !current {
		return Warn, path + " is not there or names an older kernel; go run . lab writes it anew"
	}
	return OK, path
}

func (d *doctor) space() (Status, string) {
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
		return Missing, err.Error()
	}
	return OK, fmt.Sprintf("%d MB free", least>>20)
}

// proxy fetches something small from where the kernel's sources would come.
func (d *doctor) proxy() (Status, string) {
	if len(d.t.Space()) == 0 {
		return OK, ""
	}
	ctx, cancel := context.WithTimeout(d.ctx, 30*time.Second)
	defer cancel()
	if err := d.t.Download(ctx); err != nil {
		return Missing, err.Error()
	}
	return OK, "answers"
}

// pip fetches something small from where the Python packages would come.
func (d *doctor) pip() (Status, string) {
	if d.state == venv.Whole || d.state == venv.Foreign || d.python.Path == "" {
		return OK, ""
	}
	ctx, cancel := context.WithTimeout(d.ctx, 30*time.Second)
	defer cancel()
	const small = "webencodings" // 11 kB
	switch err := d.python.Download(ctx, small+"=="+d.e.Pinned(small)); {
	case errors.Is(err, venv.ErrNoPip):
		return Warn, fmt.Sprintf("not tried, as %v has no pip of its own", d.python)
	case err != nil:
		return Missing, err.Error()
	}
	return OK, "the package registry answers"
}

func (d *doctor) port() (Status, string) {
	if err := lab.Listenable("127.0.0.1", lab.DefaultPort); err != nil {
		return Warn, fmt.Sprintf("%d is taken; JupyterLab will use the next free one", lab.DefaultPort)
	}
	return OK, fmt.Sprintf("%d is free", lab.DefaultPort)
}

func (d *doctor) chromium() (Status, string) {
	if path, ok := setup.Chromium(); ok {
		return OK, path
	}
	return Warn, "not found; only needed for the test that runs the lecture in a browser (Debian: apt install chromium)"
}
