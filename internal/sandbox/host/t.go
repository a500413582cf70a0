package host

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"time"

	"marginalia/internal/sandbox/guest/wire"
)

// A T is what a test function of a notebook gets. It has the methods of testing.T and
// keeps what happens as data.
type T struct {
	check   Check
	parent  *T
	subs    []*T
	cleanup []func()
	ctx     context.Context
	cancel  context.CancelFunc
}

// A Message is what a test says, with the place in its notebook.
type Message struct {
	Text string
	Cell string `json:",omitempty"` // id of the tests cell
	Line int    `json:",omitempty"` // from 1
	Log  bool   `json:",omitempty"` // t.Log, not a failure
}

// A Check is a test function or a subtest that has run.
type Check struct {
	Name     string // "TestFit/two points", as testing has it
	At       Place  `json:",omitzero"` // of a subtest: its t.Run
	Passed   bool
	Own      bool      `json:",omitempty"` // it has failed by itself, whatever its subtests do
	Skipped  bool      `json:",omitempty"`
	Messages []Message `json:",omitempty"`
	Panic    string    `json:",omitempty"` // what the student's code panicked with, or how its program ended
	Frames   []Place   `json:",omitempty"` // where, the innermost first: cells of the notebook
}

// A Place is a line of a cell.
type Place struct {
	Cell string
	Line int
}

func newT(name string, parent *T) *T {
	t := &T{check: Check{Name: name, Passed: true}, parent: parent}
	t.ctx, t.cancel = context.WithCancel(context.Background())
	return t
}

// Name returns the name of the test: that of the function, and those of the subtests behind it.
func (t *T) Name() string { return t.check.Name }

// Fail marks the test as failed, and those around it.
func (t *T) Fail() { mu.Lock(); defer mu.Unlock(); t.fail() }

func (t *T) fail() {
	t.check.Own = true
	for ; t != nil; t = t.parent {
		t.check.Passed = false
	}
}

// Failed reports whether the test has failed.
func (t *T) Failed() bool { mu.Lock(); defer mu.Unlock(); return !t.check.Passed }

// FailNow fails the test and ends it.
func (t *T) FailNow() { t.Fail(); runtime.Goexit() }

// Log keeps a message, Error fails the test besides, and Fatal ends it, too.
func (t *T) Log(args ...any)                   { t.keep(true, fmt.Sprintln(args...)) }
func (t *T) Logf(format string, args ...any)   { t.keep(true, fmt.Sprintf(format, args...)) }
func (t *T) Error(args ...any)                 { t.keep(false, fmt.Sprintln(args...)); t.Fail() }
func (t *T) Errorf(format string, args ...any) { t.keep(false, fmt.Sprintf(format, args...)); t.Fail() }
func (t *T) Fatal(args ...any)                 { t.keep(false, fmt.Sprintln(args...)); t.FailNow() }
func (t *T) Fatalf(format string, args ...any) {
	t.keep(false, fmt.Sprintf(format, args...))
	t.FailNow()
}

// Skip and SkipNow end the test. A test that is skipped is not passed: it has shown nothing.
func (t *T) Skip(args ...any) { t.keep(true, fmt.Sprintln(args...)); t.SkipNow() }
func (t *T) Skipf(format string, args ...any) {
	t.keep(true, fmt.Sprintf(format, args...))
	t.SkipNow()
}
func (t *T) SkipNow()      { mu.Lock(); t.check.Skipped = true; mu.Unlock(); runtime.Goexit() }
func (t *T) Skipped() bool { mu.Lock(); defer mu.Unlock(); return t.check.Skipped }

// These bound what a test keeps that reports in a loop, or has words or numbers of the student's
// in what it says: messages, the bytes of one and of all, and subtests.
const (
	maxMessages = 100
	maxMessage  = 16 << 10
	maxSaid     = 1 << 20
	maxChecks   = 10_000
)

// heap is an address of Go's heap, which begins at random (Go 1.26, randomizedheapbase64) and is one
// range of addresses.
var (
	heap      = uint64(reflect.ValueOf(new([64]byte)).Pointer())
	addresses = regexp.MustCompile(`\b0x[0-9a-f]{6,16}\b`)
)

// unaddressed returns a text without addresses of this process, which differ from run to run.
func unaddressed(text string) string {
	return addresses.ReplaceAllStringFunc(text, func(hex string) string {
		if n, err := strconv.ParseUint(hex[2:], 16, 64); err == nil && max(n, heap)-min(n, heap) < 1<<34 {
			return "0x…"
		}
		return hex
	})
}

// bounded cuts a text that a test keeps.
func bounded(text string) string {
	if len(text) > maxMessage {
		text = strings.ToValidUTF8(text[:maxMessage], "") + " …"
	}
	text = unaddressed(text)
	if current.said += len(text); text != "" && current.said > maxSaid {
		return "…"
	}
	return text
}

// keep takes a message from the line of a cell that is being executed.
func (t *T) keep(log bool, text string) {
	at := caller()
	mu.Lock()
	defer mu.Unlock()
	t.say(log, text, at)
}

