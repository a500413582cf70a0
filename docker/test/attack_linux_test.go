//go:build browser

package test

import (
	"bytes"
	"crypto/tls"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"marginalia/internal/install/lab/labtest"
	"marginalia/internal/kernel/jupyter/jupytertest"
	"marginalia/internal/testkit/must"
	"marginalia/internal/testkit/testfile"
)

// An attempt is something that an attacker does to a classroom. It returns what the attacker
// got, or "" if nothing.
type attempt struct {
	what string
	try  func(*classroom, *testing.T) string
}

// attack makes all attempts, one after another: some count wrong passwords.
func (c *classroom) attack(t *testing.T) {
	c.victim, c.other = c.login(t, victim), c.login(t, "student02")
	for _, v := range []*visitor{c.victim, c.other} {
		v.try(t, http.MethodPost, "/hub/api/users/"+v.name+"/server", nil, http.StatusCreated, http.StatusAccepted)
		v.ready(t, v.name)
	}
	c.victim.try(t, http.MethodPut, note, object{"type": "file", "format": "text", "content": secret}, http.StatusCreated, http.StatusOK)
	got := c.send(t, request{url: c.atPort(t, "api/contents/note.txt"), token: c.victim.token})
	if !strings.Contains(got.body, secret) {
		t.Fatalf("%s reads the own file at the own port: status %d %.300s", victim, got.status, got.body)
	}
	for _, a := range slices.Concat(webAttempts, serverAttempts, passwordAttempts) {
		t.Run(a.what, func(t *testing.T) {
			if got := a.try(c, t); got != "" {
				t.Errorf("the attacker got %.300s", got)
			}
		})
	}
}

// environment is that of somebody's server.
func (c *classroom) environment(t *testing.T, name string) []string {
	t.Helper()
	for _, process := range jupytertest.Strays("JUPYTERHUB_API_URL=" + c.hubAddress() + "/hub/api") {
		pid, _, _ := strings.Cut(process, " ")
		text, err := os.ReadFile(filepath.Join("/proc", pid, "environ"))
		variables := strings.Split(string(text), "\x00")
		if err == nil && slices.Contains(variables, "JUPYTERHUB_USER="+name) {
			return variables
		}
	}
	t.Fatalf("no process is the server of %s", name)
	return nil
}

// variable is one of those that the hub gives to somebody's server.
func (c *classroom) variable(t *testing.T, name, key string) string {
	t.Helper()
	for _, kv := range c.environment(t, name) {
		if value, ok := strings.CutPrefix(kv, "JUPYTERHUB_"+key+"="); ok {
			return value
		}
	}
	t.Fatalf("the server of %s has no JUPYTERHUB_%s", name, key)
	return ""
}

// atPort is an address at the victim's own port, past the proxy.
func (c *classroom) atPort(t *testing.T, path string) string {
	t.Helper()
	return c.variable(t, victim, "SERVICE_URL") + path
}

// note is where the victim's file is.
const note = "/user/" + victim + "/api/contents/note.txt"

// A request is one that no browser has to have made.
type request struct {
	from    string // the address; "": 127.0.0.1
	method  string // "": GET
	url     string
	token   string
	cookies []*http.Cookie
	header  map[string]string
	form    url.Values
	json    any
}

// A reply is what came back; the status is 0 if nothing did.
type reply struct {
	status int
	header http.Header
	body   string
}

// got describes a reply that is no refusal, and is "" for one that is.
func (r reply) got() string {
	if r.status/100 == 2 || r.status == http.StatusSwitchingProtocols {
		return fmt.Sprintf("status %d: %s", r.status, r.body)
	}
	return ""
}

