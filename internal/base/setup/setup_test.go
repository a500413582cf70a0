package setup_test

import (
	"context"
	"errors"
	"path/filepath"
	"testing"

	"marginalia/internal/base/setup"
	"marginalia/internal/base/setup/setuptest"
	"marginalia/internal/testkit/must"
)

func TestLockGivesUpWithItsContext(t *testing.T) {
	path := filepath.Join(t.TempDir(), "lock")
	held := must.Get(setup.Lock(t.Context(), path, nil)).Or(t)
	ctx, cancel := context.WithCancel(t.Context())
	var said []string
	p := setup.Progress(func(step string) func(error) {
		said = append(said, step)
		cancel()
		return func(error) {}
	})
	if _, err := setup.Lock(ctx, path, p); !errors.Is(err, context.Canceled) || len(said) != 1 {
		t.Errorf("error %v, said %q; want %v and one line that it waits", err, said, context.Canceled)
	}
	held.Close()
	held = must.Get(setup.Lock(t.Context(), path, nil)).Or(t)
	held.Close()
}

func TestSpace(t *testing.T) {
	err := setup.Space(map[string]uint64{filepath.Join(t.TempDir(), "not", "there"): 1 << 62})
	setuptest.WantError(t, err, "MB free", "4398046511104 MB are needed", "free some space")
	if err := setup.Space(map[string]uint64{t.TempDir(): 1}); err != nil {
		t.Error(err)
	}
	// Each half fits, both do not, and they are on one disk.
	dir := t.TempDir()
	free := must.Get(setup.Free(dir)).Or(t)
	half := free/2 + free/8
	err = setup.Space(map[string]uint64{filepath.Join(dir, "a"): half, filepath.Join(dir, "b"): half})
	setuptest.WantError(t, err, "MB are needed")
}
