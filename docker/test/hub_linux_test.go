//go:build browser

package test

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"marginalia/internal/base/lockfile"
	"marginalia/internal/base/repo/repotest"
	"marginalia/internal/install/venv"
	"marginalia/internal/kernel/jupyter/jupytertest"
	"marginalia/internal/testkit/must"
	"marginalia/internal/testkit/testfile"
)

// hubProxy is the pinned configurable-http-proxy, which JupyterHub puts in front.
const hubProxy = "configurable-http-proxy@5.0.1"

// TestClass has two students log in to JupyterHub as docker/hub configures it, each
// in a container, and run the first cells of the perceptron lecture at the same time:
// TestLectureInImage runs all of them. Meanwhile the hub is killed, and later its proxy. With
// MARGINALIA_CLASS=1,10,30 classes of these sizes follow each other, and those of at most many
// run the whole lecture. It logs how long servers and cells took and the memory that was held,
// as README.md reports them. In the end a student does nothing.
func TestClass(t *testing.T) {
	i := testImage(t)
	sizes := os.Getenv("MARGINALIA_CLASS")
	whole := sizes != ""
	if !whole {
		sizes = "2"
	}
	i = hubImage(t, i)
	h := startHub(t, i, nil, time.Hour)
	for size := range strings.SplitSeq(sizes, ",") {
		n, err := strconv.Atoi(size)
		if err != nil || n < 1 || n > most {
			t.Fatalf("MARGINALIA_CLASS=%s: want numbers from 1 to %d with commas between", sizes, most)
		}
		t.Run(size, func(t *testing.T) { h.attend(t, n, whole && n <= many) })
	}
	t.Run("idle", func(t *testing.T) { startHub(t, i, nil, 5*time.Second).idle(t) })
}

// idle has a student do nothing: the server is stopped, and what is in the student's
// home stays.
func (h *hub) idle(t *testing.T) {
	name := students(1)[0]
	h.call(t, http.MethodPost, "/users/"+name+"/server")
	if !eventually(func() bool {
		var user struct{ Servers map[string]any }
		must.Do(t, json.Unmarshal(h.call(t, http.MethodGet, "/users/"+name), &user))
		_, err := os.Stat(filepath.Join(h.dir, "home-"+name, "lectures", lecture))
		return err == nil && len(user.Servers) == 0
	}) {
		t.Fatal("after five seconds of idleness the server runs on, or the home is gone")
	}
}

// most is the largest class. Classes above many run the first cells of the lecture
// alone, too, so that it does not take an hour.
const (
	most       = 30
	many       = 5
	firstCells = 20
)

// A hub is a running JupyterHub.
type hub struct {
	python   string
	settings string // the file with test's settings
	url      string
	api      string // where servers and services find it
	token    string
	docker   *docker // nil: runc starts the containers
	state    string  // runc's folder
	id       string  // of containers, before the student's name
	dir      string
	config   string // the file with its configuration
	env      []string
	log      *os.File
	cmd      *exec.Cmd
}

// container is that of a student's server.
func (h *hub) container(t *testing.T, name string) *container {
	t.Helper()
	if h.docker != nil {
		return h.docker.container(t, "jupyter-"+name)
	}
	return &container{id: h.id + "-" + name, state: h.state}
}

// environment makes a virtual environment in the user's cache with the packages that
// docker/NAME/requirements.txt pins.
func environment(ctx context.Context, root, name string) (python string, err error) {
	pins, err := os.ReadFile(filepath.Join(root, "docker", name, "requirements.txt"))
	if err != nil {
		return "", err
	}
	return venv.Cached(ctx, name, string(pins))
}

// hubEnvironment installs JupyterHub and its proxy.
func hubEnvironment(ctx context.Context, root string) (python, proxy string, err error) {
	python, err = environment(ctx, root, "hub")
	if err != nil {
		return "", "", err
	}
	dir := filepath.Dir(filepath.Dir(python))
	// The image's tests may want it at the same time as others of this package.
	lock, err := lockfile.Take(ctx, filepath.Join(dir, "node_modules.lock"), lockfile.Exclusive, func(string) {})
	if err != nil {
		return "", "", err
	}
	defer lock.Close()
	if out, err := exec.CommandContext(ctx, "npm", "install", "--silent", "--no-audit", "--no-fund", "--prefix", dir, hubProxy).CombinedOutput(); err != nil {
		return "", "", fmt.Errorf("npm install %s: %w:\n%s", hubProxy, err, out[max(0, len(out)-2000):])
	}
	return python, filepath.Join(dir, "node_modules", ".bin", "configurable-http-proxy"), nil
}

