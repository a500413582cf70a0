package lab

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"marginalia/internal/base/setup/setuptest"
	"marginalia/internal/kernel"
	"marginalia/internal/kernel/jupyter/jupytertest"
	"marginalia/internal/testkit/must"
)

// A set-up builds gopls before it ends, as quickly as it can; a start builds it while
// JupyterLab runs, with what the processors have left. The go command of this test makes
// a gopls that says how nice its maker was.
func TestGoplsIsBuilt(t *testing.T) {
	niceness := func(pid string) string { return "ps -o nice= -p " + pid }
	if _, err := exec.LookPath("ps"); err != nil {
		t.Skip("needs ps")
	}
	own := must.Get(exec.Command("sh", "-c", niceness(fmt.Sprint(os.Getpid()))).Output()).Or(t)
	for _, c := range []struct {
		name, nice string
		build      func(t *testing.T, root, gopls string) error
	}{
		{"set-up", strings.TrimSpace(string(own)), func(t *testing.T, root, _ string) error { return SetUp(t.Context(), root, nil, os.Stderr) }},
		{"start", "19", func(t *testing.T, root, gopls string) error {
			ctx, end := context.WithCancel(t.Context())
			ended := make(chan error, 1)
			go func() { ended <- Start(ctx, root, Options{Dir: root, Host: "127.0.0.1"}, nil, os.Stderr) }()
			jupytertest.Await(t, "gopls is there", func() bool { return setuptest.Read(t, gopls) != "" || len(ended) > 0 })
			end()
			return <-ended
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			cache, root := setuptest.OwnCache(t), setuptest.Repository(t)
			path := setuptest.OnlyPath(t, "nice", "ps")
			python := setuptest.GoodPython
			python.Other = "cat" // JupyterLab runs until its standard input ends
			python.Write(t, path, "python3")
			bin := filepath.Join(t.TempDir(), "bin")
			fake := fmt.Sprintf(`#!/bin/sh
case "$*" in
"env "*) echo '{"GOROOT": "%s", "GOVERSION": "go1.26.8", "GOCACHE": "%s", "GOMODCACHE": "%s"}' ;;
"build -o "*/gopls) %s >"$3" ;;
esac
`, filepath.Dir(bin), os.Getenv("GOCACHE"), os.Getenv("GOMODCACHE"), niceness("$$"))
			must.Do(t, os.Mkdir(bin, 0o755))
			must.Do(t, os.WriteFile(filepath.Join(bin, "go"), []byte(fake), 0o755))
			must.Do(t, os.Symlink(filepath.Join(bin, "go"), filepath.Join(path, "go")))
			chain := must.Get(kernel.New(t.Context(), root)).Or(t)
			if err := errors.Join(os.MkdirAll(chain.Tools, 0o755), os.MkdirAll(chain.Front, 0o755)); err != nil { // the kernel is built
				t.Fatal(err)
			}
			gopls := filepath.Join(chain.Gopls, "gopls")
			must.Do(t, c.build(t, root, gopls))
			if got := strings.TrimSpace(setuptest.Read(t, gopls)); got != c.nice {
				t.Errorf("gopls was made with niceness %q, want %q; the cache has %q", got, c.nice, setuptest.Entries(t, cache))
			}
		})
	}
}
