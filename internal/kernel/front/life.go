//go:build unix

package main

import (
	"context"
	"fmt"
	"maps"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"marginalia/internal/cell/display"
	"marginalia/internal/kernel/jupyter"
	"marginalia/internal/notebook/gonb"
	"marginalia/internal/notebook/program"
	"marginalia/internal/notebook/workspace"
)

// A started is a new GoNB, or the reason why it did not start.
type started struct {
	gonb  *jupyter.Link
	err   error
	build string // the folder in which it builds cells
	lost  string // why it does not know what earlier cells declared
}

// start starts GoNB in the background. If it replaces a dead one, it is told the
// declarations of earlier cells and continues their numbers.
func (f *front) start() {
	ctx, cancel := context.WithCancel(f.life)
	f.gonb, f.abandon = nil, cancel
	spec, count := f.spec, f.count
	var source string
	spec.Env, spec.Dir, source = f.session.Again()
	spec.Env = append(spec.Env, workspace.DirEnv+"="+f.dir, display.SlidersEnv+"="+strconv.Itoa(f.sliders.most))
	go func() {
		var s started
		if s.gonb, s.err = jupyter.Open(ctx, spec); s.err == nil {
			s.build, s.err = folder(s.gonb)
		}
		if s.err == nil {
			f.serveBuilds(s.gonb, s.build, append(os.Environ(), spec.Env...))
		}
		if s.err == nil && count > 0 {
			s.lost, s.err = restore(s.gonb, source, count)
		}
		f.ready <- s
	}()
}

// started takes over the new GoNB and sends it the messages that came meanwhile.
func (f *front) started(s started) error {
	if s.err != nil {
		return s.err
	}
	f.gonb, f.build, f.idle = s.gonb, s.build, true
	if s.lost != "" {
		f.told += "What earlier cells declared could not be brought back, run them again: " + s.lost + "\n"
		f.session = program.NewSession(f.dir)
	}
	waiting := f.waiting
	f.waiting = nil
	for _, m := range waiting {
		f.take(m)
	}
	f.next()
	return nil
}

// folder asks a new GoNB where it builds cells.
func folder(gonb *jupyter.Link) (dir string, err error) {
	id, err := execute(gonb, "!*pwd", nil)
	if err != nil {
		return "", err
	}
	for {
		select {
		case m := <-gonb.Messages:
			var c struct{ Name, Text string }
			switch {
			case m.Parent.ID != id:
			case m.Header.Type == "stream" && m.Decode(&c) == nil && c.Name == "stdout":
				dir += c.Text
			case jupyter.IsIdle(m):
				return strings.TrimSpace(dir), nil
			}
		case <-gonb.Ended():
			return "", gonb.Death()
		}
	}
}

// restore makes a new GoNB memorise the declarations of a cell without running it, and sets
// its cell counter to count.
func restore(gonb *jupyter.Link, source string, count int) (lost string, err error) {
	id, err := execute(gonb, source, map[string]any{declareOnly: true})
	last := id
	for range count {
		if err == nil {
			last, err = execute(gonb, "", map[string]any{"store_history": true})
		}
	}
	if err != nil {
		return "", err
	}
	for {
		select {
		case m := <-gonb.Messages:
			if m.Header.Type != "execute_reply" {
				continue
			}
			var c struct{ Status, EValue string }
			if m.Parent.ID == id && m.Decode(&c) == nil && c.Status != "ok" {
				lost = c.EValue
			}
			if m.Parent.ID == last {
				return lost, nil
			}
		case <-gonb.Ended():
			return "", gonb.Death()
		}
	}
}

// declareOnly is the field of an execute_request with which our GoNB memorises what this cell
// declares and does not run it: see patch 0004 in internal/kernel/patches.
const declareOnly = "marginalia_declare_only"

// execute sends a silent request of this program's own, which is not counted unless more says
// so.
func execute(gonb *jupyter.Link, code string, more map[string]any) (id string, err error) {
	content := map[string]any{"code": code, "silent": true, "store_history": false, "user_expressions": struct{}{}, "allow_stdin": false}
	maps.Copy(content, more)
	return gonb.Request(jupyter.Shell, "execute_request", content)
}

