// Package owncache gives a test a cache of its own, beside Go's and SQLite's: nothing else is left in the user's,
// and nothing that lies there decides what the test sees or whether go test runs it again.
package owncache

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// Use has the test, and the programs that it starts, keep things in a cache of the test's own. It returns
// marginalia's folder there.
func Use(t testing.TB) string {
	t.Helper()
	env, err := exec.Command("go", "env", "GOCACHE", "GOMODCACHE").Output()
	if err != nil {
		t.Fatal(err)
	}
	dirs := strings.Fields(string(env))
	users, err := os.UserCacheDir()
	if err != nil {
		t.Fatal(err)
	}
	t.Setenv("GOCACHE", dirs[0])
	t.Setenv("GOMODCACHE", dirs[1])
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
	t.Setenv("HOME", t.TempDir()) // macOS keeps its caches below
	t.Setenv("XDG_CONFIG_HOME", t.TempDir())
	uncounted(t)
	cache, err := os.UserCacheDir()
	if err != nil {
		t.Fatal(err)
	}
	own := filepath.Join(cache, "marginalia")
	// SQLite as machine code (see package gradebook) is like what is in Go's cache: to compile it takes two seconds.
	compiled, err := filepath.Glob(filepath.Join(users, "marginalia", "sqlite-*"))
	if err != nil {
		t.Fatal(err)
	}
	for _, dir := range compiled {
		if err := errors.Join(os.MkdirAll(own, 0o755), os.Symlink(dir, filepath.Join(own, filepath.Base(dir)))); err != nil {
			t.Fatal(err)
		}
	}
	return own
}

// uncounted turns Go's telemetry off in the new home: the process that looks after its counters is still
// writing when the command has ended, and perhaps when the test has.
func uncounted(t testing.TB) {
	config, err := os.UserConfigDir()
	if err != nil {
		t.Fatal(err)
	}
	dir := filepath.Join(config, "go", "telemetry")
	if err := errors.Join(os.MkdirAll(dir, 0o755), os.WriteFile(filepath.Join(dir, "mode"), []byte("off"), 0o644)); err != nil {
		t.Fatal(err)
	}
}
