package lockfile_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"marginalia/internal/base/lockfile"
	"marginalia/internal/testkit/must"
)

func take(t *testing.T, path string, kind lockfile.Kind) *os.File {
	t.Helper()
	f := must.Get(lockfile.Take(t.Context(), path, kind, nil)).Or(t)
	t.Cleanup(func() { f.Close() })
	return f
}

// Whoever waits is told once for whom, and no longer waits when the context is done.
func TestWaitingEndsWithTheContext(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "folder", "lock")
	held := take(t, path, lockfile.Exclusive)
	ctx, cancel := context.WithCancelCause(t.Context())
	interrupted := errors.New("interrupted")
	var said []string
	_, err := lockfile.Take(ctx, path, lockfile.Exclusive, func(holder string) {
		said = append(said, holder)
		cancel(interrupted)
	})
	me := fmt.Sprintf("process %d", os.Getpid())
	if !errors.Is(err, interrupted) || !strings.Contains(err.Error(), me) || len(said) != 1 || said[0] != me {
		t.Errorf("error %v, told %q; want the context's cause and %q, once", err, said, me)
	}
	held.Close()
	take(t, path, lockfile.Exclusive)
}

// The lock is had by waiting, as soon as it is free.
func TestWaitingEndsWithTheLock(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "lock")
	held := take(t, path, lockfile.Exclusive)
	f := must.Get(lockfile.Take(t.Context(), path, lockfile.Shared, func(string) { held.Close() })).Or(t)
	f.Close()
}

func TestKinds(t *testing.T) {
	for _, tt := range []struct {
		first, second lockfile.Kind
		held          bool
	}{{lockfile.Shared, lockfile.Shared, false}, {lockfile.Shared, lockfile.Exclusive, true}, {lockfile.Exclusive, lockfile.Shared, true}, {lockfile.Exclusive, lockfile.Exclusive, true}} {
		path := filepath.Join(t.TempDir(), "lock")
		take(t, path, tt.first)
		f, err := lockfile.Try(path, tt.second)
		if errors.Is(err, lockfile.ErrHeld) != tt.held {
			t.Errorf("kind %d beside kind %d: %v, want held %v", tt.second, tt.first, err, tt.held)
		}
		if err == nil {
			f.Close()
		}
	}
}

// The holder may remove the file. Who waited must not have the lock of what is
// no longer there, while another has that of the new file.
func TestRemovedFile(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "lock")
	held := take(t, path, lockfile.Exclusive)
	f, err := lockfile.Take(t.Context(), path, lockfile.Exclusive, func(string) {
		if err := os.Remove(path); err != nil {
			t.Error(err)
		}
		held.Close()
	})
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if _, err := lockfile.Try(path, lockfile.Exclusive); !errors.Is(err, lockfile.ErrHeld) {
		t.Errorf("a second lock of the path beside the first: %v, want %v", err, lockfile.ErrHeld)
	}
}

// The program that got the file keeps the lock when its parent closes it.
func TestInherited(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "lock")
	held := take(t, path, lockfile.Exclusive)
	cmd := exec.Command("cat")
	cmd.ExtraFiles = []*os.File{held}
	stdin := must.Get(cmd.StdinPipe()).Or(t)
	must.Do(t, cmd.Start())
	held.Close()
	f, err := lockfile.Take(t.Context(), path, lockfile.Exclusive, func(string) {
		stdin.Close()
		cmd.Wait()
	})
	if err != nil {
		t.Fatal(err)
	}
	f.Close()
	if cmd.ProcessState == nil {
		t.Error("the lock was free while the program had it")
	}
}
