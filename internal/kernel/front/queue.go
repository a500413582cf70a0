//go:build unix

package main

import (
	"slices"
	"time"

	"marginalia/internal/kernel/jupyter"
)

// GoNB gets one cell at a time. The others wait here, so that an error or an interrupt can
// abort them as the protocol wants it (Messaging in Jupyter, "Execution results") and ipykernel
// does (ipython/ipykernel, ipykernel/kernelbase.py): they get the reply "aborted", are not
// counted and are in no history.

// queue takes an execute_request. It drops one that would crash GoNB, and adds fields without
// which GoNB would crash.
func (f *front) queue(m jupyter.Message) {
	r := &request{Message: m, cell: execution{StopOnError: true}}
	content := map[string]any{"silent": false}
	if m.Decode(&r.cell) != nil || m.Decode(&content) != nil {
		return
	}
	if _, said := content["store_history"]; !said {
		content["store_history"] = !r.cell.Silent
	}
	if edited, err := m.WithContent(content); err == nil {
		r.Message = edited
	}
	f.cells = append(f.cells, r)
	f.next()
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
	f.print(r.Message, "stderr", r.held.release())
	f.outputs.end(f, r.Header.ID)
	f.clients.send(*r.replied)
	f.state(r.Message, "idle")
	var c struct{ Status string }
	failed := r.replied.Decode(&c) != nil || c.Status == "error"
	if r.interrupted || failed && r.cell.StopOnError && !r.cell.Silent {
		f.abort()
	}
	f.next()
}

// abort answers the cells that wait.
func (f *front) abort() {
	for _, r := range f.cells {
		f.state(r.Message, "busy")
		f.reply(r.Message, "execute_reply", map[string]any{"status": "aborted"})
		f.state(r.Message, "idle")
	}
	f.cells = nil
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
