//go:build browser

package test

import (
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"marginalia/internal/base/repo/repotest"
	"marginalia/internal/testkit/must"
	"marginalia/internal/testkit/testfile"
)

// What cannot work is said at the start, in a line with the remedy.
func TestStartRefuses(t *testing.T) {
	i := testImage(t)
	for name, c := range map[string]struct {
		o    options
		want string
	}{
		"no exec in /tmp":    {options{tmp: []string{"noexec"}}, "mount it with exec"},
		"home of another":    {options{home: foreign(t)}, "/home/learner cannot be written to by user 1000: give the volume to that user"},
		"empty token":        {options{env: []string{"JUPYTER_TOKEN="}}, "JUPYTER_TOKEN is empty"},
		"root":               {options{user: "0:0", home: foreign(t)}, "Running as root is not recommended"},
		"no such command":    {options{args: []string{"nothing-of-this-name"}}, "not found"},
		"command that fails": {options{args: []string{"sh", "-c", "echo said; exit 3"}}, "said"},
	} {
		t.Run(name, func(t *testing.T) {
			k := i.start(t, c.o)
			k.wait(t)
			if said := k.said(t); !strings.Contains(said, c.want) {
				t.Errorf("the container said %q, want %q", said, c.want)
			}
		})
	}
}

// foreign is a volume that belongs to root.
func foreign(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	must.Do(t, os.Chmod(dir, 0o755))
	return dir
}

// A volume outlives containers and images: what is in it stays as it is, and
// lectures that it lacks come.
func TestVolumeIsTheStudents(t *testing.T) {
	i := testImage(t)
	first := i.start(t, options{args: []string{"true"}})
	first.wait(t)
	root := repotest.Root(t)
	given := must.Get(filepath.Glob(filepath.Join(root, "notebooks", "*.ipynb"))).Or(t)
	for _, path := range given {
		want := testfile.Read(t, path)
		got, err := os.ReadFile(filepath.Join(first.home, "lectures", filepath.Base(path)))
		if err != nil || string(got) != want {
			t.Errorf("%s was not handed out as it is: %v", filepath.Base(path), err)
		}
	}
	work := map[string]string{
		"lectures/" + lecture: "edited",
		"lectures/mine.ipynb": "mine",
		"course/homework.txt": "mine, too",
	}
	for name, text := range work {
		path := filepath.Join(first.home, name)
		testfile.Write(t, path, text)
	}
	gone := filepath.Join(first.home, "lectures", filepath.Base(given[len(given)-1]))
	must.Do(t, os.Remove(gone))
	second := i.start(t, options{home: first.home, args: []string{"true"}})
	second.wait(t)
	for name, want := range work {
		if got, err := os.ReadFile(filepath.Join(first.home, name)); err != nil || string(got) != want {
			t.Errorf("after another start %s is %q, %v; want %q", name, got, err, want)
		}
	}
	if _, err := os.Stat(gone); err != nil {
		t.Errorf("a lecture that was removed has not come back: %v", err)
	}
}

// Any user will do, if the volume is theirs: clusters choose one, and who mounts a
// folder of their own gives its owner.
func TestAnyUser(t *testing.T) {
	i := testImage(t)
	home := foreign(t)
	must.Do(t, os.Chown(home, 4321, 0))
	c := i.start(t, options{home: home, user: "4321:0"})
	c.jupyterLab(t)
	if out, err := c.exec(t, "sh", "-c", "id -u; test -O $HOME/lectures/"+lecture+" && echo owned"); err != nil || out != "4321\nowned" {
		t.Errorf("%q, %v; want user 4321, and the lectures theirs", out, err)
	}
}

