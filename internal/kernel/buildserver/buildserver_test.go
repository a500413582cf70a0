//go:build unix

package buildserver

import (
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"marginalia/internal/build"
	"marginalia/internal/notebook/workspace"
	"marginalia/internal/testkit/must"
	"marginalia/internal/testkit/testfile"
)

// The first build is the go command's. When it has succeeded, the server knows what is imported, and
// does all three of what GoNB calls for a cell; what it does not know is the go command's.
func TestServe(t *testing.T) {
	dir := t.TempDir()
	folder := must.Get(os.MkdirTemp("", "b")).Or(t) // a short path
	t.Cleanup(func() { os.RemoveAll(folder) })
	t.Setenv(workspace.FolderEnv, folder)
	for name, value := range map[string]string{"MARGINALIA_BUILDER": "", "GOWORK": "off", "GOFLAGS": "", "GOPROXY": "off"} {
		t.Setenv(name, value)
	}
	real := must.Get(exec.LookPath("go")).Or(t)
	ask := func(name string, args ...string) (bool, func(bool)) {
		a, ran := Ask(Call{Name: name, Args: args, Dir: dir, Env: os.Environ()})
		return a.Done, ran
	}
	write := func(text string) { testfile.Write(t, filepath.Join(dir, "main.go"), "package main\n\n"+text) }
	run := func() string {
		out, err := exec.Command(filepath.Join(dir, "cell")).CombinedOutput()
		if err != nil {
			t.Fatal(err)
		}
		return string(out)
	}
	testfile.Write(t, filepath.Join(dir, "go.mod"), "module cell\n\ngo 1.26\n")
	write("import \"errors\"\n\nfunc main() { println(errors.New(\"one\").Error()) }\n")
	if done, ran := ask("go", "build", "-o", "cell"); done {
		t.Fatal("done, though nobody listens")
	} else {
		ran(true)
	}

	s := New(t.Context(), &build.Builder{}, real)
	l := must.Get(net.Listen("unix", Path(folder))).Or(t)
	defer l.Close()
	go s.Serve(t.Context(), l, dir)
	done, ran := ask("go", "build", "-o", "cell")
	if done {
		t.Fatal("done, though nothing is known")
	}
	cmd := exec.Command(real, "build", "-o", "cell")
	cmd.Dir = dir
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	ran(true)

	write("import \"errors\"\n\nfunc main() { println(errors.New(\"two\").Error()) }\n")
	for _, call := range [][]string{{"goimports", "-w", filepath.Join(dir, "main.go")}, {"go", "get"}, {"go", "build", "-o", "cell"}} {
		if done, _ := ask(call[0], call[1:]...); !done {
			t.Errorf("%v is left to the real command", call)
		}
	}
	if out := run(); out != "two\n" {
		t.Errorf("the program prints %q", out)
	}
	for _, call := range [][]string{{"go", "get", "-u"}, {"go", "test", "-c", "-o", "cell"}, {"goimports", "main.go"}, {"go", "build", "-o", "cell", "-x"}, {"go"}} {
		if done, ran := ask(call[0], call[1:]...); done {
			t.Errorf("%v is done", call)
		} else {
			ran(false)
		}
	}
	t.Setenv("MARGINALIA_BUILDER", "off")
	if done, _ := ask("go", "get"); done {
		t.Error("done with MARGINALIA_BUILDER=off")
	}
}
