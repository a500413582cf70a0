//go:build browser

package test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"marginalia/internal/install/lab/labtest"
	"marginalia/internal/testkit/must"
	"marginalia/internal/testkit/testfile"
)

// A container is a started image: read-only root, no network but its own
// loopback, no capabilities, /tmp in memory, a volume for the home directory, limits,
// as compose.yaml has it.
type container struct {
	id    string
	state string // runc's folder
	home  string // the volume, from outside
	log   string
	enter []string // the command that enters the namespaces in which runc has made it; nil for this process's
}

// options are what differs from the image's own settings.
type options struct {
	home string   // the volume; "": a fresh one that belongs to the image's user
	user string   // "uid:gid"; "": the image's
	env  []string // added to the image's
	args []string // given to the entry point
	tmp  []string // mount options of /tmp beside the usual ones
}

type object = map[string]any

// start starts a container of the image, which ends with the test.
func (i image) start(t *testing.T, o options) *container {
	t.Helper()
	c := i.create(t, o)
	if out, err := c.runc(context.Background(), "start").CombinedOutput(); err != nil {
		t.Fatalf("runc start: %v: %s", err, out)
	}
	return c
}

// idle starts a container that does nothing, and waits until its home and its caches
// are ready.
func (i image) idle(t *testing.T) *container {
	t.Helper()
	c := i.start(t, options{args: []string{"sh", "-c", "echo ready; exec sleep 10000"}})
	if !eventually(func() bool { return strings.Contains(c.said(t), "ready\n") }) {
		t.Fatalf("the container is not ready: %s", c.said(t))
	}
	return c
}

// eventually waits until something is done, and reports whether it is. As busy as the computer
// may be, only what never happens takes [labtest.Patience].
func eventually(done func() bool) bool {
	for end := time.Now().Add(labtest.Patience); !done(); time.Sleep(100 * time.Millisecond) {
		if time.Now().After(end) {
			return false
		}
	}
	return true
}

// create prepares a container: its namespaces are there, its program is not started.
func (i image) create(t *testing.T, o options) *container {
	t.Helper()
	bundle := t.TempDir()
	c := &container{
		id:    fmt.Sprintf("marginalia-%d-%d", os.Getpid(), time.Now().UnixNano()),
		state: filepath.Join(bundle, "state"), log: filepath.Join(bundle, "log"), home: o.home,
	}
	if o.user == "" {
		o.user = i.User
	}
	var uid, gid int
	if _, err := fmt.Sscanf(o.user, "%d:%d", &uid, &gid); err != nil {
		t.Fatalf("the image's user is %q, want uid:gid in numbers", o.user)
	}
	if c.home == "" {
		c.home = filepath.Join(bundle, "home")
		must.Do(t, os.Mkdir(c.home, 0o700))
		must.Do(t, os.Chown(c.home, uid, gid))
	}
	// Between here and the volume, everybody may pass.
	for dir := filepath.Dir(c.home); strings.HasPrefix(dir, os.TempDir()+"/"); dir = filepath.Dir(dir) {
		must.Do(t, os.Chmod(dir, 0o755))
	}
	config, err := json.Marshal(i.spec(t, options{home: c.home, user: o.user, env: o.env, args: o.args, tmp: o.tmp}))
	if err != nil {
		t.Fatal(err)
	}
	must.Do(t, os.WriteFile(filepath.Join(bundle, "config.json"), config, 0o600))
	log := must.Get(os.Create(c.log)).Or(t)
	defer log.Close()
	create := c.runc(context.Background(), "create", "--bundle", bundle)
	create.Stdout, create.Stderr = log, log
	if err := create.Run(); err != nil {
		t.Fatalf("runc create: %v: %s", err, c.said(t))
	}
	t.Cleanup(func() { c.remove(t) })
	return c
}

// spec is the container in the words of the OCI's runtime specification, which runc
// takes. The home and the user have to be given.
func (i image) spec(t *testing.T, o options) object {
	t.Helper()
	var uid, gid int
	if _, err := fmt.Sscanf(o.user, "%d:%d", &uid, &gid); err != nil {
		t.Fatalf("the image's user is %q, want uid:gid in numbers", o.user)
	}
	mount := func(to, kind string, options ...string) object {
		return object{"destination": to, "type": kind, "source": kind, "options": options}
	}
	volume := mount(i.volume(t), "bind", "bind", "rw", "nosuid", "nodev")
	volume["source"] = o.home
	return object{
		"ociVersion": "1.0.0",
		"root":       object{"path": i.rootfs, "readonly": true},
		"hostname":   "marginalia",
		"process": object{
			"user": object{"uid": uid, "gid": gid}, "cwd": i.WorkingDir, "noNewPrivileges": true, "capabilities": object{},
			"args": append(append([]string{}, i.Entrypoint...), o.args...), "env": append(append([]string{}, i.Env...), o.env...),
			"rlimits": []object{{"type": "RLIMIT_NOFILE", "hard": 4096, "soft": 4096}},
		},
		"mounts": []object{
			mount("/proc", "proc", "nosuid", "noexec", "nodev"),
			mount("/dev", "tmpfs", "nosuid", "mode=755", "size=64k"),
			mount("/dev/pts", "devpts", "nosuid", "noexec", "newinstance", "ptmxmode=0666", "mode=0620", "gid=5"),
			mount("/dev/shm", "tmpfs", "nosuid", "noexec", "nodev", "mode=1777", "size=64m"),
			mount("/sys", "sysfs", "nosuid", "noexec", "nodev", "ro"),
			mount("/tmp", "tmpfs", append([]string{"nosuid", "nodev", "mode=1777", "size=1g"}, o.tmp...)...),
			volume,
		},
		"linux": object{
			"resources":     object{"pids": object{"limit": 512}, "memory": object{"limit": 4 << 30}},
			"namespaces":    []object{{"type": "pid"}, {"type": "network"}, {"type": "ipc"}, {"type": "uts"}, {"type": "mount"}},
			"maskedPaths":   []string{"/proc/acpi", "/proc/kcore", "/proc/keys", "/proc/timer_list", "/proc/sched_debug", "/sys/firmware"},
			"readonlyPaths": []string{"/proc/bus", "/proc/fs", "/proc/irq", "/proc/sys", "/proc/sysrq-trigger"},
		},
	}
}

