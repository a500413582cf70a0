//go:build browser

package test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"

	"marginalia/internal/base/processes"
)

// An engine answers as much of Docker's API as DockerSpawner asks for, so that a test sees the
// very settings that Docker would get. A container is a process of this machine in a home
// of its own, with an address of its own of 127.0.0.0/8, and nothing keeps it from anything.
type engine struct {
	*httptest.Server
	python, packages, homes string
	network                 string // the first bytes of the containers' addresses

	down       atomic.Bool // it answers nobody
	mu         sync.Mutex
	containers map[string]*process // by name
	number     int
}

// A process stands for a container.
type process struct {
	name, address string
	asked         created
	cmd           *exec.Cmd
	ended         chan struct{}
}

// created is what the spawner asks for.
type created struct {
	Image      string
	Env, Cmd   []string
	User       string
	HostConfig struct {
		Binds, CapAdd, CapDrop, SecurityOpt, VolumesFrom, Links    []string
		Devices, DeviceRequests                                    []any
		Mounts                                                     []mount
		Tmpfs                                                      map[string]string
		PortBindings                                               map[string]any
		ReadonlyRootfs, Privileged, PublishAllPorts, AutoRemove    bool
		PidsLimit, Memory, MemorySwap, CpuQuota, CpuPeriod         int64
		NetworkMode, PidMode, IpcMode, UTSMode, UsernsMode, Cgroup string
		LogConfig                                                  struct {
			Type   string
			Config map[string]string
		}
	}
}

type mount struct {
	Type, Source, Target string
	ReadOnly             bool
	VolumeOptions        struct {
		DriverConfig struct {
			Name    string
			Options map[string]string
		}
	}
}

// environment is the value of a variable of the container.
func (c created) environment(name string) string {
	for _, kv := range c.Env {
		if value, ok := strings.CutPrefix(kv, name+"="); ok {
			return value
		}
	}
	return ""
}

// startEngine starts an engine whose containers run jupyterhub-singleuser with this Python.
func startEngine(t *testing.T, python, packages, homes string) *engine {
	t.Helper()
	e := &engine{python: python, packages: packages, homes: homes, containers: map[string]*process{},
		network: fmt.Sprintf("127.%d.%d", 1+os.Getpid()/250%250, 1+os.Getpid()%250)}
	mux := http.NewServeMux()
	mux.HandleFunc("GET /version", func(w http.ResponseWriter, _ *http.Request) { answer(w, http.StatusOK, object{"ApiVersion": "1.45"}) })
	mux.HandleFunc("GET /v1.45/images/{name}/json", func(w http.ResponseWriter, _ *http.Request) {
		answer(w, http.StatusOK, object{"Config": object{"Cmd": []string{"jupyterhub-singleuser"}}})
	})
	mux.HandleFunc("POST /v1.45/containers/create", e.create)
	mux.HandleFunc("GET /v1.45/containers/{name}/json", e.with(e.inspect))
	mux.HandleFunc("POST /v1.45/containers/{name}/start", e.with(e.run))
	mux.HandleFunc("POST /v1.45/containers/{name}/stop", e.with(func(w http.ResponseWriter, p *process) { p.end(syscall.SIGTERM); answer(w, http.StatusNoContent, nil) }))
	mux.HandleFunc("DELETE /v1.45/containers/{name}", e.with(func(w http.ResponseWriter, p *process) {
		p.end(syscall.SIGKILL)
		e.forget(p)
		answer(w, http.StatusNoContent, nil)
	}))
	e.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if e.down.Load() {
			panic(http.ErrAbortHandler)
		}
		mux.ServeHTTP(w, r)
	}))
	t.Cleanup(func() {
		for _, p := range e.all() {
			p.end(syscall.SIGKILL)
		}
		e.Close()
	})
	return e
}

func answer(w http.ResponseWriter, status int, content any) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	if content != nil {
		_ = json.NewEncoder(w).Encode(content)
	}
}

func (e *engine) all() (all []*process) {
	e.mu.Lock()
	defer e.mu.Unlock()
	for _, p := range e.containers {
		all = append(all, p)
	}
	return all
}

// container is a user's, or nil.
func (e *engine) container(user string) *process {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.containers["jupyter-"+user]
}

func (e *engine) forget(p *process) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.containers[p.name] == p {
		delete(e.containers, p.name)
	}
}

// with finds the container by its name, which is its id as well.
func (e *engine) with(f func(http.ResponseWriter, *process)) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		e.mu.Lock()
		p := e.containers[r.PathValue("name")]
		e.mu.Unlock()
		if p == nil {
			answer(w, http.StatusNotFound, object{"message": "No such container"})
			return
		}
		f(w, p)
	}
}

func (e *engine) create(w http.ResponseWriter, r *http.Request) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.number++
	p := &process{name: r.FormValue("name"), address: fmt.Sprintf("%s.%d", e.network, e.number), ended: make(chan struct{})}
	if err := json.NewDecoder(r.Body).Decode(&p.asked); err != nil {
		answer(w, http.StatusBadRequest, object{"message": err.Error()})
		return
	}
	e.containers[p.name] = p
	answer(w, http.StatusCreated, object{"Id": p.name})
}

func (e *engine) inspect(w http.ResponseWriter, p *process) {
	running := p.cmd != nil
	select {
	case <-p.ended:
		running = false
	default:
	}
	answer(w, http.StatusOK, object{"Id": p.name, "Config": object{"Env": p.asked.Env},
		"State":           object{"Running": running, "ExitCode": 0, "Error": "", "FinishedAt": ""},
		"NetworkSettings": object{"Networks": object{p.asked.HostConfig.NetworkMode: object{"IPAddress": p.address}}}})
}

// run starts the process, in the home that the container's volume names.
func (e *engine) run(w http.ResponseWriter, p *process) {
	err := func() error {
		var home string
		for _, m := range p.asked.HostConfig.Mounts {
			if m.Target == "/home/learner" {
				home = filepath.Join(e.homes, m.Source)
			}
		}
		if home == "" {
			return errors.New("no home is mounted")
		}
		if err := os.MkdirAll(home, 0o700); err != nil {
			return err
		}
		log, err := os.Create(home + ".log")
		if err != nil {
			return err
		}
		defer log.Close()
		p.cmd = processes.Command(context.Background(), e.python, append([]string{"-m", "jupyterhub.singleuser", "--allow-root"}, p.asked.Cmd[1:]...)...)
		p.cmd.Dir, p.cmd.Stdout, p.cmd.Stderr = home, log, log
		p.cmd.Env = []string{"PATH=" + os.Getenv("PATH"), "HOME=" + home, "PYTHONPATH=" + e.packages, "JUPYTER_PREFER_ENV_PATH=1"}
		for _, kv := range p.asked.Env {
			p.cmd.Env = append(p.cmd.Env, strings.ReplaceAll(kv, "0.0.0.0", p.address))
		}
		if err := p.cmd.Start(); err != nil {
			return err
		}
		go func() {
			_ = p.cmd.Wait()
			close(p.ended)
			if p.asked.HostConfig.AutoRemove {
				e.forget(p)
			}
		}()
		return nil
	}()
	if err != nil {
		answer(w, http.StatusInternalServerError, object{"message": err.Error()})
		return
	}
	answer(w, http.StatusNoContent, nil)
}

// end ends the process and those that it has started.
func (p *process) end(signal syscall.Signal) {
	if p.cmd == nil || p.cmd.Process == nil {
		return
	}
	_ = syscall.Kill(-p.cmd.Process.Pid, signal)
	<-p.ended
}
