package test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/cookiejar"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"marginalia/internal/lab"
)

// A localHub is JupyterHub with processes of this machine as servers: see access_config.py.
type localHub struct {
	python, config     string
	url                string
	work, state, homes string // folders: where it is started, its state, the users' homes
	ports              [3]int // the proxy's, the hub's, the proxy's for the hub
	env                []string
	settings           object
}

// newLocalHub prepares a hub of docker/hub's configuration, or of these values for
// Kubernetes. It skips where there is no npm, which the hub's proxy comes by.
func newLocalHub(t *testing.T, root, values string) *localHub {
	t.Helper()
	unable := t.Skip
	if os.Getenv("CI") == "true" {
		unable = t.Fatal
	}
	if _, err := exec.LookPath("npm"); err != nil {
		unable("there is no npm, with which JupyterHub's proxy is installed (Debian: apt install npm)")
	}
	installed.Do(func() { installed.python, installed.proxy, installed.err = hubEnvironment(t.Context(), root) })
	python, proxy, err := installed.python, installed.proxy, installed.err
	if err != nil {
		unable(err)
	}
	jupyter, err := lab.JupyterPython(t.Context(), root, nil)
	if err != nil {
		unable(err)
	}
	// The servers are the lab's JupyterLab with the hub's packages behind its own:
	// docker/hub/requirements.in keeps their versions apart from conflicts.
	packages, err := exec.CommandContext(t.Context(), python, "-c", "import sysconfig; print(sysconfig.get_path('purelib'))").Output()
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	h := &localHub{python: python, config: filepath.Join(root, "docker", "test", "access_config.py"),
		work: filepath.Join(dir, "work"), state: filepath.Join(dir, "state", "marginalia", "hub"), homes: filepath.Join(dir, "homes"), ports: freePorts(t)}
	h.url = fmt.Sprintf("http://127.0.0.1:%d", h.ports[0])
	for _, d := range []string{h.work, h.homes} {
		if err := os.Mkdir(d, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	if values != "" { // the chart's state is a volume of its own
		if err := os.MkdirAll(h.state, 0o700); err != nil {
			t.Fatal(err)
		}
	}
	users := filepath.Join(dir, "users")
	if err := os.WriteFile(users, []byte("teacher*\n"+strings.Join(people[1:], "\n")), 0o600); err != nil {
		t.Fatal(err)
	}
	h.settings = object{
		"config": filepath.Join(root, "docker", "hub", "jupyterhub_config.py"), "values": values, "state": h.state, "homes": h.homes, "users": people,
		"python": jupyter, "packages": strings.TrimSpace(string(packages)), "password": "of-the-class",
		"hub_port": h.ports[1], "proxy": proxy, "proxy_api": fmt.Sprintf("http://127.0.0.1:%d", h.ports[2]),
	}
	// What the person who runs the tests has set is not what is tested.
	h.env = slices.DeleteFunc(os.Environ(), func(kv string) bool { return strings.HasPrefix(kv, "MARGINALIA_") || strings.HasPrefix(kv, "JUPYTER") })
	h.env = append(h.env, "HUB_TEST="+filepath.Join(dir, "test.json"), "MARGINALIA_USERS="+users,
		fmt.Sprintf("MARGINALIA_PORT=%d", h.ports[0]), "XDG_STATE_HOME="+filepath.Join(dir, "state"))
	return h
}

// installed is what hubEnvironment returned, once for all tests.
var installed struct {
	sync.Once
	python, proxy string
	err           error
}

// start starts the hub, as it was before the present configuration if so wanted,
// waits until it answers, and returns what ends it.
func (h *localHub) start(t *testing.T, before bool) (stop func()) {
	t.Helper()
	h.settings["before"] = before
	b, err := json.Marshal(h.settings)
	if err != nil {
		t.Fatal(err)
	}
	dir := filepath.Dir(h.work)
	if err := os.WriteFile(filepath.Join(dir, "test.json"), b, 0o600); err != nil {
		t.Fatal(err)
	}
	log, err := os.Create(filepath.Join(dir, "hub.log"))
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(h.python, "-m", "jupyterhub", "--config", h.config)
	cmd.Dir, cmd.Env, cmd.Stdout, cmd.Stderr = h.work, h.env, log, log
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	ended := make(chan struct{})
	go func() { _ = cmd.Wait(); close(ended) }()
	var once bool
	stop = func() {
		if once {
			return
		}
		once = true
		_ = cmd.Process.Signal(os.Interrupt)
		<-ended
		log.Close()
		if said, err := os.ReadFile(log.Name()); t.Failed() && err == nil {
			t.Logf("JupyterHub said:\n%s", said[max(0, len(said)-6000):])
		}
	}
	t.Cleanup(stop)
	for {
		if r, err := http.Get(h.url + "/hub/api/"); err == nil {
			r.Body.Close()
			if r.StatusCode == http.StatusOK {
				return stop
			}
		}
		select {
		case <-ended:
			t.Errorf("JupyterHub has ended instead of answering")
			stop()
			t.FailNow()
		case <-t.Context().Done():
			t.FailNow()
		case <-time.After(100 * time.Millisecond):
		}
	}
}

// freePorts returns three ports that nobody listens on.
func freePorts(t *testing.T) (ports [3]int) {
	t.Helper()
	for n := range ports {
		l, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			t.Fatal(err)
		}
		defer l.Close()
		ports[n] = l.Addr().(*net.TCPAddr).Port
	}
	return ports
}

// A visitor is somebody who has logged in: the browser's cookies, and a token for all
// that this user may do.
type visitor struct {
	name, url, token string
	browser          *http.Client
}

// login logs somebody in on the hub's page, and asks for a token of one's own.
func (h *localHub) login(t *testing.T, name string) *visitor {
	t.Helper()
	jar, err := cookiejar.New(nil)
	if err != nil {
		t.Fatal(err)
	}
	v := &visitor{name: name, url: h.url, browser: &http.Client{Jar: jar}}
	password := h.settings["password"].(string)
	if status, _ := v.browse(t, "/hub/login"); status != http.StatusOK {
		t.Fatalf("the login page: status %d", status)
	}
	page, err := url.Parse(h.url + "/hub/login")
	if err != nil {
		t.Fatal(err)
	}
	form := url.Values{"username": {name}, "password": {password}}
	for _, cookie := range jar.Cookies(page) {
		if cookie.Name == "_xsrf" {
			form.Set("_xsrf", cookie.Value)
		}
	}
	r, err := v.browser.PostForm(page.String()+"?next=/hub/home", form)
	if err != nil {
		t.Fatal(err)
	}
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
	r, err := v.browser.Get(v.url + path)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Body.Close()
	b, err := io.ReadAll(r.Body)
	if err != nil {
		t.Fatal(err)
	}
	return r.StatusCode, string(b)
}

// try makes a call with the visitor's token and reports any status but those wanted.
func (v *visitor) try(t *testing.T, method, path string, content any, want ...int) (body string) {
	t.Helper()
	var sent bytes.Buffer
	if content != nil {
		if err := json.NewEncoder(&sent).Encode(content); err != nil {
			t.Fatal(err)
		}
	}
	request, err := http.NewRequestWithContext(t.Context(), method, v.url+path, &sent)
	if err != nil {
		t.Fatal(err)
	}
	if v.token != "" {
		request.Header.Set("Authorization", "token "+v.token)
	}
	r, err := http.DefaultClient.Do(request)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Body.Close()
	b, err := io.ReadAll(r.Body)
	if err != nil {
		t.Fatal(err)
	}
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
	for range 1200 {
		var user struct {
			Pending string
			Servers map[string]struct{ Ready bool }
		}
		if err := json.Unmarshal([]byte(v.try(t, http.MethodGet, "/hub/api/users/"+name, nil, http.StatusOK)), &user); err != nil {
			t.Fatal(err)
		}
		server, there := user.Servers[""]
		if there == ready && server.Ready == ready && user.Pending == "" {
			return
		}
		time.Sleep(100 * time.Millisecond)
	}
	t.Fatalf("the server of %s: ready is to be %v, and is not after two minutes", name, ready)
}
