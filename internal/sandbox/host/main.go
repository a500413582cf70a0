package host

import (
	"bufio"
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"runtime/debug"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"marginalia/internal/sandbox/guest"
	"marginalia/internal/sandbox/guest/wire"
)

// A Request is a line of the judge's standard input: run these tests against this guest.
type Request struct {
	Wasm    string    // file
	Student string    // id, in the environment of the judge from its start
	Tests   []string  // functions
	Seconds []float64 // of the processor, for each of Tests
	Limits  guest.Limits
	// Compiled leaves the interpreter out: what a test takes then is what its limit follows from.
	Compiled bool
	Files    []string `json:",omitempty"` // in the judge's working directory, that the guest can read too
	Cells    *Cells   `json:",omitempty"` // run cells, not tests
	Spent    float64  `json:",omitempty"` // of Cells.Seconds, by cells before these
}

// A Result is what became of one test function. Checks has the function first, then its subtests.
type Result struct {
	Checks  []Check
	Output  string // what the student's code printed
	Seconds float64
	// Stubs are the answers, by cell, whose functions the test has called and found missing, if it has called no others: all
	// that it knows of the guest is that these are not there.
	Stubs []string `json:",omitempty"`
	Run   *Run     `json:",omitempty"` // of a cell
}

// A Reply is a line of the judge's standard output: one for each test of a request, in order, or one with Err.
type Reply struct {
	Result Result
	Err    string `json:",omitempty"` // why the guest can't be run at all
	Last   bool   `json:",omitempty"` // the judge answers no more: a test can't be stopped, or has left something behind
	Again  bool   `json:",omitempty"` // it answers no more, and the test has to be asked for again, compiled
	If     bool   `json:",omitempty"` // it is the result if the judge ends before the next reply
}

// Main answers requests until standard input ends.
func Main(tests map[string]func(*T)) {
	out := os.Stdout
	os.Stdout = os.Stderr // what tests print is no reply
	debug.SetMemoryLimit(maxMemory)
	debug.SetGCPercent(400) // what is kept is the guest's program, some 80 MB
	if err := serve(os.Stdin, out, tests); err != nil {
		fmt.Fprintln(os.Stderr, "judge:", err)
		os.Exit(1)
	}
}

func serve(r io.Reader, w io.Writer, tests map[string]func(*T)) error {
	dec, enc := json.NewDecoder(bufio.NewReader(r)), json.NewEncoder(w)
	type line struct {
		Request
		err error
	}
	lines := make(chan line)
	var busy atomic.Bool
	go func() {
		for {
			var l line
			l.err = dec.Decode(&l.Request)
			if l.err != nil && busy.Load() { // the grader was killed: nobody waits for the reply
				os.Exit(1)
			}
			lines <- l
		}
	}()
	for l := range lines {
		if l.err == io.EOF {
			return nil
		} else if l.err != nil {
			return l.err
		}
		busy.Store(true)
		if err := answer(l.Request, tests, enc.Encode); err != nil {
			return err
		}
		busy.Store(false)
	}
	return nil
}

func answer(q Request, tests map[string]func(*T), reply func(any) error) error {
	wasm, err := os.ReadFile(q.Wasm)
	if err != nil {
		return reply(Reply{Err: err.Error()})
	}
	module := guest.Load(wasm, q.Student, q.Limits)
	defer module.Close(context.Background())
	module.Files = map[string][]byte{}
	for _, path := range q.Files {
		if module.Files[path], err = os.ReadFile(filepath.FromSlash(path)); err != nil {
			return reply(Reply{Err: err.Error()})
		}
	}
	if q.Cells != nil {
		module.Recorder = &guest.Recorder{Text: q.Cells.Text, Displays: q.Cells.Displays, Shown: q.Cells.Shown}
	}
	if len(q.Seconds) != len(q.Tests) {
		return reply(Reply{Err: fmt.Sprintf("%d limits for %d tests", len(q.Seconds), len(q.Tests))})
	}
	if q.Cells != nil {
		return cells(q, module, reply)
	}
	left := patience
	for i, name := range q.Tests {
		if tests[name] == nil {
			return reply(Reply{Err: "no test " + name})
		}
		var said sync.Mutex
		done := false
		say := func(r Reply) (err error) {
			said.Lock()
			defer said.Unlock()
			if !done {
				done = !r.If
				err = reply(r)
			}
			if r.Last || r.Again {
				os.Exit(1)
			}
			return err
		}
		giveUp := func(err error) { say(Reply{Last: true, Result: failed(name, abort{err: err})}) }
		current.announce = func(p *wire.PanicError) { say(Reply{If: true, Result: failed(name, p)}) }
		if q.Compiled {
			prepare(module, guest.Compiled, giveUp) // run says why it can't be
		}
		r, then := run(module, name, tests[name], &left, time.Duration(q.Seconds[i]*1e9), giveUp)
		if err := say(Reply{Result: r, Last: then == leave, Again: then == elsewhere}); err != nil {
			return err
		}
	}
	return nil
}

// failed is the result of a test that has not come to its end.
func failed(name string, why any) Result {
	t := newT(name, nil)
	t.panicked(why)
	return Result{Checks: t.all()}
}

// frame is a line of a stack as Go's runtime prints it.
var frame = regexp.MustCompile(`(?m)^\t.*?([^/\n]+)` + regexp.QuoteMeta(wire.Suffix) + `:(\d+)`)

// called is a function of the student's on a stack as Go's runtime prints it.
var called = regexp.MustCompile(`(?m)^main\.(.+)\(.*\)\n\t.*` + regexp.QuoteMeta(wire.Suffix) + `:\d+`)

// crash takes from what the runtime printed the first line and the places in the student's cells. Of a stack that has overflowed it says
// which functions call one another, and where: those that occur more than once among the innermost calls. Where in its round a recursion
// has ended depends on the machine, so they are in the order of the alphabet.
func crash(e *guest.ExitError) (text string, frames []Place) {
	if e.Crash == "" {
		return e.Error(), nil
	}
	text, _, _ = strings.Cut(e.Crash, "\n")
	for _, m := range frame.FindAllStringSubmatch(e.Crash, -1) {
		line, _ := strconv.Atoi(m[2])
		frames = append(frames, Place{m[1], line})
	}
	if !e.Overflow() {
		var all []Place
		for _, p := range frames {
			if !slices.Contains(all, p) {
				all = append(all, p)
			}
		}
		return text, all[:min(len(all), 20)]
	}
	var names []string
	for _, m := range called.FindAllStringSubmatch(e.Crash, innermost) {
		names = append(names, m[1])
	}
	names = repeated(names, strings.Compare)
	frames = repeated(frames[:min(len(frames), innermost)], func(p, q Place) int {
		return cmp.Or(strings.Compare(p.Cell, q.Cell), p.Line-q.Line)
	})
	switch text = "stack overflow"; {
	case len(names) == 1:
		text += ": " + names[0] + " calls itself without end"
	case len(names) > 1:
		text += ": " + strings.Join(names, ", ") + " call one another without end"
	}
	return text, frames
}

// innermost is how many calls of an endless recursion are looked at. Go prints fifty.
const innermost = 40

// repeated returns what occurs more than once, in order.
func repeated[T comparable](all []T, compare func(T, T) int) (more []T) {
	for i, x := range all {
		if slices.Contains(all[:i], x) && !slices.Contains(more, x) {
			more = append(more, x)
		}
	}
	slices.SortFunc(more, compare)
	return more
}
