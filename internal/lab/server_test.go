package lab

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/chromedp/chromedp"
)

// A server is a JupyterLab that was started with "go run . lab".
type server struct {
	goRun *exec.Cmd
	root  string
	url   string // http://127.0.0.1:port
	token string
}

var address = regexp.MustCompile(`(http://127\.0\.0\.1:\d+)/lab\?token=(\w+)`)

func startLab(t *testing.T, root, dir string) *server {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	port := l.Addr().(*net.TCPAddr).Port
	l.Close()
	log, err := os.Create(filepath.Join(t.TempDir(), "log"))
	if err != nil {
		t.Fatal(err)
	}
	s := &server{root: root, goRun: exec.Command("go", "run", ".", "lab", "--no-browser", "--port", strconv.Itoa(port), "--dir", dir)}
	s.goRun.Dir = root
	s.goRun.Stdout, s.goRun.Stderr = log, log
	if err := s.goRun.Start(); err != nil {
		t.Fatal(err)
	}
	ended := make(chan error, 1)
	go func() { ended <- s.goRun.Wait() }()
	t.Cleanup(func() {
		_ = s.goRun.Process.Signal(syscall.SIGTERM) // go run takes its program along
		log.Close()
	})
	deadline := time.After(15 * time.Minute)
	for {
		b, _ := os.ReadFile(log.Name())
		if m := address.FindSubmatch(b); m != nil {
			s.url, s.token = string(m[1]), string(m[2])
			t.Logf("%s", b)
			return s
		}
		select {
		case err := <-ended:
			t.Fatalf("go run . lab ended (%v):\n%s", err, b)
		case <-deadline:
			t.Fatalf("JupyterLab has not started in 15 minutes:\n%s", b)
		case <-time.After(100 * time.Millisecond):
		}
	}
}

func (s *server) page(path string) string { return s.url + path + "?token=" + s.token }

// kernelReady waits until the notebook's kernel answers: before it is started
// the page says "idle", too.
func (s *server) kernelReady() chromedp.Action[chromedp.Void] {
	return chromedp.Func(func(ctx context.Context, _ *chromedp.Target) error {
		for {
			var kernels []struct {
				State string `json:"execution_state"`
			}
			r, err := http.Get(s.page("/api/kernels"))
			if err != nil {
				return err
			}
			err = json.NewDecoder(r.Body).Decode(&kernels)
			r.Body.Close()
			if err != nil {
				return err
			}
			if len(kernels) == 1 && kernels[0].State == "idle" {
				return nil
			}
			select {
			case <-ctx.Done():
				return fmt.Errorf("waiting for the kernel: %+v: %w", kernels, ctx.Err())
			case <-time.After(200 * time.Millisecond):
			}
		}
	})
}

// end ends the go command, as a user's kill does, and waits until JupyterLab and the kernel are gone.
func (s *server) end(t *testing.T) {
	t.Helper()
	if n := len(s.processes(t)); n < 2 {
		t.Errorf("%d processes of JupyterLab are found while it runs, want it and a kernel", n)
	}
	if err := s.goRun.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	deadline := time.Now().Add(shutdownTime + 10*time.Second)
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
	if _, err := http.Get(s.url); err == nil {
		t.Errorf("%s still answers", s.url)
	}
}

// processes lists the running processes of JupyterLab on this port and of its kernels.
func (s *server) processes(t *testing.T) []string {
	t.Helper()
	out, err := exec.Command("ps", "-A", "-o", "pid=,args=").Output()
	if err != nil {
		t.Fatal(err)
	}
	_, port, _ := strings.Cut(s.url, "127.0.0.1:")
	runtime := venvOf(s.root).own("runtime")
	var found []string
	for line := range bytes.Lines(out) {
		l := strings.TrimSpace(string(line))
		if strings.Contains(l, "launch.py") && strings.Contains(l, "port="+port) || strings.Contains(l, "-kernel "+runtime) {
			found = append(found, l)
		}
	}
	return found
}
