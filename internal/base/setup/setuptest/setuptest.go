// Package setuptest stands in for the computer in tests of what sets it up.
package setuptest

import (
	"cmp"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"marginalia/internal/base/repo"
	"marginalia/internal/base/setup"
)

// DeadProxy is a proxy that refuses at once: nothing listens on port 1.
const DeadProxy = "http://127.0.0.1:1"

// OwnCache gives the test a cache of tools of its own; Go keeps its caches.
func OwnCache(t *testing.T) string {
	t.Helper()
	out, err := exec.Command("go", "env", "GOCACHE", "GOMODCACHE").Output()
	if err != nil {
		t.Fatal(err)
	}
	caches := strings.Fields(string(out))
	t.Setenv("GOCACHE", caches[0])
	t.Setenv("GOMODCACHE", caches[1])
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
	write(t, filepath.Join(config, "go", "telemetry", "mode"), "off\n", 0o644)
	cache, err := setup.Cache()
	if err != nil {
		t.Fatal(err)
	}
	return cache
}

// Repository is a root with nothing but what a start reads before its long steps.
func Repository(t *testing.T) string {
	t.Helper()
	root := t.TempDir()
	real, err := repo.Root()
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"go.mod", "go.sum", "internal/kernel/gopls/go.mod", "internal/kernel/gopls/go.sum"} {
		write(t, filepath.Join(root, name), Read(t, filepath.Join(real, name)), 0o644)
	}
	return root
}

// OnlyPath is a PATH with sh's own tools, those that are named, and nothing named python.
func OnlyPath(t *testing.T, tools ...string) (dir string) {
	t.Helper()
	dir = t.TempDir()
	for _, tool := range append(tools, "sh", "mkdir", "cp", "sleep", "cat") {
		path, err := exec.LookPath(tool)
		if err == nil {
			err = os.Symlink(path, filepath.Join(dir, tool))
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	t.Setenv("PATH", dir)
	t.Setenv("MARGINALIA_PYTHON", "")
	return dir
}

// A FakePython answers the probe, makes "environments" that hold itself, and
// runs the shell text Pip for "-m pip". It logs each -m call.
type FakePython struct {
	Major, Minor     int
	Venv, Ensurepip  bool
	Pip, Environment string // shell text; "" succeeds
	Other            string // shell text for all other calls; "" fails
}

// GoodPython lacks nothing.
var GoodPython = FakePython{Major: 3, Minor: 12, Venv: true, Ensurepip: true}

// Write makes the program name in dir, and returns the file that it logs to.
func (f FakePython) Write(t *testing.T, dir, name string) (log string) {
	t.Helper()
	log = filepath.Join(dir, name+".log")
	write(t, filepath.Join(dir, name), fmt.Sprintf(`#!/bin/sh
case "$*" in
*ensurepip*) echo '[%d, %d, %t, %t]' ;;
*%%d.%%d*) echo '%d.%d' ;;
"-m venv "*) echo venv >>%s; %s
	mkdir -p "$3/bin" && cp "$0" "$3/bin/python" ;;
"-m pip "*) echo pip >>%s; %s
	exit 0 ;;
*) %s ;;
esac
`, f.Major, f.Minor, f.Venv, f.Ensurepip, f.Major, f.Minor, log, f.Environment, log, f.Pip, cmp.Or(f.Other, "exit 3")), 0o755)
	return log
}

// Steps records the names of the steps that a test's call announces.
func Steps(into *[]string) setup.Progress {
	return func(step string) func(error) {
		*into = append(*into, step)
		return func(error) {}
	}
}

// WantError checks that an error is of one line, and has the parts.
func WantError(t *testing.T, err error, parts ...string) {
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

// Entries lists what is in dir, less lock files, which stay.
func Entries(t *testing.T, dir string) []string {
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

// Read is the text of a file, "" if there is none.
func Read(t *testing.T, path string) string {
	t.Helper()
	b, err := os.ReadFile(path)
	if err != nil && !os.IsNotExist(err) {
		t.Fatal(err)
	}
	return string(b)
}

func write(t *testing.T, path, text string, mode os.FileMode) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), mode); err != nil {
		t.Fatal(err)
	}
}
