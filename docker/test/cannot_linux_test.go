//go:build browser

package test

import (
	"io"
	"io/fs"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"marginalia/internal/testkit/must"
	"marginalia/internal/testkit/testfile"
)

// What a student with a terminal in the container cannot do. README.md lists it.
func TestStudentCannot(t *testing.T) {
	i := testImage(t)
	c := i.start(t, options{})
	server := c.jupyterLab(t)

	// What the student can do, so that what fails below fails for its own reason.
	for _, command := range []string{"echo >> $HOME/new && rm $HOME/new", "echo >> /tmp/new && rm /tmp/new",
		"head -c 100M /dev/zero > /tmp/full && rm /tmp/full", "python -c 'x = bytearray(1 << 30)'", "test -s $(find $GOCACHE -type l | head -1)"} {
		if out, err := c.exec(t, "bash", "-c", command); err != nil {
			t.Fatalf("%s: %v: %s", command, err, out)
		}
	}
	c.closed(t)
	t.Run("change the course", func(t *testing.T) {
		for _, path := range []string{"/new", "/opt/marginalia/notebooks/new", "/opt/marginalia/notebooks/" + lecture, "/opt/marginalia/mlkit/mlkit.go",
			"/opt/marginalia/.venv/new", "/opt/cache/build/new", "/usr/local/go/bin/go", "/etc/passwd"} {
			c.cannot(t, "echo >> "+path, "rm "+path)
		}
		// Through the caches, which are links to the image's files.
		c.cannot(t, `f=$(find $GOCACHE -type l | head -1) && echo >> $f`)
	})
	t.Run("reach a network", func(t *testing.T) {
		if got, err := c.exec(t, "sh", "-c", "ls /sys/class/net"); err != nil || got != "lo" {
			t.Errorf("network interfaces %q, %v; want lo alone", got, err)
		}
		c.cannot(t, `python -c "import socket; socket.create_connection(('192.0.2.1', 80), 2)"`)
	})
	t.Run("enter without the token", func(t *testing.T) {
		for _, path := range []string{"/api/contents", "/api/kernels", "/api/terminals", "/files/lectures/" + lecture, "/lab"} {
			if status := get(t, server.URL+path); status != http.StatusForbidden && status != http.StatusFound {
				t.Errorf("%s without a token: status %d", path, status)
			}
			if status := get(t, server.URL+path+"?token=wrong"); status != http.StatusForbidden && status != http.StatusFound {
				t.Errorf("%s with a wrong token: status %d", path, status)
			}
		}
		for _, path := range []string{"/api/contents", "/api/kernels"} {
			if status := get(t, server.Page(path)); status != http.StatusOK {
				t.Errorf("%s with the token: status %d", path, status)
			}
		}
		r := must.Get(http.Post(server.URL+"/api/terminals", "application/json", nil)).Or(t)
		r.Body.Close()
		if r.StatusCode != http.StatusForbidden {
			t.Errorf("a terminal without a token: status %d", r.StatusCode)
		}
	})
}

// closed reports what a student with a terminal in the container can do to the machine.
func (c *container) closed(t *testing.T) {
	t.Helper()
	t.Run("be root", func(t *testing.T) {
		for command, want := range map[string]string{
			"id -u": "1000", "id -G": "1000",
			"grep NoNewPrivs /proc/self/status": "NoNewPrivs:\t1",
			"grep CapEff /proc/self/status":     "CapEff:\t0000000000000000",
			"grep CapBnd /proc/self/status":     "CapBnd:\t0000000000000000",
			"find / -xdev -perm /6000 -type f":  "",
		} {
			if got, err := c.exec(t, "sh", "-c", command+" 2>/dev/null || true"); err != nil || got != want {
				t.Errorf("%s: %q, %v; want %q", command, got, err, want)
			}
		}
		c.cannot(t, "su -c id", "chroot / id", "mount -t tmpfs none /tmp", "unshare -m true", "chown 0 /tmp", "mknod /tmp/disk b 8 0")
	})
	t.Run("take all processes or the whole memory", func(t *testing.T) {
		c.cannot(t, "for i in $(seq 600); do sleep 5 & done 2>&1 | grep -q -v -i cannot.fork; test $(ls -d /proc/[0-9]* | wc -l) -gt 512")
		c.cannot(t, "head -c 1100M /dev/zero > /tmp/full", "rm -f /tmp/full; python -c 'x = bytearray(5 << 30)'")
		if _, err := c.exec(t, "rm", "-f", "/tmp/full"); err != nil {
			t.Error(err)
		}
	})
	t.Run("see the host", func(t *testing.T) {
		if got, err := c.exec(t, "sh", "-c", "cat /proc/1/comm"); err != nil || got != "tini" {
			t.Errorf("process 1 is %q, %v; want the container's own", got, err)
		}
		c.cannot(t, "head -c 1 /proc/kcore", "ls /dev/vda", "ls /dev/sda", "ls /var/run/docker.sock", "echo 1 > /proc/sys/kernel/panic", "echo b > /proc/sysrq-trigger")
	})
}

