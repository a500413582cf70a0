package test

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
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"marginalia/internal/lab"
)

// hubProxy is the pinned configurable-http-proxy, which JupyterHub puts in front.
const hubProxy = "configurable-http-proxy@5.0.1"

// TestClass has two students log in to JupyterHub as docker/hub configures it, each
// in a container, and run the perceptron lecture at the same time; with
// MARGINALIA_CLASS=1,5,10,20 one class after the other of so many. It logs how long
// servers and cells took and the memory that was held, as README.md reports them.
func TestClass(t *testing.T) {
	i := testImage(t)
	if _, err := exec.LookPath("npm"); err != nil {
		t.Fatal("MARGINALIA_IMAGE=1 and there is no npm, with which JupyterHub's proxy is installed (Debian: apt install npm)")
	}
	sizes := os.Getenv("MARGINALIA_CLASS")
	if sizes == "" {
		sizes = "2"
	}
	h := startHub(t, i)
	for size := range strings.SplitSeq(sizes, ",") {
		n, err := strconv.Atoi(size)
		if err != nil || n < 1 || n > most {
			t.Fatalf("MARGINALIA_CLASS=%s: want numbers from 1 to %d with commas between", sizes, most)
		}
		t.Run(size, func(t *testing.T) { h.attend(t, n) })
	}
}

// most is the largest class.
const most = 30

// A hub is a running JupyterHub.
type hub struct {
	python   string
	settings string // the file with test's settings
	url      string
	token    string
	state    string
	id       string
}

// hubEnvironment installs JupyterHub and its proxy into the user's cache.
func hubEnvironment(ctx context.Context, root string) (python, proxy string, err error) {
	cache, err := os.UserCacheDir()
	if err != nil {
		return "", "", err
	}
	dir := filepath.Join(cache, "marginalia", "image", "hub")
	python, proxy = filepath.Join(dir, "bin", "python"), filepath.Join(dir, "node_modules", ".bin", "configurable-http-proxy")
	base, err := lab.FindPython(ctx)
	if err != nil {
		return "", "", err
	}
	for _, argv := range [][]string{
		{base.Path, "-m", "venv", dir},
		{python, "-m", "pip", "install", "--quiet", "--require-hashes", "--only-binary", ":all:", "--no-deps", "-r", filepath.Join(root, "docker", "hub", "requirements.txt")},
		{"npm", "install", "--silent", "--no-audit", "--no-fund", "--prefix", dir, hubProxy},
	} {
		if out, err := exec.CommandContext(ctx, argv[0], argv[1:]...).CombinedOutput(); err != nil {
			return "", "", fmt.Errorf("%s: %w:\n%s", strings.Join(argv, " "), err, out[max(0, len(out)-2000):])
		}
	}
	return python, proxy, nil
}

func startHub(t *testing.T, i image) *hub {
	t.Helper()
	root, err := lab.Root()
	if err != nil {
		t.Fatal(err)
	}
	python, proxy, err := hubEnvironment(t.Context(), root)
	if err != nil {
		t.Fatal(err)
	}
	docker := filepath.Join(root, "docker", "hub")
	dockerfile, err := os.ReadFile(filepath.Join(docker, "Dockerfile"))
	if err != nil {
		t.Fatal(err)
	}
	pins, err := os.ReadFile(filepath.Join(docker, "requirements.txt"))
	if err != nil {
		t.Fatal(err)
	}
	derived := i.derive(t, string(dockerfile), map[string]string{"requirements.txt": string(pins)}, append(secrets(), "--build-arg", "IMAGE="+i.name)...)

	dir := t.TempDir()
	if err := os.Chmod(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	var ports [3]int
	var listeners []net.Listener
	for n := range ports {
		l, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			t.Fatal(err)
		}
		ports[n] = l.Addr().(*net.TCPAddr).Port
		listeners = append(listeners, l)
	}
	for _, l := range listeners {
		l.Close()
	}
	spec := derived.spec(t, options{home: "HOME-OF-USER", user: derived.User})
	linux := spec["linux"].(object)
	linux["namespaces"] = slices.DeleteFunc(linux["namespaces"].([]object), func(o object) bool { return o["type"] == "network" })
	var uid, gid int
	if _, err := fmt.Sscanf(derived.User, "%d:%d", &uid, &gid); err != nil {
		t.Fatal(err)
	}
	h := &hub{python: python, settings: filepath.Join(dir, "test.json"), url: fmt.Sprintf("http://127.0.0.1:%d", ports[0]),
		token: "only-for-this-test", state: filepath.Join(dir, "state"), id: fmt.Sprintf("class-%d", os.Getpid())}
	settings, err := json.Marshal(object{
		"config": filepath.Join(docker, "jupyterhub_config.py"), "dir": dir, "state": h.state, "id": h.id, "spec": spec, "uid": uid, "gid": gid,
		"url": h.url, "hub_port": ports[1], "proxy": proxy, "proxy_api": fmt.Sprintf("http://127.0.0.1:%d", ports[2]),
		"token": h.token, "password": "of-the-class", "lecture": filepath.Join(root, "notebooks", lecture),
	})
	if err != nil {
		t.Fatal(err)
	}
	users := filepath.Join(dir, "users")
	if err := os.WriteFile(users, []byte("teacher*\n"+strings.Join(students(most), "\n")), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(h.settings, settings, 0o600); err != nil {
		t.Fatal(err)
	}
	log, err := os.Create(filepath.Join(dir, "hub.log"))
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(python, "-m", "jupyterhub", "--config", filepath.Join(root, "docker", "test", "hub_config.py"))
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "HUB_TEST="+h.settings, "MARGINALIA_USERS="+users)
	cmd.Stdout, cmd.Stderr = log, log
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = cmd.Process.Signal(os.Interrupt)
		_ = cmd.Wait()
		log.Close()
		if said, err := os.ReadFile(log.Name()); t.Failed() && err == nil {
			t.Logf("JupyterHub said:\n%s", said[max(0, len(said)-6000):])
		}
	})
	for range 300 {
		r, err := http.Get(h.url + "/hub/api/")
		if err == nil {
			r.Body.Close()
			if r.StatusCode == http.StatusOK {
				return h
			}
		}
		time.Sleep(200 * time.Millisecond)
	}
	t.Fatal("JupyterHub does not answer after a minute")
	return nil
}