// lastWords is how long to wait for the messages that a dead GoNB has sent.
const lastWords = 100 * time.Millisecond

// died starts GoNB again after its death. The running cell gets an error that says what
// happened.
func (f *front) died() error {
	for silent := false; !silent; {
		select {
		case m := <-f.gonb.Messages:
			f.pass(m)
		case <-time.After(lastWords):
			silent = true
		}
	}
	dead := f.gonb.Death()
	f.gonb.Kill()
	f.gonb = nil
	if dead.State == jupyter.Stopped {
		return dead // with this process, as whoever did it will have meant
	}
	if f.idle && len(f.asked) == 0 {
		return dead // it would do so again
	}
	asked := f.asked
	f.asked, f.interrupts = nil, 0
	if !slices.ContainsFunc(asked, (*request).executes) {
		f.told = why(dead, "") + " It was started again. " + kept + "\n"
	}
	var again []jupyter.Message
	for _, r := range asked {
		switch {
		case r.Header.Type == "interrupt_request":
			f.reply(r.Message, "interrupt_reply", map[string]any{"status": "ok"})
			f.state(r.Message, "idle")
		case !r.executes():
			again = append(again, r.Message)
		default:
			if r.replied == nil {
				f.fail(r, why(dead, r.cell.Code)+" It was started again, and the cell was not. "+kept)
			} else {
				f.remember(r)
			}
			f.finish(r)
		}
	}
	f.waiting = append(again, f.waiting...)
	f.start()
	return nil
}

const kept = "What earlier cells declared is still there."

// why says why GoNB has ended.
func why(dead *jupyter.DeadError, code string) string {
	how := dead.State
	for _, p := range gonb.Read("", code).Problems() {
		if p.Fatal {
			return "GoNB, which runs the cells, cannot stand this cell and has ended: " + p.What + "."
		}
	}
	if how == "signal: killed" {
		how += ", perhaps for want of memory"
	}
	return "GoNB, which runs the cells, has ended (" + how + ")."
}

// fail has a cell end with an error.
func (f *front) fail(r *request, text string) {
	if r.count == 0 { // GoNB has died before it said so
		f.count++
		r.count = f.count
	}
	content := map[string]any{"ename": "KernelDied", "evalue": text, "traceback": []string{text}}
	f.endChecks(r)
	f.print(r.Message, "stderr", r.held.Release())
	f.outputs.end(f, r.Header.ID)
	if !r.cell.Silent {
		f.say(r.Message, jupyter.IOPub, "error", content)
	}
	content["status"], content["execution_count"] = "error", r.count
	if m, err := r.Reply(r.Channel, "execute_reply", content); err == nil { // it is text and numbers
		r.replied = &m
	}
}

// tell shows in the next cell what has happened since the last one.
func (f *front) tell(r *request) {
	if f.told != "" {
		f.print(r.Message, "stderr", f.told)
		f.told = ""
	}
}

// remember adds the declarations of a cell that compiled to the session, as GoNB does.
func (f *front) remember(r *request) {
	var c struct{ Status, EValue string }
	if r.replied.Decode(&c) != nil {
		return
	}
	p := f.session.Step(fmt.Sprint(r.count), r.cell.Code)
	if c.Status == "ok" {
		r.slips = f.slips(r, p)
	}
	if c.Status == "ok" || exited.MatchString(strings.TrimSpace(c.EValue)) {
		f.session.Remember(p)
	}
}

// exited matches the error of a cell whose program compiled and ran.
var exited = regexp.MustCompile(`^(exit status \d+|signal: .*)$`)

// end ends gopls, and GoNB even if it is still starting.
func (f *front) end() {
	f.completer.Close()
	if f.gonb == nil {
		f.abandon()
		f.gonb = (<-f.ready).gonb
	}
	if f.gonb != nil {
		f.gonb.Shutdown()
	}
}
