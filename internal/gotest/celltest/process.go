package celltest

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os/exec"
	"slices"
	"sync"
	"syscall"
	"time"
	"unicode/utf8"

	"marginalia/internal/cell/display"
	"marginalia/internal/cell/display/harness"
	"marginalia/internal/notebook/nbformat"
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
	stop     context.CancelCauseFunc // ends the process
	pageTime time.Duration           // how long it may be silent once it has asked a page

	left *process // that has ended and left others running, which a later cell may use

	mu     sync.Mutex
	outs   []*shown
	size   int         // in bytes; past MaxOutput nothing is kept
	silent *time.Timer // runs while it waits for a page
}

// asked has the process end unless it shows something before long.
func (r *recorder) asked() {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.silent == nil {
		r.silent = time.AfterFunc(r.pageTime, func() { r.stop(errNoPage) })
	}
}

// endLeft ends what the process has left running.
func (r *recorder) endLeft() {
	if r.left != nil {
		r.left.signal(syscall.SIGKILL)
		r.left = nil
	}
}

// ended tells that the process waits for nothing any more.
func (r *recorder) ended() {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.silent != nil {
		r.silent.Stop()
	}
}

func (r *recorder) add(out nbformat.Output, id string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.size += len(out.Text)
	for _, v := range out.Data {
		if text, ok := v.(string); ok {
			r.size += len(text)
		}
	}
	if r.size > MaxOutput {
		r.stop(errMaxOutput)
		return
	}
	if r.silent != nil {
		r.silent.Reset(r.pageTime)
	}
	r.outs = append(r.outs, &shown{out, id})
}

func (r *recorder) stream(name, text string) {
	r.add(nbformat.Output{Type: "stream", Name: name, Text: text}, "")
}

// named reports whether a display had an id.
func (r *recorder) named() bool {
	return slices.ContainsFunc(r.outs, func(o *shown) bool { return o.id != "" })
}

// A stream is what a process prints on its standard output or error.
type stream struct {
	rec  *recorder
	name string
	held []byte // the start of a character whose rest is to come
}

func (s *stream) Write(p []byte) (int, error) {
	var text []byte
	text, s.held = splitRune(append(s.held, p...))
	s.record(text)
	return len(p), nil
}

func (s *stream) record(text []byte) {
	if len(text) > 0 {
		s.rec.stream(s.name, string([]rune(string(text)))) // each byte that is no UTF-8 becomes U+FFFD, as in JSON
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

// grace is how long a cell has to end after an interrupt, before it is killed.
// GoNB waits as long. What a program leaves running may print for as long, too.
var grace = 5 * time.Second

// runProgram runs one cell program to its end and records what it prints and
// shows. Its standard input ends when it reads, as on the kernel. It is stopped
// when its context ends, which rec.stop does. If it is to be apart, its parent is a process that
// does nothing else, and what it has started and not ended goes on. The error says what has gone
// wrong around the program; how the program itself ended is the last output.
func runProgram(ctx context.Context, cmd *exec.Cmd, apart bool, rec *recorder) error {
	pipe, err := cmd.StdinPipe()
	if err != nil {
		return err
	}
	stdin := newInput(pipe, rec)
	h, err := harness.New(func(d display.Data) {
		// What was printed before is still in the pipes: let it through first.
		time.Sleep(time.Millisecond)
		rec.add(nbformat.Output{Type: "display_data", Data: d.Data, Metadata: d.Metadata}, d.DisplayID)
	}, rec.asked, stdin.refuse, rec.stop)
	if err != nil {
		stdin.end()
		return err
	}
	stdout, stderr := &stream{rec: rec, name: "stdout"}, &stream{rec: rec, name: "stderr"}
	cmd.Stdout, cmd.Stderr = stdout, stderr
	cmd.Env = append(cmd.Env, h.Env()...)
	cmd.WaitDelay = grace
	p, ended := &process{cmd: cmd}, ""
	if err = p.start(apart); err == nil {
		running, stop := context.WithCancel(ctx)
		watched := make(chan struct{})
		go func() {
			defer close(watched)
			stdin.watch(running, int(p.pid.Load()))
		}()
		ended, err = p.wait()
		stop()
		<-watched
	}
	if p.goesOn() {
		if rec.left = p; !apart || err != nil || ctx.Err() != nil {
			rec.endLeft()
		}
	}
	h.Close()
	rec.ended()
	stdout.record(stdout.held)
	stderr.record(stderr.held)
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	if ended != "" {
		rec.stream("stderr", ended+"\n")
		rec.add(failure(ended), "")
	}
	return err
}

// failure is the error output that GoNB publishes for text.
func failure(text string) nbformat.Output {
	return nbformat.Output{Type: "error", EName: "ERROR", EValue: text, Traceback: []string{text}}
}
