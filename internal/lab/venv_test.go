package lab

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"marginalia/internal/lockfile"
)

var goodPython = fakePython{major: 3, minor: 12, venv: true, ensurepip: true}

// withPython prepares a repository root and a PATH with one fake Python.
func withPython(t *testing.T, f fakePython) (v venv, log string) {
	t.Helper()
	ownCache(t)
	dir := onlyPath(t)
	return venvOf(t.TempDir()), f.write(t, dir, "python3")
}

func read(t *testing.T, path string) string {
	t.Helper()
	b, err := os.ReadFile(path)
	if err != nil && !os.IsNotExist(err) {
		t.Fatal(err)
	}
	return string(b)
}

func TestEnvironmentIsMadeOnce(t *testing.T) {
	f := goodPython
	f.pip = "test -e /dev/fd/3 || { echo the lock was not passed on; exit 1; }"
	v, log := withPython(t, f)
	var said []string
	for range 2 {
		if err := v.ensure(t.Context(), steps(&said)); err != nil {
			t.Fatal(err)
		}
	}
	if got := read(t, log); got != "venv\npip\n" || len(said) != 2 {
		t.Errorf("Python was called for %q and the steps were %q; want one venv and one pip", got, said)
	}
	if s, why := v.state(t.Context()); s != venvWhole {
		t.Errorf("state %v (%s), want whole", s, why)
	}
}

