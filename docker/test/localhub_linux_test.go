//go:build browser

package test

import (
	"encoding/json"
	"fmt"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"marginalia/internal/install/lab"
	"marginalia/internal/testkit/must"
)

// A localHub is JupyterHub with processes of this machine as servers: see access_config.py.
type localHub struct {
	python, config     string
	url                string
	way                http.RoundTripper // how browsers reach it; nil: as anything else
	subdomains         bool              // a host for each user
	work, state, homes string            // folders: where it is started, its state, the users' homes
	ports              [3]int            // the proxy's, the hub's, the proxy's for the hub
	env                []string
	enrolled           []string // who may enter
	settings           object
}

// newLocalHub prepares a hub of docker/hub's configuration. Its proxy is installed by npm.
func newLocalHub(t *testing.T, root string) *localHub {
	t.Helper()
	if _, err := exec.LookPath("npm"); err != nil {
		t.Fatal("there is no npm, with which JupyterHub's proxy is installed (Debian: apt install npm)")
	}
	installed.Do(func() { installed.python, installed.proxy, installed.err = hubEnvironment(t.Context(), root) })
	python, proxy, err := installed.python, installed.proxy, installed.err
	if err != nil {
		t.Fatal(err)
	}
	jupyter := must.Get(lab.JupyterPython(t.Context(), root, nil)).Or(t)
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
		must.Do(t, os.Mkdir(d, 0o755))
	}
	h.settings = object{
		"config": filepath.Join(root, "docker", "hub", "jupyterhub_config.py"), "homes": h.homes, "users": people,
		"python": jupyter, "packages": strings.TrimSpace(string(packages)), "password": "of-the-class",
		"hub_port": h.ports[1], "proxy": proxy, "proxy_api": fmt.Sprintf("http://127.0.0.1:%d", h.ports[2]),
	}
	t.Cleanup(func() { endStrays("HUB_TEST="+filepath.Join(dir, "test.json"), httpProxy) })
	h.enrol(t, people...)
	// What the person who runs the tests has set is not what is tested.
	h.env = slices.DeleteFunc(os.Environ(), func(kv string) bool { return strings.HasPrefix(kv, "MARGINALIA_") || strings.HasPrefix(kv, "JUPYTER") })
	h.env = append(h.env, "HUB_TEST="+filepath.Join(dir, "test.json"), "MARGINALIA_USERS="+filepath.Join(dir, "users"),
		fmt.Sprintf("MARGINALIA_PORT=%d", h.ports[0]), "XDG_STATE_HOME="+filepath.Join(dir, "state"))
	return h
}

// enrol writes the file with the names of those who may enter.
func (h *localHub) enrol(t *testing.T, names ...string) {
	t.Helper()
	h.enrolled = names
	if err := os.WriteFile(filepath.Join(filepath.Dir(h.work), "users"), []byte(strings.Replace(strings.Join(names, "\n"), "teacher", "teacher*", 1)), 0o600); err != nil {
		t.Fatal(err)
	}
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
	b := must.Get(json.Marshal(h.settings)).Or(t)
	dir := filepath.Dir(h.work)
	must.Do(t, os.WriteFile(filepath.Join(dir, "test.json"), b, 0o600))
	log := must.Get(os.Create(filepath.Join(dir, "hub.log"))).Or(t)
	cmd := exec.Command(h.python, "-m", "jupyterhub", "--config", h.config)
	cmd.Dir, cmd.Env, cmd.Stdout, cmd.Stderr = h.work, h.env, log, log
	must.Do(t, cmd.Start())
	ended := make(chan struct{})
	go func() { _ = cmd.Wait(); close(ended) }()
	stop = sync.OnceFunc(func() {
		_ = cmd.Process.Signal(os.Interrupt)
		<-ended
		log.Close()
		if said, err := os.ReadFile(log.Name()); t.Failed() && err == nil {
			t.Logf("JupyterHub said:\n%s", said[max(0, len(said)-6000):])
		}
	})
	t.Cleanup(stop)
	for {
		if r, err := http.Get(fmt.Sprintf("http://127.0.0.1:%d/hub/api/", h.ports[0])); err == nil {
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
		l := must.Get(net.Listen("tcp", "127.0.0.1:0")).Or(t)
		defer l.Close()
		ports[n] = l.Addr().(*net.TCPAddr).Port
	}
	return ports
}
