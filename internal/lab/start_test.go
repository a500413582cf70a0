package lab

import (
	"encoding/json"
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"marginalia/internal/repo"
)

// repository is a root with nothing but what a start reads before its long steps.
func repository(t *testing.T) string {
	t.Helper()
	root := t.TempDir()
	real, err := repo.Root()
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"go.mod", "go.sum", "internal/lab/gopls/go.mod", "internal/lab/gopls/go.sum"} {
		b, err := os.ReadFile(filepath.Join(real, name))
		if err != nil {
			t.Fatal(err)
		}
		if err := os.MkdirAll(filepath.Dir(filepath.Join(root, name)), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(root, name), b, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return root
}

// What a start cannot do without fails before the long steps, in one
// sentence, and leaves nothing.
func TestStartFailsEarly(t *testing.T) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer listener.Close()
	taken := listener.Addr().(*net.TCPAddr).Port
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o644); err != nil {
		t.Fatal(err)
	}
	here := t.TempDir()
	old := fakePython{major: 3, minor: 8, venv: true, ensurepip: true}
	for _, c := range []struct {
		name   string
		o      Options
		python *fakePython
		parts  []string
	}{
		{"no folder", Options{Dir: filepath.Join(here, "nothing")}, nil, []string{"no folder", "nothing", "--dir"}},
		{"a file", Options{Dir: file}, nil, []string{"is not a folder", "--dir"}},
		{"port taken", Options{Dir: here, Port: taken}, nil, []string{"cannot be used", "in use", "--port"}},
		{"port too large", Options{Dir: here, Port: 70000}, nil, []string{"port 70000", "--port"}},
		{"no Python", Options{Dir: here}, nil, []string{"no python3 in PATH"}},
		{"old Python", Options{Dir: here}, &old, []string{"Python 3.8", "too old"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			cache := ownCache(t)
			root := repository(t)
			goBin, err := readGoEnv(t.Context(), root)
			if err != nil {
				t.Fatal(err)
			}
			dir := onlyPath(t)
			if err := os.Symlink(goBin.binary(), filepath.Join(dir, "go")); err != nil {
				t.Fatal(err)
			}
			if c.python != nil {
				c.python.write(t, dir, "python3")
			}
			c.o.Host = "127.0.0.1"
			var said []string
			err = Start(t.Context(), root, c.o, steps(&said), os.Stderr)
			wantError(t, err, append(c.parts, "lab: ")...)
			if len(said) != 0 {
				t.Errorf("long steps were begun: %q", said)
			}
			if _, err := os.Lstat(filepath.Join(root, ".venv")); err == nil {
				t.Error("an environment was left")
			}
			if left := entries(t, cache); len(left) != 0 {
				t.Errorf("the cache has %q, want nothing", left)
			}
		})
	}
}

func TestDefaultPortMovesOn(t *testing.T) {
	if l, err := net.Listen("tcp", "127.0.0.1:8888"); err == nil {
		defer l.Close()
	} // else another program has it, which serves as well
	port, err := freePort("127.0.0.1", 0)
	if err != nil || port <= 8888 || port >= 8988 {
		t.Errorf("port %d, %v; want the next free one after 8888", port, err)
	}
}