func TestEnvironmentTwoAtOnce(t *testing.T) {
	f := goodPython
	f.pip = "sleep 0.3"
	v, log := withPython(t, f)
	var wg sync.WaitGroup
	for range 2 {
		wg.Go(func() {
			if err := v.ensure(t.Context(), nil); err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
	if got := read(t, log); got != "venv\npip\n" {
		t.Errorf("two set-ups at once called Python for %q, want one venv and one pip", got)
	}
}

func TestFailedSetUpLeavesNothing(t *testing.T) {
	for _, c := range []struct {
		name  string
		f     func(*fakePython)
		parts []string
	}{
		{"venv", func(f *fakePython) { f.environment = "echo no luck; exit 1" }, []string{"cannot make a virtual environment", "no luck"}},
		{"pip", func(f *fakePython) {
			f.pip = "echo 'ERROR: No matching distribution found for rpds-py==0.30.0'; exit 1"
		}, []string{"installing JupyterLab", "no rpds-py==0.30.0 built for this Python"}},
		{"network", func(f *fakePython) {
			f.pip = "echo \"Failed to establish a new connection: [Errno 111] Connection refused')\"; exit 1"
		}, []string{"installing JupyterLab", "cannot be reached", "PIP_INDEX_URL"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			f := goodPython
			c.f(&f)
			v, _ := withPython(t, f)
			wantError(t, v.ensure(t.Context(), nil), c.parts...)
			if _, err := os.Lstat(v.dir); !os.IsNotExist(err) {
				t.Errorf("%s is still there: %v", v.dir, entries(t, v.dir))
			}
		})
	}
}

func TestInterruptedSetUpLeavesNothing(t *testing.T) {
	f := goodPython
	f.pip = "sleep 600"
	v, log := withPython(t, f)
	ctx, cancel := context.WithCancel(t.Context())
	go func() {
		for !strings.Contains(read(t, log), "pip") {
			time.Sleep(5 * time.Millisecond)
		}
		cancel()
	}()
	if err := v.ensure(ctx, nil); err != context.Canceled {
		t.Errorf("error %v, want %v", err, context.Canceled)
	}
	if _, err := os.Lstat(v.dir); !os.IsNotExist(err) {
		t.Errorf("%s is still there: %v", v.dir, entries(t, v.dir))
	}
}

// A start that is interrupted, or whose other half fails, ends the programs
// that look at the environment; that is no reason to remove it.
func TestInterruptedLookKeepsTheEnvironment(t *testing.T) {
	v, log := withPython(t, goodPython)
	if err := v.ensure(t.Context(), nil); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_ = v.ensure(ctx, nil)
	if s, why := v.state(t.Context()); s != venvWhole || read(t, log) != "venv\npip\n" {
		t.Errorf("state %v (%s), calls %q; want whole, made once", s, why, read(t, log))
	}
}

// What a set-up leaves behind that was killed at each of its moments is
// removed by the next, and so is an environment that no longer serves.
func TestEnvironmentIsMadeAnew(t *testing.T) {
	mark := func(m marker) func(*testing.T, venv) {
		return func(t *testing.T, v venv) {
			if err := os.MkdirAll(v.own(), 0o755); err != nil {
				t.Fatal(err)
			}
			if err := v.mark(m); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(filepath.Join(v.dir, "left"), nil, 0o644); err != nil {
				t.Fatal(err)
			}
		}
	}
	for name, before := range map[string]func(*testing.T, venv){
		"empty": func(t *testing.T, v venv) {
			if err := os.Mkdir(v.dir, 0o755); err != nil {
				t.Fatal(err)
			}
		},
		"before the marker": func(t *testing.T, v venv) {
			if err := os.MkdirAll(v.own(), 0o755); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(v.marker()+".123", nil, 0o644); err != nil {
				t.Fatal(err)
			}
		},
		"half":        mark(marker{Requirements: requirementsSum(), Python: "3.12"}),
		"other pins":  mark(marker{Complete: true, Requirements: "old", Python: "3.12"}),
		"Python gone": mark(marker{Complete: true, Requirements: requirementsSum(), Python: "3.12"}),
	} {
		t.Run(name, func(t *testing.T) {
			v, log := withPython(t, goodPython)
			before(t, v)
			if s, _ := v.state(t.Context()); s != venvPartial {
				t.Fatalf("state %v, want partial", s)
			}
			if err := v.ensure(t.Context(), nil); err != nil {
				t.Fatal(err)
			}
			if s, why := v.state(t.Context()); s != venvWhole || read(t, log) != "venv\npip\n" {
				t.Errorf("state %v (%s), calls %q; want whole, made anew", s, why, read(t, log))
			}
			if _, err := os.Stat(filepath.Join(v.dir, "left")); err == nil {
				t.Error("what was left is still there")
			}
		})
	}
}

func TestForeignEnvironmentIsLeftAlone(t *testing.T) {
	v, log := withPython(t, goodPython)
	theirs := filepath.Join(v.dir, "pyvenv.cfg")
	if err := os.Mkdir(v.dir, 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(theirs, []byte("home = /usr/bin\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	wantError(t, v.ensure(t.Context(), nil), v.dir, "in the way", "did not make it", "move it elsewhere")
	if read(t, theirs) == "" || read(t, log) != "" {
		t.Errorf("their environment was touched: %v, calls %q", entries(t, v.dir), read(t, log))
	}
}

func TestEnvironmentInUseIsNotRemoved(t *testing.T) {
	v, _ := withPython(t, goodPython)
	if err := v.ensure(t.Context(), nil); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(v.marker(), []byte(`{"Complete": true, "Requirements": "old"}`), 0o644); err != nil {
		t.Fatal(err)
	}
	release, err := v.hold(lockfile.Shared) // stands for a running JupyterLab
	if err != nil {
		t.Fatal(err)
	}
	wantError(t, v.ensure(t.Context(), nil), "a JupyterLab is running from it", "end that one")
	release()
	if err := v.ensure(t.Context(), nil); err != nil {
		t.Error(err)
	}
}

func TestPins(t *testing.T) {
	if v := pinned("jupyterlab"); !strings.HasPrefix(v, "4.") {
		t.Errorf("pinned JupyterLab is %q, want a version 4", v)
	}
	for line := range strings.Lines(requirements) {
		if strings.Contains(line, "://") || strings.HasPrefix(line, "-") {
			t.Errorf("requirements.txt names a place or an option: %s", line)
		}
		if strings.Contains(line, "==") && !strings.HasSuffix(line, "\\\n") {
			t.Errorf("requirements.txt has a pin without hashes: %s", line)
		}
	}
}
