package kernel

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"marginalia/internal/base/repo/repotest"
	"marginalia/internal/base/setup/setuptest"
	"marginalia/internal/kernel/jupyter"
	"marginalia/internal/testkit/must"
	"marginalia/internal/testkit/reads"
	"marginalia/internal/testkit/testfile"
	"marginalia/internal/testkit/tier"
)

func TestMain(m *testing.M) {
	jupyter.KeeperMain()
	os.Exit(reads.Short(m).Run())
}

// The kernel is built where nothing is, is not built again, and answers.
func TestKernel(t *testing.T) {
	tier.Kernel(t)
	cache := setuptest.OwnCache(t)
	root := repotest.Root(t)
	var said []string
	spec := must.Get(Spec(t.Context(), root, setuptest.Steps(&said))).Or(t)
	if _, err := Spec(t.Context(), root, setuptest.Steps(&said)); err != nil || len(said) != 2 {
		t.Errorf("second call: %v; steps of both: %q, want those of the first, two", err, said)
	}
	if left := setuptest.Entries(t, cache); len(left) != 2 || !strings.HasPrefix(left[0], "front-") || !strings.HasPrefix(left[1], "tools-") {
		t.Errorf("the cache has %q, want the front and the tools alone", left)
	}
	if !slices.Contains(spec.Argv, "{connection_file}") || !slices.Contains(spec.Argv, "-go_work="+root) {
		t.Errorf("argv %q", spec.Argv)
	}
	spec.Dir, spec.Env = t.TempDir(), append(spec.Env, "GOPROXY="+setuptest.DeadProxy) // far from the repository
	k := must.Get(jupyter.Start(t.Context(), spec)).Or(t)
	defer k.Shutdown()
	r, err := k.Execute(t.Context(), "import (\n\t\"fmt\"\n\t\"marginalia/mlkit/perceptron\"\n)\n\n%%\nfmt.Printf(\"%T\\n\", perceptron.Perceptron{})")
	if err != nil {
		t.Fatal(err)
	}
	if r.Failed || len(r.Outputs) != 1 || r.Outputs[0].Text != "perceptron.Perceptron\n" {
		t.Errorf("a cell that imports mlkit/perceptron with no network: %+v", r)
	}
	r = must.Get(k.Execute(t.Context(), "import \"github.com/nobody-at-all/nothing\"\n\n%%\nnothing.Do()")).Or(t)
	if want := `import "github.com/nobody-at-all/nothing": no module on this computer has this package`; !r.Failed || !strings.Contains(r.Outputs[0].EValue, want) {
		t.Errorf("a cell that imports what is nowhere: %+v, want %q", r, want)
	}
}

// An edit of the front builds it anew: its name in the cache has all of its sources.
func TestFrontPackages(t *testing.T) {
	out := must.Get(exec.Command("go", "list", "-deps", "marginalia/internal/kernel/front", "marginalia/internal/kernel/gocommand").Output()).Or(t)
	var got []string
	for _, pkg := range strings.Fields(string(out)) {
		if name, ok := strings.CutPrefix(pkg, "marginalia/"); ok {
			got = append(got, strings.TrimPrefix(name, "internal/"))
		}
	}
	slices.Sort(got)
	if !slices.Equal(got, frontPackages) {
		t.Errorf("the front is made of %q, frontPackages are %q", got, frontPackages)
	}
}

// A package that does not compile is told, each time; when all do, once a while is enough.
func TestWarm(t *testing.T) {
	tier.Kernel(t)
	setuptest.OwnCache(t)
	root := setuptest.Repository(t)
	file := filepath.Join(root, "mlkit", "a", "a.go")
	chain := must.Get(New(t.Context(), root)).Or(t)
	must.Do(t, errors.Join(os.MkdirAll(filepath.Dir(file), 0o755), os.MkdirAll(filepath.Dir(chain.Tools), 0o755)))
	var said []string
	for _, step := range []struct {
		text, want string
		said       int
	}{
		{"package x\n\nvar y = z\n", "mlkit/a/a.go:3:9: undefined: z", 1},
		{"package x\n", "", 2},
		{"package x\n", "", 2},
	} {
		testfile.Write(t, file, step.text)
		warning, err := chain.Warm(t.Context(), setuptest.Steps(&said))
		if err != nil || !strings.HasSuffix(warning, step.want) || (warning == "") != (step.want == "") || len(said) != step.said {
			t.Errorf("with %q: warning %q, %v, %d steps until then; want %q and %d", step.text, warning, err, len(said), step.want, step.said)
		}
	}
}

func TestKernelWithoutNetwork(t *testing.T) {
	cache := setuptest.OwnCache(t)
	root := repotest.Root(t)
	t.Setenv("GOMODCACHE", filepath.Join(t.TempDir(), "empty"))
	t.Setenv("GOPROXY", setuptest.DeadProxy)
	_, err := Spec(t.Context(), root, nil)
	setuptest.WantError(t, err, "kernel: building the Go kernel (GoNB) and goimports: the Go module proxy cannot be reached", "connection refused", "GOPROXY")
	if left := setuptest.Entries(t, cache); len(left) != 0 {
		t.Errorf("the cache has %q, want nothing", left)
	}
}

func TestNoGo(t *testing.T) {
	setuptest.OnlyPath(t)
	_, err := Spec(t.Context(), t.TempDir(), nil)
	setuptest.WantError(t, err, "no go command in PATH", "install Go")
}

func TestCellFlags(t *testing.T) {
	for user, want := range map[string]string{
		"":                                 "-ldflags=-s",
		"-buildvcs=false -mod=mod":         "-buildvcs=false -ldflags=-s",
		"--modfile=x.mod -modcacherw -p=2": "-modcacherw -p=2 -ldflags=-s",
	} {
		if got := (&Toolchain{GOFLAGS: user}).cellFlags(); got != want {
			t.Errorf("GOFLAGS of cells for a user's %q: %q, want %q", user, got, want)
		}
	}
}

// The outputs are what go 1.26.8 prints in these situations, shortened where they
// repeat themselves.
func TestCauses(t *testing.T) {
	for _, c := range []struct{ name, output, want string }{
		{"no network",
			`go: github.com/janpfeifer/gonb@v0.11.4: Get "http://127.0.0.1:1/github.com/janpfeifer/gonb/@v/v0.11.4.mod": dial tcp 127.0.0.1:1: connect: connection refused`,
			"the Go module proxy cannot be reached (dial tcp 127.0.0.1:1: connect: connection refused): connect to the network, or set GOPROXY to one that answers, and start again"},
		{"proxy off",
			"go: github.com/janpfeifer/gonb@v0.11.4: module lookup disabled by GOPROXY=off",
			"the Go module proxy cannot be reached (module lookup disabled by GOPROXY=off): connect"},
		{"disk", "compile: writing output: write $WORK/b001/_pkg_.a: no space left on device", "the disk is full: free some space"},
		{"too old", "go: go.mod requires go >= 1.26.0 (running go 1.25.1; GOTOOLCHAIN=local)\n", "go.mod requires go >= 1.26.0 (running go 1.25.1; GOTOOLCHAIN=local)"},
		{"after downloads", "go: downloading a.b/c v1.0.0\ngo: warning: \"d/...\" matched no packages\n# a.b/e\ne.go:3:9: undefined: z\n", "e.go:3:9: undefined: z"},
		{"silent", "", "exit status 1"},
	} {
		if got := cause(c.output, errors.New("exit status 1")); !strings.HasPrefix(got, c.want) || strings.Contains(got, "\n") {
			t.Errorf("%s: cause %q, want %q", c.name, got, c.want)
		}
	}
}
