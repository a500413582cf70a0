package lab

import (
	"encoding/json"
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"marginalia/internal/base/setup/setuptest"
	"marginalia/internal/kernel"
	"marginalia/internal/testkit/must"
	"marginalia/internal/testkit/testfile"
)

// What a start cannot do without fails before the long steps, in one
// sentence, and leaves nothing.
func TestStartFailsEarly(t *testing.T) {
	listener := must.Get(net.Listen("tcp", "127.0.0.1:0")).Or(t)
	defer listener.Close()
	taken := listener.Addr().(*net.TCPAddr).Port
	file := filepath.Join(t.TempDir(), "file")
	testfile.Write(t, file, "")
	here := t.TempDir()
	old := setuptest.FakePython{Major: 3, Minor: 8, Venv: true, Ensurepip: true}
	ten := setuptest.FakePython{Major: 3, Minor: 10, Venv: true, Ensurepip: true}
	for _, c := range []struct {
		name   string
		o      Options
		python *setuptest.FakePython
		parts  []string
	}{
		{"no folder", Options{Dir: filepath.Join(here, "nothing")}, nil, []string{"no folder", "nothing", "--dir"}},
		{"a file", Options{Dir: file}, nil, []string{"is not a folder", "--dir"}},
		{"port taken", Options{Dir: here, Port: taken}, nil, []string{"cannot be used", "in use", "--port"}},
		{"port too large", Options{Dir: here, Port: 70000}, nil, []string{"port 70000", "--port"}},
		{"no Python", Options{Dir: here}, nil, []string{"no python3 in PATH"}},
		{"old Python", Options{Dir: here}, &old, []string{"Python 3.8", "too old"}},
		{"Python too old for an extra", Options{Dir: here, Extra: &Extra{Name: "nbgrader", Minor: 11}}, &ten, []string{"nbgrader needs Python 3.11", "Python 3.10", "MARGINALIA_PYTHON"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			cache := setuptest.OwnCache(t)
			root := setuptest.Repository(t)
			dir := setuptest.OnlyPath(t, "go")
			if c.python != nil {
				c.python.Write(t, dir, "python3")
			}
			c.o.Host = "127.0.0.1"
			var said []string
			err := Start(t.Context(), root, c.o, setuptest.Steps(&said), os.Stderr)
			setuptest.WantError(t, err, c.parts...)
			if len(said) != 0 {
				t.Errorf("long steps were begun: %q", said)
			}
			if _, err := os.Lstat(filepath.Join(root, ".venv")); err == nil {
				t.Error("an environment was left")
			}
			if left := setuptest.Entries(t, cache); len(left) != 0 {
				t.Errorf("the cache has %q, want nothing", left)
			}
		})
	}
}

// Where Python is too old for an extra that is optional, JupyterLab is the repository's, and says what is missing.
func TestWithoutAnExtra(t *testing.T) {
	setuptest.OwnCache(t)
	ten := setuptest.FakePython{Major: 3, Minor: 10, Venv: true, Ensurepip: true}
	ten.Write(t, setuptest.OnlyPath(t, "go"), "python3")
	o := Options{Extra: &Extra{Name: "nbgrader", Minor: 11, Optional: true, Page: "/formgrader"}}
	var said strings.Builder
	e, err := o.environment(t.Context(), "/repo", &said)
	if err != nil || o.Extra != nil || e.Dir != EnvironmentOf("/repo").Dir {
		t.Errorf("the environment is %s, with %v: %v", e.Dir, o.Extra, err)
	}
	for _, want := range []string{"without nbgrader", "Python 3.11", "Python 3.10", "MARGINALIA_PYTHON"} {
		if !strings.Contains(said.String(), want) {
			t.Errorf("it says %q, without %q", &said, want)
		}
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
	e := EnvironmentOf(t.TempDir())
	chain := &kernel.Toolchain{GOROOT: "/opt/$go", GOFLAGS: "-p=2", Root: "/repo", Tools: "/cache/tools-1", Front: "/cache/front-1", Gopls: "/cache/gopls-1"}
	if path, current := e.Kernelspec(chain); current {
		t.Errorf("%s is said to be current, and is not there", path)
	}
	spec := kernelspecOf(chain)
	for range 2 {
		must.Do(t, e.configure(spec))
	}
	if path, current := e.Kernelspec(chain); !current {
		t.Errorf("%s, just written, is not said to be current", path)
	}
	var got struct {
		Argv          []string
		DisplayName   string `json:"display_name"`
		Language      string
		InterruptMode string `json:"interrupt_mode"`
		Env           map[string]string
	}
	must.Do(t, json.Unmarshal([]byte(setuptest.Read(t, e.kernelspecFile())), &got))
	if got.DisplayName != "Go (gonb)" || got.Language != "go" || got.InterruptMode != "message" {
		t.Errorf("kernelspec %+v", got)
	}
	if want := "/cache/front-1/marginalia-kernel {connection_file} /cache/tools-1/gonb -raw_error -go_work=/repo"; !strings.HasPrefix(strings.Join(got.Argv, " "), want) {
		t.Errorf("argv %q, want it to begin %q", got.Argv, want)
	}
	for k, want := range map[string]string{
		"PATH":             "/cache/front-1/bin:${PATH}",
		"MARGINALIA_GO":    "/opt/$$go/bin/go", // $$ is Jupyter's way to write $
		"MARGINALIA_GOPLS": "/cache/gopls-1/gopls",
		"GOFLAGS":          "-p=2 -ldflags=-s",
		"GOWORK":           "",
	} {
		if v, ok := got.Env[k]; !ok || v != want {
			t.Errorf("kernelspec env %s=%q, want %q", k, v, want)
		}
	}
	stat := func() os.FileInfo {
		info := must.Get(os.Stat(e.Own("config", "jupyter_server_config.json"))).Or(t)
		return info
	}
	before := stat()
	must.Do(t, e.configure(spec))
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
	e := EnvironmentOf("/repo")
	env := map[string]string{}
	for _, kv := range e.environ() {
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

func TestPins(t *testing.T) {
	if v := EnvironmentOf("/repo").Pinned("jupyterlab"); !strings.HasPrefix(v, "4.") {
		t.Errorf("pinned JupyterLab is %q, want a version 4", v)
	}
	for line := range strings.Lines(requirements) {
		if strings.Contains(line, "://") || strings.HasPrefix(line, "-") {
			t.Errorf("requirements.txt names a place or an option: %s", line)
		}
		if strings.Contains(line, "==") && !strings.HasSuffix(line, "\\\n") {
			t.Errorf("requirements.txt has a pin without hashes: %s", line)
		}
	}
}
