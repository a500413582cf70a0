//go:build darwin || dragonfly || freebsd || linux || netbsd || openbsd

package main

import (
	"context"
	"errors"
	"syscall"

	"marginalia/internal/base/lockfile"
)

// lock takes the lock file, and calls waiting once if it has to wait. On a file system
// without locks it returns at once: two simultaneous downloads only waste time, and the
// sum of the result is checked anyway.
func lock(ctx context.Context, path string, waiting func(holder string)) (unlock func(), err error) {
	held, err := lockfile.Take(ctx, path, lockfile.Exclusive, waiting)
	switch {
	case errors.Is(err, errors.ErrUnsupported), errors.Is(err, syscall.ENOLCK):
		return func() {}, nil
	case err != nil:
		return nil, err
	}
	return func() { held.Close() }, nil
}
