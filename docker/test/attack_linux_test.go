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
	"time"

	"marginalia/internal/install/lab/labtest"
)

// An attempt is something that an attacker does to a classroom. It returns what the attacker
// got, or "" if nothing. [TestHubAccess] wants "" of all, and [TestOpenHub] that each gets
// something where nothing protects.
type attempt struct {
	what string
	try  func(*classroom, *testing.T) string
	own  bool // refused by JupyterHub itself, whatever its configuration: not for an open hub
}

// attack makes all attempts, one after another: some count wrong passwords.
func (c *classroom) attack(t *testing.T) {
	c.victim, c.other, c.teacher = c.login(t, victim), c.login(t, "student02"), c.login(t, "teacher")
	for _, v := range []*visitor{c.victim, c.other} {
		v.try(t, http.MethodPost, "/hub/api/users/"+v.name+"/server", nil, http.StatusCreated, http.StatusAccepted)
	}
	if t.Failed() {
		t.FailNow()
	}
	for _, v := range []*visitor{c.victim, c.other} {
		v.ready(t, v.name)
		// As the first page does, with the browser's cookies for the server.
		if status, body := v.browse(t, "/user/"+v.name+"/lab"); status != http.StatusOK {
			t.Fatalf("%s opens the own JupyterLab: status %d: %.500s", v.name, status, body)
		}
	}
	c.victim.try(t, http.MethodPut, note, object{"type": "file", "format": "text", "content": secret}, http.StatusCreated, http.StatusOK)
	open, made := c.settings["open"].(bool), 0
	for _, a := range slices.Concat(webAttempts, cookieAttempts, serverAttempts, containerAttempts, passwordAttempts, apiAttempts) {
		if open && a.own {
			continue
		}
		made++
		t.Run(a.what, func(t *testing.T) {
			switch got := a.try(c, t); {
			case got != "" && !open:
				t.Errorf("the attacker got %.300s", got)
			case got == "" && open:
				t.Error("the attacker got nothing, though nothing protects: this tests nothing")
			}
		})
	}
	t.Logf("%d attempts", made)
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
		b, err := json.Marshal(q.json)
		if err != nil {
			t.Fatal(err)
		}
		sent = bytes.NewReader(b)
		header.Set("Content-Type", "application/json")
	}
	r, err := http.NewRequestWithContext(t.Context(), q.method, q.url, sent)
	if err != nil {
		t.Fatal(err)
	}
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
	b, err := io.ReadAll(a.Body)
	if err != nil {
		t.Fatal(err)
	}
	return reply{a.StatusCode, a.Header, string(b)}
}

// cookies are those that a browser sends with a request for a path.
func (v *visitor) cookies(t *testing.T, path string) []*http.Cookie {
	t.Helper()
	u, err := url.Parse(v.where(path))
	if err != nil {
		t.Fatal(err)
	}
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
		return entered("guessed9", c.enter(t, c.engine.container("student02").address, c.hubAddress(), "guessed9", c.password(), map[string]string{"X-Forwarded-For": "192.0.2.1"}))
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
	}, own: true},
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

