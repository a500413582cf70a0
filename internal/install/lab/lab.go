// Package lab sets JupyterLab up with the Go kernel for the repository, and
// starts it: "go run . lab".
//
// It needs what internal/kernel builds, and the virtual environment .venv in the
// repository with JupyterLab, the kernelspec and Jupyter's own files.
package lab

import (
	"context"
	_ "embed"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"sync"

	"golang.org/x/sync/errgroup"

	"marginalia/internal/base/lockfile"
	"marginalia/internal/base/setup"
	"marginalia/internal/install/venv"
	"marginalia/internal/kernel"
)

//go:embed requirements.txt
var requirements string

// An Environment is the virtual environment of the repository. Its own folder
// holds Jupyter's settings and runtime files.
type Environment struct {
	venv.Env
	files map[string]any // of an [Extra], by their paths
}

// EnvironmentOf is that of the repository at root.
func EnvironmentOf(root string) Environment {
	e := Environment{Env: venv.Env{Dir: filepath.Join(root, ".venv"), Requirements: []string{requirements}}}
	e.What = "JupyterLab " + e.Pinned("jupyterlab") + " and what it needs"
	return e
}

// JupyterPython returns the Python of the virtual environment of the repository
// at root, which can import what JupyterLab needs, nbformat and nbclient among
// it. It makes the environment first unless it is whole: half a minute, announced
// to p, with a package index in reach.
func JupyterPython(ctx context.Context, root string, p setup.Progress) (string, error) {
	e := EnvironmentOf(root)
	if err := e.Ensure(ctx, p); err != nil {
		return e.Python(), err
	}
	return e.Python(), e.pages()
}

// Options are those of JupyterLab's start.
type Options struct {
	Dir       string // the folder to open; it must exist
	Host      string // the address to listen on
	Port      int    // 0: 8888, or the next free one
	Lectures  bool   // Dir has the lectures: what is new goes to OwnFolder, what tests need is hidden
	NoBrowser bool   // do not open the page in the user's browser
	Extra     *Extra // what is there beside JupyterLab; nil: nothing
}

var errInterrupted = errors.New("lab: interrupted; everything half-made was removed")

// Start sets up what is missing for the repository at root, runs JupyterLab
// until it ends or ctx does, and then has shut it and its kernels down. Steps
// are told to p, everything else to stderr. The end of ctx while JupyterLab
// runs is no error.
//
// What is missing or at fault on the computer comes back as an error of one sentence
// with the remedy, and nothing half-made stays. gopls is built while JupyterLab runs.
func Start(ctx context.Context, root string, o Options, p setup.Progress, stderr *os.File) error {
	dir, err := filepath.Abs(o.Dir)
	if err != nil {
		return err
	}
	switch info, err := os.Stat(dir); {
	case errors.Is(err, fs.ErrNotExist):
		return fmt.Errorf("lab: there is no folder %s: make it, or give another with --dir", dir)
	case err != nil:
		return fmt.Errorf("lab: %w", err)
	case !info.IsDir():
		return fmt.Errorf("lab: %s is not a folder: give one with --dir", dir)
	}
	if _, err := freePort(o.Host, o.Port); err != nil {
		return err
	}
	e, err := o.environment(ctx, root, stderr)
	if err != nil {
		return err
	}
	t, err := setUp(ctx, root, e, p, stderr)
	if err != nil {
		if ctx.Err() != nil {
			return errInterrupted
		}
		return err
	}
	release, err := e.Hold(lockfile.Shared)
	if err != nil {
		return fmt.Errorf("lab: another marginalia is making %s again: start again when it has finished", e.Dir)
	}
	defer release()
	port, err := freePort(o.Host, o.Port) // again: the set-up may have taken minutes
	if err != nil {
		return err
	}
	if o.Port == 0 && port != DefaultPort {
		fmt.Fprintf(stderr, "Port %d is taken; JupyterLab uses %d.\n", DefaultPort, port)
	}
	fmt.Fprintf(stderr, "JupyterLab starts on %s; Ctrl-C ends it.\n", dir)

	ctx, cancel := context.WithCancel(ctx)
	var background sync.WaitGroup
	defer background.Wait()
	defer cancel()
	background.Go(func() {
		if err := t.BuildGoplsAside(ctx, p); err != nil && ctx.Err() == nil {
			fmt.Fprintf(stderr, "marginalia: %v; cells do not complete code until a later start has built it\n", err)
		}
	})
	return runJupyter(ctx, e, dir, port, o, stderr)
}

// environment is that of the extra, if there is one, or else of the repository. An extra that can do without is taken
// out of the options where Python is too old for it.
func (o *Options) environment(ctx context.Context, root string, stderr io.Writer) (Environment, error) {
	if o.Extra == nil {
		return EnvironmentOf(root), nil
	}
	e, err := o.Extra.environment(ctx)
	if old := new(oldPythonError); errors.As(err, &old) && o.Extra.Optional {
		fmt.Fprintf(stderr, "JupyterLab starts without %s: %s.\n", o.Extra.Name, old.what)
		o.Extra = nil
		return EnvironmentOf(root), nil
	}
	return e, err
}

// SetUp does all that [Start] does before JupyterLab starts, builds gopls, and
// starts nothing: for images and class rooms, whose users come to what is ready.
func SetUp(ctx context.Context, root string, p setup.Progress, stderr *os.File) error {
	t, err := setUp(ctx, root, EnvironmentOf(root), p, stderr)
	if err == nil {
		err = t.BuildGopls(ctx, p)
	}
	if ctx.Err() != nil {
		return errInterrupted
	}
	return err
}

// setUp does what is not done yet: the Go side and the Python side at the same
// time, since one computes while the other waits for the network.
func setUp(ctx context.Context, root string, e Environment, p setup.Progress, stderr *os.File) (*kernel.Toolchain, error) {
	t, err := kernel.New(ctx, root)
	if err != nil {
		return nil, err
	}
	// What can be known to fail fails before the long steps begin.
	switch state, why := e.State(ctx); state {
	case venv.Foreign:
		return nil, e.ForeignError(why)
	case venv.Absent, venv.Partial:
		if _, err := venv.Find(ctx); err != nil {
			return nil, err
		}
	}
	if err := setup.Space(e.spaceNeeded(ctx, t)); err != nil {
		return nil, err
	}
	var warning string
	eg, both := errgroup.WithContext(ctx)
	eg.Go(func() (err error) {
		if err = t.Build(both, p); err == nil {
			warning, err = t.Warm(both, p)
		}
		return err
	})
	eg.Go(func() error { return e.Ensure(both, p) })
	if err := eg.Wait(); err != nil {
		return nil, err
	}
	if warning != "" {
		fmt.Fprintln(stderr, "marginalia: lab:", warning)
	}
	return t, e.configure(kernelspecOf(t))
}

// SpaceNeeded is what the steps of a set-up will need, by folder.
func SpaceNeeded(ctx context.Context, t *kernel.Toolchain) map[string]uint64 {
	return EnvironmentOf(t.Root).spaceNeeded(ctx, t)
}

func (e Environment) spaceNeeded(ctx context.Context, t *kernel.Toolchain) map[string]uint64 {
	need := t.Space()
	if state, _ := e.State(ctx); state != venv.Whole {
		need[e.Dir] = venv.Space
	}
	return need
}
