package lockfile_test

import (
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"syscall"
	"testing"

	"marginalia/internal/base/lockfile"
	"marginalia/internal/testkit/must"
)

// A file that another user has made, root say, is a lock for all who may read it.
func TestForeignFile(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "lock")
	must.Do(t, os.WriteFile(path, nil, 0o444))
	if os.Getuid() == 0 { // who may write everywhere, unless this thread is nobody's
		must.Do(t, os.Chmod(filepath.Dir(dir), 0o755))
		runtime.LockOSThread()
		defer runtime.UnlockOSThread()
		must.Do(t, syscall.Setfsuid(65534))
		defer syscall.Setfsuid(0)
	}
	held := must.Get(lockfile.Try(path, lockfile.Exclusive)).Or(t)
	if _, err := lockfile.Try(path, lockfile.Exclusive); !errors.Is(err, lockfile.ErrHeld) {
		t.Errorf("a second lock: %v, want %v", err, lockfile.ErrHeld)
	}
	held.Close()
	if _, err := lockfile.Try(filepath.Join(dir, "none"), lockfile.Exclusive); os.Getuid() == 0 && !errors.Is(err, os.ErrPermission) {
		t.Errorf("in a folder that forbids it: %v", err)
	}
}
