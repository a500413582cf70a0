package lab

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"marginalia/internal/jupyter"
	"marginalia/internal/repo"
	"marginalia/internal/tier"
)

// The kernel is built where nothing is, is not built again, and answers.
func TestKernel(t *testing.T) {
	tier.Kernel(t)
	cache := ownCache(t)
	root, err := repo.Root()
	if err != nil {
		t.Fatal(err)
	}
	var said []string
	spec, err := Kernel(t.Context(), root, steps(&said))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := Kernel(t.Context(), root, steps(&said)); err != nil || len(said) != 1 {
		t.Errorf("second call: %v; steps of both: %q, want one", err, said)
	}
	if left := entries(t, cache); len(left) != 1 || !strings.HasPrefix(left[0], "tools-") {
		t.Errorf("the cache has %q, want the tools alone", left)
	}
	if !slices.Contains(spec.Argv, "{connection_file}") || !slices.Contains(spec.Argv, "-go_work="+root) {
		t.Errorf("argv %q", spec.Argv)
	}
	dir := t.TempDir() // far from the repository
	k, err := jupyter.Start(t.Context(), jupyter.Spec{Argv: spec.Argv, Dir: dir,
		Env: append(spec.Env, "GOPROXY="+deadProxy)})
	if err != nil {
		t.Fatal(err)
	}
	defer k.Shutdown()
	r, err := k.Execute(t.Context(), "import (\n\t\"fmt\"\n\t\"marginalia/mlkit/linear\"\n)\n\n%%\nfmt.Printf(\"%T\\n\", linear.Perceptron{})")
	if err != nil {
		t.Fatal(err)
	}
	if r.Failed || len(r.Outputs) != 1 || r.Outputs[0].Text != "linear.Perceptron\n" {
		t.Errorf("a cell that imports mlkit/linear with no network: %+v", r)
	}
	r, err = k.Execute(t.Context(), "import \"github.com/nobody-at-all/nothing\"\n\n%%\nnothing.Do()")
	if err != nil {
		t.Fatal(err)
	}
	if want := `import "github.com/nobody-at-all/nothing": no module on this computer has this package`; !r.Failed || !strings.Contains(r.Outputs[0].EValue, want) {
		t.Errorf("a cell that imports what is nowhere: %+v, want %q", r, want)
	}
}

func TestKernelWithoutNetwork(t *testing.T) {
	cache := ownCache(t)
	root, err := repo.Root()
	if err != nil {
		t.Fatal(err)
	}
	t.Setenv("GOMODCACHE", filepath.Join(t.TempDir(), "empty"))
	t.Setenv("GOPROXY", deadProxy)
	_, err = Kernel(t.Context(), root, nil)
	wantError(t, err, "lab: building the kernel: the Go module proxy cannot be reached", "connection refused", "GOPROXY")
	if left := entries(t, cache); len(left) != 0 {
		t.Errorf("the cache has %q, want nothing", left)
	}
}

func TestNoGo(t *testing.T) {
	onlyPath(t)
	_, err := Kernel(t.Context(), t.TempDir(), nil)
	wantError(t, err, "no go command in PATH", "install Go")
}

func TestInstallIsWholeOrAbsent(t *testing.T) {
	cache := ownCache(t)
	// What a process leaves that was killed while it built.
	if err := os.MkdirAll(filepath.Join(cache, ".building-tools-1", "bin"), 0o755); err != nil {
		t.Fatal(err)
	}
	failed := errors.New("no luck")
	fill := func(err error) func(string, *os.File) error {
		return func(tmp string, _ *os.File) error {
			return errors.Join(os.WriteFile(filepath.Join(tmp, "gonb"), nil, 0o755), err)
		}
	}
	if _, err := install(t.Context(), "tools-a", nil, fill(failed)); !errors.Is(err, failed) {
		t.Errorf("error %v, want %v", err, failed)
	}
	if left := entries(t, cache); len(left) != 0 {
		t.Errorf("after a failure the cache has %q, want nothing", left)
	}
	dir, err := install(t.Context(), "tools-a", nil, fill(nil))
	if err != nil {
		t.Fatal(err)
	}
	if got := entries(t, dir); !slices.Equal(got, []string{"gonb"}) {
		t.Errorf("%s has %q, want gonb", dir, got)
	}
	// A month later another version is built.
	old := time.Now().Add(-31 * 24 * time.Hour)
	if err := os.Chtimes(dir, old, old); err != nil {
		t.Fatal(err)
	}
	if _, err := install(t.Context(), "tools-b", nil, fill(nil)); err != nil {
		t.Fatal(err)
	}
	if left := entries(t, cache); !slices.Equal(left, []string{"tools-b"}) {
		t.Errorf("the cache has %q, want tools-b alone", left)
	}
}

func TestInstallTwoAtOnce(t *testing.T) {
	ownCache(t)
	var built atomic.Int32
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			_, err := install(t.Context(), "tools-a", nil, func(string, *os.File) error {
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

func TestLockGivesUpWithItsContext(t *testing.T) {
	path := filepath.Join(t.TempDir(), "lock")
	held, err := lock(t.Context(), path, nil)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	var said []string
	p := Progress(func(step string) func(error) {
		said = append(said, step)
		cancel()
		return func(error) {}
	})
	if _, err := lock(ctx, path, p); !errors.Is(err, context.Canceled) || len(said) != 1 {
		t.Errorf("error %v, said %q; want %v and one line that it waits", err, said, context.Canceled)
	}
	held.Close()
	if held, err = lock(t.Context(), path, nil); err != nil {
		t.Fatal(err)
	}
	held.Close()
}

func TestSpace(t *testing.T) {
	err := checkSpace(filepath.Join(t.TempDir(), "not", "there"), 1<<62)
	wantError(t, err, "MB free", "4398046511104 MB are needed", "free some space")
	if err := checkSpace(t.TempDir(), 1); err != nil {
		t.Error(err)
	}
	// Each half fits, both do not, and they are on one disk.
	dir := t.TempDir()
	free, err := freeSpace(dir)
	if err != nil {
		t.Fatal(err)
	}
	half := free/2 + free/8
	err = checkSpaces(map[string]uint64{filepath.Join(dir, "a"): half, filepath.Join(dir, "b"): half})
	wantError(t, err, "MB are needed")
}

func TestCellFlags(t *testing.T) {
	for user, want := range map[string]string{
		"":                                 "-ldflags=-s",
		"-buildvcs=false -mod=mod":         "-buildvcs=false -ldflags=-s",
		"--modfile=x.mod -modcacherw -p=2": "-modcacherw -p=2 -ldflags=-s",
	} {
		if got := (goEnv{GOFLAGS: user}).cellFlags(); got != want {
			t.Errorf("GOFLAGS of cells for a user's %q: %q, want %q", user, got, want)
		}
	}
}
