package celltest

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"marginalia/internal/base/repo/repotest"
	"marginalia/internal/testkit/must"
	"marginalia/internal/testkit/testfile"
)

// What makeCache makes is what GoNB's cache looks for and takes for its own; calls at the same time agree.
func TestCacheIsGoNBs(t *testing.T) {
	tmp, dir := t.TempDir(), must.Get(filepath.EvalSymlinks(t.TempDir())).Or(t)
	var all sync.WaitGroup
	for range 8 {
		all.Go(func() {
			if err := makeCache(tmp, dir); err != nil {
				t.Error(err)
			}
		})
	}
	all.Wait()
	program := filepath.Join(repotest.Root(t), "internal", "gotest", "celltest", "testdata", "caches.go")
	binary := filepath.Join(t.TempDir(), "caches")
	if out, err := exec.Command("go", "build", "-o", binary, program).CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	run := func() (string, error) {
		cmd := exec.Command(binary)
		cmd.Dir, cmd.Env = dir, append(os.Environ(), "TMPDIR="+tmp, "PWD="+dir)
		out, err := cmd.CombinedOutput()
		return string(out), err
	}
	if out, err := run(); err != nil || out != "computed\n" {
		t.Errorf("a program with GoNB's cache prints %q, %v", out, err)
	}
	caches := must.Get(filepath.Glob(filepath.Join(tmp, "*"))).Or(t)
	if len(caches) != 1 {
		t.Fatalf("its folder for temporary files has %q, want one cache", caches)
	}
	// This is what a program finds that starts while another makes the folder. If it is no longer an
	// error, makeCache can go.
	testfile.Write(t, filepath.Join(caches[0], "current_directory.txt"), "")
	if out, err := run(); err == nil || !strings.Contains(out, "hash collision") {
		t.Errorf("with an empty file for the name of the folder it prints %q, %v", out, err)
	}
}