// runc is runc's command with these flags for the container.
func (c *container) runc(ctx context.Context, command string, flags ...string) *exec.Cmd {
	args := slices.Concat(c.enter, []string{"runc", "--root", c.state, command}, flags, []string{c.id})
	return exec.CommandContext(ctx, args[0], args[1:]...)
}

func (c *container) remove(t *testing.T) {
	out, err := c.runc(context.Background(), "delete", "--force").CombinedOutput()
	if err != nil && !strings.Contains(string(out), "does not exist") {
		t.Errorf("runc delete: %v: %s", err, out)
	}
}

// said is what the container has written.
func (c *container) said(t *testing.T) string {
	t.Helper()
	return testfile.Read(t, c.log)
}

// exec runs a program in the container as its user, as a student does in a
// terminal of JupyterLab, and returns what it wrote and whether it succeeded.
func (c *container) exec(t *testing.T, args ...string) (string, error) {
	t.Helper()
	cmd := c.runc(t.Context(), "exec")
	cmd.Args = append(cmd.Args, args...)
	var out bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &out
	err := cmd.Run()
	return strings.TrimSpace(out.String()), err
}

// running reports the state of the container.
func (c *container) status(t *testing.T) (status string, pid int) {
	t.Helper()
	out, err := c.runc(context.Background(), "state").Output()
	if err != nil {
		return "gone", 0
	}
	var s struct {
		Status string
		Pid    int
	}
	must.Do(t, json.Unmarshal(out, &s))
	return s.Status, s.Pid
}

// wait waits until the container's program has ended.
func (c *container) wait(t *testing.T) {
	t.Helper()
	if !eventually(func() bool { s, _ := c.status(t); return s != "running" && s != "created" }) {
		t.Fatalf("the container still runs:\n%s", c.said(t))
	}
}

var address = regexp.MustCompile(`http://127\.0\.0\.1:8888/lab\S*\?token=(\w+)`)

// jupyterLab waits until JupyterLab answers in the container, and lets a browser
// of this computer reach it.
func (c *container) jupyterLab(t *testing.T) labtest.Server {
	t.Helper()
	url := c.publish(t)
	var m []string
	eventually(func() bool {
		s, _ := c.status(t)
		m = address.FindStringSubmatch(c.said(t))
		return m != nil || s != "running"
	})
	if m == nil {
		t.Fatalf("JupyterLab has not started:\n%s", c.said(t))
	}
	return labtest.Server{URL: url, Token: m[1]}
}

// publish forwards a port of this computer to that of JupyterLab, which an engine
// would do through a network; here the container has none, so its network
// namespace is entered for each connection.
func (c *container) publish(t *testing.T) (url string) {
	t.Helper()
	_, pid := c.status(t)
	return publish(t, pid, "127.0.0.1:8888")
}

// publish forwards a port of this computer to the address in the network of a process.
func publish(t *testing.T, pid int, address string) (url string) {
	t.Helper()
	namespace := must.Get(os.Open(fmt.Sprintf("/proc/%d/ns/net", pid))).Or(t)
	t.Cleanup(func() { namespace.Close() })
	l := must.Get(net.Listen("tcp", "127.0.0.1:0")).Or(t)
	t.Cleanup(func() { l.Close() })
	go func() {
		for {
			near, err := l.Accept()
			if err != nil {
				return
			}
			go forward(near, namespace, address)
		}
	}()
	return "http://" + l.Addr().String()
}

func forward(near net.Conn, namespace *os.File, address string) {
	defer near.Close()
	far, err := dialInside(namespace, address)
	if err != nil {
		return
	}
	defer far.Close()
	done := make(chan struct{}, 2)
	for _, way := range [][2]net.Conn{{near, far}, {far, near}} {
		go func() {
			_, _ = io.Copy(way[1], way[0])
			_ = way[1].(*net.TCPConn).CloseWrite()
			done <- struct{}{}
		}()
	}
	<-done
	<-done
}

// dialInside connects from inside a network namespace. The thread that enters it is
// never unlocked, so it ends with the goroutine and no other code runs there.
func dialInside(namespace *os.File, address string) (net.Conn, error) {
	type result struct {
		conn net.Conn
		err  error
	}
	done := make(chan result)
	go func() {
		runtime.LockOSThread()
		if err := unix.Setns(int(namespace.Fd()), unix.CLONE_NEWNET); err != nil {
			done <- result{nil, err}
			return
		}
		conn, err := net.DialTimeout("tcp", address, 5*time.Second)
		done <- result{conn, err}
	}()
	r := <-done
	return r.conn, r.err
}
