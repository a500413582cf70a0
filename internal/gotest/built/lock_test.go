package built

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"marginalia/internal/base/lockfile"
	"marginalia/internal/base/repo/repotest"
	"marginalia/internal/gotest/layout"
	"marginalia/internal/testkit/must"
	"marginalia/internal/testkit/owncache"
	"marginalia/internal/testkit/testfile"
	"marginalia/internal/testkit/tier"
)

// Processes that run a notebook do not wait for one another, not even when one
// has another state of the code; a build that is in use stays until it is not.
func TestRunsAtTheSameTime(t *testing.T) {
	tier.Long(t)
	exports := filepath.Join(owncache.Use(t), "export")
	root := repotest.Root(t)
	file := filepath.Join(t.TempDir(), "one.ipynb")
	kept := func(want int) {
		t.Helper()
		if all, _ := filepath.Glob(filepath.Join(exports, "*", "*", "package", "testdata", "part1", layout.ProgramFile)); len(all) != want {
			t.Errorf("%d builds are kept, want %d: %q", len(all), want, all)
		}
	}
	// build stands for a process: locks belong to open files.
	build := func(first string) *Build {
		t.Helper()
		testfile.Write(t, file, small(first, ""))
		b, err := notebook(t.Context(), file, root, func(_, holder string) { t.Errorf("it waits for %s", holder) })
		if err != nil {
			t.Fatal(err)
		}
		return b
	}
	prints := func(b *Build, want string) {
		t.Helper()
		got := ""
		for _, o := range b.Run(t.Context(), "norm").Outputs {
			got += o.Text
		}
		if got != want {
			t.Errorf("prints %q, want %q", got, want)
		}
	}
	one, same, edited := build("3"), build("3"), build("0")
	kept(2)
	prints(one, "5\n") // √(3² + 4²)
	prints(same, "5\n")
	prints(edited, "4\n")
	for _, b := range []*Build{one, same} {
		must.Do(t, b.Close())
	}
	again := build("6") // removes what nobody uses: the first
	kept(2)
	edited.Close()
	again.Close()
	build("3").Close()
	kept(1)
}

// While another process builds the notebook, whoever waits says for whom, and
// ends with the context: Ctrl-C works.
func TestWaitingForABuild(t *testing.T) {
	tier.Long(t)
	exports := filepath.Join(owncache.Use(t), "export")
	root := repotest.Root(t)
	file := filepath.Join(t.TempDir(), "one.ipynb")
	// One that is refused leaves its lock, too, and costs no build.
	testfile.Write(t, file, strings.Replace(small("3", ""), `"language": "go"`, `"language": "python"`, 1))
	if _, err := notebook(t.Context(), file, root, nil); err == nil || !strings.Contains(err.Error(), "want Go") {
		t.Fatalf("error %v, want that the language is not go", err)
	}
	locks, err := filepath.Glob(filepath.Join(exports, "*", "*.lock"))
	if err != nil || len(locks) != 1 {
		t.Fatal(locks, err)
	}
	held := must.Get(lockfile.Try(locks[0], lockfile.Exclusive)).Or(t)
	defer held.Close()
	ctx, cancel := context.WithCancelCause(t.Context())
	interrupted := errors.New("interrupted")
	said := ""
	_, err = notebook(ctx, file, root, func(_, holder string) {
		said = holder
		cancel(interrupted)
	})
	if !errors.Is(err, interrupted) || said != fmt.Sprintf("process %d", os.Getpid()) {
		t.Errorf("error %v, it says that it waits for %q; want the context's cause and this process", err, said)
	}
}
