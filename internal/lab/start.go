package lab

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"sync"

	"golang.org/x/sync/errgroup"

	"marginalia/internal/lockfile"
)

// Options are those of JupyterLab's start.
type Options struct {
	Dir     string // the folder to open; it must exist
	Host    string // the address to listen on
	Port    int    // 0: 8888, or the next free one
	Browser bool   // open the page in the user's browser
}

var errInterrupted = faultf("interrupted; what was half-made has been removed")

// Start sets up what is missing for the repository at root, runs JupyterLab
// until it ends or ctx does, and then has shut it and its kernels down. Steps
// are told to p, everything else to stderr. The end of ctx while JupyterLab
// runs is no error.
//
// On a computer where nothing is there yet it builds the kernel and goimports,
// makes the virtual environment .venv in the repository, and compiles what
// cells import; gopls is built while JupyterLab runs. Later starts only look
// whether all of that is there. What is missing or at fault on the computer
// comes back as an error of one sentence with the remedy, and nothing half-made
// stays.
func Start(ctx context.Context, root string, o Options, p Progress, stderr *os.File) error {
	dir, err := filepath.Abs(o.Dir)
	if err != nil {
		return err
	}
	if err := checkDir(dir); err != nil {
		return err
	}
	if _, err := freePort(o.Host, o.Port); err != nil {
		return err
	}
	v := venvOf(root)
	g, err := setUp(ctx, root, v, p, stderr)
	if err != nil {
		if ctx.Err() != nil {
			return errInterrupted
		}
		return err
	}
	release, err := v.hold(lockfile.Shared)
	if err != nil {
		return faultf("%s is being made anew by another marginalia: start again when that one is ready", v.dir)
	}
	defer release()
	port, err := freePort(o.Host, o.Port) // again: the set-up may have taken minutes
	if err != nil {
		return err
	}
	if o.Port == 0 && port != defaultPort {
		fmt.Fprintf(stderr, "Port %d is taken; JupyterLab uses %d.\n", defaultPort, port)
	}
	fmt.Fprintf(stderr, "JupyterLab starts on %s; Ctrl-C ends it.\n", dir)

	ctx, cancel := context.WithCancel(ctx)
	var background sync.WaitGroup
	defer background.Wait()
	defer cancel()
	background.Go(func() {
		if err := buildGopls(ctx, root, g, p); err != nil && ctx.Err() == nil {
			fmt.Fprintf(stderr, "marginalia: %v; cells do not complete code until a later start has built it\n", err)
		}
	})
	return runJupyter(ctx, v, dir, port, o, stderr)
}

// SetUp does all that [Start] does before JupyterLab starts, builds gopls, and
// starts nothing: for images and class rooms, whose users come to what is ready.
func SetUp(ctx context.Context, root string, p Progress, stderr *os.File) error {
	g, err := setUp(ctx, root, venvOf(root), p, stderr)
	if err == nil {
		err = buildGopls(ctx, root, g, p)
	}
	if ctx.Err() != nil {
		return errInterrupted
	}
	return err
}

func checkDir(dir string) error {
	info, err := os.Stat(dir)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return faultf("there is no folder %s: make it, or give another with --dir", dir)
	case err != nil:
		return faultf("%w", err)
	case !info.IsDir():
		return faultf("%s is not a folder: give one with --dir", dir)
	}
	return nil
}

// setUp does what is not done yet: the Go side and the Python side at the same
// time, since one computes while the other waits for the network.
func setUp(ctx context.Context, root string, v venv, p Progress, stderr *os.File) (goEnv, error) {
	g, err := readGoEnv(ctx, root)
	if err != nil {
		return g, err
	}
	// What can be known to fail fails before the long steps begin.
	state, why := v.state(ctx)
	switch state {
	case venvForeign:
		return g, v.foreignError(why)
	case venvAbsent, venvPartial:
		if _, err := FindPython(ctx); err != nil {
			return g, err
		}
	}
	cache, err := cacheDir()
	if err != nil {
		return g, err
	}
	toolsDir, err := toolsName(root, g)
	if err != nil {
		return g, err
	}
	gopls, err := goplsName(root, g)
	if err != nil {
		return g, err
	}
	if err := checkSpaces(spaceNeeded(g, v, cache, toolsDir, state)); err != nil {
		return g, err
	}
	var tools, warning string
	eg, ctx := errgroup.WithContext(ctx)
	eg.Go(func() (err error) {
		if tools, err = buildTools(ctx, root, g, p); err != nil {
			return err
		}
		warning, err = warm(ctx, root, filepath.Base(tools), g, filepath.Join(cache, "warm-"+v.id()), p)
		return err
	})
	eg.Go(func() error { return v.ensure(ctx, p) })
	if err := eg.Wait(); err != nil {
		return g, err
	}
	if warning != "" {
		fmt.Fprintln(stderr, "marginalia: lab:", warning)
	}
	return g, v.configure(interactiveSpec(root, g, tools, filepath.Join(cache, gopls)))
}

// spaceNeeded is what the steps to come need, by folder.
func spaceNeeded(g goEnv, v venv, cache, tools string, state venvState) map[string]uint64 {
	need := map[string]uint64{}
	if _, err := os.Stat(filepath.Join(cache, tools)); err != nil {
		need = g.spaceToBuild(cache)
	}
	if state != venvWhole {
		need[v.dir] = spaceVenv
	}
	return need
}
