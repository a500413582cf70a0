//go:build unix

package main

import (
	"slices"
	"time"

	"marginalia/internal/kernel/jupyter"
	"marginalia/internal/notebook/gonb"
)

// GoNB gets one cell at a time. The others wait here, so that an error or an interrupt can
// abort them as the protocol wants it (Messaging in Jupyter, "Execution results") and ipykernel
// does (ipython/ipykernel, ipykernel/kernelbase.py): they get the reply "aborted", are not
// counted and are in no history.

// queue takes an execute_request. It drops one that would crash GoNB, and adds fields without
// which GoNB would crash.
func (f *front) queue(m jupyter.Message) {
	r := &request{Message: m, came: time.Now(), cell: execution{StopOnError: true}}
	content := map[string]any{"silent": false}
	if m.Decode(&r.cell) != nil || m.Decode(&content) != nil {
		return
	}
	if _, said := content["store_history"]; !said {
		content["store_history"] = !r.cell.Silent
	}
	content["code"] = gonb.Timed(r.cell.Code)
	if edited, err := m.WithContent(content); err == nil {
		r.Message = edited
	}
	if f.stopped.before(r) {
		f.aborted(r)
		return
	}
	f.cells = append(f.cells, r)
	f.next()
	f.lookAhead()
}

// A stop is when a cell that failed had its reply, by the clock of the client that asked for it.
// Where that client or its way here is busy, some of what it asked for at once, as "Run All" does,
// comes only after the reply (ipykernel's stop_on_error_timeout is for these).
type stop struct {
	session string
	at      time.Time
	here    time.Time // by this computer's clock
}

// late is how long after the reply such a request is expected: a client whose clock is set back, or
// whose dates are all the same, has its cells run after that.
const late = 10 * time.Second

// stopOf returns the stop of a cell that ends now: the client can't see the reply earlier than as
// long after its request as the reply is sent after the request has come.
func stopOf(r *request) stop {
	asked, err := time.Parse(time.RFC3339, r.Header.Date)
	if err != nil {
		return stop{}
	}
	return stop{r.Header.Session, asked.Add(time.Since(r.came)), time.Now()}
}

// before reports whether a request was surely made before its client could know of the stop: some
// clients' dates have whole milliseconds.
func (s stop) before(r *request) bool {
	asked, err := time.Parse(time.RFC3339, r.Header.Date)
	return err == nil && r.Header.Session == s.session && time.Since(s.here) < late && asked.Add(time.Millisecond).Before(s.at)
}

// next sends GoNB the next cell when it is free. An interrupt that it has not answered might
// meet that cell.
func (f *front) next() {
	interrupts := func(r *request) bool { return r.Header.Type == "interrupt_request" }
	if f.gonb == nil || len(f.cells) == 0 || f.running() != nil || f.interrupts > 0 || slices.ContainsFunc(f.asked, interrupts) {
		return
	}
	r := f.cells[0]
	f.cells = f.cells[1:]
	f.asked = append(f.asked, r)
	_ = f.gonb.Send(r.Message) // to one that has died in vain; f.died has it in f.asked
}

// running returns the cell that GoNB has, nil if there is none.
func (f *front) running() *request {
	if i := slices.IndexFunc(f.asked, (*request).executes); i >= 0 {
		return f.asked[i]
	}
	return nil
}

// finish ends a cell that has its reply: what it has printed is sent before.
func (f *front) finish(r *request) {
	f.asked = slices.DeleteFunc(f.asked, func(other *request) bool { return other == r })
	f.endChecks(r)
	f.print(r.Message, "stderr", r.held.Release())
	if o := f.outputs.of[r.Header.ID]; r.slips != "" && o != nil && o.torn { // they begin in a line of their own
		r.slips = "\n" + r.slips
	}
	f.print(r.Message, "stderr", r.slips)
	f.outputs.end(f, r.Header.ID)
	stopped := stopOf(r) // before the reply, which a client may answer sooner than this goroutine goes on
	f.clients.send(*r.replied)
	f.state(r.Message, "idle")
	var c struct{ Status string }
	failed := r.replied.Decode(&c) != nil || c.Status == "error"
	if r.interrupted || failed && r.cell.StopOnError && !r.cell.Silent {
		f.stopped = stopped
		f.abort()
	}
	f.next()
	f.lookAhead()
	if f.builds != nil && f.running() == nil && len(r.cell.Next) == 0 {
		f.builds.Builder.Drop()
	}
}

// abort answers the cells that wait.
func (f *front) abort() {
	for _, r := range f.cells {
		f.aborted(r)
	}
	f.cells = nil
}

func (f *front) aborted(r *request) {
	f.state(r.Message, "busy")
	f.reply(r.Message, "execute_reply", map[string]any{"status": "aborted"})
	f.state(r.Message, "idle")
}

// interruptAgain is how often an interrupt is repeated: GoNB drops one that comes while it
// compiles.
const interruptAgain = 100 * time.Millisecond

// interrupted repeats the interrupt until the running cell has ended, and aborts those that
// wait: when that cell ends, or at once if there is none.
func (f *front) interrupted() {
	if r := f.running(); r != nil {
		r.interrupted = true
		f.interrupt = time.Tick(interruptAgain)
	} else {
		f.abort()
	}
}

// interruptGoNB interrupts what GoNB runs, if it does.
func (f *front) interruptGoNB() {
	if r := f.running(); r == nil || !r.interrupted {
		f.interrupt = nil
	} else if f.gonb.Interrupt() == nil { // else it has died, which is seen as ended
		f.interrupts++
	}
}
