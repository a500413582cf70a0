package venv

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"marginalia/internal/base/lockfile"
	"marginalia/internal/base/setup/setuptest"
	"marginalia/internal/testkit/must"
	"marginalia/internal/testkit/testfile"
)

// withPython prepares an environment to be made and a PATH with one fake Python.
func withPython(t *testing.T, f setuptest.FakePython) (e Env, log string) {
	t.Helper()
	setuptest.OwnCache(t)
	dir := setuptest.OnlyPath(t)
	return Env{Dir: filepath.Join(t.TempDir(), "env"), What: "numbers", Requirements: []string{"a==1"}}, f.Write(t, dir, "python3")
}

func TestEnvironmentIsMadeOnce(t *testing.T) {
	f := setuptest.GoodPython
	f.Pip = "test -e /dev/fd/3 || { echo the lock was not passed on; exit 1; }"
	e, log := withPython(t, f)
	var said []string
	for range 2 {
		must.Do(t, e.Ensure(t.Context(), setuptest.Steps(&said)))
	}
	if got := setuptest.Read(t, log); got != "venv\npip\n" || len(said) != 2 {
		t.Errorf("Python was called for %q and the steps were %q; want one venv and one pip", got, said)
	}
	if s, why := e.State(t.Context()); s != Whole {
		t.Errorf("state %v (%s), want whole", s, why)
	}
}