func TestConfigure(t *testing.T) {
	v := venvOf(t.TempDir())
	g := goEnv{GOROOT: "/opt/$go", GOFLAGS: "-p=2"}
	spec := interactiveSpec("/repo", g, "/cache/tools-1", "/cache/gopls-1")
	for range 2 {
		if err := v.configure(spec); err != nil {
			t.Fatal(err)
		}
	}
	var got kernelspec
	if err := json.Unmarshal([]byte(read(t, filepath.Join(v.dir, "share/jupyter/kernels/gonb/kernel.json"))), &got); err != nil {
		t.Fatal(err)
	}
	if got.DisplayName != "Go (gonb)" || got.Language != "go" || got.InterruptMode != "message" {
		t.Errorf("kernelspec %+v", got)
	}
	if want := "/cache/tools-1/gonb -kernel {connection_file} -raw_error -go_work=/repo"; !strings.HasPrefix(strings.Join(got.Argv, " "), want) {
		t.Errorf("argv %q, want it to begin %q", got.Argv, want)
	}
	for k, want := range map[string]string{
		"PATH":          "/cache/tools-1/bin:/cache/gopls-1:${PATH}",
		"MARGINALIA_GO": "/opt/$$go/bin/go", // $$ is Jupyter's way to write $
		"GOFLAGS":       "-p=2 -ldflags=-s",
		"GOWORK":        "",
	} {
		if e, ok := got.Env[k]; !ok || e != want {
			t.Errorf("kernelspec env %s=%q, want %q", k, e, want)
		}
	}
	stat := func() os.FileInfo {
		info, err := os.Stat(v.own("config", "jupyter_server_config.json"))
		if err != nil {
			t.Fatal(err)
		}
		return info
	}
	before := stat()
	if err := v.configure(spec); err != nil {
		t.Fatal(err)
	}
	if !os.SameFile(before, stat()) {
		t.Error("a file that says what it should was written again")
	}
}

// Nothing of the user's own Jupyter or Python gets to ours.
func TestEnviron(t *testing.T) {
	for _, name := range []string{"JUPYTER_TOKEN", "JUPYTER_PATH", "JUPYTER_CONFIG_PATH", "JUPYTERLAB_DIR", "PYTHONPATH", "PYTHONHOME", "IPYTHONDIR"} {
		t.Setenv(name, "/theirs")
	}
	t.Setenv("PATH", "/theirs-is-kept")
	v := venvOf("/repo")
	env := map[string]string{}
	for _, kv := range v.environ() {
		k, val, _ := strings.Cut(kv, "=")
		env[k] = val
		if val == "/theirs" {
			t.Errorf("%s is passed on", kv)
		}
	}
	if env["PATH"] != "/repo/.venv/bin:/theirs-is-kept" || env["PYTHONNOUSERSITE"] != "1" {
		t.Errorf("PATH=%q PYTHONNOUSERSITE=%q", env["PATH"], env["PYTHONNOUSERSITE"])
	}
	for _, name := range []string{"JUPYTER_CONFIG_DIR", "JUPYTER_DATA_DIR", "JUPYTER_RUNTIME_DIR", "IPYTHONDIR"} {
		if !strings.HasPrefix(env[name], "/repo/.venv/") {
			t.Errorf("%s=%q, want a folder of our own", name, env[name])
		}
	}
}

func TestDoctorOnAFreshComputer(t *testing.T) {
	ownCache(t)
	root := repository(t)
	g, err := readGoEnv(t.Context(), root)
	if err != nil {
		t.Fatal(err)
	}
	dir := onlyPath(t)
	if err := os.Symlink(g.binary(), filepath.Join(dir, "go")); err != nil {
		t.Fatal(err)
	}
	t.Setenv("GOMODCACHE", filepath.Join(t.TempDir(), "empty"))
	t.Setenv("GOPROXY", deadProxy)
	f := goodPython
	f.pip = "test \"$3\" = --version || { echo 'Connection refused'; exit 1; }"
	f.write(t, dir, "python3")
	got := map[string]Check{}
	Diagnose(t.Context(), root, func(c Check) { got[c.What] = c })
	for what, want := range map[string]Check{
		"go":          {OK, "", g.GOVERSION},
		"git":         {Warn, "", "not found"},
		"python":      {OK, "", "Python 3.12"},
		"kernel":      {Warn, "", "go run . lab makes it"},
		"gopls":       {Warn, "", "go run . lab makes it"},
		"environment": {Warn, "", "go run . lab makes it"},
		"disk":        {OK, "", "MB free"},
		"go proxy":    {Missing, "", "cannot be reached"},
		"pip":         {Missing, "", "cannot be reached"},
		"chromium":    {Warn, "", "not found"},
	} {
		if c := got[what]; c.Status != want.Status || !strings.Contains(c.Found, want.Found) {
			t.Errorf("%s: %v %q, want %v %q", what, c.Status, c.Found, want.Status, want.Found)
		}
	}
	if _, err := os.Lstat(filepath.Join(root, ".venv")); err == nil {
		t.Error("doctor made an environment")
	}
}