func students(n int) []string {
	var names []string
	for k := range n {
		names = append(names, fmt.Sprintf("student%02d", k+1))
	}
	return names
}

// attend has n students run the lecture at the same time.
func (h *hub) attend(t *testing.T, n int) {
	root, err := lab.Root()
	if err != nil {
		t.Fatal(err)
	}
	names := students(n)
	cmd := exec.CommandContext(t.Context(), h.python, filepath.Join(root, "docker", "test", "hub_load.py"), h.settings, strings.Join(names, ","))
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("%v: %s", err, stderr.Bytes()[max(0, stderr.Len()-3000):])
	}
	var result struct {
		Students []struct {
			Name           string
			Start, Lecture float64
			Cells          []float64
			Figures        int
			Errors         []string
		}
		Refused [][]any
	}
	if err := json.Unmarshal(out, &result); err != nil {
		t.Fatal(err)
	}
	if len(result.Students) != n {
		t.Fatalf("%d students have come, want %d", len(result.Students), n)
	}
	var starts, cells, lectures []float64
	for _, s := range result.Students {
		if len(s.Errors) > 0 || s.Figures < 10 || len(s.Cells) < 20 {
			t.Errorf("%s: %d cells, %d figures, errors %q", s.Name, len(s.Cells), s.Figures, s.Errors)
		}
		starts, lectures, cells = append(starts, s.Start), append(lectures, s.Lecture), append(cells, s.Cells...)
	}
	for _, r := range result.Refused {
		if status, ok := r[1].(float64); !ok || status != http.StatusForbidden && status != http.StatusNotFound {
			t.Errorf("a student at %v: status %v, want 403 or 404", r[0], r[1])
		}
	}
	if n > 1 && len(result.Refused) == 0 {
		t.Error("nothing was refused")
	}
	t.Logf("%d students: a server starts in %s, a cell takes %s, the lecture %s (s); memory of a user %s MB",
		n, spread(starts), spread(cells), spread(lectures), spread(h.memory(t, names)))
	// The next class begins with servers that have to be started.
	for _, name := range names {
		request, err := http.NewRequestWithContext(t.Context(), http.MethodDelete, h.url+"/hub/api/users/"+name+"/server", nil)
		if err != nil {
			t.Fatal(err)
		}
		request.Header.Set("Authorization", "token "+h.token)
		r, err := http.DefaultClient.Do(request)
		if err != nil {
			t.Fatal(err)
		}
		r.Body.Close()
		if r.StatusCode/100 != 2 {
			t.Errorf("stopping the server of %s: %s", name, r.Status)
		}
	}
}

// memory is what the containers of users hold, in MB, /tmp included, the pages of
// files not.
func (h *hub) memory(t *testing.T, names []string) []float64 {
	t.Helper()
	var all []float64
	for _, name := range names {
		out, err := exec.Command("runc", "--root", h.state, "events", "--stats", h.id+"-"+name).Output()
		if err != nil {
			t.Fatalf("runc events: %v", err)
		}
		var s struct {
			Data struct {
				Memory struct{ Raw map[string]float64 }
			}
		}
		if err := json.Unmarshal(out, &s); err != nil {
			t.Fatal(err)
		}
		raw := s.Data.Memory.Raw
		anonymous, cgroup1 := raw["total_rss"]
		if !cgroup1 {
			anonymous = raw["anon"]
		}
		all = append(all, (anonymous+raw["shmem"])/(1<<20))
	}
	return all
}

// spread is the median and the largest.
func spread(x []float64) string {
	slices.Sort(x)
	return fmt.Sprintf("%.1f (at most %.1f)", x[len(x)/2], x[len(x)-1])
}