// The image runs JupyterLab when a Python program starts it, below a base address, and finds
// kernel and lectures. We expect Binder to start it so.
func TestBinder(t *testing.T) {
	i := testImage(t)
	c := i.start(t, options{args: []string{"python3", "-c", "import os, sys, jupyterlab\nos.execvp('jupyter-lab', sys.argv)",
		"--ip=0.0.0.0", "--port=8888", "--ServerApp.base_url=/user/reader/", "--ServerApp.token=secret"}})
	url := c.publish(t)
	var got []string
	eventually(func() bool {
		got = nil
		for _, path := range []string{"kernelspecs/gonb?", "contents/lectures/00-index.ipynb?content=0&"} {
			resp, err := http.Get(url + "/user/reader/api/" + path + "token=secret")
			if err != nil {
				return false
			}
			resp.Body.Close()
			got = append(got, resp.Status)
		}
		return true
	})
	if !slices.Equal(got, []string{"200 OK", "200 OK"}) {
		t.Errorf("the kernel's description and the first lecture: %q\n%s", got, c.said(t))
	}
}

// The health check of the image is good while JupyterLab answers and bad when not.
func TestHealth(t *testing.T) {
	i := testImage(t)
	if len(i.Healthcheck.Test) < 2 || i.Healthcheck.Test[0] != "CMD" {
		t.Fatalf("health check %q, want a command", i.Healthcheck.Test)
	}
	c := i.start(t, options{})
	c.jupyterLab(t)
	if out, err := c.exec(t, i.Healthcheck.Test[1:]...); err != nil {
		t.Errorf("JupyterLab answers, and the health check fails: %v: %s", err, out)
	}
	sleeper := i.idle(t)
	if _, err := sleeper.exec(t, i.Healthcheck.Test[1:]...); err == nil {
		t.Error("there is no JupyterLab, and the health check is content")
	}
}

// coldFiles is how many files a cell leaves in the build cache at most: its own
// package and program, and what go lists. Cold it is above a thousand.
const coldFiles = 60

// The first cell of a fresh container that draws a figure compiles itself and
// nothing else, also when Go has just cleaned its cache, long after the image was
// built.
func TestFirstFigureIsQuick(t *testing.T) {
	i := testImage(t)
	c := i.idle(t)
	const oldest = "echo 0 > $GOCACHE/trim.txt && go list fmt"
	for _, prepare := range []string{"true", oldest} {
		if out, err := c.exec(t, "sh", "-c", prepare); err != nil {
			t.Fatalf("%s: %v: %s", prepare, err, out)
		}
		out, err := c.exec(t, "python", "-c", firstFigure)
		if err != nil {
			t.Fatalf("%v: %s", err, out)
		}
		t.Logf("kernel ready, and figure there, after (s): %s", out)
		files := must.Get(c.exec(t, "sh", "-c", "find $GOCACHE -type f | wc -l; find $GOCACHE -type l | wc -l")).Or(t)
		var added, given int
		must.Get(fmt.Sscan(files, &added, &given)).Or(t)
		t.Logf("%d files in the build cache beside the image's %d", added, given)
		if added > coldFiles || given < 1000 {
			t.Errorf("after %q the cell added %d files to the image's %d in the build cache, want at most %d to a thousand and more", prepare, added, given, coldFiles)
		}
	}
}

// firstFigure runs a cell as JupyterLab does, and prints how long the kernel and
// the cell took.
const firstFigure = `
import time
from jupyter_client.manager import start_new_kernel

start = time.time()
manager, client = start_new_kernel(startup_timeout=1200, kernel_name="gonb")
ready = time.time()
images = []
def output(message):
    images.extend(k for k in message["content"].get("data", {}) if k.startswith("image/"))
    assert message["msg_type"] != "error", message["content"]
client.execute_interactive("""
import (
	"marginalia/plotting"
)

%%
plotting.Show("line", plotting.New("", plotting.Line([]float64{0, 1}, []float64{0, 1})))
""", output_hook=output, timeout=1200)
assert images, "no figure"
print("%.2f %.2f" % (ready - start, time.time() - ready))
client.stop_channels()
manager.shutdown_kernel(now=True)
`
