package lab

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"marginalia/internal/jupyter"
	"marginalia/internal/repo"
)

func TestMain(m *testing.M) {
	jupyter.KeeperMain()
	os.Exit(m.Run())
}

// ownCache gives the test a cache of tools of its own; Go keeps its caches.
func ownCache(t *testing.T) string {
	t.Helper()
	root, err := repo.Root()
	if err != nil {
		t.Fatal(err)
	}
	g, err := readGoEnv(t.Context(), root)
	if err != nil {
		t.Fatal(err)
	}
	t.Setenv("GOCACHE", g.GOCACHE)
	t.Setenv("GOMODCACHE", g.GOMODCACHE)
	home := t.TempDir()
	t.Setenv("HOME", home)
	t.Setenv("XDG_CACHE_HOME", filepath.Join(home, ".cache"))
	t.Setenv("XDG_CONFIG_HOME", filepath.Join(home, ".config"))
	// The go command counts its uses in the background, also when the test
	// has ended and its folders are removed.
	config, err := os.UserConfigDir()
	if err != nil {
		t.Fatal(err)
	}
	if err := os.MkdirAll(filepath.Join(config, "go", "telemetry"), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(config, "go", "telemetry", "mode"), []byte("off\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	cache, err := cacheDir()
	if err != nil {
		t.Fatal(err)
	}
	return cache
}

// steps records the names of the steps that a test's call announces.
func steps(into *[]string) Progress {
	return func(step string) func(error) {
		*into = append(*into, step)
		return func(error) {}
	}
}

func wantError(t *testing.T, err error, parts ...string) {
	t.Helper()
	if err == nil {
		t.Fatalf("no error, want one with %q", parts)
	}
	for _, p := range parts {
		if !strings.Contains(err.Error(), p) {
			t.Errorf("error %q, want %q in it", err, p)
		}
	}
	if strings.Contains(err.Error(), "\n") {
		t.Errorf("error of more than one line: %q", err)
	}
}

// entries lists what is in dir, less lock files, which stay.
func entries(t *testing.T, dir string) []string {
	t.Helper()
	list, err := os.ReadDir(dir)
	if err != nil && !os.IsNotExist(err) {
		t.Fatal(err)
	}
	var names []string
	for _, e := range list {
		if !strings.HasSuffix(e.Name(), ".lock") {
			names = append(names, e.Name())
		}
	}
	return names
}
