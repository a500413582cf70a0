//go:build browser

package labtest

import (
	"bytes"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"testing"

	"marginalia/internal/base/processes"
)

// Printed serves pages, and receives what one of them posts to "printed" first.
func Printed(t *testing.T, pages http.Handler) (url string, printed <-chan []byte) {
	t.Helper()
	posted := make(chan []byte, 1)
	mux := http.NewServeMux()
	mux.Handle("GET /", pages)
	mux.HandleFunc("POST /printed", func(_ http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		if err != nil {
			body = []byte(err.Error())
		}
		select {
		case posted <- body:
		default:
		}
	})
	server := httptest.NewServer(mux)
	t.Cleanup(server.Close)
	return server.URL, posted
}

// Firefox opens a page in Firefox and returns what is printed. The test is skipped where Firefox is not installed.
func Firefox(t *testing.T, url string, printed <-chan []byte) []byte {
	t.Helper()
	firefox, err := exec.LookPath("firefox")
	if err != nil {
		if firefox, err = exec.LookPath("firefox-esr"); err != nil {
			t.Skip("there is no firefox in PATH")
		}
	}
	profile := t.TempDir()
	cmd := processes.Command(t.Context(), firefox, "--headless", "--no-remote", "--profile", profile, url)
	cmd.Env = append(os.Environ(), "HOME="+profile)
	var said bytes.Buffer
	cmd.Stdout, cmd.Stderr = &said, &said
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	ended := make(chan error, 1)
	go func() { ended <- cmd.Wait() }()
	select {
	case out := <-printed:
		if err := cmd.Cancel(); err != nil {
			t.Error(err)
		}
		<-ended
		return out
	case err := <-ended:
		t.Fatalf("Firefox has ended: %v\n%s", err, said.Bytes())
		return nil
	}
}
