package buildcache

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"marginalia/internal/base/setup/setuptest"
	"marginalia/internal/testkit/must"
)

func TestWholeOrAbsent(t *testing.T) {
	cache := setuptest.OwnCache(t)
	// What a process leaves that was killed while it built.
	must.Do(t, os.MkdirAll(filepath.Join(cache, ".building-tools-1", "bin"), 0o755))
	failed := errors.New("no luck")
	fill := func(err error) func(string, *os.File) error {
		return func(tmp string, _ *os.File) error {
			return errors.Join(os.WriteFile(filepath.Join(tmp, "gonb"), nil, 0o755), err)
		}
	}
	dir := filepath.Join(cache, "tools-a")
	if err := Get(t.Context(), dir, nil, fill(failed)); !errors.Is(err, failed) {
		t.Errorf("error %v, want %v", err, failed)
	}
	if left := setuptest.Entries(t, cache); len(left) != 0 {
		t.Errorf("after a failure the cache has %q, want nothing", left)
	}
	must.Do(t, Get(t.Context(), dir, nil, fill(nil)))
	if got := setuptest.Entries(t, dir); !slices.Equal(got, []string{"gonb"}) {
		t.Errorf("%s has %q, want gonb", dir, got)
	}
	// A month later another version is built.
	old := time.Now().Add(-31 * 24 * time.Hour)
	must.Do(t, os.Chtimes(dir, old, old))
	must.Do(t, Get(t.Context(), filepath.Join(cache, "tools-b"), nil, fill(nil)))
	if left := setuptest.Entries(t, cache); !slices.Equal(left, []string{"tools-b"}) {
		t.Errorf("the cache has %q, want tools-b alone", left)
	}
}

func TestTwoAtOnce(t *testing.T) {
	dir := filepath.Join(setuptest.OwnCache(t), "tools-a")
	var built atomic.Int32
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			err := Get(t.Context(), dir, nil, func(string, *os.File) error {
				built.Add(1)
				time.Sleep(50 * time.Millisecond)
				return nil
			})
			if err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
	if built.Load() != 1 {
		t.Errorf("built %d times, want once", built.Load())
	}
}