func (t *T) say(log bool, text string, at Place) {
	if len(t.check.Messages) >= maxMessages {
		return
	}
	t.check.Messages = append(t.check.Messages, Message{Text: bounded(strings.TrimSuffix(text, "\n")), Log: log, Cell: at.Cell, Line: at.Line})
}

// caller returns the innermost line of a cell that is being executed.
func caller() Place {
	pcs := make([]uintptr, 16)
	frames := runtime.CallersFrames(pcs[:runtime.Callers(3, pcs)])
	for {
		f, more := frames.Next()
		if cell := cellOf(f.File); cell != "" {
			return Place{cell, f.Line}
		}
		if !more {
			return Place{}
		}
	}
}

// cellOf returns the id of the cell that a file name of a //line directive stands for.
func cellOf(file string) string {
	name, ok := strings.CutSuffix(filepath.Base(file), wire.Suffix)
	if !ok {
		return ""
	}
	return name
}

// Cleanup has f called when the test is over.
func (t *T) Cleanup(f func()) { mu.Lock(); defer mu.Unlock(); t.cleanup = append(t.cleanup, f) }

// Helper, Parallel: every message has its place, and tests run one after the other.
func (t *T) Helper()   {}
func (t *T) Parallel() {}

// Context returns a context that ends with the test.
func (t *T) Context() context.Context { return t.ctx }

// Deadline reports no deadline: the judge's limits are its own.
func (t *T) Deadline() (deadline time.Time, ok bool) { return time.Time{}, false }

// Setenv sets an environment variable until the test is over.
func (t *T) Setenv(key, value string) {
	old, had := os.LookupEnv(key)
	os.Setenv(key, value)
	t.Cleanup(func() {
		if had {
			os.Setenv(key, old)
		} else {
			os.Unsetenv(key)
		}
	})
}

// TempDir returns an empty folder, which is removed when the test is over.
func (t *T) TempDir() string {
	dir, err := os.MkdirTemp("", "marginalia-judge-")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(dir) })
	return dir
}

// Run runs a subtest and waits for it. It reports whether it passed.
func (t *T) Run(name string, f func(t *T)) bool {
	at := caller()
	mu.Lock()
	if current.checks++; current.checks > maxChecks {
		current.aborted = abort{err: fmt.Errorf("a test with more than %d subtests", maxChecks)}
		mu.Unlock()
		runtime.Goexit()
	}
	name = t.check.Name + "/" + strings.ReplaceAll(name, "/", "∕")
	sub := newT(t.unique(name), t)
	sub.check.At = at
	t.subs = append(t.subs, sub)
	mu.Unlock()
	sub.run(f)
	return !sub.Failed()
}

// unique gives a name that a subtest has already a number, as testing does.
func (t *T) unique(name string) string {
	taken := func(name string) bool {
		return slices.ContainsFunc(t.subs, func(s *T) bool { return s.check.Name == name })
	}
	for i, n := 1, name; ; i++ {
		if !taken(n) {
			return n
		}
		n = fmt.Sprintf("%s#%02d", name, i)
	}
}

// run runs a test function in a goroutine of its own, which FailNow ends. Calls of a check that fails and that still go on, which it
// has not waited for, are ended with the guest.
func (t *T) run(f func(*T)) {
	calls := func() int {
		if current.guest == nil {
			return 0
		}
		return current.guest.End.Calls()
	}
	before, done := calls(), make(chan struct{})
	go func() {
		defer close(done)
		t.body(f)
	}()
	<-done
	if t.Failed() && calls() > before {
		endGuest()
	}
	renew()
}

// body is what the goroutine of a test does. Its name stands on the stack (see inTest).
func (t *T) body(f func(*T)) {
	defer t.end()
	f(t)
}

// end is what the test's goroutine does last, however f ended.
func (t *T) end() {
	defer t.cancel()
	if v := recover(); v != nil {
		t.panicked(v)
	}
	mu.Lock()
	cleanup := t.cleanup
	mu.Unlock()
	for _, f := range slices.Backward(cleanup) {
		func() {
			defer func() {
				if v := recover(); v != nil {
					t.panicked(v)
				}
			}()
			f()
		}()
	}
	mu.Lock()
	aborted := current.aborted
	current.aborted = nil
	mu.Unlock()
	if aborted != nil {
		t.panicked(aborted)
	}
	if t.Skipped() {
		t.Fail()
	}
}

// all returns the checks of t and its subtests, in order.
func (t *T) all() []Check {
	checks := []Check{t.check}
	for _, s := range t.subs {
		checks = append(checks, s.all()...)
	}
	return checks
}

// Short and Verbose are as in testing, of a run of all tests.
func Short() bool   { return false }
func Verbose() bool { return false }

// TB is what helpers of tests take.
type TB interface {
	Cleanup(func())
	Context() context.Context
	Error(args ...any)
	Errorf(format string, args ...any)
	Fail()
	FailNow()
	Failed() bool
	Fatal(args ...any)
	Fatalf(format string, args ...any)
	Helper()
	Log(args ...any)
	Logf(format string, args ...any)
	Name() string
	Setenv(key, value string)
	Skip(args ...any)
	SkipNow()
	Skipf(format string, args ...any)
	Skipped() bool
	TempDir() string
}
