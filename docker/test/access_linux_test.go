//go:build browser

package test

import (
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"

	"marginalia/internal/base/repo/repotest"
	"marginalia/internal/testkit/must"
	"marginalia/internal/testkit/testfile"
	"marginalia/internal/testkit/tier"
)

// TestHubAccess starts JupyterHub as docker/hub configures it, with nginx in front as README.md
// says, and has a teacher and a student try to get at what another student wrote: through
// the browser, with tokens, shares, groups, roles and the proxy. The other student's
// own way to the file is tried first, so a refusal is one of the hub and not of a
// server that does not answer. A hub has run before, with a configuration that made
// the teacher an admin, as ours once did: a database must not keep that. The hub withstands
// the attempts of attack_linux_test.go, too, and comes back from a backup.
func TestHubAccess(t *testing.T) {
	tier.Browser(t)
	root := repotest.Root(t)
	before := newLocalHub(t, root)
	before.start(t, true)()
	const database = "jupyterhub.sqlite"
	old := testfile.Read(t, filepath.Join(before.state, database))
	c := newClassroom(t, root)
	// The folder may be there, open to all.
	must.Do(t, os.MkdirAll(c.state, 0o755))
	must.Do(t, os.WriteFile(filepath.Join(c.state, database), []byte(old), 0o600))
	stop := c.start(t, false)
	c.keepsToItself(t)
	c.tries(t)
	c.attack(t)
	c.comesBack(t, stop)
}

// The people of the test.
const victim = "student01"

var people = []string{"teacher", victim, "student02"}

// secret is what the victim has written.
const secret = "for nobody else's eyes"

