package celltest

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"sync"
	"syscall"
	"time"
	"unicode/utf8"

	"marginalia/internal/display"
	"marginalia/internal/display/harness"
	"marginalia/internal/nbformat"
	"marginalia/internal/processes"
)

// shown is an output with the display id under which a later one replaces it.
type shown struct {
	nbformat.Output
	id string
}

// MaxOutput is how many bytes a cell may print and show before it is stopped: a
// program that prints in an endless loop would fill the memory. It is
// jupyter.MaxOutput, which holds on the kernel.
const MaxOutput = 32 << 20

var errMaxOutput = fmt.Errorf("it printed and showed more than %d MiB and was stopped", MaxOutput>>20)

// errNoPage is jupyter.ErrNoPage, which holds on the kernel.
var errNoPage = errors.New("it waits for a page in a browser (widgets, dom, comms), and there is none: tag it skip-execution")

// recorder collects the outputs of one process in the order in which they come,
// until there are more than MaxOutput bytes.
type recorder struct {
	mu   sync.Mutex
	outs []shown
	size int
	full chan struct{} // closed when size has passed MaxOutput; nothing is kept from then on
}

func newRecorder() *recorder { return &recorder{full: make(chan struct{})} }

func (r *recorder) add(out nbformat.Output, id string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	before := r.size
	r.size += len(out.Text)
	for _, v := range out.Data {
		if text, ok := v.(string); ok {
			r.size += len(text)
		}
	}
	switch {
	case r.size <= MaxOutput:
		r.outs = append(r.outs, shown{out, id})
	case before <= MaxOutput:
		close(r.full)
	}
}

// shown is how many bytes there have been.
func (r *recorder) shown() int {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.size
}

// overflown reports whether there was more output than is kept.
func (r *recorder) overflown() bool { return r.shown() > MaxOutput }

func (r *recorder) stream(name, text string) {
	r.add(nbformat.Output{Type: "stream", Name: name, Text: text}, "")
}

// named reports whether a display had an id.
func (r *recorder) named() bool {
	for _, o := range r.outs {
		if o.id != "" {
			return true
		}
	}
	return false
}

// copy records what comes from a pipe until it ends.
func (r *recorder) copy(name string, from io.Reader) {
	buf := make([]byte, 32<<10)
	var held []byte // the start of a character whose rest is to come
	for {
		n, err := from.Read(buf)
		text := append(held, buf[:n]...)
		held = nil
		if err == nil {
			text, held = splitRune(text)
		}
		if len(text) > 0 {
			r.stream(name, string([]rune(string(text)))) // each byte that is no UTF-8 becomes U+FFFD, as in JSON
		}
		if err != nil {
			return
		}
	}
}

// splitRune cuts off an incomplete character at the end of text.
func splitRune(text []byte) (whole, rest []byte) {
	for i := len(text) - 1; i >= max(0, len(text)-utf8.UTFMax); i-- {
		if utf8.RuneStart(text[i]) && !utf8.FullRune(text[i:]) {
			return text[:i], bytes.Clone(text[i:])
		}
	}
	return text, nil
}

// grace is how long a cell has to end after an interrupt, before it is killed. GoNB waits as long.
const grace = 5 * time.Second

// runProgram runs one cell program to its end and records what it prints and
// shows. Its standard input stays open and empty, as on the kernel. The error
// says what has gone wrong around the program; how the program itself ended is
// the last output.
func runProgram(ctx context.Context, cmd *exec.Cmd, rec *recorder, pageTime time.Duration) error {
	h, err := harness.New("", func(d display.Data) {
		// What was printed before is still in the pipes: let it through first.
		time.Sleep(time.Millisecond)
		rec.add(nbformat.Output{Type: "display_data", Data: d.Data, Metadata: d.Metadata}, d.DisplayID)
	})
	if err != nil {
		return err
	}
	cmd.Env = append(cmd.Env, h.Env()...)
	cmd.SysProcAttr = processes.Attributes()
	stdin, keepOpen, err := os.Pipe()
	if err != nil {
		return err
	}
	defer keepOpen.Close()
	defer stdin.Close()
	cmd.Stdin = stdin

	var wait sync.WaitGroup
	var ours []*os.File
	for _, s := range []struct {
		name string
		to   *io.Writer
	}{{"stdout", &cmd.Stdout}, {"stderr", &cmd.Stderr}} {
		r, w, err := os.Pipe()
		if err != nil {
			return err
		}
		defer r.Close()
		*s.to = w
		ours = append(ours, w)
		wait.Go(func() { rec.copy(s.name, r) })
	}
	err = cmd.Start()
	for _, w := range ours {
		w.Close()
	}
	if err != nil {
		h.Close()
		return fmt.Errorf("starting the program of the cell: %w", err)
	}
	ended, noPage := make(chan struct{}), false
	var watch sync.WaitGroup
	watch.Go(func() {
		asked, silent, shown := h.Asked(), (<-chan time.Time)(nil), 0
		for wait := true; wait; {
			wait = false
			select {
			case <-ended:
				return
			case <-ctx.Done():
			case <-h.Failed():
			case <-rec.full:
			case <-asked:
				asked, silent, shown, wait = nil, time.After(pageTime), rec.shown(), true
			case <-silent:
				if now := rec.shown(); now > shown {
					silent, shown, wait = time.After(pageTime), now, true
				} else {
					noPage = true
				}
			}
		}
		syscall.Kill(-cmd.Process.Pid, syscall.SIGINT)
		select {
		case <-ended:
		case <-time.After(grace):
			syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL)
		}
	})
	wait.Wait()
	err = cmd.Wait()
	close(ended)
	watch.Wait()
	herr := h.Close()
	if rec.overflown() {
		return errMaxOutput
	}
	if herr != nil {
		return herr
	}
	if noPage {
		return errNoPage
	}
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	var exit *exec.ExitError
	if errors.As(err, &exit) {
		rec.stream("stderr", exit.Error()+"\n")
		rec.add(failure(exit.Error()), "")
		return nil
	}
	return err
}

// failure is the error output that GoNB publishes for text.
func failure(text string) nbformat.Output {
	return nbformat.Output{Type: "error", EName: "ERROR", EValue: text, Traceback: []string{text}}
}