// cannot reports commands that succeed.
func (c *container) cannot(t *testing.T, commands ...string) {
	t.Helper()
	for _, command := range commands {
		if out, err := c.exec(t, "bash", "-c", command); err == nil {
			t.Errorf("%q succeeded: %s", command, out)
		}
	}
}

// get returns the status, without following where it leads.
func get(t *testing.T, url string) int {
	t.Helper()
	client := http.Client{CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	r := must.Get(client.Get(url)).Or(t)
	defer r.Body.Close()
	_, _ = io.Copy(io.Discard, r.Body)
	if r.StatusCode == http.StatusFound && !strings.Contains(r.Header.Get("Location"), "/login") {
		t.Errorf("%s leads to %s", url, r.Header.Get("Location"))
	}
	return r.StatusCode
}

// The image is closed without the engine's read-only root, too: nothing in it but
// the home directory and the usual places for temporary files belongs to the user
// or can be written to by everybody.
func TestNothingToWriteInImage(t *testing.T) {
	i := testImage(t)
	open := map[string]bool{i.volume(t): true, "/tmp": true, "/var/tmp": true, "/run/lock": true}
	seen := 0
	err := filepath.WalkDir(i.rootfs, func(path string, d fs.DirEntry, err error) error {
		if err != nil || path == i.rootfs {
			return err
		}
		info, err := d.Info()
		if err != nil {
			return err
		}
		inside := "/" + strings.TrimPrefix(path, i.rootfs+"/")
		if open[inside] {
			return fs.SkipDir
		}
		seen++
		s := info.Sys().(*syscall.Stat_t)
		switch mode := info.Mode(); {
		case mode&fs.ModeSymlink != 0:
		case s.Uid >= 1000, s.Gid >= 1000 && mode.Perm()&0o020 != 0, mode.Perm()&0o002 != 0 && mode&fs.ModeDevice == 0:
			t.Errorf("%s of %d:%d is %v", inside, s.Uid, s.Gid, mode)
		case mode&(fs.ModeSetuid|fs.ModeSetgid) != 0 && !d.IsDir():
			t.Errorf("%s is %v", inside, mode)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if seen < 10000 {
		t.Errorf("%d files were seen, so the image was not", seen)
	}
}

// What comes into the build from the machine stays out of the image.
func TestNoSecretInImage(t *testing.T) {
	i := testImage(t)
	for _, path := range []string{"/etc/pip.conf", "/root/.netrc", "/root/go", "/root/mod", "/root/build", "/root/pip", "/root/.cache", "/mnist", "/opt/marginalia/.git"} {
		if _, err := os.Lstat(i.rootfs + path); err == nil {
			t.Errorf("%s is in the image", path)
		}
	}
	// The certificates are Debian's, not those of the machine, which can have more.
	bundle := testfile.Read(t, i.rootfs+"/etc/ssl/certs/ca-certificates.crt")
	trusted := must.Get(filepath.Glob(i.rootfs + "/usr/share/ca-certificates/mozilla/*.crt")).Or(t)
	if n := strings.Count(bundle, "BEGIN CERTIFICATE"); n != len(trusted) || n == 0 {
		t.Errorf("the image trusts %d certificates, Debian has %d", n, len(trusted))
	}
	for _, kv := range i.Env {
		if strings.Contains(kv, "://") {
			t.Errorf("the image's environment has %s", kv)
		}
	}
}
