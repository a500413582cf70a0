// Package setup is what setting up the kernel and Python have in common: steps
// that are announced, locks, room on the disk, causes of failures, and the
// folder that holds what is made.
package setup

import (
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"time"

	"marginalia/internal/base/lockfile"
)

// Cache returns the folder that all clones of the repository share.
func Cache() (string, error) {
	dir, err := os.UserCacheDir()
	if err != nil {
		return "", fmt.Errorf("setup: no folder for caches (%w): set HOME or XDG_CACHE_HOME", err)
	}
	return filepath.Join(dir, "marginalia"), nil
}

// Lock takes the exclusive lock of path, and tells p while it waits for another
// process that has it. Programs that write to what is locked get the file
// along, so that one that outlives a kill -9 of this process is waited for.
func Lock(ctx context.Context, path string, p Progress) (held *os.File, err error) {
	end := func(error) {}
	held, err = lockfile.Take(ctx, path, lockfile.Exclusive, func(holder string) {
		end = p.Begin("waiting for " + holder + ", which is setting up")
	})
	end(err)
	if err != nil {
		return nil, fmt.Errorf("setup: %w", err)
	}
	return held, nil
}

// Chromium returns the path of the browser for the tests that drive one. (chromium-headless-shell takes
// an eighth less of the processor; but a test of the site that goes back to a page never sees it ready.)
func Chromium() (path string, ok bool) {
	for _, name := range []string{"chromium", "chromium-browser", "google-chrome", "google-chrome-stable"} {
		if path, err := exec.LookPath(name); err == nil {
			return path, true
		}
	}
	return "", false
}

// A Progress is told the name of each slow step when it begins. What it
// returns is called when the step ends, with the step's error or nil. A step
// with nothing to do is not announced. A nil Progress is silent.
type Progress func(step string) (end func(error))

// Begin tells p of a step; see [Progress].
func (p Progress) Begin(step string) func(error) {
	if p == nil {
		return func(error) {}
	}
	return p(step)
}

// Lines is the Progress of a terminal or a log: a line when a step begins, and
// one with the seconds it took when it ends. Steps may overlap.
func Lines(w io.Writer) Progress {
	var mu sync.Mutex
	return func(step string) func(error) {
		mu.Lock()
		defer mu.Unlock()
		fmt.Fprintf(w, "  … %s\n", step)
		start := time.Now()
		return func(err error) {
			mu.Lock()
			defer mu.Unlock()
			mark := "✓"
			if err != nil {
				mark = "✗"
			}
			fmt.Fprintf(w, "  %s %s (%.1f s)\n", mark, step, time.Since(start).Seconds())
		}
	}
}
