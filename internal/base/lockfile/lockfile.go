// Package lockfile takes advisory locks of files between processes, and stops
// waiting for one when its context is done.
//
// A lock ends when its file is closed by all who have it: this process, or its
// end, and the programs it handed the file to (exec.Cmd.ExtraFiles).
package lockfile

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// A Kind says with whom a lock can be shared.
type Kind int

const (
	Exclusive Kind = syscall.LOCK_EX // with nobody
	Shared    Kind = syscall.LOCK_SH // with others that are Shared
)

// ErrHeld is the error of Try when another has the lock.
var ErrHeld = errors.New("lockfile: another process has the lock")

const (
	poll     = 50 * time.Millisecond  // between two attempts
	patience = 300 * time.Millisecond // before waiting is worth a word
)

// Take takes the lock of the file path, which it makes with its folder, and
// waits while another has it. When it has waited for a moment it calls waiting
// once, if that is not nil, with words for the holder ("process 123"). The error
// of a context that is done is its cause.
func Take(ctx context.Context, path string, kind Kind, waiting func(holder string)) (*os.File, error) {
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return nil, err
	}
	start := time.Now()
	for {
		held, err := Try(path, kind)
		if !errors.Is(err, ErrHeld) {
			return held, err
		}
		if waiting != nil && time.Since(start) >= patience {
			waiting(holder(path))
			waiting = nil
		}
		select {
		case <-time.After(poll):
		case <-ctx.Done():
			return nil, fmt.Errorf("waiting for %s, which has locked %s: %w", holder(path), path, context.Cause(ctx))
		}
	}
}

// Try takes the lock of the file path, in a folder that is there, or returns
// ErrHeld at once.
func Try(path string, kind Kind) (*os.File, error) {
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o644)
	if errors.Is(err, fs.ErrPermission) { // another user's file has a lock all the same
		if read, none := os.Open(path); none == nil {
			f, err = read, nil
		}
	}
	if err != nil {
		return nil, err
	}
	if err = Lock(f, kind); err == nil {
		// Whoever had the lock may have removed the file: then this is the lock of no path.
		var mine os.FileInfo
		mine, err = f.Stat()
		if now, gone := os.Stat(path); err == nil && (gone != nil || !os.SameFile(mine, now)) {
			err = ErrHeld
		}
	}
	if err != nil {
		f.Close()
		return nil, err
	}
	// For those who wait. Without it they do not know for whom, and wait all the same.
	if f.Truncate(0) == nil {
		f.WriteAt([]byte(strconv.Itoa(os.Getpid())+"\n"), 0)
	}
	return f, nil
}

// Lock takes the lock of an open file, or returns ErrHeld at once. What is in
// the file stays.
func Lock(f *os.File, kind Kind) error {
	for {
		err := syscall.Flock(int(f.Fd()), int(kind)|syscall.LOCK_NB)
		switch {
		case err == nil:
			return nil
		case errors.Is(err, syscall.EWOULDBLOCK):
			return ErrHeld
		case !errors.Is(err, syscall.EINTR):
			return fmt.Errorf("lockfile: %s: %w", f.Name(), err)
		}
	}
}

// holder says who took the lock of path last.
func holder(path string) string {
	text, _ := os.ReadFile(path)
	pid, err := strconv.Atoi(strings.TrimSpace(string(text)))
	switch {
	case err != nil || pid <= 0:
		return "another process"
	case errors.Is(syscall.Kill(pid, 0), syscall.ESRCH):
		return fmt.Sprintf("a program that process %d has started", pid)
	}
	return fmt.Sprintf("process %d", pid)
}
