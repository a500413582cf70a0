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
// Each test gets a fresh guest, interpreted first, and the notebook's package variables as new. When the tests have taken as long as
// compiling does, the guest is compiled, and the test that is going on is run again from its beginning.
//
// A test may have goroutines. Their calls of the guest take turns (package wire). Those that go on when the test is over are
// ended, and a judge that they may still be in answers nothing more.
package judge

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"reflect"
	"runtime"
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

// Concurrent says that tests have goroutines or wait for a time: the interpreter would be too slow for these.
var Concurrent bool

// absent are the values that the guest can't give, and why.
var absent = map[string]error{}

// Table says what crosses.
func Table(f func(*wire.End) *wire.Table) { fill = f }

// Value has the variable at pointer hold, in each test, what the guest's function name returns.
func Value(name string, pointer any) { values[name] = pointer }

// Need fails the test if the guest could not give a value: zero, which the variable holds then, may be right.
func Need(name string) {
	mu.Lock()
	err := absent[name]
	mu.Unlock()
	if err != nil {
		raise(err)
	}
}

// Now is Need for a variable, which the guest may have changed: the judge's is what the guest's is now.
func Now(name string) {
	Need(name)
	fetching.Lock()
	defer fetching.Unlock()
	g := running()
	if g == nil || fetched[name] == g.End.Changes.Load() {
		return
	}
	p, before := values[name], g.End.Changes.Load()
	reflect.ValueOf(p).Elem().SetZero()
	Call(name, nil, []any{p})
	if g.End.Changes.CompareAndSwap(before+1, before) {
		fetched[name] = before
	}
}

var fetching sync.Mutex // of values and fetched

// fetched says how often the guest had run when a variable was asked for.
var fetched = map[string]int64{}

// The run that is going on. Test functions run one after the other.
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
	root     *T
	over     bool                   // the test function has ended
	announce func(*wire.PanicError) // says with what the program ends unless a goroutine of the test's recovers

	watch sync.Mutex // of what is below
	since time.Duration
	end   context.CancelCauseFunc // ends the guest
	late  bool                    // it has been called
	slow  bool                    // a check has taken longer than it may
	stuck time.Time               // when a goroutine of the test's has been ended, for whose result the test may wait
}

// mu guards what is above, but for what watch does, and all tests: goroutines of a test's may use these at once.
var mu sync.Mutex

// Student returns the id of the student who is judged, and id where it is not known: as the
// lecturer's notebook has it.
func Student(id string) string { return cmp.Or(os.Getenv(wire.Student), id) }

// An abort unwinds a test when the guest has ended, or a value can't cross.
type abort struct {
	err error
	at  Place // in the tests, if they are at fault
}

// Error is what student's code reads whose call back to the test was aborted.
func (a abort) Error() string { return a.err.Error() }

// Call calls a function of the guest. A panic there is a panic here.
func Call(name string, args, results []any) {
	g := running()
	mu.Lock()
	err, heard := cmp.Or(current.err, errNone), current.heard
	mu.Unlock()
	if g != nil {
		err = g.End.Call(name, args, results)
	}
	p, isPanic := err.(*wire.PanicError)
	mu.Lock()
	current.heard = true
	if isPanic && p.Missing {
		// Another place, or the name of another function: it is one that this one has called.
		function, _, _ := strings.Cut(name, "[")
		if at := places(p); len(at) == 1 && (p.Text == wire.NotImplemented || strings.HasPrefix(p.Text, function+": ")) {
			current.stubs, current.heard = append(current.stubs, at[0].Cell), heard
		}
	}
	mu.Unlock()
	if err != nil {
		raise(err)
	}
}

// running returns the guest. A goroutine that comes when its test is over ends here.
func running() *guest.Instance {
	mu.Lock()
	defer mu.Unlock()
	if current.over {
		runtime.Goexit()
	}
	return current.guest
}