func (c *classroom) send(t *testing.T, q request) reply {
	t.Helper()
	var sent io.Reader
	if q.from == "" {
		q.from = "127.0.0.1"
	}
	header := http.Header{}
	switch {
	case q.form != nil:
		sent = strings.NewReader(q.form.Encode())
		header.Set("Content-Type", "application/x-www-form-urlencoded")
	case q.json != nil:
		b := must.Get(json.Marshal(q.json)).Or(t)
		sent = bytes.NewReader(b)
		header.Set("Content-Type", "application/json")
	}
	r := must.Get(http.NewRequestWithContext(t.Context(), q.method, q.url, sent)).Or(t)
	r.Header = header
	if q.token != "" {
		r.Header.Set("Authorization", "token "+q.token)
	}
	for name, value := range q.header {
		r.Header.Set(name, value)
		if name == "Host" {
			r.Host = value
		}
	}
	for _, cookie := range q.cookies {
		r.AddCookie(cookie)
	}
	client := &http.Client{Transport: c.from(q.from), Timeout: labtest.Patience, CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	a, err := client.Do(r)
	if err != nil {
		return reply{body: err.Error()}
	}
	defer a.Body.Close()
	if a.StatusCode == http.StatusSwitchingProtocols {
		return reply{a.StatusCode, a.Header, ""}
	}
	b := must.Get(io.ReadAll(a.Body)).Or(t)
	return reply{a.StatusCode, a.Header, string(b)}
}

// cookies are those that a browser sends with a request for a path.
func (v *visitor) cookies(t *testing.T, path string) []*http.Cookie {
	t.Helper()
	u := must.Get(url.Parse(v.where(path))).Or(t)
	return v.browser.Jar.Cookies(u)
}

// enter posts a name and a password as the login page does, by way of the proxy or, with at,
// straight to a server at that address.
func (c *classroom) enter(t *testing.T, from, at, name, password string, header map[string]string) reply {
	t.Helper()
	if at == "" {
		at = c.url
	}
	page := c.send(t, request{from: from, url: at + "/hub/login", header: header})
	cookies, xsrf := (&http.Response{Header: page.header}).Cookies(), ""
	for _, k := range cookies {
		if k.Name == "_xsrf" {
			xsrf = k.Value
		}
	}
	return c.send(t, request{from: from, method: http.MethodPost, url: at + "/hub/login?next=/hub/home", header: header, cookies: cookies,
		form: url.Values{"username": {name}, "password": {password}, "_xsrf": {xsrf}}})
}

// entered says who has been let in.
func entered(name string, r reply) string {
	if r.status == http.StatusFound && strings.Contains(r.header.Get("Location"), "/hub/home") {
		return "the session of " + name
	}
	if r.status != http.StatusForbidden && r.status != http.StatusTooManyRequests {
		return fmt.Sprintf("a strange reply: %d %s", r.status, r.body)
	}
	return ""
}

// Guessed passwords. Each has a name and addresses of its own, so that no other's are counted.
var passwordAttempts = []attempt{
	{what: "guess on after five wrong passwords", try: func(c *classroom, t *testing.T) string {
		for range 5 {
			c.enter(t, "127.0.2.1", "", "guessed1", "wrong", nil)
		}
		return entered("guessed1", c.enter(t, "127.0.2.1", "", "guessed1", c.password(), nil))
	}},
	{what: "guess through the API", try: func(c *classroom, t *testing.T) string {
		token := func(password string) reply {
			return c.send(t, request{from: "127.0.2.2", method: http.MethodPost, url: c.url + "/hub/api/users/guessed2/tokens",
				json: object{"auth": object{"username": "guessed2", "password": password}}})
		}
		for range 5 {
			token("wrong")
		}
		return token(c.password()).got()
	}},
	{what: "guess with another X-Forwarded-For each time", try: func(c *classroom, t *testing.T) string { return c.claim(t, "X-Forwarded-For", "127.0.2.3", "guessed3") }},
	{what: "guess with another X-Real-IP each time", try: func(c *classroom, t *testing.T) string { return c.claim(t, "X-Real-IP", "127.0.2.4", "guessed4") }},
	{what: "guess with another Forwarded each time", try: func(c *classroom, t *testing.T) string { return c.claim(t, "Forwarded", "127.0.2.5", "guessed5") }},
	{what: "guess twenty at the same moment", try: func(c *classroom, t *testing.T) string {
		var all sync.WaitGroup
		replies := make([]reply, 20)
		for k := range replies {
			all.Go(func() { replies[k] = c.enter(t, "127.0.2.6", "", "guessed6", "wrong", nil) })
		}
		all.Wait()
		answered := 0
		for _, r := range replies {
			if r.status == http.StatusForbidden {
				answered++
			}
		}
		if answered > 5 {
			return fmt.Sprintf("%d answers", answered)
		}
		return ""
	}},
	{what: "go through all names from one address", try: func(c *classroom, t *testing.T) string {
		for k := range 20 {
			for range 5 {
				if entered("", c.enter(t, "127.0.2.7", "", fmt.Sprintf("sprayed%d", k), "wrong", nil)) != "" {
					t.Fatal("a wrong password was taken")
				}
			}
		}
		return entered("guessed7", c.enter(t, "127.0.2.7", "", "guessed7", c.password(), nil))
	}},
	{what: "guess one name from many addresses", try: func(c *classroom, t *testing.T) string {
		for k := range 50 {
			c.enter(t, fmt.Sprintf("127.0.3.%d", 1+k/4), "", "guessed8", "wrong", nil)
		}
		return entered("guessed8", c.enter(t, "127.0.2.8", "", "guessed8", c.password(), nil))
	}},
	{what: "log in at the hub's own port, from a container", try: func(c *classroom, t *testing.T) string {
		return entered("guessed9", c.enter(t, "127.0.2.12", c.hubAddress(), "guessed9", c.password(), map[string]string{"X-Forwarded-For": "192.0.2.1"}))
	}},
	{what: "enter with an account of the machine that is not in the course", try: func(c *classroom, t *testing.T) string {
		return entered("root", c.enter(t, "127.0.2.9", "", "root", c.password(), nil))
	}},
	{what: "keep a student out with wrong passwords from elsewhere", try: func(c *classroom, t *testing.T) string {
		for range 10 {
			c.enter(t, "127.0.2.10", "", "guessed10", "wrong", nil)
		}
		if entered("guessed10", c.enter(t, "127.0.2.11", "", "guessed10", c.password(), nil)) == "" {
			return "the student kept out"
		}
		return ""
	}},
}

// claim guesses five times from an address, which a header denies, and then knows the password.
func (c *classroom) claim(t *testing.T, header, from, name string) string {
	value := func(k int) map[string]string {
		if header == "Forwarded" {
			return map[string]string{header: fmt.Sprintf("for=192.0.2.%d", k)}
		}
		return map[string]string{header: fmt.Sprintf("192.0.2.%d", k)}
	}
	for k := range 5 {
		c.enter(t, from, "", name, "wrong", value(k+1))
	}
	return entered(name, c.enter(t, from, "", name, c.password(), value(100)))
}

func (c *classroom) password() string   { return c.settings["password"].(string) }
func (c *classroom) hubAddress() string { return fmt.Sprintf("http://127.0.0.1:%d", c.ports[1]) }
func (c *classroom) proxyAPI() string   { return fmt.Sprintf("http://127.0.0.1:%d", c.ports[2]) }

// What reaches the machine from outside, and what a page of another student's server can do in the
// victim's browser.
var webAttempts = []attempt{
	{what: "read passwords on the way", try: func(c *classroom, t *testing.T) string {
		return c.send(t, request{url: "http://" + courseHost + "/hub/login"}).got()
	}},
	{what: "have a browser come back without TLS", try: func(c *classroom, t *testing.T) string {
		if r := c.send(t, request{url: c.url + "/hub/login"}); !strings.Contains(r.header.Get("Strict-Transport-Security"), "includeSubDomains") {
			return "a page without Strict-Transport-Security"
		}
		return ""
	}},
	{what: "speak TLS 1.1", try: func(c *classroom, t *testing.T) string {
		conn, err := tls.Dial("tcp", c.https, &tls.Config{RootCAs: c.roots, ServerName: courseHost, MinVersion: tls.VersionTLS10, MaxVersion: tls.VersionTLS11, CipherSuites: []uint16{tls.TLS_ECDHE_ECDSA_WITH_AES_128_CBC_SHA}})
		if err != nil {
			return ""
		}
		conn.Close()
		return "a connection"
	}},
	{what: "give the hub another host's name", try: func(c *classroom, t *testing.T) string {
		return c.send(t, request{url: c.url + "/hub/login", header: map[string]string{"Host": "evil.example"}}).got()
	}},
	{what: "have the hub hold a large body in memory", try: func(c *classroom, t *testing.T) string {
		r := c.send(t, request{method: http.MethodPost, url: c.url + "/hub/login", form: url.Values{"username": {strings.Repeat("x", 2<<20)}}})
		if r.status != http.StatusRequestEntityTooLarge && r.status != 0 {
			return fmt.Sprintf("status %d", r.status)
		}
		return ""
	}},
	{what: "reach the proxy's API from another address", try: func(c *classroom, t *testing.T) string { return c.dials(t, c.ports[2]) }},
	{what: "reach the proxy past nginx from another address", try: func(c *classroom, t *testing.T) string { return c.dials(t, c.ports[0]) }},
	{what: "take the hub's cookie from a script or the network", try: func(c *classroom, t *testing.T) string {
		r := c.enter(t, "127.0.4.1", "", victim, c.password(), nil)
		for _, k := range (&http.Response{Header: r.header}).Cookies() {
			if strings.Contains(k.Name, "jupyterhub-hub-login") && (!strings.HasPrefix(k.Name, "__Host-") || !k.HttpOnly || !k.Secure || k.Domain != "" || k.Path != "/") {
				return k.String()
			}
		}
		return ""
	}},
	{what: "be on the victim's origin", try: func(c *classroom, t *testing.T) string {
		mine, theirs, hubs := c.other.where("/user/student02/lab"), c.victim.where("/user/"+victim+"/lab"), c.url
		host := func(s string) string { u, _ := url.Parse(s); return u.Host }
		// Asked on the hub's host, it is on its own all the same.
		r := c.send(t, request{url: c.url + "/user/student02/lab", cookies: c.other.cookies(t, "/hub/")})
		if host(mine) == host(theirs) || host(mine) == host(hubs) || r.status == http.StatusOK {
			return "pages of the same origin"
		}
		return ""
	}},
	{what: "get the hub's cookie sent to the attacker's server", try: func(c *classroom, t *testing.T) string {
		for _, k := range c.victim.cookies(t, "/user/student02/") {
			if strings.Contains(k.Name, "login") || strings.Contains(k.Name, "user-") {
				return k.Name
			}
		}
		return ""
	}},
}

// dials connects to a port at another address of this machine.
func (c *classroom) dials(t *testing.T, port int) string {
	conn, err := net.Dial("tcp4", fmt.Sprintf("127.0.0.2:%d", port))
	if err != nil {
		return ""
	}
	conn.Close()
	return "a connection"
}

// What a cell in the attacker's server does: it has the server's token and reaches all ports.
var serverAttempts = []attempt{
	{what: "make a token with the server's token", try: func(c *classroom, t *testing.T) string {
		return c.send(t, request{method: http.MethodPost, url: c.hubAddress() + "/hub/api/users/student02/tokens", token: c.serverToken(t), json: object{}}).got()
	}},
	{what: "list the users with the server's token", try: func(c *classroom, t *testing.T) string {
		return c.send(t, request{url: c.hubAddress() + "/hub/api/users", token: c.serverToken(t)}).got()
	}},
	{what: "see the victim with the server's token", try: func(c *classroom, t *testing.T) string {
		return c.send(t, request{url: c.hubAddress() + "/hub/api/users/" + victim, token: c.serverToken(t)}).got()
	}},
	{what: "read the victim's file with the server's token", try: func(c *classroom, t *testing.T) string {
		return c.send(t, request{url: c.victim.where(note), token: c.serverToken(t)}).got()
	}},
	{what: "read the victim's file at the victim's own port", try: func(c *classroom, t *testing.T) string {
		return c.send(t, request{url: c.atPort(t, "api/contents/note.txt"), token: c.serverToken(t)}).got()
	}},
	{what: "read the victim's file at the victim's port without a token", try: func(c *classroom, t *testing.T) string {
		return c.send(t, request{url: c.atPort(t, "api/contents/note.txt")}).got()
	}},
	{what: "open a terminal at the victim's port", try: func(c *classroom, t *testing.T) string {
		return c.send(t, request{method: http.MethodPost, url: c.atPort(t, "api/terminals"), token: c.serverToken(t), json: object{}}).got()
	}},
	{what: "climb out of one's own path", try: func(c *classroom, t *testing.T) string {
		var got string
		for _, path := range []string{"/user/student02/../" + victim + "/api/contents/note.txt", "/user/student02/%2e%2e/" + victim + "/api/contents/note.txt", "/user/student02//../" + victim + "/api/contents/note.txt"} {
			if r := c.send(t, request{url: c.otherOrigin() + path, token: c.serverToken(t), cookies: c.other.cookies(t, "/user/student02/")}); strings.Contains(r.body, secret) {
				got += path
			}
		}
		return got
	}},
	{what: "read the proxy's routes", try: func(c *classroom, t *testing.T) string {
		return c.send(t, request{url: c.proxyAPI() + "/api/routes"}).got()
	}},
	{what: "lead a student's route elsewhere", try: func(c *classroom, t *testing.T) string {
		return c.send(t, request{method: http.MethodPost, url: c.proxyAPI() + "/api/routes/user/sprayed2", token: c.serverToken(t), json: object{"target": "http://127.0.0.1:1"}}).got()
	}},
	{what: "find the hub's secrets in the own environment", try: func(c *classroom, t *testing.T) string {
		keys := testfile.Read(t, filepath.Join(c.state, "jupyterhub_cookie_secret"))
		for _, kv := range c.environment(t, "student02") {
			if strings.Contains(kv, strings.TrimSpace(keys)) || strings.Contains(kv, "CONFIGPROXY") || strings.HasPrefix(kv, "MARGINALIA_") || strings.HasPrefix(kv, "HUB_TEST") {
				return kv
			}
		}
		return ""
	}},
}

// otherOrigin is that of the attacker's server.
func (c *classroom) otherOrigin() string {
	return strings.TrimSuffix(c.other.where("/user/student02/"), "/user/student02/")
}

func (c *classroom) serverToken(t *testing.T) string {
	return c.variable(t, "student02", "API_TOKEN")
}