// What reaches the machine from outside.
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
			if c.settings["open"].(bool) && strings.Contains(err.Error(), "protocol version") {
				t.Fatal(err)
			}
			return ""
		}
		conn.Close()
		return "a connection"
	}},
	{what: "give the hub another host's name", try: func(c *classroom, t *testing.T) string {
		return c.send(t, request{url: c.url + "/hub/login", header: map[string]string{"Host": "evil.example"}}).got()
	}},
	{what: "be led elsewhere after a login", try: func(c *classroom, t *testing.T) string {
		for _, next := range []string{"https://evil.example/", "//evil.example/", `/\evil.example/`, "https:///evil.example", "https://" + courseHost + ".evil.example/"} {
			r := c.send(t, request{url: c.url + "/hub/login?next=" + url.QueryEscape(next), cookies: c.victim.cookies(t, "/hub/login")})
			if r.status != http.StatusFound {
				return fmt.Sprintf("status %d", r.status)
			}
			if at, err := url.Parse(r.header.Get("Location")); err != nil || at.Host != "" && !strings.HasSuffix(at.Host, courseHost) {
				return r.header.Get("Location")
			}
		}
		return ""
	}},
	{what: "show the hub in a frame of one's own", try: func(c *classroom, t *testing.T) string {
		if r := c.send(t, request{url: c.url + "/hub/login"}); !strings.Contains(r.header.Get("Content-Security-Policy"), "frame-ancestors 'none'") {
			return "a page that may be framed"
		}
		return ""
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

// What a page of another student's server can do in the victim's browser, and cookies.
var cookieAttempts = []attempt{
	{what: "take the hub's cookie from a script or the network", try: func(c *classroom, t *testing.T) string {
		r := c.enter(t, "127.0.4.1", "", victim, c.password(), nil)
		for _, k := range (&http.Response{Header: r.header}).Cookies() {
			if strings.Contains(k.Name, "jupyterhub-hub-login") && (!strings.HasPrefix(k.Name, "__Host-") || !k.HttpOnly || !k.Secure || k.Domain != "" || k.Path != "/") {
				return k.String()
			}
		}
		return ""
	}},
	{what: "set a login cookie for the hub from another origin", try: func(c *classroom, t *testing.T) string {
		// The attacker's own session, under the name that a sibling of the hub's host may set.
		for _, k := range c.other.cookies(t, "/hub/") {
			if name, ok := strings.CutPrefix(k.Name, "__Host-"); ok || strings.Contains(k.Name, "hub-login") {
				r := c.send(t, request{url: c.url + "/hub/home", cookies: []*http.Cookie{{Name: name, Value: k.Value}}})
				if r.status == http.StatusOK {
					return "a browser that is logged in as the attacker"
				}
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
	}, own: true},
	{what: "call the hub with the victim's cookies", try: func(c *classroom, t *testing.T) string {
		return c.send(t, request{method: http.MethodPost, url: c.url + "/hub/api/users/" + victim + "/tokens", cookies: c.victim.cookies(t, "/hub/api/"),
			header: map[string]string{"Origin": c.otherOrigin()}, json: object{}}).got()
	}},
	{what: "call the hub with the victim's cookies and the attacker's _xsrf", try: func(c *classroom, t *testing.T) string {
		cookies, xsrf := c.victim.cookies(t, "/hub/api/"), ""
		for _, k := range c.other.cookies(t, "/hub/api/") {
			if k.Name == "_xsrf" {
				xsrf = k.Value
			}
		}
		cookies = append([]*http.Cookie{{Name: "_xsrf", Value: xsrf}}, slices.DeleteFunc(cookies, func(k *http.Cookie) bool { return k.Name == "_xsrf" })...)
		return c.send(t, request{method: http.MethodPost, url: c.url + "/hub/api/users/" + victim + "/tokens", cookies: cookies,
			header: map[string]string{"X-XSRFToken": xsrf}, json: object{}}).got()
	}},
	{what: "write to the victim's server with the victim's cookies", try: func(c *classroom, t *testing.T) string {
		return c.send(t, request{method: http.MethodPut, url: c.victim.where(note), cookies: c.victim.cookies(t, note), json: object{"type": "file", "format": "text", "content": "forged"}}).got()
	}},
	{what: "open a WebSocket to the victim's server with the victim's cookies", try: func(c *classroom, t *testing.T) string {
		// Straight to the server, which decides: the proxy never ends a WebSocket that is refused.
		const events = "/user/" + victim + "/api/events/subscribe"
		return c.send(t, request{url: "http://" + c.engine.container(victim).address + ":8888" + events, cookies: c.victim.cookies(t, events), header: map[string]string{
			"Host": victim + "." + courseHost, "Origin": "https://evil." + courseHost, "Connection": "Upgrade", "Upgrade": "websocket", "Sec-WebSocket-Version": "13", "Sec-WebSocket-Key": "dGhlIHNhbXBsZSBub25jZQ=="}}).got()
	}},
	{what: "have the hub send the victim's OAuth code to the attacker", try: func(c *classroom, t *testing.T) string {
		r := c.send(t, request{url: c.url + "/hub/api/oauth2/authorize?response_type=code&client_id=jupyterhub-user-" + victim + "&redirect_uri=" + url.QueryEscape(c.other.where("/user/student02/oauth_callback")),
			cookies: c.victim.cookies(t, "/hub/api/")})
		if at := r.header.Get("Location"); strings.Contains(at, "code=") {
			return at
		}
		return r.got()
	}, own: true},
}

// What a cell in the attacker's server does: it has the server's token and the containers' network.
var serverAttempts = []attempt{
	{what: "make a token with the server's token", try: func(c *classroom, t *testing.T) string {
		return c.send(t, request{method: http.MethodPost, url: c.hubAddress() + "/hub/api/users/student02/tokens", token: c.serverToken(), json: object{}}).got()
	}},
	{what: "list the users with the server's token", try: func(c *classroom, t *testing.T) string {
		return c.send(t, request{url: c.hubAddress() + "/hub/api/users", token: c.serverToken()}).got()
	}},
	{what: "see the victim with the server's token", try: func(c *classroom, t *testing.T) string {
		return c.send(t, request{url: c.hubAddress() + "/hub/api/users/" + victim, token: c.serverToken()}).got()
	}},
	{what: "read the victim's file with the server's token", try: func(c *classroom, t *testing.T) string {
		return c.send(t, request{url: c.victim.where(note), token: c.serverToken()}).got()
	}},
	{what: "read the victim's file at the victim's own port", try: func(c *classroom, t *testing.T) string {
		return c.send(t, request{url: "http://" + c.engine.container(victim).address + ":8888" + note, token: c.serverToken()}).got()
	}},
	{what: "read the victim's file at the victim's port without a token", try: func(c *classroom, t *testing.T) string {
		return c.send(t, request{url: "http://" + c.engine.container(victim).address + ":8888" + note}).got()
	}, own: true},
	{what: "open a terminal at the victim's port", try: func(c *classroom, t *testing.T) string {
		return c.send(t, request{method: http.MethodPost, url: "http://" + c.engine.container(victim).address + ":8888/user/" + victim + "/api/terminals", token: c.serverToken(), json: object{}}).got()
	}},
	{what: "climb out of one's own path", try: func(c *classroom, t *testing.T) string {
		var got string
		for _, path := range []string{"/user/student02/../" + victim + "/api/contents/note.txt", "/user/student02/%2e%2e/" + victim + "/api/contents/note.txt", "/user/student02//../" + victim + "/api/contents/note.txt"} {
			if r := c.send(t, request{url: c.otherOrigin() + path, token: c.serverToken(), cookies: c.other.cookies(t, "/user/student02/")}); strings.Contains(r.body, secret) {
				got += path
			}
		}
		return got
	}, own: true},
	{what: "read the proxy's routes", try: func(c *classroom, t *testing.T) string {
		return c.send(t, request{url: c.proxyAPI() + "/api/routes"}).got()
	}},
	{what: "lead a student's route elsewhere", try: func(c *classroom, t *testing.T) string {
		return c.send(t, request{method: http.MethodPost, url: c.proxyAPI() + "/api/routes/user/sprayed2", token: c.serverToken(), json: object{"target": "http://127.0.0.1:1"}}).got()
	}},
	{what: "find the hub's secrets in the own environment", try: func(c *classroom, t *testing.T) string {
		keys, err := os.ReadFile(filepath.Join(c.state, "jupyterhub_cookie_secret"))
		if err != nil {
			t.Fatal(err)
		}
		for _, kv := range c.engine.container("student02").asked.Env {
			if strings.Contains(kv, strings.TrimSpace(string(keys))) || strings.Contains(kv, "CONFIGPROXY") || strings.HasPrefix(kv, "MARGINALIA_") || strings.HasPrefix(kv, "HUB_TEST") {
				return kv
			}
		}
		return ""
	}},
	{what: "start a second server, with limits of its own", try: func(c *classroom, t *testing.T) string {
		r := c.send(t, request{method: http.MethodPost, url: c.url + "/hub/api/users/student02/servers/more", token: c.other.token, json: object{}})
		return r.got()
	}},
	{what: "start another image", try: func(c *classroom, t *testing.T) string { return c.options(t, "image", "evil") }},
}

// otherOrigin is that of the attacker's server.
func (c *classroom) otherOrigin() string {
	return strings.TrimSuffix(c.other.where("/user/student02/"), "/user/student02/")
}

func (c *classroom) serverToken() string {
	return c.engine.container("student02").asked.environment("JUPYTERHUB_API_TOKEN")
}

// options starts the teacher's server with an option, and returns what the engine was asked for.
func (c *classroom) options(t *testing.T, name, value string) string {
	c.send(t, request{method: http.MethodPost, url: c.url + "/hub/api/users/teacher/server", token: c.teacher.token, json: object{name: value}})
	defer func() {
		c.send(t, request{method: http.MethodDelete, url: c.url + "/hub/api/users/teacher/server", token: c.teacher.token})
	}()
	var p *process
	eventually(func() bool {
		p = c.engine.container("teacher")
		var user struct{ Pending *string }
		_ = json.Unmarshal([]byte(c.send(t, request{url: c.url + "/hub/api/users/teacher", token: c.teacher.token}).body), &user)
		return p != nil || user.Pending == nil
	})
	if p != nil && p.asked.Image == value {
		return "a container of " + value
	}
	return ""
}

// What a container may is what the engine was asked for: that Docker keeps to it is not tested
// here. TestStudentCannot tries the same limits in a container of runc.
var containerAttempts = []attempt{
	limit("write to the image", func(a created) bool { return a.HostConfig.ReadonlyRootfs }),
	limit("have a capability", func(a created) bool {
		return slices.Equal(a.HostConfig.CapDrop, []string{"ALL"}) && len(a.HostConfig.CapAdd) == 0
	}),
	limit("gain a privilege", func(a created) bool {
		return slices.Equal(a.HostConfig.SecurityOpt, []string{"no-new-privileges:true"})
	}),
	limit("be privileged", func(a created) bool { return !a.HostConfig.Privileged }),
	limit("be root", func(a created) bool { return a.User == "" && !a.HostConfig.Privileged }), // the image's user, 1000: TestDockerfileRules
	limit("have a device of the machine", func(a created) bool { return len(a.HostConfig.Devices)+len(a.HostConfig.DeviceRequests) == 0 }),
	limit("see the machine's processes", func(a created) bool { return a.HostConfig.PidMode == "" && a.HostConfig.IpcMode == "" }),
	limit("have more than 512 processes", func(a created) bool { return a.HostConfig.PidsLimit == 512 }),
	limit("have more memory than 2 GB", func(a created) bool { return a.HostConfig.Memory == 2<<30 }),
	limit("fill the machine's swap", func(a created) bool {
		return a.HostConfig.MemorySwap == a.HostConfig.Memory && a.HostConfig.Memory > 0
	}),
	limit("have more than one processor", func(a created) bool {
		return a.HostConfig.CpuPeriod > 0 && a.HostConfig.CpuQuota == a.HostConfig.CpuPeriod
	}),
	limit("fill the disk through /tmp", func(a created) bool { return strings.Contains(a.HostConfig.Tmpfs["/tmp"], "size=1g") }),
	limit("fill the disk by printing", func(a created) bool {
		return a.HostConfig.LogConfig.Config["max-size"] == "10m" && a.HostConfig.LogConfig.Config["max-file"] == "2"
	}),
	limit("fill the disk through the home", func(a created) bool {
		return len(a.HostConfig.Mounts) == 1 && a.HostConfig.Mounts[0].VolumeOptions.DriverConfig.Options["size"] == "3G"
	}),
	limit("have a folder of the machine", func(a created) bool { return len(a.HostConfig.Binds) == 0 && len(a.HostConfig.VolumesFrom) == 0 }),
	limit("be in another network", func(a created) bool { return a.HostConfig.NetworkMode == "course" }),
	limit("have a port of the machine", func(a created) bool {
		return len(a.HostConfig.PortBindings) == 0 && !a.HostConfig.PublishAllPorts
	}),
	limit("leave the container behind", func(a created) bool { return a.HostConfig.AutoRemove }),
	{what: "have another's home", try: func(c *classroom, t *testing.T) string {
		var homes []string
		for _, v := range []*visitor{c.victim, c.other} {
			for _, m := range c.engine.container(v.name).asked.HostConfig.Mounts {
				if m.Source != "home-"+v.name || m.Type != "volume" {
					homes = append(homes, m.Source)
				}
			}
		}
		return strings.Join(homes, " ")
	}},
}

// limit is an attempt that the settings of each container defy.
func limit(what string, holds func(created) bool) attempt {
	return attempt{what: what, try: func(c *classroom, t *testing.T) string {
		for _, v := range []*visitor{c.victim, c.other} {
			if a := c.engine.container(v.name).asked; !holds(a) {
				b, err := json.Marshal(a.HostConfig)
				if err != nil {
					t.Fatal(err)
				}
				return string(b)
			}
		}
		return ""
	}}
}

// What a teacher or a student asks of the hub for oneself. In the open hub the last of them
// changes who is there, so they come last.
var apiAttempts = []attempt{
	asks("a teacher reads a student's file", "teacher", http.MethodGet, note, nil),
	asks("a teacher writes a student's file", "teacher", http.MethodPut, note, object{"type": "file", "format": "text", "content": "marked"}),
	asks("a teacher opens a terminal on a student's server", "teacher", http.MethodPost, "/user/"+victim+"/api/terminals", object{}),
	asks("a teacher makes a token for a student", "teacher", http.MethodPost, "/hub/api/users/"+victim+"/tokens", object{}),
	asks("a teacher makes a token for a student's server", "teacher", http.MethodPost, "/hub/api/users/teacher/tokens", object{"scopes": []string{"access:servers!user=" + victim}}),
	asks("a teacher takes a share of a student's server", "teacher", http.MethodPost, "/hub/api/shares/"+victim+"/", object{"user": "teacher"}),
	asks("a teacher lets somebody in", "teacher", http.MethodPost, "/hub/api/users/friend", nil),
	asks("a teacher makes a group", "teacher", http.MethodPost, "/hub/api/groups/own", object{}),
	asks("a teacher renames a student, and so the home", "teacher", http.MethodPatch, "/hub/api/users/guessed18", object{"name": "renamed"}),
	asks("a teacher removes a student", "teacher", http.MethodDelete, "/hub/api/users/guessed19", nil),
	asks("a student reads another's file", "student02", http.MethodGet, note, nil),
	asks("a student lists the users", "student02", http.MethodGet, "/hub/api/users", nil),
	asks("a student lists another's tokens", "student02", http.MethodGet, "/hub/api/users/"+victim+"/tokens", nil),
	asks("a student reads the proxy's routes from the hub", "student02", http.MethodGet, "/hub/api/proxy", nil),
	asks("a student asks what the hub is made of", "student02", http.MethodGet, "/hub/api/info", nil),
	asks("a student keeps another's server from being stopped", "student02", http.MethodPost, "/hub/api/users/"+victim+"/activity", object{"last_activity": time.Now().UTC().Format(time.RFC3339)}),
	asks("a student starts another's server", "student02", http.MethodPost, "/hub/api/users/sprayed1/server", nil),
	asks("a student makes a group", "student02", http.MethodPost, "/hub/api/groups/gang", object{}),
	asks("a student renames another", "student02", http.MethodPatch, "/hub/api/users/guessed17", object{"name": "other"}),
	asks("a student removes another", "student02", http.MethodDelete, "/hub/api/users/guessed16", nil),
	asks("a student stops another's server", "student02", http.MethodDelete, "/hub/api/users/"+victim+"/server", nil),
	asks("a student stops the hub", "student02", http.MethodPost, "/hub/api/shutdown", object{}),
}

// asks is an attempt that is one call with the attacker's own token.
func asks(what, name, method, path string, content any) attempt {
	return attempt{what: what, try: func(c *classroom, t *testing.T) string {
		who := map[string]*visitor{"teacher": c.teacher, "student02": c.other}[name]
		return c.send(t, request{method: method, url: who.where(path), token: who.token, json: content}).got()
	}}
}
