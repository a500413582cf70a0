package owncache_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"marginalia/internal/owncache"
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

func goCache(t *testing.T) string {
	out, err := exec.Command("go", "env", "GOCACHE").Output()
	if err != nil {
		t.Fatal(err)
	}
	return strings.TrimSpace(string(out))
}
