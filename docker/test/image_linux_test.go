//go:build browser

package test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"marginalia/internal/base/repo/repotest"
	"marginalia/internal/install/lab/labtest"
	"marginalia/internal/testkit/must"
)

const lecture = "01-perceptron.ipynb"

// TestLectureInImage runs the perceptron lecture in a container, with no network and
// a root that cannot be written to, as a student does in a browser: every cell, no
// error, and the figures are seen.
func TestLectureInImage(t *testing.T) {
	i := testImage(t)
	home := t.TempDir()
	var uid, gid int
	if _, err := fmt.Sscanf(i.User, "%d:%d", &uid, &gid); err != nil || uid == 0 {
		t.Fatalf("the image's user is %q, want uid:gid in numbers and no root", i.User)
	}
	// The lecture with no outputs is there already, as a student's file.
	must.Do(t, os.Mkdir(filepath.Join(home, "lectures"), 0o755))
	path := filepath.Join(home, "lectures", lecture)
	root := repotest.Root(t)
	cells := labtest.CopyUnrun(t, filepath.Join(root, "notebooks", lecture), path)
	for _, p := range []string{home, filepath.Dir(path), path} {
		must.Do(t, os.Chown(p, uid, gid))
	}
	c := i.start(t, options{home: home})
	server := c.jupyterLab(t)
	ctx := labtest.Window(t, labtest.Chromium(t))
	labtest.Open(ctx, t, server, "lectures/"+lecture)
	labtest.Choose(ctx, t, "Run", "runmenu:run-all")
	figures := labtest.Check(ctx, t, labtest.WaitUntilRun(ctx, t, path, cells))
	if figures == 0 {
		t.Error("no cell has shown a figure")
	}
	t.Logf("%d code cells run, %d figures", cells, figures)
}

// The image says what it is, by the OCI's names (Image Format Specification,
// annotations), and how to run it.
func TestImageSaysWhatItIs(t *testing.T) {
	i := testImage(t)
	for label, want := range map[string]string{"title": "marginalia", "licenses": "Apache-2.0", "version": version, "revision": "unknown"} {
		if got := i.Labels["org.opencontainers.image."+label]; got != want {
			t.Errorf("label %s is %q, want %q", label, got, want)
		}
	}
	if _, ok := i.ExposedPorts["8888/tcp"]; !ok || i.volume(t) != "/home/learner" || i.User != "1000:1000" {
		t.Errorf("ports %v, volume %s, user %s; want 8888/tcp, /home/learner, 1000:1000", i.ExposedPorts, i.volume(t), i.User)
	}
	list, err := os.ReadFile(i.rootfs + "/usr/share/marginalia/packages.txt")
	if err != nil || !strings.Contains(string(list), "\npython3 3.") {
		t.Errorf("the list of Debian's packages has no python3: %v", err)
	}
}