// hubImage is docker/hub/Dockerfile's, built once for all tests.
func hubImage(t *testing.T, i image) image {
	t.Helper()
	theHub.Do(func() {
		files := map[string]string{}
		for _, name := range []string{"requirements.txt", "student", "teacher"} {
			err := filepath.WalkDir(filepath.Join("..", "hub", name), func(path string, d os.DirEntry, err error) error {
				if err != nil || d.IsDir() {
					return err
				}
				path, err = filepath.Rel("../hub", path)
				files[path] = readFile(t, filepath.Join("hub", path))
				return err
			})
			if err != nil {
				t.Fatal(err)
			}
		}
		theHub.image = i.derive(t, "hub", readFile(t, "hub/Dockerfile"), files, append(secrets(), "--build-arg", "IMAGE="+i.name)...)
	})
	if theHub.image.rootfs == "" {
		t.Fatal("the hub's image could not be built: the first test that needed it says why")
	}
	return theHub.image
}

var theHub struct {
	sync.Once
	image
}

// startHub starts JupyterHub, which stops servers that are idle for so long. The containers of
// the image are started by Docker, or by runc if that is nil.
func startHub(t *testing.T, i image, d *docker, idle time.Duration) *hub {
	t.Helper()
	if _, err := exec.LookPath("npm"); err != nil {
		t.Fatal("there is no npm, with which JupyterHub's proxy is installed (Debian: apt install npm)")
	}
	root := repotest.Root(t)
	python, proxy, err := hubEnvironment(t.Context(), root)
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	must.Do(t, os.Chmod(dir, 0o755))
	h := &hub{python: python, settings: filepath.Join(dir, "test.json"), token: "only-for-this-test", docker: d}
	set := object{
		"config": filepath.Join(root, "docker", "hub", "jupyterhub_config.py"), "dir": dir, "proxy": proxy,
		"token": h.token, "password": "of-the-class", "lecture": filepath.Join(root, "notebooks", lecture),
	}
	h.env = os.Environ()
	if d != nil {
		h.url, h.api = d.publish(t, "127.0.0.1:8000"), "http://172.30.0.1:8081/hub/api"
		h.env = append(h.env, d.env()...)
	} else {
		ports := freePorts(t)
		h.url, h.state, h.id = fmt.Sprintf("http://127.0.0.1:%d", ports[0]), filepath.Join(dir, "state"), fmt.Sprintf("class-%d", ports[0])
		h.env = append(h.env, fmt.Sprintf("MARGINALIA_PORT=%d", ports[0]))
		h.api = fmt.Sprintf("http://127.0.0.1:%d/hub/api", ports[1])
		set["hub_port"], set["proxy_api"] = ports[1], fmt.Sprintf("http://127.0.0.1:%d", ports[2])
		i.forRunc(t, h, set)
	}
	set["url"] = h.url
	settings := must.Get(json.Marshal(set)).Or(t)
	course := filepath.Join(dir, "course")
	must.Do(t, os.Mkdir(course, 0o777))
	testfile.Write(t, filepath.Join(course, "task.ipynb"), "a task")
	users := filepath.Join(dir, "users")
	must.Do(t, os.WriteFile(users, []byte("teacher*\n"+strings.Join(students(most), "\n")), 0o600))
	must.Do(t, os.WriteFile(h.settings, settings, 0o600))
	log := must.Get(os.Create(filepath.Join(dir, "hub.log"))).Or(t)
	h.dir, h.config, h.log = dir, filepath.Join(root, "docker", "test", "hub_config.py"), log
	h.env = append(h.env, "HUB_TEST="+h.settings, "MARGINALIA_USERS="+users, "MARGINALIA_COURSE="+course,
		"MARGINALIA_STATE="+filepath.Join(dir, "hub"), fmt.Sprintf("MARGINALIA_IDLE=%.0f", idle.Seconds()))
	h.start(t)
	t.Cleanup(func() {
		_ = h.cmd.Process.Signal(os.Interrupt)
		_ = h.cmd.Wait()
		endStrays("HUB_TEST="+h.settings, httpProxy)
		log.Close()
		if said, err := os.ReadFile(log.Name()); t.Failed() && err == nil {
			t.Logf("JupyterHub said:\n%s", said[max(0, len(said)-6000):])
		}
	})
	return h
}

