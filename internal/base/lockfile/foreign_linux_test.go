package lockfile_test

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"marginalia/internal/base/lockfile"
	"marginalia/internal/testkit/must"
	"marginalia/internal/testkit/testfile"
)

// A file that another user has made, root say, is a lock for all who may read it.
func TestForeignFile(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "lock")
	must.Do(t, os.WriteFile(path, nil, 0o444))
	testfile.Nobody(t, filepath.Dir(dir))
	held := must.Get(lockfile.Try(path, lockfile.Exclusive)).Or(t)
	if _, err := lockfile.Try(path, lockfile.Exclusive); !errors.Is(err, lockfile.ErrHeld) {
		t.Errorf("a second lock: %v, want %v", err, lockfile.ErrHeld)
	}
	held.Close()
	if _, err := lockfile.Try(filepath.Join(dir, "none"), lockfile.Exclusive); os.Getuid() == 0 && !errors.Is(err, os.ErrPermission) {
		t.Errorf("in a folder that forbids it: %v", err)
	}
}
