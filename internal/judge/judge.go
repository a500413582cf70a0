// Package judge runs a notebook's tests against a student's program. It is linked into a
// program of the lecturer's: the tests, the given cells, and a stub for each
// function that the tests use (package bridge). The tests run here, and the
// student's code runs in a guest (package guest), so all that a student's
// program decides is what its functions return.
//
// In that program package testing is this package:
//
//	import testing "marginalia/internal/judge"
//
//	func main() { testing.Main(map[string]func(*testing.T){"TestFit": TestFit}) }
//
// Each test gets a fresh guest, interpreted first. When the tests have taken as long as compiling
// does, the guest is compiled, and the test that is going on is run again from its beginning.
package judge

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"reflect"
	"runtime/metrics"
	"slices"
	"strings"
	"sync"
	"time"

	"marginalia/internal/guest"
	"marginalia/internal/guest/wire"
)

// What generated code tells.
var (
	fill   func(*wire.End) *wire.Table
	values = map[string]any{} // name on the wire to pointer
)

// absent are the values that the guest can't give, and why.
var absent = map[string]error{}

// Table says what crosses.
func Table(f func(*wire.End) *wire.Table) { fill = f }

// Value has the variable at pointer hold, in each test, what the guest's function name returns.
func Value(name string, pointer any) { values[name] = pointer }

// Need fails the test if the guest could not give a value: zero, which the variable holds then, may be right.
func Need(name string) {
	if err := absent[name]; err != nil {
		current.aborted = abort{err}
		if p, ok := err.(*wire.PanicError); ok {
			current.aborted = p
		}
		panic(current.aborted)
	}
}

// Now is Need for a variable, which the guest may have changed: the judge's is what the guest's is now.
func Now(name string) {
	Need(name)
	if current.guest == nil || fetched[name] == current.guest.End.Changes {
		return
	}
	p, before := values[name], current.guest.End.Changes
	reflect.ValueOf(p).Elem().SetZero()
	Call(name, nil, []any{p})
	current.guest.End.Changes, fetched[name] = before, before
}

// fetched says how often the guest had run when a variable was asked for.
var fetched = map[string]int{}

// The run that is going on. Tests run one after the other.
var current struct {
	module *guest.Module
	mode   guest.Mode
	guest  *guest.Instance
	err    error // why there is no guest
	// aborted is what has unwound the check that is going on: a test that wants a panic may recover from
	// it, and is failed all the same.
	aborted any
	// panicked is the last panic of the guest, whose value a test may meet: its text and places.
	panicked *wire.PanicError
	stubs    []string // answers, by cell, whose functions are missing and were called by the test itself
	heard    bool     // the test knows something of what the guest's other functions do
	checks   int      // subtests so far
	said     int      // bytes of what they have said

	watch sync.Mutex // of what is below
	since time.Duration
	end   context.CancelCauseFunc
	slow  bool // a check has taken longer than it may
}

// Student returns the id of the student who is judged, and id where it is not known: as the
// lecturer's notebook has it.
func Student(id string) string { return cmp.Or(os.Getenv(wire.Student), id) }

// An abort unwinds a test when the guest has ended, or a value can't cross.
type abort struct{ err error }

// Error is what student's code reads whose call back to the test was aborted.
func (a abort) Error() string { return a.err.Error() }

// Call calls a function of the guest. A panic there is a panic here.
func Call(name string, args, results []any) {
	err, heard := cmp.Or(current.err, errNone), current.heard
	if current.guest != nil {
		err = current.guest.End.Call(name, args, results)
	}
	p, isPanic := err.(*wire.PanicError)
	current.heard = true
	if isPanic && p.Missing {
		// Another place, or the name of another function: it is one that this one has called.
		function, _, _ := strings.Cut(name, "[")
		if at := places(p); len(at) == 1 && (p.Text == wire.NotImplemented || strings.HasPrefix(p.Text, function+": ")) {
			current.stubs, current.heard = append(current.stubs, at[0].Cell), heard
		}
	}
	switch {
	case err == nil:
	case isPanic:
		if current.panicked = p; p.Missing {
			current.aborted = p
		}
		p.Panic()
	default:
		current.aborted = abort{err}
		panic(current.aborted)
	}
}

// renew replaces a guest that has ended, so that the next subtest finds one, with all of its
// time. In the interpreter one that is too slow is not replaced, since the test is run again.
func renew() {
	if current.module == nil || current.guest != nil && current.guest.Ended() == nil || current.mode == guest.Interpreted && tooSlow() {
		return
	}
	ctx, cancel := context.WithCancelCause(context.Background())
	current.watch.Lock()
	current.since, current.end = cpu(), cancel
	current.watch.Unlock()
	if current.guest != nil {
		current.guest.Close()
	}
	current.guest, current.err = current.module.Start(ctx, current.mode, fill)
	if current.err != nil {
		current.guest = nil
	}
	for name, p := range values {
		reflect.ValueOf(p).Elem().SetZero()
		if absent[name] = current.err; current.guest != nil {
			absent[name] = current.guest.End.Call(name, nil, []any{p})
			current.heard = true
			fetched[name] = -1
		}
	}
}

func tooSlow() bool {
	current.watch.Lock()
	defer current.watch.Unlock()
	return current.slow
}

