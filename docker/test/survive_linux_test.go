//go:build browser

package test

import (
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
)

// survives kills the hub, its proxy, a server and the engine while a student works. What the
// student has written is there, the student stays logged in, and what does not depend on the
// dead goes on. It returns what ends the hub that runs then.
func (c *classroom) survives(t *testing.T, stop func()) func() {
	t.Helper()
	server := c.engine.container(victim)
	c.writes(t, "before")
	c.kill()
	c.writes(t, "while the hub is dead")
	stop()
	stop = c.start(t, false)
	if now := c.engine.container(victim); now != server {
		t.Error("the new hub has not kept the server")
	}
	c.works(t, "while the hub is dead")

	pid, err := os.ReadFile(filepath.Join(c.state, "jupyterhub-proxy.pid"))
	if err != nil {
		t.Fatal(err)
	}
	proxy, err := strconv.Atoi(strings.TrimSpace(string(pid)))
	if err != nil {
		t.Fatal(err)
	}
	if err := syscall.Kill(proxy, syscall.SIGKILL); err != nil {
		t.Fatal(err)
	}
	c.answers(t)
	c.works(t, "while the hub is dead")

	c.engine.down.Store(true)
	c.writes(t, "while the engine is dead")
	c.teacher.try(t, http.MethodPost, "/hub/api/users/guessed0/server", nil, http.StatusInternalServerError)
	c.engine.down.Store(false)
	c.works(t, "while the engine is dead")

	server.end(syscall.SIGKILL)
	c.starts(t)
	c.works(t, "while the engine is dead")
	return stop
}

// backup and restore are the README's commands for the hub's state.
const (
	backup  = `tar -C "$MARGINALIA_STATE" -czf hub.tar.gz .`
	restore = `mkdir -m 700 "$MARGINALIA_STATE" && tar -C "$MARGINALIA_STATE" -xzf hub.tar.gz`
)

// comesBack ends the hub, saves it and the homes as README.md says, loses them, and brings
// them back: who was logged in is, with the same work and tokens.
func (c *classroom) comesBack(t *testing.T, stop func()) {
	t.Helper()
	c.writes(t, "kept")
	stop()
	dir := t.TempDir()
	for k, command := range []string{
		backup, `tar -C "$HOMES" -czf homes.tar.gz .`, `rm -r "$MARGINALIA_STATE" "$HOMES"`,
		restore, `mkdir "$HOMES" && tar -C "$HOMES" -xzf homes.tar.gz`,
	} {
		if (command == backup || command == restore) && !strings.Contains(readFile(t, "README.md"), "\n"+command+"\n") {
			t.Errorf("README.md has no line %q", command)
		}
		cmd := exec.Command("sh", "-c", command)
		cmd.Dir, cmd.Env = dir, append(os.Environ(), "MARGINALIA_STATE="+c.state, "HOMES="+c.homes)
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("command %d, %s: %v\n%s", k, command, err, out)
		}
	}
	defer c.start(t, false)()
	if status, body := c.victim.browse(t, "/hub/home"); status != http.StatusOK || !strings.Contains(body, "/hub/logout") {
		t.Errorf("/hub/home in the browser: status %d: %.500s", status, body)
	}
	c.victim.try(t, http.MethodGet, "/hub/api/users/"+victim, nil, http.StatusOK)
	if work, err := os.ReadFile(filepath.Join(c.homes, "home-"+victim, "note.txt")); err != nil || string(work) != "kept" {
		t.Errorf("the file has %q, %v", work, err)
	}
}

// writes has the victim save a text.
func (c *classroom) writes(t *testing.T, text string) {
	t.Helper()
	c.victim.try(t, http.MethodPut, note, object{"type": "file", "format": "text", "content": text}, http.StatusOK, http.StatusCreated)
}

// works wants that text in the victim's file, and the victim's browser to be logged in.
func (c *classroom) works(t *testing.T, text string) {
	t.Helper()
	if body := c.victim.try(t, http.MethodGet, note, nil, http.StatusOK); !strings.Contains(body, text) {
		t.Errorf("the file has %s, want %q", body, text)
	}
	for _, page := range []string{"/hub/home", "/user/" + victim + "/lab"} {
		if status, body := c.victim.browse(t, page); status != http.StatusOK || strings.Contains(body, `id="login-main"`) {
			t.Errorf("%s in the browser: status %d, logged in: %v", page, status, !strings.Contains(body, `id="login-main"`))
		}
	}
}

// answers waits until the victim's server can be reached.
func (c *classroom) answers(t *testing.T) {
	t.Helper()
	if !eventually(func() bool {
		return c.send(t, request{url: c.victim.where(note), token: c.victim.token}).status == http.StatusOK
	}) {
		t.Fatal("the server cannot be reached")
	}
}

// starts starts the victim's server.
func (c *classroom) starts(t *testing.T) {
	t.Helper()
	c.victim.try(t, http.MethodPost, "/hub/api/users/"+victim+"/server", nil, http.StatusCreated, http.StatusAccepted)
	c.victim.ready(t, victim)
	c.answers(t)
}