// forRunc describes to hub_config.py the containers that runc starts, which share this machine's
// network.
func (i image) forRunc(t *testing.T, h *hub, set object) {
	t.Helper()
	spec := i.spec(t, options{home: "HOME-OF-USER", user: i.User})
	linux := spec["linux"].(object)
	linux["namespaces"] = slices.DeleteFunc(linux["namespaces"].([]object), func(o object) bool { return o["type"] == "network" })
	var uid, gid int
	must.Get(fmt.Sscanf(i.User, "%d:%d", &uid, &gid)).Or(t)
	set["spec"], set["uid"], set["gid"], set["state"], set["id"] = spec, uid, gid, h.state, h.id
}

// start starts the hub, and waits until it answers.
func (h *hub) start(t *testing.T) {
	t.Helper()
	h.cmd = exec.Command(h.python, "-m", "jupyterhub", "--config", h.config)
	if h.docker != nil {
		h.cmd = h.docker.beside(h.cmd.Args...)
	}
	h.cmd.Dir, h.cmd.Env, h.cmd.Stdout, h.cmd.Stderr = h.dir, h.env, h.log, h.log
	must.Do(t, h.cmd.Start())
	if !eventually(func() bool {
		r, err := http.Get(h.url + "/hub/api/")
		if err != nil {
			return false
		}
		r.Body.Close()
		return r.StatusCode == http.StatusOK
	}) {
		t.Fatal("JupyterHub does not answer")
	}
}

// killed kills the hub, and what stops idle servers for it, and starts another. Or it kills the
// proxy, which the hub starts again.
func (h *hub) killed(t *testing.T, proxy bool) {
	if !proxy {
		_ = h.cmd.Process.Kill()
		_ = h.cmd.Wait()
		endStrays("JUPYTERHUB_API_URL="+h.api, idleCuller)
		h.start(t)
		return
	}
	b, err := os.ReadFile(filepath.Join(h.dir, "hub", "jupyterhub-proxy.pid"))
	pid, err2 := strconv.Atoi(strings.TrimSpace(string(b)))
	if err := errors.Join(err, err2); err != nil {
		t.Error(err)
		return
	}
	if err := syscall.Kill(pid, syscall.SIGKILL); err != nil {
		t.Error(err)
	}
}

// What a killed hub leaves running.
const (
	idleCuller = "jupyterhub_idle_culler"
	httpProxy  = "configurable-http-proxy"
)

// endStrays ends the processes of this name whose environment has marker.
func endStrays(marker, name string) {
	for _, process := range jupytertest.Strays(marker) {
		if pid, _, _ := strings.Cut(process, " "); strings.Contains(process, name) {
			_ = exec.Command("kill", "-KILL", pid).Run()
		}
	}
}

func students(n int) []string {
	var names []string
	for k := range n {
		names = append(names, fmt.Sprintf("student%02d", k+1))
	}
	return names
}

// attend has n students run the lecture at the same time, or its first cells. Meanwhile the
// hub is killed, and later the proxy.
func (h *hub) attend(t *testing.T, n int, whole bool) {
	root := repotest.Root(t)
	names, cells, figures := students(n), firstCells, 1
	if whole {
		cells, figures = 1000, 10
	}
	cmd := exec.CommandContext(t.Context(), h.python, filepath.Join(root, "docker", "test", "hub_load.py"), h.settings, strings.Join(names, ","), strconv.Itoa(cells))
	var stdout, stderr bytes.Buffer
	cmd.Stdout = &stdout
	said, err := cmd.StderrPipe()
	told, err2 := cmd.StdinPipe()
	if err = errors.Join(err, err2); err == nil {
		err = cmd.Start()
	}
	if err != nil {
		t.Fatal(err)
	}
	kills := 0
	for lines := bufio.NewScanner(said); lines.Scan(); {
		switch line := lines.Text(); line {
		case "thirds 1", "thirds 2":
			h.killed(t, line == "thirds 2")
			kills++
			fmt.Fprintln(told, line)
		default:
			stderr.WriteString(line + "\n")
		}
	}
	if err := cmd.Wait(); err != nil {
		t.Fatalf("%v: %s", err, stderr.Bytes()[max(0, stderr.Len()-3000):])
	}
	if kills != 2 {
		t.Errorf("%d were killed, want the hub and the proxy", kills)
	}
	var result struct {
		Students []struct {
			Name           string
			Start, Lecture float64
			Cells          []float64
			Figures        int
			Errors         []string
			Again, Lost    int // connections, and cells that were sent again
		}
		Refused [][]any
	}
	must.Do(t, json.Unmarshal(stdout.Bytes(), &result))
	if len(result.Students) != n {
		t.Fatalf("%d students have come, want %d", len(result.Students), n)
	}
	var starts, times, lectures []float64
	again, lost := 0, 0
	for _, s := range result.Students {
		if len(s.Errors) > 0 || s.Figures < figures || len(s.Cells) < firstCells {
			t.Errorf("%s: %d cells, %d figures, errors %q", s.Name, len(s.Cells), s.Figures, s.Errors)
		}
		again, lost = again+s.Again, lost+s.Lost
		starts, lectures, times = append(starts, s.Start), append(lectures, s.Lecture), append(times, s.Cells...)
	}
	for _, r := range result.Refused {
		if status, ok := r[1].(float64); !ok || status != http.StatusForbidden && status != http.StatusNotFound {
			t.Errorf("a student at %v: status %v, want 403 or 404", r[0], r[1])
		}
	}
	if n > 1 && len(result.Refused) == 0 {
		t.Error("nothing was refused")
	}
	memory, processor := h.used(t, names)
	t.Logf("%d students: a server starts in %s, each of %d cells takes %s, the lecture %s (s); of each memory %s (MB), processor %s (s)",
		n, spread(starts), len(times)/n, spread(times), spread(lectures), spread(memory), spread(processor))
	t.Logf("the hub and the proxy were killed meanwhile: %d students connected again, %d cells were on the way and were sent again", again, lost)
	if again < n {
		t.Errorf("%d connections ended with the proxy, want %d", again, n)
	}
	h.apart(t, names)
	if h.docker != nil {
		h.closed(t, names)
	}
	// The next class begins with servers that have to be started.
	for _, name := range names {
		h.call(t, http.MethodDelete, "/users/"+name+"/server")
	}
}