// panicked fails the test with a panic, its own or the student's.
func (t *T) panicked(v any) {
	t.Fail()
	if p := current.panicked; p != nil && p.Value != nil && reflect.TypeOf(v) == reflect.TypeOf(p.Value) && (!reflect.ValueOf(v).Comparable() || v == p.Value) {
		v = p
	}
	switch v := v.(type) {
	case abort:
		t.check.Panic = v.err.Error()
		if exit, ok := errors.AsType[*guest.ExitError](v.err); ok {
			t.check.Panic, t.check.Frames = crash(exit)
		}
	case *wire.PanicError:
		t.check.Panic, t.check.Frames = "panic: "+v.Text, places(v)
	default:
		t.say(false, fmt.Sprintf("panic: %v", v))
	}
	t.check.Panic = bounded(t.check.Panic)
}

// places are the lines of cells where the student's code panicked, the innermost first.
func places(p *wire.PanicError) (all []Place) {
	for _, f := range p.Stack {
		if cell := cellOf(f.File); cell != "" {
			all = append(all, Place{cell, f.Line})
		}
	}
	return all
}

var (
	errNone = errors.New("there is no program that could be called")
	errTime = errors.New("it takes too long")
	errBig  = errors.New("it takes too much memory")
)

// maxMemory is what this program may have beside the guest's memory, in bytes. What guests
// return lies in it.
const maxMemory = 1 << 30

// memory returns the bytes that this process holds.
func memory() uint64 {
	s := []metrics.Sample{{Name: "/memory/classes/total:bytes"}, {Name: "/memory/classes/heap/released:bytes"}}
	metrics.Read(s)
	return s[0].Value.Uint64() - s[1].Value.Uint64()
}

// patience is what the tests of a guest may take of the processor, together, before it is compiled: about what compiling
// takes, 1 to 1.5 seconds for the assignments of this repository. Whatever the tests take, interpreter
// and compiler then cost at most about twice what the better choice would have (R. M. Karp, On-line algorithms versus
// off-line algorithms, 1992, section 2, of renting skis). The solutions take up to a second.
const patience = 1500 * time.Millisecond

// preparing is what the engine of a module may take of the processor: a minute is fifty times
// what the largest takes that a person writes.
const preparing = time.Minute

// prepare makes an engine ready. The code that it compiles is the student's.
func prepare(module *guest.Module, mode guest.Mode, giveUp func(error)) error {
	start := cpu()
	defer watch(module, giveUp, func() {
		if cpu()-start > preparing {
			giveUp(errTime)
		}
	})()
	return module.Prepare(mode)
}

// watch calls look again and again, and gives up when this program takes too much memory, until stop
// is called.
func watch(module *guest.Module, giveUp func(error), look func()) (stop func()) {
	end, ended := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(ended)
		tick := time.NewTicker(2 * time.Millisecond)
		defer tick.Stop()
		for {
			select {
			case <-end:
				return
			case <-tick.C:
			}
			if memory() > maxMemory+uint64(module.Memory()) {
				giveUp(errBig)
			}
			look()
		}
	}()
	return func() { close(end); <-ended }
}

// run runs one test. limit is what each of its checks may take of the processor. It takes from left, which
// is of patience. giveUp ends the program: a test that loops itself, over a number that the guest returned, say,
// can't be stopped otherwise.
func run(module *guest.Module, name string, test func(*T), left *time.Duration, limit time.Duration, giveUp func(error)) Result {
	if *left > 0 && !module.Ready(guest.Compiled) {
		r, again := attempt(module, guest.Interpreted, name, test, min(*left, limit), 2*limit, giveUp)
		*left -= time.Duration(r.Seconds * 1e9)
		if !again {
			return r
		}
	}
	r, _ := attempt(module, guest.Compiled, name, test, limit, 2*limit, giveUp)
	return r
}

func attempt(module *guest.Module, mode guest.Mode, name string, test func(*T), limit, last time.Duration, giveUp func(error)) (r Result, again bool) {
	current.module, current.mode, current.guest, current.slow, current.aborted, current.panicked, current.checks, current.said = module, mode, nil, false, nil, nil, 0, 0
	current.stubs, current.heard = nil, false
	if err := prepare(module, mode, giveUp); err != nil { // its time is not the student's
		return Result{Checks: []Check{{Name: name, Panic: err.Error()}}}, false
	}
	start := cpu()
	current.since = start
	stop := watch(module, giveUp, func() {
		current.watch.Lock()
		defer current.watch.Unlock()
		taken := cpu() - current.since
		if taken > last {
			giveUp(errTime)
		}
		if current.end != nil && taken > limit {
			current.slow = true
			current.end(errTime)
			current.end = nil
		}
	})
	renew()
	t := newT(name, nil)
	t.run(test)
	stop()
	r = Result{Checks: t.all(), Seconds: (cpu() - start).Seconds()}
	if !current.heard {
		slices.Sort(current.stubs)
		r.Stubs = slices.Compact(current.stubs)
	}
	deep := false
	if current.guest != nil {
		r.Output = current.guest.Output()
		current.guest.Close()
	}
	for _, c := range r.Checks {
		deep = deep || c.Panic == guest.ErrStack.Error()
	}
	return r, mode == guest.Interpreted && (deep || tooSlow())
}
