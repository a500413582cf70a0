package pyenv

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"marginalia/internal/lockfile"
)

// fake is a Python that answers lab's probe, makes "environments" that hold
// itself, and logs what it is run for; for "-m pip" it also runs the shell text
// pip. The cache is the test's own.
func fake(t *testing.T, pip string) (log string) {
	t.Helper()
	dir := t.TempDir()
	log = filepath.Join(dir, "log")
	script := fmt.Sprintf(`#!/bin/sh
case "$*" in
*ensurepip*) echo '[3, 12, true, true]' ;;
"-m venv "*) echo "venv" >>%[1]s; mkdir -p "$3/bin" && cp "$0" "$3/bin/python" ;;
"-m pip "*) for last; do :; done; echo "pip $(cat "$last")" >>%[1]s; %[2]s ;;
*) exit 3 ;;
esac
`, log, pip)
	python := filepath.Join(dir, "python")
	if err := os.WriteFile(python, []byte(script), 0o755); err != nil {
		t.Fatal(err)
	}
	t.Setenv("MARGINALIA_PYTHON", python)
	t.Setenv("HOME", dir) // the cache of macOS is in it
	t.Setenv("XDG_CACHE_HOME", filepath.Join(dir, "cache"))
	return log
}

func read(t *testing.T, path string) string {
	t.Helper()
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

func TestMadeOnce(t *testing.T) {
	log := fake(t, "sleep 0.2")
	var wait sync.WaitGroup
	var pythons [4]string
	for i := range pythons {
		wait.Go(func() {
			var err error
			if pythons[i], err = Python(t.Context(), "numbers", "a==1", "b==2"); err != nil {
				t.Error(err)
			}
		})
	}
	wait.Wait()
	if got, want := read(t, log), "venv\npip a==1\npip b==2\n"; got != want {
		t.Errorf("four calls at once ran\n%swant\n%s", got, want)
	}
	for _, p := range pythons {
		if p != pythons[0] || filepath.Base(p) != "python" {
			t.Errorf("the interpreters are %q", pythons)
		}
	}
	other, err := Python(t.Context(), "numbers", "a==1", "b==3")
	if err != nil || other == pythons[0] {
		t.Errorf("other pins: %s, %v, want another environment than %s", other, err, pythons[0])
	}
}

func TestMadeAnew(t *testing.T) {
	log := fake(t, "")
	python, err := Python(t.Context(), "numbers", "a==1")
	if err != nil {
		t.Fatal(err)
	}
	for what, path := range map[string]string{
		"interrupted before its marker": filepath.Join(filepath.Dir(python), "..", "complete"),
		"its Python gone":               python,
	} {
		before := strings.Count(read(t, log), "venv")
		if err := os.Remove(path); err != nil {
			t.Fatal(err)
		}
		if _, err := Python(t.Context(), "numbers", "a==1"); err != nil {
			t.Errorf("%s: %v", what, err)
		}
		if made := strings.Count(read(t, log), "venv") - before; made != 1 {
			t.Errorf("%s: made %d times, want once", what, made)
		}
	}
}

func TestFailedInstall(t *testing.T) {
	fake(t, "echo no matching distribution; exit 1")
	_, err := Python(t.Context(), "numbers", "a==1")
	if err == nil {
		t.Fatal("no error of a pip that failed")
	}
	for _, want := range []string{"the environment numbers", "no matching distribution", "package index"} {
		if !strings.Contains(err.Error(), want) {
			t.Errorf("the error lacks %q: %v", want, err)
		}
	}
	cache, err := os.UserCacheDir()
	if err != nil {
		t.Fatal(err)
	}
	entries, err := os.ReadDir(filepath.Join(cache, "marginalia"))
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		if e.IsDir() {
			t.Errorf("%s was left behind", e.Name())
		}
	}
}

// Who waits for another that installs ends with the context.
func TestWaitingEnds(t *testing.T) {
	fake(t, "")
	python, err := Python(t.Context(), "numbers", "a==1")
	if err != nil {
		t.Fatal(err)
	}
	held, err := lockfile.Try(filepath.Dir(filepath.Dir(python))+".lock", lockfile.Exclusive)
	if err != nil {
		t.Fatal(err)
	}
	defer held.Close()
	ctx, cancel := context.WithTimeout(t.Context(), 100*time.Millisecond)
	defer cancel()
	if _, err := Python(ctx, "numbers", "a==1"); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("the lock of another: %v, want the context's error", err)
	}
}
