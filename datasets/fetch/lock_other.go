//go:build !(darwin || dragonfly || freebsd || linux || netbsd || openbsd)

package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"time"
)

// lock waits until it has created the lock file, and calls waiting once if it has to
// wait. A killed process leaves the file behind; after ten minutes lock returns an error
// that says so.
func lock(ctx context.Context, path string, waiting func(holder string)) (unlock func(), err error) {
	limit := time.After(10 * time.Minute)
	for {
		f, err := os.OpenFile(path, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o644)
		if err == nil {
			return func() { f.Close(); os.Remove(path) }, nil
		}
		if !errors.Is(err, fs.ErrExist) {
			return nil, err
		}
		waiting("another process")
		waiting = func(string) {}
		select {
		case <-ctx.Done():
			return nil, context.Cause(ctx)
		case <-limit:
			return nil, fmt.Errorf("%s is in the way: if no other process downloads, remove it", path)
		case <-time.After(100 * time.Millisecond):
		}
	}
}
