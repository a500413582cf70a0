package update

import (
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"syscall"
	"testing"

	"marginalia/internal/testkit/must"
)

// Where nothing can be written beside git's files, a dry run needs no lock.
func TestReadOnly(t *testing.T) {
	c := newCourse(t, map[string]string{"1.ipynb": "a:1"})
	folder := filepath.Join(c.clone, ".git")
	if os.Getuid() == 0 { // who may write everywhere, unless this thread is nobody's; git is still root's
		must.Do(t, os.Chmod(filepath.Dir(filepath.Dir(c.clone)), 0o755))
		runtime.LockOSThread()
		defer runtime.UnlockOSThread()
		must.Do(t, syscall.Setfsuid(65534))
		defer syscall.Setfsuid(0)
	} else {
		must.Do(t, os.Chmod(folder, 0o555))
		defer os.Chmod(folder, 0o755)
	}
	err := Run(t.Context(), Options{Root: c.clone, Check: true, Say: func(string) {}, Complain: func(string) {}})
	if err != nil && !errors.Is(err, ErrIncomplete) {
		t.Error(err)
	}
}
