package kernel

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/bluekeyes/go-gitdiff/gitdiff"

	"marginalia/internal/base/repo/repotest"
	"marginalia/internal/kernel/jupyter"
	"marginalia/internal/testkit/must"
	"marginalia/internal/testkit/testfile"
	"marginalia/internal/testkit/tier"
)

// pinned copies the internal packages of the pinned GoNB, the only ones with patches.
func pinned(t *testing.T) (dir string) {
	t.Helper()
	root := repotest.Root(t)
	chain := must.Get(New(t.Context(), root)).Or(t)
	module := must.Get(chain.gonb(t.Context())).Or(t)
	dir = t.TempDir()
	must.Do(t, os.CopyFS(filepath.Join(dir, "internal"), os.DirFS(filepath.Join(module.Dir, "internal"))))
	return dir
}

// All patches apply to the release that go.mod pins. TestKernel builds it with them.
func TestPatchesApply(t *testing.T) {
	dir := pinned(t)
	for _, name := range patchNames() {
		must.Do(t, apply(dir, name))
	}
	if _, err := os.Stat(filepath.Join(dir, "internal", "jpyexec", "leave.go")); err != nil {
		t.Errorf("a file that a patch adds: %v", err)
	}
}

// Another release may have another line where a patch wants its own: here the line that the
// first patch to jpyexec.go puts drain after. The error names patch, file, hunk and line.
func TestPatchDoesNotApply(t *testing.T) {
	dir := pinned(t)
	file := filepath.Join(dir, "internal", "jpyexec", "jpyexec.go")
	text := testfile.Read(t, file)
	const wait = "\texec.exitError = cmd.Wait()\n"
	before, _, found := strings.Cut(text, wait)
	if !found {
		t.Fatalf("%s has no line %q", file, wait)
	}
	testfile.Write(t, file, strings.Replace(text, wait, "\texec.exitError = wait(cmd)\n", 1))
	err := apply(dir, patchNames()[0])
	want := fmt.Sprintf("0001-jpyexec-read-displays-to-the-end.patch does not apply to internal/jpyexec/jpyexec.go, hunk 2, line %d: conflict", strings.Count(before, "\n")+1)
	if err == nil || !strings.HasPrefix(err.Error(), want) || !strings.HasSuffix(err.Error(), "internal/kernel/patches/README.md says") {
		t.Errorf("error %v, want %s", err, want)
	}
}

// The head of a patch says what is wrong with GoNB, and which tests show it: they exist. The
// numbers are the order, and no patch deletes or renames a file, which apply does not do.
func TestPatchHeads(t *testing.T) {
	root := filepath.Join(repotest.Root(t), "internal")
	tests := map[string]bool{}
	function := regexp.MustCompile(`(?m)^func (Test\w+)\(`)
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && path != root && strings.HasPrefix(d.Name(), "."):
			return filepath.SkipDir
		case !strings.HasSuffix(path, "_test.go"):
			return nil
		}
		text, err := os.ReadFile(path)
		for _, m := range function.FindAllStringSubmatch(string(text), -1) {
			tests[m[1]] = true
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	form := regexp.MustCompile(`^patches/(\d{4})-[a-z-]+\.patch$`)
	for i, name := range patchNames() {
		if m := form.FindStringSubmatch(name); m == nil || m[1] != fmt.Sprintf("%04d", i+1) {
			t.Errorf("%s: want %04d-name.patch", name, i+1)
		}
		f := must.Get(patches.Open(name)).Or(t)
		files, head, err := gitdiff.Parse(f)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		for _, f := range files {
			if f.IsDelete || f.IsRename || f.IsCopy || !strings.HasPrefix(f.NewName, "internal/") {
				t.Errorf("%s does more to %s than change or add a file in internal/", name, f.NewName)
			}
		}
		h, err := gitdiff.ParsePatchHeader(head)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		fault, trailer, _ := strings.Cut(h.Body, "\n\nTest: ")
		if h.Title == "" || len(fault) < 80 || trailer == "" {
			t.Errorf("%s: title %q, fault %q, tests %q: want all three, the fault in a sentence or more", name, h.Title, fault, trailer)
		}
		for _, test := range strings.Split(trailer, "\nTest: ") {
			if !tests[test] {
				t.Errorf("%s is shown by %q, which is no test", name, test)
			}
		}
	}
}

// GoNB starts no gopls, even if the user has one in the PATH.
func TestOwnGopls(t *testing.T) {
	tier.Kernel(t)
	root := repotest.Root(t)
	spec := must.Get(Spec(t.Context(), root, nil)).Or(t)
	bin := t.TempDir()
	started := filepath.Join(bin, "started")
	if err := os.WriteFile(filepath.Join(bin, "gopls"), []byte("#!/bin/sh\n: >'"+started+"'\nexec sleep 100\n"), 0o755); err != nil {
		t.Fatal(err)
	}
	for i, v := range spec.Env {
		if path, ok := strings.CutPrefix(v, "PATH="); ok {
			spec.Env[i] = "PATH=" + bin + string(os.PathListSeparator) + path
		}
	}
	k := must.Get(jupyter.Start(t.Context(), spec)).Or(t)
	defer k.Shutdown()
	if r, err := k.Execute(t.Context(), "%%\nprintln(1)"); err != nil || r.Failed {
		t.Fatal(r, err)
	}
	if _, err := os.Stat(started); err == nil {
		t.Error("GoNB has started gopls")
	}
}
