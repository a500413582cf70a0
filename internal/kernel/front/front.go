//go:build unix

package main

import (
	"context"
	"os"
	"slices"
	"strings"
	"syscall"
	"time"

	"marginalia/internal/kernel/buildserver"
	"marginalia/internal/kernel/complete"
	"marginalia/internal/kernel/jupyter"
	"marginalia/internal/notebook/checks"
	"marginalia/internal/notebook/mistake"
	"marginalia/internal/notebook/program"
)

// A front stands between Jupyter's clients and GoNB. Only the goroutine of run uses it.
type front struct {
	life     context.Context
	clients  *clients
	signals  <-chan os.Signal
	orphaned <-chan struct{}

	spec    jupyter.Spec
	dir     string        // of the notebook
	gonb    *jupyter.Link // nil while it is being started
	ready   chan started
	abandon context.CancelFunc // what is being started

	waiting    []jupyter.Message // came while GoNB was being started
	cells      []*request        // that GoNB has not got yet
	stopped    stop              // the last that aborted some
	asked      []*request        // that GoNB has not answered, the oldest first; one cell at most
	idle       bool              // GoNB has answered nothing since it was started
	interrupt  <-chan time.Time  // when to repeat an interrupt
	interrupts int               // of this program that GoNB has not answered
	outputs    outputs

	session  *program.Session // what GoNB has memorised
	sources  map[int]string   // of the cells that were executed, by their count
	executed map[string]bool  // the ids of those cells, as far as clients say them
	count    int              // the last one
	told     string           // to tell in the next cell that runs

	toldKernel bool // that the notebook was written for another kernel

	build     string // the folder in which GoNB builds cells
	builds    *buildserver.Server
	completer *complete.Completer
	answers   chan answer

	sliders *sliders
}

// A request is a request that was sent to GoNB.
type request struct {
	jupyter.Message
	came        time.Time        // if it is an execute_request
	cell        execution        // if it is an execute_request
	count       int              // of its cell; 0 until GoNB has said it
	replied     *jupyter.Message // what GoNB has replied, which clients get when all is published
	idle        bool             // all is published that is
	interrupted bool
	raw         bool          // its errors come as GoNB writes them
	held        mistake.Held  // what it wrote to stderr and clients have not got
	slips       string        // what vet has found in it
	asked       bool          // whether it is a %test cell
	foreseen    bool          // its program is being built, or is not to be before it is asked for
	checks      *checks.Words // words what that prints, nil if it is none
}

// execution is the content of an execute_request, as far as it matters here.
type execution struct {
	Code        string `json:"code"`
	Silent      bool   `json:"silent"`
	StopOnError bool   `json:"stop_on_error"` // true if it is not said

	Next []string `json:"marginalia_next"` // of jupyter.NextField: what the client executes after it
}

func (r *request) executes() bool { return r.Header.Type == "execute_request" }

// answered are the requests that GoNB answers.
var answered = map[string]bool{
	"inspect_request": true, "kernel_info_request": true, "comm_info_request": true, "interrupt_request": true,
}

// run serves the clients until they or whoever started this process end it.
func (f *front) run() error {
	f.start()
	defer f.end()
	for {
		var messages <-chan jupyter.Message
		var ended <-chan struct{}
		if f.gonb != nil {
			messages, ended = f.gonb.Messages, f.gonb.Ended()
		}
		select {
		case m := <-f.clients.messages:
			if m.Header.Type == "shutdown_request" {
				f.reply(m, "shutdown_reply", shutdownContent(m))
				return nil
			}
			f.take(m)
		case m := <-messages:
			f.pass(m)
		case <-ended:
			if err := f.died(); err != nil {
				return err
			}
		case s := <-f.ready:
			if err := f.started(s); err != nil {
				return err
			}
		case a := <-f.answers:
			f.answered(a)
		case m := <-f.sliders.messages:
			f.hear(m)
		case <-f.outputs.due:
			f.outputs.send(f)
		case <-f.interrupt:
			f.interruptGoNB()
		case s := <-f.signals:
			if s != syscall.SIGINT {
				return nil
			}
			f.interrupted()
			f.interruptGoNB()
		case <-f.orphaned:
			return nil
		}
	}
}

// take takes a message of a client.
func (f *front) take(m jupyter.Message) {
	switch {
	case m.Header.Type == "is_complete_request":
		f.reply(m, "is_complete_reply", map[string]any{"status": "unknown"})
	case strings.HasPrefix(m.Header.Type, "comm_") && f.slider(m):
	case m.Header.Type == "execute_request":
		f.queue(m)
	case f.gonb == nil && m.Header.Type == "interrupt_request":
		f.interrupted()
		f.reply(m, "interrupt_reply", map[string]any{"status": "ok"})
	case f.gonb == nil:
		f.waiting = append(f.waiting, m)
	case m.Header.Type == "complete_request" || m.Header.Type == "inspect_request":
		f.explain(m)
	default:
		f.ask(m)
	}
}

