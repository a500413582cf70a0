//go:build unix

package jupyter

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"marginalia/internal/notebook/nbformat"
)

// A Result is what an executed cell has shown.
//
// A program may change a display after its cell has ended, from a later cell,
// or publish late: so the Outputs of a Result change while later code is
// executed, until Shutdown. Jupyter's frontends show the same.
type Result struct {
	Outputs        []nbformat.Output // in order; adjacent stream outputs of one name are one
	ExecutionCount int               // 1, 2, 3, … as the kernel counts; 0 if it did not say
	Failed         bool              // the kernel reported an error
	EName, EValue  string            // of the error
	Traceback      []string          // of the error

	page  bool   // the program sends to a page in a browser, or waits for one
	clear bool   // clear_output was asked for, to be done before the next output
	size  int    // bytes of all outputs
	text  []byte // of the last output if that is a stream and grows; Text follows in settle
}

// MaxOutput is how many bytes one request may show before it is stopped: a
// program that prints in an endless loop would fill the memory.
const MaxOutput = 32 << 20

// ErrMaxOutput is the cause of a StoppedError of code that showed more than MaxOutput.
var ErrMaxOutput = fmt.Errorf("the code showed more than %d MiB", MaxOutput>>20)

// pageTime is how long code that asked for a page may show nothing: longer than
// GoNB looks for one, which is three seconds. Tests change it.
var pageTime = 10 * time.Second

// ErrNoPage is the cause of a StoppedError of code that needs a front end, as GoNB's
// widgets and dom do: there is none here, so it would wait for ever.
var ErrNoPage = errors.New("the code waits for a page in a browser (widgets, dom, comms), and there is none: run it in JupyterLab, or tag the cell skip-execution")

// A StoppedError reports that the context of Execute was done before the code,
// that the code showed more than MaxOutput, or that it waits for a page.
type StoppedError struct {
	Cause  error // context.Cause of the context
	Killed bool  // the code ignored the interrupt, so that the kernel was killed
}

func (e *StoppedError) Error() string {
	if e.Killed {
		return fmt.Sprintf("jupyter: execution did not react to an interrupt and was killed: %v", e.Cause)
	}
	return fmt.Sprintf("jupyter: execution interrupted: %v", e.Cause)
}

func (e *StoppedError) Unwrap() error { return e.Cause }

// interruptTime is how long interrupted code has to end before it is killed. Tests
// change it.
var interruptTime = 2 * time.Second

const (
	// interruptAgain is how often an interrupt is repeated meanwhile: GoNB drops
	// one that comes while it compiles.
	interruptAgain = 100 * time.Millisecond
	// lastWords is how long to wait for the messages that a dead kernel has sent.
	lastWords = 100 * time.Millisecond
)

// NextField is the field of an execute_request with the code that is to be executed after it.
const NextField = "marginalia_next"

// Execute executes code and returns what it showed, when the kernel has said
// that it is done. That the code failed is no error: see Result.Failed.
//
// When ctx is done first the code is interrupted, and after two seconds the
// kernel is killed; the error is then a *StoppedError. When the kernel dies it
// is a *DeadError. In both cases the Result has the outputs until then.
//
// If the caller knows what it will execute next, our kernel builds that meanwhile.
func (k *Kernel) Execute(ctx context.Context, code string, next ...string) (*Result, error) {
	k.executing.Lock()
	defer k.executing.Unlock()
	r := &Result{}
	defer r.settle()
	select {
	case <-k.Ended():
		return r, k.Death()
	default:
	}
	id, err := k.Request(Shell, "execute_request", map[string]any{
		NextField: next, "code": code, "silent": false, "store_history": true,
		"user_expressions": struct{}{}, "allow_stdin": false, "stop_on_error": true,
	})
	if err != nil {
		return r, fmt.Errorf("jupyter: sending the code: %w", err)
	}
	k.results[id] = r

	var (
		stopped       *StoppedError
		again         <-chan time.Time
		kill          <-chan time.Time
		silent        <-chan time.Time // of code that asked for a page
		done          = ctx.Done()
		replied, idle bool
	)
	stop := func(cause error) {
		if stopped == nil && err == nil {
			stopped = &StoppedError{Cause: cause}
			done, again, kill = nil, time.Tick(interruptAgain), time.After(interruptTime)
			err = k.Interrupt()
		}
	}
	for err == nil && !(replied && idle) {
		select {
		case m := <-k.Messages:
			if m.Parent.ID == id {
				replied = replied || m.Header.Type == "execute_reply"
				idle = idle || IsIdle(m)
			}
			err = k.take(m)
			if late := k.results[m.Parent.ID]; late != nil && late != r {
				late.settle()
			}
			if r.size > MaxOutput {
				stop(ErrMaxOutput)
			}
			if r.page && m.Parent.ID == id {
				silent = time.After(pageTime)
			}
		case <-silent:
			stop(ErrNoPage)
		case <-k.Ended():
			k.drain()
			if stopped != nil {
				stopped.Killed = true
				return r, stopped
			}
			return r, k.Death()
		case <-done:
			stop(context.Cause(ctx))
		case <-again:
			err = k.Interrupt()
		case <-kill:
			k.drain()
			k.Kill()
			stopped.Killed = true
			return r, stopped
		}
	}
	if err == nil && stopped != nil {
		err = stopped
	}
	return r, err
}

