// Package kerneltest is a host of kernels on this computer, for tests: it has Go's own compiler and
// linker, and cells are processes.
package kerneltest

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"testing"

	"marginalia/internal/base/repo/repotest"
	"marginalia/internal/browser/kernel"
	"marginalia/internal/browser/manifest"
	"marginalia/internal/browser/toolchain"
	"marginalia/internal/cell/display"
)

// New returns a kernel on this computer, whose cells may import what patterns match.
func New(t testing.TB, patterns ...string) *kernel.Kernel {
	t.Helper()
	m, err := toolchain.Here(t.Context(), repotest.Root(t), patterns)
	if err != nil {
		t.Fatal(err)
	}
	return Of(t, m)
}

// Of returns a kernel whose cells may import what a manifest of package toolchain's Here has.
func Of(t testing.TB, m *manifest.Manifest) *kernel.Kernel {
	return kernel.New(host{t.Context(), t.TempDir()}, m, t.TempDir())
}

// A host builds in a folder, until the context is done.
type host struct {
	ctx  context.Context
	work string
}

// Load finds all files where their names say: in the cache of the go command.
func (host) Load([]manifest.File) (dir string, err error) { return "", nil }

func (h host) Work() string { return h.work }

func (h host) Tool(name string, args ...string) (said string, status int, err error) {
	out, err := exec.CommandContext(h.ctx, "go", append([]string{"tool", name}, args...)...).CombinedOutput()
	if exit, ok := errors.AsType[*exec.ExitError](err); ok {
		return string(out), exit.ExitCode(), nil
	}
	return string(out), 0, err
}

// Begin does nothing: the linker reads all when it runs.
func (host) Begin(...string) {}

func (h host) Start(p kernel.Process) (kernel.Running, error) {
	from, pipe, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	back, answers, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	r := &running{cmd: exec.CommandContext(h.ctx, p.File), answers: answers, shown: make(chan struct{})}
	var mu sync.Mutex
	write := func(to kernel.Stream) writer {
		return func(data []byte) (int, error) {
			mu.Lock()
			defer mu.Unlock()
			p.Wrote(to, data)
			return len(data), nil
		}
	}
	r.cmd.Args, r.cmd.Dir = p.Args, p.Dir
	r.cmd.Env = append(p.Env, display.PipeEnv+"=/dev/fd/3", display.BackEnv+"=/dev/fd/4", "TMPDIR="+filepath.Clean(h.work))
	r.cmd.Stdout, r.cmd.Stderr, r.cmd.ExtraFiles = write(kernel.Stdout), write(kernel.Stderr), []*os.File{pipe, back}
	if err := r.cmd.Start(); err != nil {
		return nil, err
	}
	pipe.Close()
	back.Close()
	go func() {
		defer close(r.shown)
		for data := make([]byte, 64<<10); ; {
			n, err := from.Read(data)
			if n > 0 {
				_, _ = write(kernel.Display)(data[:n])
			}
			if err != nil {
				from.Close()
				return
			}
		}
	}()
	return r, nil
}

type writer func([]byte) (int, error)

func (w writer) Write(data []byte) (int, error) { return w(data) }

type running struct {
	cmd     *exec.Cmd
	answers *os.File
	shown   chan struct{} // closed when the program can show nothing more
}

func (r *running) Answer(data []byte) { _, _ = r.answers.Write(data) } // a program that has ended wants none

// Type does nothing: the input of these programs has ended.
func (r *running) Type([]byte) {}

func (r *running) Wait() (ended string) {
	err := r.cmd.Wait()
	<-r.shown
	r.answers.Close()
	if err != nil {
		return err.Error()
	}
	return ""
}
