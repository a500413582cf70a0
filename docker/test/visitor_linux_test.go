//go:build browser

package test

import (
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"net/http/cookiejar"
	"net/url"
	"slices"
	"strings"
	"testing"

	"marginalia/internal/testkit/must"
)

// A visitor is somebody who has logged in: the browser's cookies, and a token for all
// that this user may do.
type visitor struct {
	name, url, token string
	subdomains       bool
	browser          *http.Client
}

// where is where a path of the hub's or of somebody's server is.
func (v *visitor) where(path string) string {
	if name, _, ok := strings.Cut(strings.TrimPrefix(path, "/user/"), "/"); ok && v.subdomains && strings.HasPrefix(path, "/user/") {
		return strings.Replace(v.url, "://", "://"+name+".", 1) + path
	}
	return v.url + path
}

// login logs somebody in on the hub's page, and asks for a token of one's own.
func (h *localHub) login(t *testing.T, name string) *visitor {
	t.Helper()
	jar := must.Get(cookiejar.New(nil)).Or(t)
	v := &visitor{name: name, url: h.url, subdomains: h.subdomains, browser: &http.Client{Jar: jar, Transport: h.way}}
	password := h.settings["password"].(string)
	if status, _ := v.browse(t, "/hub/login"); status != http.StatusOK {
		t.Fatalf("the login page: status %d", status)
	}
	page := must.Get(url.Parse(h.url + "/hub/login")).Or(t)
	form := url.Values{"username": {name}, "password": {password}}
	for _, cookie := range jar.Cookies(page) {
		if cookie.Name == "_xsrf" {
			form.Set("_xsrf", cookie.Value)
		}
	}
	r := must.Get(v.browser.PostForm(page.String()+"?next=/hub/home", form)).Or(t)
	r.Body.Close()
	if r.StatusCode != http.StatusOK || r.Request.URL.Path != "/hub/home" {
		t.Fatalf("%s logs in and is led to %s: %s", name, r.Request.URL, r.Status)
	}
	var made struct{ Token string }
	body := v.try(t, http.MethodPost, "/hub/api/users/"+name+"/tokens", object{"auth": object{"username": name, "password": password}}, http.StatusCreated)
	if err := json.Unmarshal([]byte(body), &made); err != nil || made.Token == "" {
		t.Fatalf("%s has no token: %v, %s", name, err, body)
	}
	v.token = made.Token
	return v
}

// browse opens a page with the cookies, wherever it leads.
func (v *visitor) browse(t *testing.T, path string) (status int, body string) {
	t.Helper()
	r := must.Get(v.browser.Get(v.where(path))).Or(t)
	defer r.Body.Close()
	b := must.Get(io.ReadAll(r.Body)).Or(t)
	return r.StatusCode, string(b)
}

// try makes a call with the visitor's token and reports any status but those wanted.
func (v *visitor) try(t *testing.T, method, path string, content any, want ...int) (body string) {
	t.Helper()
	var sent bytes.Buffer
	if content != nil {
		must.Do(t, json.NewEncoder(&sent).Encode(content))
	}
	request := must.Get(http.NewRequestWithContext(t.Context(), method, v.where(path), &sent)).Or(t)
	if v.token != "" {
		request.Header.Set("Authorization", "token "+v.token)
	}
	r := must.Get((&http.Client{Transport: v.browser.Transport}).Do(request)).Or(t)
	defer r.Body.Close()
	b := must.Get(io.ReadAll(r.Body)).Or(t)
	if !slices.Contains(want, r.StatusCode) {
		t.Errorf("%s: %s %s: %s, want %v", v.name, method, path, r.Status, want)
	}
	return string(b)
}

// ready waits until somebody's server has started, and stopped until it has ended.
func (v *visitor) ready(t *testing.T, name string)   { t.Helper(); v.await(t, name, true) }
func (v *visitor) stopped(t *testing.T, name string) { t.Helper(); v.await(t, name, false) }

func (v *visitor) await(t *testing.T, name string, ready bool) {
	t.Helper()
	if !eventually(func() bool {
		var user struct {
			Pending string
			Servers map[string]struct{ Ready bool }
		}
		must.Do(t, json.Unmarshal([]byte(v.try(t, http.MethodGet, "/hub/api/users/"+name, nil, http.StatusOK)), &user))
		server, there := user.Servers[""]
		return there == ready && server.Ready == ready && user.Pending == ""
	}) {
		t.Fatalf("the server of %s: ready is to be %v, and is not", name, ready)
	}
}
