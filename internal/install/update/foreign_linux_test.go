package update

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"marginalia/internal/testkit/must"
	"marginalia/internal/testkit/testfile"
)

// Where nothing can be written beside git's files, a dry run needs no lock.
func TestReadOnly(t *testing.T) {
	c := newCourse(t, map[string]string{"1.ipynb": "a:1"})
	folder := filepath.Join(c.clone, ".git")
	if !testfile.Nobody(t, filepath.Dir(filepath.Dir(c.clone))) {
		must.Do(t, os.Chmod(folder, 0o555))
		defer os.Chmod(folder, 0o755)
	}
	err := Run(t.Context(), Options{Root: c.clone, Check: true, Say: func(string) {}, Complain: func(string) {}})
	if err != nil && !errors.Is(err, ErrIncomplete) {
		t.Error(err)
	}
}
