// Package harness poses as the kernel's end of GoNB's display pipe, for cell
// programs that run without a kernel.
//
//	h, err := harness.New("", func(d display.Data) { fmt.Println(d.Data["text/plain"]) }, cancel)
//	…
//	cmd.Env = append(os.Environ(), h.Env()...)
//	err = cmd.Run()
//	h.Close()
package harness

import (
	"bytes"
	"encoding/gob"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"syscall"
	"time"

	"marginalia/internal/display"
)

// A Harness is the kernel's end of the display pipe: it records what one
// program shows, and acknowledges it. Widgets have no front end here: values
// sent to one are dropped, as GoNB drops them when no browser is connected.
type Harness struct {
	dir        string
	pipe, back string
	onShow     func(display.Data)
	onAsk      func()
	done       chan struct{} // closed when serve has returned
}

// New makes the two pipes, in a folder of its own within dir ("" is the
// system's), and waits for the program to open them. onShow is called with each
// display message before it is acknowledged, one at a time: in the form in which
// Jupyter stores it, binary content in base64, numbers as json.Number. onAsk is
// called when the program asks for what a page in a browser would send: it may
// wait for that. onError is called when the program can't go on: it waits for
// input, or sent what is no message. Close must be called when the program has
// ended.
func New(dir string, onShow func(display.Data), onAsk func(), onError func(error)) (*Harness, error) {
	if err := display.Register(); err != nil {
		return nil, err
	}
	dir, err := os.MkdirTemp(dir, "marginalia_pipe_")
	if err != nil {
		return nil, err
	}
	h := &Harness{onShow: onShow, onAsk: onAsk, dir: dir, pipe: filepath.Join(dir, "to_kernel"), back: filepath.Join(dir, "to_program"),
		done: make(chan struct{})}
	for _, p := range []string{h.pipe, h.back} {
		if err := syscall.Mkfifo(p, 0o600); err != nil {
			os.RemoveAll(dir)
			return nil, fmt.Errorf("display: making a named pipe in %s: %w", dir, err)
		}
	}
	go func() {
		defer close(h.done)
		if err := h.serve(); err != nil {
			onError(err)
		}
	}()
	return h, nil
}

// Env is what the program needs in its environment.
func (h *Harness) Env() []string {
	return []string{display.PipeEnv + "=" + h.pipe, display.BackEnv + "=" + h.back}
}

// serve reads until the program closes its end. The pipe back is opened beside
// that, as in the kernel: a program that waits for no answer never opens it.
func (h *Harness) serve() error {
	r, err := os.Open(h.pipe)
	if err != nil {
		return err
	}
	defer r.Close()
	answers := make(chan display.CommValue, 128) // GoNB's number
	defer close(answers)
	go answer(h.back, answers)
	dec := gob.NewDecoder(r)
	for {
		var d display.Data
		if err := dec.Decode(&d); err != nil {
			return nil // the end of the stream, within a message too if the program died there
		}
		if err := h.take(d, answers); err != nil {
			return err
		}
	}
}

// answer writes to the pipe back to the program, which may have ended meanwhile.
func answer(back string, answers <-chan display.CommValue) {
	w, err := os.OpenFile(back, os.O_WRONLY, 0)
	if err != nil {
		return
	}
	defer w.Close()
	enc := gob.NewEncoder(w)
	for v := range answers {
		enc.Encode(v)
	}
}

func (h *Harness) take(d display.Data, answers chan<- display.CommValue) error {
	if v, ok := d.Data[display.KeyComm].(display.CommValue); ok {
		if v.Address == display.SyncAddress {
			answers <- display.CommValue{Address: display.SyncAckAddress, Value: v.Value}
		}
		if v.Request {
			h.onAsk()
		}
		return nil
	}
	if v, ok := d.Data[display.KeyInput].(display.InputRequest); ok {
		return fmt.Errorf("display: the cell asks for input (%q): nobody is there to answer", v.Prompt)
	}
	if _, ok := d.Data[display.KeySubscribe]; ok {
		h.onAsk()
		return nil
	}
	message, err := json.Marshal(d)
	if err != nil {
		return fmt.Errorf("display: %w", err)
	}
	stored := display.Data{Data: display.Bundle{}, Metadata: display.Bundle{}}
	dec := json.NewDecoder(bytes.NewReader(message))
	dec.UseNumber()
	if err := dec.Decode(&stored); err != nil {
		return fmt.Errorf("display: %w", err)
	}
	h.onShow(stored)
	return nil
}

// Close waits for the last message of a program that has ended, and removes the pipes.
func (h *Harness) Close() {
	defer os.RemoveAll(h.dir)
	// A program that never showed anything left serve waiting in an open:
	// take the program's part until it comes through.
	if back, err := os.OpenFile(h.back, os.O_RDONLY|syscall.O_NONBLOCK, 0); err == nil {
		defer back.Close()
	}
	for {
		select {
		case <-h.done:
			return
		default:
		}
		if f, err := os.OpenFile(h.pipe, os.O_WRONLY|syscall.O_NONBLOCK, 0); err == nil {
			f.Close()
		}
		select {
		case <-h.done:
		case <-time.After(time.Millisecond):
		}
	}
}
