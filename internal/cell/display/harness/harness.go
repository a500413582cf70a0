//go:build unix

// Package harness poses as the kernel's end of GoNB's display pipe, for cell
// programs that run without a kernel.
//
//	h, err := harness.New(func(d display.Data) { fmt.Println(d.Data["text/plain"]) }, asked, refuse, cancel)
//	…
//	cmd.Env = append(os.Environ(), h.Env()...)
//	err = cmd.Run()
//	h.Close()
package harness

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"syscall"

	"marginalia/internal/cell/display"
)

// A Harness is the kernel's end of the display pipe: it records what one
// program shows, and acknowledges it. Widgets have no front end here: values
// sent to one are dropped, as GoNB drops them when no browser is connected.
type Harness struct {
	dir     string
	onShow  func(display.Data)
	onAsk   func()
	onInput func()
	onError func(error)
	own     *os.File // our hold on the pipe: it ends when the program and we have let go
	done    chan struct{}
}

// New makes the two pipes, in a folder of their own. onShow is called with each display message before it is
// acknowledged, one at a time: in the form in which Jupyter stores it, binary
// content in base64, numbers as json.Number. onAsk is called when the program
// asks for what a page in a browser would send: it may wait for that. onInput is
// called when it asks for a line that somebody types. onError is called when it
// sent what is no message, and can't go on. Close must be called when the program has ended.
func New(onShow func(display.Data), onAsk, onInput func(), onError func(error)) (*Harness, error) {
	if err := display.Register(); err != nil {
		return nil, err
	}
	dir, err := os.MkdirTemp("", "marginalia_pipe_")
	if err != nil {
		return nil, err
	}
	h := &Harness{dir: dir, onShow: onShow, onAsk: onAsk, onInput: onInput, onError: onError, done: make(chan struct{})}
	for _, name := range []string{toKernel, toProgram} {
		err = errors.Join(err, syscall.Mkfifo(filepath.Join(dir, name), 0o600))
	}
	open := func(name string, mode int) (f *os.File) {
		if err == nil {
			f, err = os.OpenFile(filepath.Join(dir, name), mode, 0)
		}
		return f
	}
	// Whoever opens a pipe for both directions does not wait for another end, and
	// no other end has to wait then.
	h.own = open(toKernel, os.O_RDWR)
	from := open(toKernel, os.O_RDONLY)
	back := open(toProgram, os.O_RDWR)
	if err != nil {
		os.RemoveAll(dir)
		return nil, fmt.Errorf("display: making named pipes: %w", err)
	}
	go h.serve(from, back)
	return h, nil
}

// The pipes of a harness, in its folder.
const (
	toKernel  = "to_kernel"
	toProgram = "to_program"
)

// Env is what the program needs in its environment.
func (h *Harness) Env() []string {
	return []string{display.PipeEnv + "=" + filepath.Join(h.dir, toKernel), display.BackEnv + "=" + filepath.Join(h.dir, toProgram)}
}

// serve reads to the end of the stream, which is within a message if the program died there.
func (h *Harness) serve(from, back *os.File) {
	defer close(h.done)
	for _, f := range []*os.File{h.own, from, back} {
		defer f.Close() // a program that goes on writing does not wait
	}
	if err := (Server{h.onShow, h.onAsk, func(display.InputRequest) { h.onInput() }}).Serve(from, back); err != nil {
		h.onError(err)
	}
}

// Close waits for the last message of a program that has ended, and removes the pipes.
func (h *Harness) Close() {
	h.own.Close()
	<-h.done
	os.RemoveAll(h.dir)
}