// raise goes on with what went wrong in a call of the guest: a panic of the student's as a panic. What must fail the check whatever the
// test makes of it unwinds the goroutine, a panic in the test's own, where its words can be caught, and quietly in another one, where
// a panic would end the program.
func raise(err error) {
	own := inTest()
	mu.Lock()
	if current.over || !own && errors.Is(err, guest.ErrClosed) {
		mu.Unlock()
		runtime.Goexit()
	}
	p, isPanic := err.(*wire.PanicError)
	var aborted any = p
	if isPanic {
		current.panicked = p
	} else {
		a := abort{err: err}
		if errors.Is(err, wire.ErrTurns) {
			a.at = caller()
		}
		aborted = a
	}
	if current.aborted == nil && (!isPanic || p.Missing) {
		current.aborted = aborted
	}
	announce := current.announce
	mu.Unlock()
	switch {
	case own && isPanic:
		p.Panic()
	case own:
		panic(aborted)
	case isPanic && !p.Missing:
		announce(p)
		p.Panic()
	}
	hasten()
	runtime.Goexit()
}

// inTest reports whether the goroutine is that of a test or a subtest, or a coroutine (iter.Pull), whose panic goes on in it.
func inTest() bool {
	for skip := 0; ; skip += 256 {
		pcs := make([]uintptr, 256)
		n := runtime.Callers(skip, pcs)
		frames := runtime.CallersFrames(pcs[:n])
		for more := n > 0; more; {
			var f runtime.Frame
			f, more = frames.Next()
			if f.Function == "runtime.corostart" || strings.HasSuffix(f.Function, "internal/judge.(*T).body") {
				return true
			}
		}
		if n < len(pcs) {
			return false
		}
	}
}

// renew replaces a guest that has ended, so that the next subtest finds one, with all of its
// time. In the interpreter one that is too slow is not replaced, since the test is run again.
func renew() {
	if current.module == nil || current.guest != nil && current.guest.Ended() == nil && current.guest.End.Over() == nil || current.mode == guest.Interpreted && tooSlow() {
		return
	}
	ctx, cancel := context.WithCancelCause(context.Background())
	endGuest()
	current.watch.Lock()
	current.since, current.end, current.late, current.stuck = cpu(), cancel, false, time.Time{}
	current.watch.Unlock()
	g, err := current.module.Start(ctx, current.mode, fill)
	if err != nil {
		g = nil
	} else {
		g.End.Raise = raise
	}
	fetching.Lock()
	defer fetching.Unlock()
	why := map[string]error{}
	for name, p := range values {
		reflect.ValueOf(p).Elem().SetZero()
		if why[name] = err; g != nil {
			why[name] = g.End.Call(name, nil, []any{p})
			fetched[name] = -1
		}
	}
	mu.Lock()
	defer mu.Unlock()
	current.guest, current.err, absent = g, err, why
	current.heard = current.heard || g != nil && len(values) > 0
}

// endGuest ends the guest, with the calls that still go on in it, and closes it.
func endGuest() {
	if current.guest == nil {
		return
	}
	if current.guest.End.Calls() > 0 {
		current.watch.Lock()
		current.end(guest.ErrClosed)
		current.watch.Unlock()
	}
	current.guest.End.Finish(guest.ErrClosed)
	current.guest.Close()
}

func tooSlow() bool {
	current.watch.Lock()
	defer current.watch.Unlock()
	return current.slow
}

