//go:build browser

package lab

import (
	"bytes"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"
	"time"

	"marginalia/internal/base/setup"
	"marginalia/internal/install/lab/labtest"
	"marginalia/internal/kernel/jupyter/jupytertest"
	"marginalia/internal/testkit/must"
)

// A server is a JupyterLab that was started with "go run . lab".
type server struct {
	labtest.Server
	goRun  *exec.Cmd
	root   string
	marker string // in the environment of its processes
	log    string // the file with what it says
}

var address = regexp.MustCompile(`(http://127\.0\.0\.1:\d+)/lab(?:/tree/[^?\s]*)?\?token=(\w+)`)

// startLab starts JupyterLab once all is there that it needs: a start would build gopls with
// what the processors have left, which on a busy computer is next to nothing, and a kernel
// that starts before gopls is built completes nothing. TestGoplsIsBuilt has that way.
func startLab(t *testing.T, root, dir string) *server {
	t.Helper()
	must.Do(t, SetUp(t.Context(), root, setup.Lines(os.Stderr), os.Stderr))
	log := must.Get(os.Create(filepath.Join(t.TempDir(), "log"))).Or(t)
	s := &server{root: root, marker: jupytertest.Marker(), log: log.Name(), goRun: exec.Command("go", "run", ".", "lab", "--no-browser", "--port", labtest.Port(t))}
	if dir != "" { // else on the lectures
		s.goRun.Args = append(s.goRun.Args, "--dir", dir)
	}
	s.goRun.Dir = root
	s.goRun.Env = append(os.Environ(), s.marker)
	s.goRun.Stdout, s.goRun.Stderr = log, log
	must.Do(t, s.goRun.Start())
	ended := make(chan error, 1)
	go func() { ended <- s.goRun.Wait() }()
	t.Cleanup(func() {
		_ = s.goRun.Process.Signal(syscall.SIGTERM) // go run takes its program along
		log.Close()
		saved, _ := filepath.Glob(EnvironmentOf(root).Own("config", "lab", "workspaces", labtest.Workspace+"*"))
		for _, file := range saved {
			os.Remove(file)
		}
	})
	deadline := time.After(labtest.Patience)
	for {
		b, _ := os.ReadFile(log.Name())
		if m := address.FindSubmatch(b); m != nil {
			s.URL, s.Token = string(m[1]), string(m[2])
			t.Logf("%s", b)
			return s
		}
		select {
		case err := <-ended:
			t.Fatalf("go run . lab ended (%v):\n%s", err, b)
		case <-deadline:
			t.Fatalf("JupyterLab has not started in %v:\n%s", labtest.Patience, b)
		case <-time.After(100 * time.Millisecond):
		}
	}
}

// end ends the go command, as a user's kill does, and waits until JupyterLab and the
// kernels are gone, with all that they have started.
func (s *server) end(t *testing.T) {
	t.Helper()
	if n := len(s.processes(t)); n < 2 {
		t.Errorf("%d processes of JupyterLab are found while it runs, want it and a kernel", n)
	}
	said := string(must.Get(os.ReadFile(s.log)).Or(t))
	for _, noise := range []string{"is not trusted", "websocket_ping_timeout"} {
		if strings.Contains(said, noise) {
			t.Errorf("the terminal is told of %q, which a reader can do nothing about:\n%s", noise, said)
		}
	}
	must.Do(t, s.goRun.Process.Signal(syscall.SIGTERM))
	deadline := time.Now().Add(labtest.Patience)
	for {
		left := s.processes(t)
		if len(left) == 0 {
			break
		}
		if time.Now().After(deadline) {
			t.Fatalf("still running after the end of go run:\n%s", strings.Join(left, "\n"))
		}
		time.Sleep(100 * time.Millisecond)
	}
	jupytertest.AwaitNoStrays(t, s.marker)
	if _, err := http.Get(s.URL); err == nil {
		t.Errorf("%s still answers", s.URL)
	}
}

// processes lists the running processes of JupyterLab on this port and of its kernels.
func (s *server) processes(t *testing.T) []string {
	t.Helper()
	out := must.Get(exec.Command("ps", "-A", "-o", "pid=,args=").Output()).Or(t)
	_, port, _ := strings.Cut(s.URL, "127.0.0.1:")
	runtime := EnvironmentOf(s.root).Own("runtime")
	var found []string
	for line := range bytes.Lines(out) {
		l := strings.TrimSpace(string(line))
		if strings.Contains(l, "launch.py") && strings.Contains(l, "port="+port) || strings.Contains(l, "-kernel "+runtime) {
			found = append(found, l)
		}
	}
	return found
}
