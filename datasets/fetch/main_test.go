package main

import (
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"strings"
	"testing"

	"marginalia/internal/testkit/must"
)

const commandEnv = "MARGINALIA_FETCH_COMMAND"

// If commandEnv is set, the test binary acts as the command.
func TestMain(m *testing.M) {
	if os.Getenv(commandEnv) != "" {
		main()
		return
	}
	os.Exit(m.Run())
}

// A child ends when its parent ends, which closes the child's standard input: here in the
// middle of a download that would never finish.
func TestChildEndsWithParent(t *testing.T) {
	home := t.TempDir()
	asked, gone := make(chan struct{}), make(chan struct{})
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		close(asked)
		<-r.Context().Done()
		close(gone)
	}))
	defer s.Close()
	child := exec.Command(os.Args[0], "-child")
	child.Env = append(os.Environ(), commandEnv+"=1", "HOME="+home, "XDG_CACHE_HOME="+home, "LocalAppData="+home, "MARGINALIA_DATA=", "MARGINALIA_MNIST_URL="+s.URL)
	stdin := must.Get(child.StdinPipe()).Or(t)
	var said strings.Builder
	child.Stdout = &said
	must.Do(t, child.Start())
	<-asked
	stdin.Close()
	if err := child.Wait(); err != nil {
		t.Errorf("the child ends with %v, want status 0", err)
	}
	<-gone
	if !strings.Contains(said.String(), "context canceled") {
		t.Errorf("the child reports %q", said.String())
	}
}
