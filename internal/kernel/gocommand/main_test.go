//go:build unix

package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"marginalia/internal/base/repo/repotest"
	"marginalia/internal/base/setup/setuptest"
	"marginalia/internal/testkit/must"
	"marginalia/internal/testkit/testfile"
)

// TestMain makes this binary the go command of a kernel where it is called so.
func TestMain(m *testing.M) {
	if filepath.Base(os.Args[0]) == "go" {
		main()
	}
	os.Exit(m.Run())
}

// command runs the kernel's go command in dir and returns its output and exit status.
func command(t *testing.T, dir string, env []string, args ...string) (string, int) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "go")
	must.Do(t, os.Symlink(must.Get(os.Executable()).Or(t), path))
	cmd := exec.Command(path, args...)
	cmd.Dir, cmd.Env = dir, append(os.Environ(), env...)
	out, err := cmd.CombinedOutput()
	if err != nil && cmd.ProcessState == nil {
		t.Fatal(err)
	}
	return string(out), cmd.ProcessState.ExitCode()
}

// fakeGo is a go command that records how it is called, and prints and
// returns what the test says.
func fakeGo(t *testing.T, body string) (env []string, log func() string) {
	t.Helper()
	dir := t.TempDir()
	logFile := filepath.Join(dir, "log")
	path := filepath.Join(dir, "realgo")
	script := "#!/bin/sh\necho \"$GOPROXY $*\" >>" + logFile + "\n" + body
	must.Do(t, os.WriteFile(path, []byte(script), 0o755))
	return []string{"MARGINALIA_GO=" + path, "GOPROXY=user"}, func() string {
		b, _ := os.ReadFile(logFile)
		return string(b)
	}
}

func TestPassesThrough(t *testing.T) {
	for _, args := range [][]string{{"build", "-o", "a b"}, {"get", "example.com/x@v1"}, {"get", "-u"}, {"get", "-t", "./..."}, {}} {
		env, log := fakeGo(t, "echo said; exit 7\n")
		out, status := command(t, t.TempDir(), env, args...)
		if out != "said\n" || status != 7 {
			t.Errorf("go %q: printed %q, status %d, want those of the real go: said, 7", args, out, status)
		}
		if want := strings.TrimRight("user "+strings.Join(args, " "), "\n") + "\n"; log() != want {
			t.Errorf("go %q: real go was called as %q, want %q", args, log(), want)
		}
	}
}

func TestAsksTheNetworkLast(t *testing.T) {
	env, log := fakeGo(t, "exit 0\n")
	if out, status := command(t, t.TempDir(), env, "get"); out != "" || status != 0 || log() != "off get\n" {
		t.Errorf("satisfied go get: output %q, status %d, calls %q; want none, 0, only one with GOPROXY=off", out, status, log())
	}
	env, log = fakeGo(t, "test \"$GOPROXY\" = user\n")
	if out, status := command(t, t.TempDir(), env, "get", "-t"); out != "" || status != 0 || log() != "off get -t\nuser get -t\n" {
		t.Errorf("go get of a new module: output %q, status %d, calls %q; want none, 0, GOPROXY=off and then the user's", out, status, log())
	}
}

// The texts are those that go 1.26.8 printed in these situations.
func TestMessages(t *testing.T) {
	for _, c := range []struct{ name, said, want string }{
		{"no network",
			`go: module github.com/google/uuid: Get "http://127.0.0.1:1/github.com/google/uuid/@v/list": dial tcp 127.0.0.1:1: connect: connection refused`,
			`import "github.com/google/uuid": no module on this computer has this package, and the module proxy or repository could not be reached; connect`},
		{"no git remote",
			"go: module github.com/google/uuid: git ls-remote -q https://github.com/google/uuid in /x: exit status 128:\n\tfatal: unable to access 'https://github.com/google/uuid/': Failed to connect to 127.0.0.1 port 1",
			`import "github.com/google/uuid": no module on this computer has this package, and the module proxy or repository could not be reached`},
		{"no such module",
			"go: finding module for package foo.bar/x\ngo: module foo.bar/x: reading https://proxy.example/foo.bar/x/@v/list: 404 Not Found",
			`import "foo.bar/x": no module on this computer has this package, and the module proxy knows no such module or package; check`},
		{"no such package",
			"go: gonb_x imports\n\tgonum.org/v1/gonum/nopkg: cannot find module providing package gonum.org/v1/gonum/nopkg",
			`import "gonum.org/v1/gonum/nopkg": no module on this computer has this package, and the module proxy knows no such`},
		{"misspelt in the course's own module",
			"example.org/course\ngo: module example.org/course/ours: git ls-remote: exit status 128: Failed to connect to 127.0.0.1 port 1",
			`import "example.org/course/ours": no module on this computer has this package, and the module example.org/course has none of this path; check the spelling of the import.`},
		{"not in std",
			"go: gonb_x imports\n\tmarginalia/nopkg: package marginalia/nopkg is not in std (/usr/local/go/src/marginalia/nopkg)",
			`import "marginalia/nopkg": no module on this computer has this package, and a path without a dot names the standard library or this repository`},
		{"two",
			"go: module a.b/c: Get \"http://h\": dial tcp: lookup h: no such host\ngo: module a.b/d: Get \"http://h\": dial tcp: lookup h: no such host",
			`imports a.b/c a.b/d: no module on this computer has these packages, and the module proxy or repository could not be reached`},
		{"something else", "go: updates to go.mod needed", "go: updates to go.mod needed"},
	} {
		env, _ := fakeGo(t, "cat <<'EOF'\n"+c.said+"\nEOF\nexit 1\n")
		out, status := command(t, t.TempDir(), env, "get")
		if status != 1 || !strings.Contains(out, c.want) {
			t.Errorf("%s: status %d, output %q\nwant 1 and %q", c.name, status, out, c.want)
		}
		if strings.Contains(out, "cannot find module providing package") {
			t.Errorf("%s: output %q has the words to which GoNB adds a note on workspaces", c.name, out)
		}
	}
}

// What the repository's go.mod has is found though the proxy is dead, and
// nothing else is.
func TestWithRealGo(t *testing.T) {
	dir, root := t.TempDir(), repotest.Root(t)
	env := []string{"MARGINALIA_GO=" + must.Get(exec.LookPath("go")).Or(t), "GOWORK=", "GOFLAGS=", "GOPROXY=" + setuptest.DeadProxy}
	for _, args := range [][]string{{"mod", "init", "gonb_x"}, {"work", "init"}, {"work", "use", root, "."}} {
		if out, status := command(t, dir, env, args...); status != 0 {
			t.Fatalf("go %v: %s", args, out)
		}
	}
	write := func(name, text string) {
		t.Helper()
		testfile.Write(t, filepath.Join(dir, name), text)
	}
	write("main.go", "package main\n\nimport (\n\t_ \"gonum.org/v1/gonum/mat\"\n\t_ \"marginalia/mlkit/perceptron\"\n)\n\nfunc main() {}\n")
	if out, status := command(t, dir, env, "get"); status != 0 {
		t.Errorf("go get of what the repository has: %s", out)
	}
	write("main.go", "package main\n\nimport _ \"github.com/nobody-at-all/nothing\"\n\nfunc main() {}\n")
	out, status := command(t, dir, env, "get")
	if want := `import "github.com/nobody-at-all/nothing": no module on this computer has this package, and the module proxy or repository could not be reached`; status == 0 || !strings.Contains(out, want) {
		t.Errorf("go get without a network: status %d, output %q, want %q", status, out, want)
	}
}