// drain takes the messages that are on their way.
func (k *Kernel) drain() {
	for {
		select {
		case m := <-k.Messages:
			if k.take(m) != nil {
				return
			}
		case <-time.After(lastWords):
			return
		}
	}
}

// IsIdle reports whether m is the last message that is published for its request.
func IsIdle(m Message) bool {
	var status struct {
		State string `json:"execution_state"`
	}
	return m.Header.Type == "status" && m.Decode(&status) == nil && status.State == "idle"
}

// A place is that of a display: an output of a result.
type place struct {
	result *Result
	index  int
}

// take brings a message into the result of the request that caused it.
func (k *Kernel) take(m Message) error {
	var c struct {
		Count     *int `json:"execution_count"`
		Status    string
		Name      string
		Text      string
		Data      map[string]any
		Metadata  map[string]any
		Transient struct {
			DisplayID string `json:"display_id"`
		}
		EName     string
		EValue    string
		Traceback []string
		Wait      bool
	}
	switch m.Header.Type {
	case "execute_reply", "execute_input", "stream", "display_data", "execute_result", "update_display_data", "error", "clear_output":
	default:
		return nil
	}
	if err := m.Decode(&c); err != nil {
		return err
	}
	if c.Transient.DisplayID != "" {
		for _, p := range k.displays[c.Transient.DisplayID] {
			p.result.Outputs[p.index].Data, p.result.Outputs[p.index].Metadata = c.Data, c.Metadata
		}
	}
	r := k.results[m.Parent.ID]
	if r == nil || m.Header.Type == "update_display_data" {
		return nil
	}
	r.size += len(m.Content)
	r.page = r.page || strings.HasPrefix(c.Transient.DisplayID, "gonb_websocket_")
	switch m.Header.Type {
	case "execute_reply":
		if c.Count != nil {
			r.ExecutionCount = *c.Count
		}
		if c.Status != "ok" {
			r.Failed, r.EName, r.EValue, r.Traceback = true, c.EName, c.EValue, c.Traceback
		}
	case "execute_input":
		if c.Count != nil {
			r.ExecutionCount = *c.Count
		}
	case "clear_output":
		if r.clear = c.Wait; !c.Wait {
			k.clearOutputs(r)
		}
	case "stream":
		k.show(r, nbformat.Output{Type: "stream", Name: c.Name, Text: c.Text})
	case "error":
		k.show(r, nbformat.Output{Type: "error", EName: c.EName, EValue: c.EValue, Traceback: c.Traceback})
	case "display_data", "execute_result":
		k.show(r, nbformat.Output{Type: m.Header.Type, Data: c.Data, Metadata: c.Metadata, ExecutionCount: c.Count})
		if id := c.Transient.DisplayID; id != "" {
			k.displays[id] = append(k.displays[id], place{r, len(r.Outputs) - 1})
		}
	}
	return nil
}

// show appends an output. Text of one stream follows on.
func (k *Kernel) show(r *Result, o nbformat.Output) {
	if r.clear {
		k.clearOutputs(r)
	}
	if r.size > MaxOutput {
		return
	}
	if last := len(r.Outputs) - 1; o.Type == "stream" && last >= 0 && r.Outputs[last].Type == "stream" && r.Outputs[last].Name == o.Name {
		if r.text == nil {
			r.text = []byte(r.Outputs[last].Text)
		}
		r.text = append(r.text, o.Text...)
		return
	}
	r.settle()
	r.Outputs = append(r.Outputs, o)
}

// settle gives the last output the text that has been gathered for it.
func (r *Result) settle() {
	if r.text != nil {
		r.Outputs[len(r.Outputs)-1].Text, r.text = string(r.text), nil
	}
}

func (k *Kernel) clearOutputs(r *Result) {
	r.Outputs, r.text, r.size, r.clear = nil, nil, 0, false
	for id, places := range k.displays {
		k.displays[id] = slices.DeleteFunc(places, func(p place) bool { return p.result == r })
	}
}

// Text returns what was written to the stream name, "stdout" or "stderr".
func (r *Result) Text(name string) string {
	var b strings.Builder
	for _, o := range r.Outputs {
		if o.Type == "stream" && o.Name == name {
			b.WriteString(o.Text)
		}
	}
	return b.String()
}