// panicked fails the test with a panic, its own or the student's.
func (t *T) panicked(v any) {
	at := caller()
	mu.Lock()
	defer mu.Unlock()
	t.fail()
	if p := current.panicked; p != nil && p.Value != nil && reflect.TypeOf(v) == reflect.TypeOf(p.Value) && (!reflect.ValueOf(v).Comparable() || v == p.Value) {
		v = p
	}
	switch v := v.(type) {
	case abort:
		t.check.Panic = v.err.Error()
		if v.at != (Place{}) {
			t.say(false, v.err.Error(), v.at)
		}
		if exit, ok := errors.AsType[*guest.ExitError](v.err); ok {
			t.check.Panic, t.check.Frames = crash(exit)
		}
	case *wire.PanicError:
		t.check.Panic, t.check.Frames = "panic: "+v.Text, places(v)
	default:
		t.say(false, fmt.Sprintf("panic: %v", v), at)
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

// What comes after a test that has run.
type after int

const (
	next      after = iota // the next test
	again                  // the test once more, compiled
	elsewhere              // the test once more, compiled and in another process
	leave                  // the next test, in another process: something of this one still runs here
)

// patient is how long a test may last by the clock behind the end of one of its goroutines, for whose result it may wait.
const patient = 30 * time.Second

// run runs one test. limit is what each of its checks may take of the processor. It takes from left, which
// is of patience. giveUp ends the program: a test that loops itself, over a number that the guest returned, say,
// can't be stopped otherwise.
func run(module *guest.Module, name string, test func(*T), left *time.Duration, limit time.Duration, giveUp func(error)) (Result, after) {
	if *left > 0 && !module.Ready(guest.Compiled) && !Concurrent {
		r, then := attempt(module, guest.Interpreted, name, test, min(*left, limit), 2*limit, giveUp)
		*left -= time.Duration(r.Seconds * 1e9)
		if then != again {
			return r, then
		}
	}
	return attempt(module, guest.Compiled, name, test, limit, 2*limit, giveUp)
}

func attempt(module *guest.Module, mode guest.Mode, name string, test func(*T), limit, last time.Duration, giveUp func(error)) (r Result, then after) {
	current.module, current.mode, current.guest, current.slow, current.aborted, current.panicked, current.checks, current.said = module, mode, nil, false, nil, nil, 0, 0
	current.stubs, current.heard, current.over = nil, false, false
	if err := prepare(module, mode, giveUp); err != nil { // its time is not the student's
		return Result{Checks: []Check{{Name: name, Panic: err.Error()}}}, next
	}
	if !renewGiven() {
		return r, elsewhere
	}
	startTimers()
	start := cpu()
	current.since, current.late, current.stuck = start, false, time.Time{}
	stop := watch(module, giveUp, func() {
		mu.Lock()
		g := current.guest
		mu.Unlock()
		if g != nil {
			g.End.Stalled(patient)
		}
		tick(g != nil && g.End.Busy())
		current.watch.Lock()
		defer current.watch.Unlock()
		taken := cpu() - current.since
		most := last
		if g != nil && g.Deep() {
			most += limit // its stack overflows soon
		}
		if taken > most || !current.stuck.IsZero() && time.Since(current.stuck) > patient {
			giveUp(errTime)
		}
		if current.end != nil && !current.late && taken > limit {
			current.slow, current.late = true, true
			current.end(errTime)
		}
	})
	renew()
	goroutines := runtime.NumGoroutine()
	t := newT(name, nil)
	current.root = t
	t.run(test)
	mu.Lock()
	current.over = true
	mu.Unlock()
	calls := 0
	if current.guest != nil {
		calls = current.guest.End.Calls()
		r.Output = current.guest.Output()
		endGuest()
	}
	stop()
	if calls > 0 || mode == guest.Compiled && more(goroutines) {
		then = leave
	}
	mu.Lock()
	defer mu.Unlock()
	r.Checks, r.Seconds = t.all(), (cpu() - start).Seconds()
	if !current.heard {
		slices.Sort(current.stubs)
		r.Stubs = slices.Compact(current.stubs)
	}
	deep := slices.ContainsFunc(r.Checks, func(c Check) bool { return c.Panic == guest.ErrStack.Error() })
	switch {
	case mode == guest.Compiled || !deep && !current.slow:
		return r, then
	case then == leave:
		return r, elsewhere
	}
	return r, again
}

// more reports whether more goroutines run than before, which a test has left. Those that have come to their end may need a moment.
func more(before int) bool {
	for range 100 {
		if runtime.NumGoroutine() < before { // one of them was watch's
			return false
		}
		runtime.Gosched()
	}
	return true
}
