package owncache_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"marginalia/internal/testkit/owncache"
)

// Both folders are as os.UserCacheDir and the go command find them, before and in the test.
func TestUse(t *testing.T) {
	users, err := os.UserCacheDir()
	if err != nil {
		t.Fatal(err)
	}
	before := goCache(t)
	t.Run("own", func(t *testing.T) {
		dir := owncache.Use(t)
		if rel, err := filepath.Rel(users, dir); err == nil && filepath.IsLocal(rel) {
			t.Errorf("%s lies in the user's cache", dir)
		}
		if own, err := os.UserCacheDir(); err != nil || filepath.Join(own, "marginalia") != dir {
			t.Errorf("%s, %v, want the cache that %s lies in", own, err, dir)
		}
		if now := goCache(t); now != before {
			t.Errorf("Go's cache is %s, want %s", now, before)
		}
	})
	if again, err := os.UserCacheDir(); err != nil || again != users {
		t.Errorf("after the test %s, %v, want %s", again, err, users)
	}
}

// SQLite as the user's cache has it is there, and nothing else of the user's.
func TestCompiled(t *testing.T) {
	users := owncache.Use(t)
	for _, dir := range []string{"sqlite-1", "judge"} {
		if err := os.MkdirAll(filepath.Join(users, dir, "code"), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	own := owncache.Use(t)
	found, _ := filepath.Glob(filepath.Join(own, "*", "*"))
	if want := filepath.Join(own, "sqlite-1", "code"); !slices.Contains(found, want) {
		t.Errorf("the cache has %q, want %s", found, want)
	}
	if _, err := os.Stat(filepath.Join(own, "judge")); err == nil {
		t.Error("the cache has the user's judges")
	}
}

// Whoever removes the test's home finds nobody writing there.
func TestUncounted(t *testing.T) {
	owncache.Use(t)
	out, err := exec.Command("go", "env", "GOTELEMETRY").Output()
	if err != nil || strings.TrimSpace(string(out)) != "off" {
		t.Errorf("the go command counts: %q, %v", out, err)
	}
}

func goCache(t *testing.T) string {
	out, err := exec.Command("go", "env", "GOCACHE").Output()
	if err != nil {
		t.Fatal(err)
	}
	return strings.TrimSpace(string(out))
}