func TestEnvironmentTwoAtOnce(t *testing.T) {
	f := setuptest.GoodPython
	f.Pip = "sleep 0.3"
	e, log := withPython(t, f)
	var wg sync.WaitGroup
	for range 2 {
		wg.Go(func() {
			if err := e.Ensure(t.Context(), nil); err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
	if got := setuptest.Read(t, log); got != "venv\npip\n" {
		t.Errorf("two set-ups at once called Python for %q, want one venv and one pip", got)
	}
}

func TestFailedSetUpLeavesNothing(t *testing.T) {
	for _, c := range []struct {
		name  string
		f     func(*setuptest.FakePython)
		parts []string
	}{
		{"venv", func(f *setuptest.FakePython) { f.Environment = "echo no luck; exit 1" }, []string{"cannot make a virtual environment", "no luck"}},
		{"pip", func(f *setuptest.FakePython) {
			f.Pip = "echo 'ERROR: No matching distribution found for rpds-py==0.30.0'; exit 1"
		}, []string{"installing numbers", "no rpds-py==0.30.0 built for this Python"}},
		{"network", func(f *setuptest.FakePython) {
			f.Pip = "echo \"Failed to establish a new connection: [Errno 111] Connection refused')\"; exit 1"
		}, []string{"installing numbers", "cannot be reached", "PIP_INDEX_URL"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			f := setuptest.GoodPython
			c.f(&f)
			e, _ := withPython(t, f)
			setuptest.WantError(t, e.Ensure(t.Context(), nil), c.parts...)
			if _, err := os.Lstat(e.Dir); !os.IsNotExist(err) {
				t.Errorf("%s is still there: %v", e.Dir, setuptest.Entries(t, e.Dir))
			}
		})
	}
}

func TestInterruptedSetUpLeavesNothing(t *testing.T) {
	f, temporary := setuptest.GoodPython, t.TempDir()
	f.Environment, f.Pip = `echo >"$TMPDIR/left"`, "sleep 600"
	e, log := withPython(t, f)
	t.Setenv("TMPDIR", temporary)
	ctx, cancel := context.WithCancel(t.Context())
	go func() {
		for !strings.Contains(setuptest.Read(t, log), "pip") {
			time.Sleep(5 * time.Millisecond)
		}
		cancel()
	}()
	if err := e.Ensure(ctx, nil); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v, want %v", err, context.Canceled)
	}
	if _, err := os.Lstat(e.Dir); !os.IsNotExist(err) {
		t.Errorf("%s is still there: %v", e.Dir, setuptest.Entries(t, e.Dir))
	}
	if left := setuptest.Entries(t, temporary); len(left) > 0 {
		t.Errorf("temporary files %q are still there", left)
	}
}

// A start that is interrupted, or whose other half fails, ends the programs
// that look at the environment; that is no reason to remove it.
func TestInterruptedLookKeepsTheEnvironment(t *testing.T) {
	e, log := withPython(t, setuptest.GoodPython)
	must.Do(t, e.Ensure(t.Context(), nil))
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_ = e.Ensure(ctx, nil)
	if s, why := e.State(t.Context()); s != Whole || setuptest.Read(t, log) != "venv\npip\n" {
		t.Errorf("state %v (%s), calls %q; want whole, made once", s, why, setuptest.Read(t, log))
	}
}

// What a set-up leaves behind that was killed at each of its moments is
// removed by the next, and so is an environment that no longer serves.
func TestEnvironmentIsMadeAnew(t *testing.T) {
	mark := func(m marker) func(*testing.T, Env) {
		return func(t *testing.T, e Env) {
			must.Do(t, os.MkdirAll(e.Own(), 0o755))
			must.Do(t, e.mark(m))
			testfile.Write(t, filepath.Join(e.Dir, "left"), "")
		}
	}
	for name, before := range map[string]func(*testing.T, Env){
		"empty": func(t *testing.T, e Env) {
			must.Do(t, os.Mkdir(e.Dir, 0o755))
		},
		"before the marker": func(t *testing.T, e Env) {
			must.Do(t, os.MkdirAll(e.Own(), 0o755))
			if err := os.WriteFile(e.Own(".environment.json123"), nil, 0o644); err != nil { // as atomicfile leaves it
				t.Fatal(err)
			}
		},
		"half":        mark(marker{Requirements: (Env{Requirements: []string{"a==1"}}).sum(), Python: "3.12"}),
		"other pins":  mark(marker{Complete: true, Requirements: "old", Python: "3.12"}),
		"Python gone": mark(marker{Complete: true, Requirements: (Env{Requirements: []string{"a==1"}}).sum(), Python: "3.12"}),
	} {
		t.Run(name, func(t *testing.T) {
			e, log := withPython(t, setuptest.GoodPython)
			before(t, e)
			if s, _ := e.State(t.Context()); s != Partial {
				t.Fatalf("state %v, want partial", s)
			}
			must.Do(t, e.Ensure(t.Context(), nil))
			if s, why := e.State(t.Context()); s != Whole || setuptest.Read(t, log) != "venv\npip\n" {
				t.Errorf("state %v (%s), calls %q; want whole, made anew", s, why, setuptest.Read(t, log))
			}
			if _, err := os.Stat(filepath.Join(e.Dir, "left")); err == nil {
				t.Error("what was left is still there")
			}
		})
	}
}

func TestForeignEnvironmentIsLeftAlone(t *testing.T) {
	e, log := withPython(t, setuptest.GoodPython)
	theirs := filepath.Join(e.Dir, "pyvenv.cfg")
	must.Do(t, os.Mkdir(e.Dir, 0o755))
	testfile.Write(t, theirs, "home = /usr/bin\n")
	setuptest.WantError(t, e.Ensure(t.Context(), nil), e.Dir, "in the way", "did not make it", "move it elsewhere")
	if setuptest.Read(t, theirs) == "" || setuptest.Read(t, log) != "" {
		t.Errorf("their environment was touched: %v, calls %q", setuptest.Entries(t, e.Dir), setuptest.Read(t, log))
	}
}

func TestEnvironmentInUseIsNotRemoved(t *testing.T) {
	e, _ := withPython(t, setuptest.GoodPython)
	must.Do(t, e.Ensure(t.Context(), nil))
	testfile.Write(t, e.marker(), `{"Complete": true, "Requirements": "old"}`)
	release, err := e.Hold(lockfile.Shared) // stands for a running JupyterLab
	if err != nil {
		t.Fatal(err)
	}
	setuptest.WantError(t, e.Ensure(t.Context(), nil), "a JupyterLab is running from it", "stop that one")
	release()
	if err := e.Ensure(t.Context(), nil); err != nil {
		t.Error(err)
	}
}

// Of four calls at once one makes the environment, its lists one after another;
// other pins are another environment.
func TestCached(t *testing.T) {
	lists := filepath.Join(t.TempDir(), "lists")
	f := setuptest.GoodPython
	f.Pip = `for last; do :; done; echo "$(cat "$last")" >>` + lists
	_, log := withPython(t, f)
	var wg sync.WaitGroup
	var pythons [4]string
	for i := range pythons {
		wg.Go(func() {
			var err error
			if pythons[i], err = Cached(t.Context(), "numbers", "a==1", "b==2"); err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
	if calls, got := setuptest.Read(t, log), setuptest.Read(t, lists); calls != "venv\npip\npip\n" || got != "a==1\nb==2\n" {
		t.Errorf("four calls at once ran Python for %q and installed %q; want one venv, then a==1 and b==2", calls, got)
	}
	for _, p := range pythons {
		if _, err := os.Stat(p); err != nil || p != pythons[0] {
			t.Errorf("the interpreters are %q (%v), want one that is there", pythons, err)
		}
	}
	other, err := Cached(t.Context(), "numbers", "a==1", "b==3")
	if err != nil || other == pythons[0] {
		t.Errorf("other pins: %s, %v, want another environment than %s", other, err, pythons[0])
	}
}

// The outputs are those of pip 23.2.
func TestCheck(t *testing.T) {
	answer := filepath.Join(t.TempDir(), "answer")
	f := setuptest.GoodPython
	f.Pip = `case "$*" in *--no-index*) . ` + answer + ` ;; esac`
	e, _ := withPython(t, f)
	must.Do(t, e.Ensure(t.Context(), nil))
	check := func(pip string) (int, error) {
		testfile.Write(t, answer, pip)
		return e.Check(t.Context())
	}
	const there = "echo Requirement already satisfied: a==1 in /lib from -r /dev/stdin;"
	if n, err := check(there + there); n != 2 || err != nil {
		t.Errorf("%d packages, %v; want 2", n, err)
	}
	_, err := check(there + "echo ERROR: Could not find a version that satisfies the requirement b==2 from versions: none; echo ERROR: No matching distribution found for b==2; exit 1")
	setuptest.WantError(t, err, "b==2 is pinned, but not installed")
	_, err = check("echo No module named pip; exit 1")
	setuptest.WantError(t, err, "No module named pip")
}