// call calls JupyterHub's API as a service that may.
func (h *hub) call(t *testing.T, method, path string) []byte {
	t.Helper()
	request := must.Get(http.NewRequestWithContext(t.Context(), method, h.url+"/hub/api"+path, nil)).Or(t)
	request.Header.Set("Authorization", "token "+h.token)
	r := must.Get(http.DefaultClient.Do(request)).Or(t)
	defer r.Body.Close()
	body, err := io.ReadAll(r.Body)
	if err != nil || r.StatusCode/100 != 2 {
		t.Fatalf("%s %s: %s: %s %v", method, path, r.Status, body, err)
	}
	return body
}

// apart reports what students can do in terminals to the course and to each other.
// All have the same user id and each a container.
func (h *hub) apart(t *testing.T, names []string) {
	t.Helper()
	for _, name := range names {
		c := h.container(t, name)
		if got, err := c.exec(t, "sh", "-c", "cat /opt/course/task.ipynb && echo mine > $HOME/course/task.ipynb && touch $HOME/of-"+name); err != nil || got != "a task" {
			t.Errorf("%s reads the course and works on the copy: %q, %v", name, got, err)
		}
		c.cannot(t, "echo > /opt/course/task.ipynb", "echo > /opt/course/new", "rm /opt/course/task.ipynb")
	}
	for _, name := range names {
		c := h.container(t, name)
		got, err := c.exec(t, "sh", "-c", "find / -name 'of-student*' 2>/dev/null || true")
		if want := "/home/learner/of-" + name; err != nil || got != want {
			t.Errorf("%s finds the files %q, %v; want %q alone", name, got, err, want)
		}
	}
}

// used is the memory that the containers of users hold, in MB, /tmp included, the
// pages of files not, and the time for which they had a processor, in seconds.
func (h *hub) used(t *testing.T, names []string) (memory, processor []float64) {
	t.Helper()
	for _, name := range names {
		out, err := h.container(t, name).runc(t.Context(), "events", "--stats").Output()
		if err != nil {
			t.Fatalf("runc events: %v", err)
		}
		var s struct {
			Data struct {
				Memory struct{ Raw map[string]float64 }
				CPU    struct{ Usage struct{ Total float64 } }
			}
		}
		must.Do(t, json.Unmarshal(out, &s))
		raw := s.Data.Memory.Raw
		anonymous, cgroup1 := raw["total_rss"]
		if !cgroup1 {
			anonymous = raw["anon"]
		}
		memory = append(memory, (anonymous+raw["shmem"])/(1<<20))
		processor = append(processor, s.Data.CPU.Usage.Total/1e9)
	}
	return memory, processor
}

// spread is the median, the 95th percentile and the largest.
func spread(x []float64) string {
	slices.Sort(x)
	return fmt.Sprintf("%.1f (95 %%: %.1f, at most %.1f)", x[len(x)/2], x[len(x)*95/100], x[len(x)-1])
}