// tries has everybody log in, the victim write a file, and the others try.
func (h *localHub) tries(t *testing.T) {
	visitors := map[string]*visitor{}
	for _, name := range people {
		visitors[name] = h.login(t, name)
	}
	owner, teacher, other := visitors[victim], visitors["teacher"], visitors["student02"]
	const file = "/user/" + victim + "/api/contents/note.txt"
	note := object{"type": "file", "format": "text", "content": secret}

	// The teacher who starts the server still cannot open it. Its owner could have started it: the
	// hub says that it runs, and not that this may not be.
	teacher.try(t, http.MethodPost, "/hub/api/users/"+victim+"/server", nil, http.StatusCreated, http.StatusAccepted)
	teacher.ready(t, victim)
	owner.try(t, http.MethodPost, "/hub/api/users/"+victim+"/server", nil, http.StatusBadRequest)
	owner.try(t, http.MethodPut, file, note, http.StatusCreated)
	if body := owner.try(t, http.MethodGet, file, nil, http.StatusOK); !strings.Contains(body, secret) {
		t.Fatalf("%s reads %s", victim, body)
	}
	if status, body := owner.browse(t, "/user/"+victim+"/lab"); status != http.StatusOK || !strings.Contains(body, "jupyter-config-data") {
		t.Fatalf("%s opens the own JupyterLab: status %d", victim, status)
	}

	refused := []int{http.StatusForbidden, http.StatusNotFound, http.StatusMethodNotAllowed}
	for name, v := range map[string]*visitor{"teacher": teacher, "student02": other} {
		// By the browser, as a click on "access server" does, with the page where
		// the hub asks whether that is all right.
		for _, page := range []string{"/user/" + victim + "/lab", file, "/user/" + victim + "/files/note.txt", "/hub/user/" + victim + "/lab"} {
			if status, body := v.browse(t, page); !slices.Contains(refused, status) || strings.Contains(body, secret) {
				t.Errorf("%s opens %s: status %d, want %v", name, page, status, refused)
			}
		}
		// A token for more than one's own: the hub says that the request is bad, so one
		// for one's own server shows that nothing else is.
		own := "/hub/api/users/" + name + "/tokens"
		one := "access:servers!user=" + victim
		v.try(t, http.MethodPost, own, object{"scopes": []string{"access:servers!user=" + name}}, http.StatusCreated)
		for _, more := range []object{{"scopes": []string{"access:servers"}}, {"scopes": []string{one}}, {"scopes": []string{"shares!user=" + victim}}, {"roles": []string{"admin"}}} {
			v.try(t, http.MethodPost, own, more, http.StatusBadRequest, http.StatusForbidden)
		}
		for _, a := range []struct {
			method, path string
			body         any
		}{
			{http.MethodGet, file, nil},
			{http.MethodPut, file, note},
			{http.MethodPost, "/user/" + victim + "/api/kernels", object{}},
			{http.MethodGet, "/hub/api/users/" + victim + "/tokens", nil},
			{http.MethodPost, "/hub/api/users/" + victim + "/tokens", object{}},
			{http.MethodPost, "/hub/api/users/" + victim + "/tokens", object{"scopes": []string{one}}},
			{http.MethodPost, "/hub/api/shares/" + victim + "/", object{"user": name}},
			{http.MethodPost, "/hub/api/share-codes/" + victim + "/", object{}},
			{http.MethodGet, "/hub/api/shares/" + victim + "/", nil},
			{http.MethodGet, "/hub/api/proxy", nil},
			{http.MethodPost, "/hub/api/proxy", nil},
			{http.MethodPatch, "/hub/api/proxy", object{"ip": "127.0.0.1", "port": 1, "protocol": "http", "auth_token": ""}},
			{http.MethodPost, "/hub/api/groups/own", object{}},
			{http.MethodPost, "/hub/api/groups/own/users", object{"users": []string{name, victim}}},
			{http.MethodPut, "/hub/api/groups/own/properties", object{}},
			{http.MethodPatch, "/hub/api/users/" + name, object{"admin": true}},
			{http.MethodPatch, "/hub/api/users/" + name, object{"name": "renamed"}},
			{http.MethodPatch, "/hub/api/users/" + victim, object{"name": "renamed"}},
			{http.MethodPost, "/hub/api/users/new", object{"admin": true}},
			{http.MethodPost, "/hub/api/users", object{"usernames": []string{"new"}, "admin": true}},
			{http.MethodDelete, "/hub/api/users/" + victim, nil},
			{http.MethodPost, "/hub/api/users/" + victim + "/activity", object{"last_activity": "2026-01-01T00:00:00Z"}},
			{http.MethodPost, "/hub/api/users/" + victim + "/admin-access", nil},
			{http.MethodPost, "/hub/api/services/own", object{"admin": true}},
			{http.MethodGet, "/hub/api/services", nil},
			{http.MethodPost, "/hub/api/shutdown", object{}},
			{http.MethodGet, "/hub/api/info", nil},
		} {
			if body := v.try(t, a.method, a.path, a.body, refused...); strings.Contains(body, secret) {
				t.Errorf("%s reads what %s wrote by %s %s", name, victim, a.method, a.path)
			}
		}
	}
	// What a student cannot and a teacher can: see who is there, start and stop.
	for _, a := range []struct{ method, path string }{
		{http.MethodGet, "/hub/api/users"},
		{http.MethodGet, "/hub/api/users/" + victim},
		{http.MethodPost, "/hub/api/users/teacher/server"},
		{http.MethodDelete, "/hub/api/users/" + victim + "/server"},
	} {
		other.try(t, a.method, a.path, nil, refused...)
	}
	for _, page := range []string{"/hub/spawn/" + victim, "/hub/admin"} {
		if status, _ := other.browse(t, page); !slices.Contains(refused, status) {
			t.Errorf("student02 opens %s: status %d, want %v", page, status, refused)
		}
	}
	if status, body := teacher.browse(t, "/hub/admin"); status != http.StatusOK || !strings.Contains(body, "react-admin-hook") {
		t.Errorf("the teacher opens the page for teachers: status %d", status)
	}
	var users []struct {
		Name  string
		Admin bool
		State any `json:"auth_state"`
	}
	must.Do(t, json.Unmarshal([]byte(teacher.try(t, http.MethodGet, "/hub/api/users", nil, http.StatusOK)), &users))
	if len(users) != len(h.enrolled) {
		t.Errorf("the teacher sees %+v, want %v", users, h.enrolled)
	}
	for _, u := range users {
		if u.Admin || u.State != nil {
			t.Errorf("%+v: nobody is admin, and how somebody logged in is not told", u)
		}
	}
	owner.try(t, http.MethodGet, file, nil, http.StatusOK)
	teacher.try(t, http.MethodDelete, "/hub/api/users/"+victim+"/server", nil, http.StatusNoContent, http.StatusAccepted)
	teacher.stopped(t, victim)
}

// keepsToItself finds what is said in README.md: other addresses than 127.0.0.1 do not
// answer, and the database and the keys are in a folder that only its owner opens, with
// nothing in the folder from which the hub was started.
func (h *localHub) keepsToItself(t *testing.T) {
	t.Helper()
	port := fmt.Sprint(h.ports[0])
	// All of 127.0.0.0/8 is this machine: a server on 0.0.0.0 answers on 127.0.0.2.
	if conn, err := net.Dial("tcp4", "127.0.0.2:"+port); err == nil {
		conn.Close()
		t.Error("the hub listens on more than 127.0.0.1")
	} else if !errors.Is(err, syscall.ECONNREFUSED) {
		t.Errorf("127.0.0.2: %v, want that it is refused", err)
	}
	info := must.Get(os.Stat(h.state)).Or(t)
	if info.Mode().Perm() != 0o700 {
		t.Errorf("%s has mode %v, want 0700", h.state, info.Mode().Perm())
	}
	for _, name := range []string{"jupyterhub.sqlite", "jupyterhub_cookie_secret", "jupyterhub-proxy.pid"} {
		if _, err := os.Stat(filepath.Join(h.state, name)); err != nil {
			t.Errorf("the state folder: %v", err)
		}
	}
	if left, err := os.ReadDir(h.work); err != nil || len(left) > 0 {
		t.Errorf("the folder from which the hub was started has %v, %v; want nothing", left, err)
	}
}
