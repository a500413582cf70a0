package live

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"marginalia/internal/base/repo/repotest"
	"marginalia/internal/testkit/must"
)

// On a fresh machine the go command has not downloaded a module that the tools do not import. The test uses
// this machine's module cache as the proxy of an empty one.
func TestFolderOnAFreshMachine(t *testing.T) {
	const module = "github.com/janpfeifer/gonb"
	root := repotest.Root(t)
	out := must.Get(exec.Command("go", "env", "GOMODCACHE").Output()).Or(t)
	cache := strings.TrimSpace(string(out))
	if _, err := folder(t.Context(), root, module); err != nil { // fills this machine's cache, if it has to
		t.Fatal(err)
	}
	fresh := t.TempDir()
	t.Setenv("GOMODCACHE", fresh)
	t.Setenv("GOPROXY", "file://"+filepath.ToSlash(filepath.Join(cache, "cache", "download")))
	t.Setenv("GOFLAGS", "-modcacherw") // so that the test can remove it
	dir, err := folder(t.Context(), root, module)
	if err != nil || !strings.HasPrefix(dir, fresh) {
		t.Fatalf("folder %q, %v, want one in %s", dir, err, fresh)
	}
	if _, err := os.Stat(filepath.Join(dir, "gonbui")); err != nil {
		t.Error(err)
	}
}
