// Package setup is what setting up the kernel and Python have in common: steps
// that are announced, locks, room on the disk, causes of failures, and the
// folder that holds what is made.
package setup

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"

	"marginalia/internal/lockfile"
)

// Cache returns the folder of all that is made once for all clones of the
// repository.
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

// Chromium returns the path of the browser for the tests that drive one.
func Chromium() (path string, ok bool) {
	for _, name := range []string{"chromium", "chromium-browser", "google-chrome", "google-chrome-stable"} {
		if path, err := exec.LookPath(name); err == nil {
			return path, true
		}
	}
	return "", false
}
