//go:build browser

package test

import (
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"fmt"
	"math/big"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"marginalia/internal/base/processes"
	"marginalia/internal/testkit/must"
)

// courseHost is the host's name in docker/hub/nginx.conf.
const courseHost = "course.example.org"

// A classroom is a hub as README.md has it on a server: nginx with TLS in front, a host for
// each user.
type classroom struct {
	*localHub
	http, https   string // where nginx listens
	roots         *x509.CertPool
	victim, other *visitor
}

func newClassroom(t *testing.T, root string) *classroom {
	t.Helper()
	h := newLocalHub(t, root)
	c := &classroom{localHub: h, roots: x509.NewCertPool()}
	h.url, h.subdomains = "https://"+courseHost, true
	h.env = append(h.env, "MARGINALIA_HOST="+h.url)
	names := slices.Clone(people)
	for k := range 20 { // those whose passwords are guessed
		names = append(names, fmt.Sprintf("guessed%d", k), fmt.Sprintf("sprayed%d", k))
	}
	h.enrol(t, names...)
	c.web(t)
	h.way = c.from("127.0.0.1")
	return c
}

// web starts nginx with the configuration that README.md names, on free ports.
func (c *classroom) web(t *testing.T) {
	t.Helper()
	program, err := exec.LookPath("nginx")
	if err != nil {
		t.Fatal("there is no nginx, which is tested in front of JupyterHub (Debian: apt install nginx-light)")
	}
	dir := t.TempDir()
	ports := freePorts(t)
	c.http, c.https = fmt.Sprintf("127.0.0.1:%d", ports[0]), fmt.Sprintf("127.0.0.1:%d", ports[1])
	c.certificate(t, dir)
	temporary := "access_log off;"
	for _, kind := range []string{"client_body", "proxy", "fastcgi", "uwsgi", "scgi"} {
		temporary += fmt.Sprintf(" %s_temp_path %s;", kind, filepath.Join(dir, kind))
	}
	replaced := []string{
		"http {", "http {\n" + temporary, "/etc/ssl/course/", dir + "/",
		"listen 80", "listen " + c.http, "listen 443", "listen " + c.https, "127.0.0.1:8000", fmt.Sprintf("127.0.0.1:%d", c.ports[0]),
	}
	const name = "hub/nginx.conf"
	text := readFile(t, name)
	for k := 0; k < len(replaced); k += 2 {
		if !strings.Contains(text, replaced[k]) {
			t.Fatalf("%s has no %q", name, replaced[k])
		}
		text = strings.ReplaceAll(text, replaced[k], replaced[k+1])
	}
	conf := filepath.Join(dir, "nginx.conf")
	must.Do(t, os.WriteFile(conf, []byte(text), 0o600))
	log := must.Get(os.Create(filepath.Join(dir, "log"))).Or(t)
	ctx, end := context.WithCancel(context.Background())
	cmd := processes.Command(ctx, program, "-e", "stderr", "-c", conf, "-g", "daemon off; user root; pid "+filepath.Join(dir, "pid")+";")
	cmd.Stderr = log
	must.Do(t, cmd.Start())
	ended := make(chan struct{})
	go func() { _ = cmd.Wait(); close(ended) }()
	t.Cleanup(func() { end(); <-ended; log.Close() })
	for {
		if conn, err := net.Dial("tcp", c.https); err == nil {
			conn.Close()
			return
		}
		select {
		case <-ended:
			said, _ := os.ReadFile(log.Name())
			t.Fatalf("nginx has ended instead of listening:\n%s", said)
		case <-time.After(10 * time.Millisecond):
		}
	}
}

// certificate makes one that names the host and those below it.
func (c *classroom) certificate(t *testing.T, dir string) {
	t.Helper()
	key := must.Get(ecdsa.GenerateKey(elliptic.P256(), rand.Reader)).Or(t)
	template := &x509.Certificate{SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: courseHost}, DNSNames: []string{courseHost, "*." + courseHost},
		NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(24 * time.Hour)}
	signed := must.Get(x509.CreateCertificate(rand.Reader, template, template, &key.PublicKey, key)).Or(t)
	private := must.Get(x509.MarshalPKCS8PrivateKey(key)).Or(t)
	for name, block := range map[string]*pem.Block{"fullchain.pem": {Type: "CERTIFICATE", Bytes: signed}, "key.pem": {Type: "PRIVATE KEY", Bytes: private}} {
		must.Do(t, os.WriteFile(filepath.Join(dir, name), pem.EncodeToMemory(block), 0o600))
	}
	made := must.Get(x509.ParseCertificate(signed)).Or(t)
	c.roots.AddCert(made)
}

// from is the way of a browser with this address, one of 127.0.0.0/8, to nginx, by the names of
// the course.
func (c *classroom) from(address string) *http.Transport {
	return &http.Transport{
		TLSClientConfig: &tls.Config{RootCAs: c.roots},
		DialContext: func(ctx context.Context, network, at string) (net.Conn, error) {
			switch {
			case strings.HasSuffix(at, ":443"):
				at = c.https
			case strings.HasSuffix(at, ":80"):
				at = c.http
			}
			return (&net.Dialer{LocalAddr: &net.TCPAddr{IP: net.ParseIP(address)}}).DialContext(ctx, network, at)
		},
		DisableKeepAlives: true,
	}
}

// backup and restore are the README's commands for the hub's state.
const (
	backup  = `tar -C "$MARGINALIA_STATE" -czf hub.tar.gz .`
	restore = `mkdir -m 700 "$MARGINALIA_STATE" && tar -C "$MARGINALIA_STATE" -xzf hub.tar.gz`
)

// comesBack ends the hub, saves its state as README.md says, loses it, and brings it back: who
// was logged in is, with the same tokens.
func (c *classroom) comesBack(t *testing.T, stop func()) {
	t.Helper()
	stop()
	dir := t.TempDir()
	for _, command := range []string{backup, `rm -r "$MARGINALIA_STATE"`, restore} {
		if strings.Contains(command, "tar") && !strings.Contains(readFile(t, "README.md"), "\n"+command+"\n") {
			t.Errorf("README.md has no line %q", command)
		}
		cmd := exec.Command("sh", "-c", command)
		cmd.Dir, cmd.Env = dir, append(os.Environ(), "MARGINALIA_STATE="+c.state)
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("%s: %v\n%s", command, err, out)
		}
	}
	defer c.start(t, false)()
	if status, body := c.victim.browse(t, "/hub/home"); status != http.StatusOK || !strings.Contains(body, "/hub/logout") {
		t.Errorf("/hub/home in the browser: status %d: %.500s", status, body)
	}
	c.victim.try(t, http.MethodGet, "/hub/api/users/"+victim, nil, http.StatusOK)
}