// ask passes a message on to GoNB.
func (f *front) ask(m jupyter.Message) {
	if answered[m.Header.Type] {
		f.asked = append(f.asked, &request{Message: m})
	}
	if m.Header.Type == "interrupt_request" {
		f.interrupted()
	}
	_ = f.gonb.Send(m) // to one that has died in vain; f.died has it in f.asked
}

// pass passes a message of GoNB on to the clients. What a cell prints goes out together, before
// whatever else the cell shows; its reply and that it is idle go out when GoNB has sent both,
// since they come by different sockets.
func (f *front) pass(m jupyter.Message) {
	if m.Parent.Session == f.gonb.Session { // this program's own
		if m.Header.Type == "interrupt_reply" {
			f.interrupts--
			f.next()
		}
		return
	}
	if m.Channel == jupyter.IOPub && len(m.IDs) > 0 {
		m.IDs = m.IDs[1:] // the first one is f's
	}
	var r *request
	if i := slices.IndexFunc(f.asked, func(r *request) bool { return r.Header.ID == m.Parent.ID }); i >= 0 {
		r = f.asked[i]
		m = f.edit(r, m)
		if m.Channel == jupyter.Shell {
			f.idle, r.replied = false, &m
			m.Channel = r.Channel // GoNB answers requests on the control channel here
		}
		r.idle = r.idle || jupyter.IsIdle(m)
	}
	switch {
	case m.Header.Type == "":
	case r != nil && r.executes() && (m.Header.Type == "execute_reply" || jupyter.IsIdle(m)):
		if r.replied != nil && r.idle {
			f.remember(r)
			f.finish(r)
		}
	case m.Header.Type == "stream":
		var c struct{ Name, Text string }
		_ = m.Decode(&c) // it is GoNB's
		switch {
		case r == nil:
		case c.Name == "stdout":
			c.Text = f.check(r, c.Text)
		case !r.raw:
			c.Text = r.held.Take(mistake.Unknown(c.Text))
		}
		f.print(jupyter.Message{IDs: m.IDs, Header: m.Parent}, c.Name, c.Text)
	default:
		switch {
		case m.Header.Type == "error":
			f.outputs.end(f, m.Parent.ID)
		case m.Header.Type != "update_display_data" && !strings.HasPrefix(m.Header.Type, "comm_"):
			f.outputs.send(f)
		}
		f.clients.send(m)
		if r != nil && r.replied != nil && !r.executes() {
			f.asked = slices.DeleteFunc(f.asked, func(other *request) bool { return other == r })
			f.next()
		}
	}
}

// edit records what GoNB says about a request, and improves its text. It returns the zero
// Message if clients should get nothing.
func (f *front) edit(r *request, m jupyter.Message) jupyter.Message {
	switch m.Header.Type {
	case "kernel_info_reply":
		return withLanguage(m)
	case "execute_input":
		var c struct {
			Count int `json:"execution_count"`
		}
		if m.Decode(&c) == nil {
			r.count, f.count, f.sources[c.Count], f.executed[r.CellID()] = c.Count, c.Count, r.cell.Code, true
		}
		f.tell(r)
		f.dismissCell(r)
		env, _, _ := f.session.Again()
		r.raw = rawIn(env) || rawIn(os.Environ())
		return withCode(m, r.cell.Code)
	case "display_data":
		if f.adopt(r, m) {
			return jupyter.Message{}
		}
	case "error": // the execute_reply says the same, but comes before what was published, or after
		f.endChecks(r)
		return f.word(r, m)
	}
	return m
}

// reply answers a request in GoNB's place, on the channel of the request.
func (f *front) reply(to jupyter.Message, kind string, content any) {
	f.say(to, to.Channel, kind, content)
}

// say sends a message of the front's own to the client of a request, or publishes it.
func (f *front) say(to jupyter.Message, ch jupyter.Channel, kind string, content any) {
	if m, err := to.Reply(ch, kind, content); err == nil { // it is text and numbers
		f.clients.send(m)
	}
}

func shutdownContent(m jupyter.Message) map[string]any {
	var c struct {
		Restart bool `json:"restart"`
	}
	_ = m.Decode(&c) // without content it is no restart
	return map[string]any{"status": "ok", "restart": c.Restart}
}
