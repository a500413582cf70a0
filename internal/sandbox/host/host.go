// Package host runs a notebook's tests against a student's program. It is linked into a
// program of the lecturer's: the tests, the given cells, and a stub for each
// function that the tests use (package bridge). The tests run here, and the
// student's code runs in a guest (package guest), so all that a student's
// program decides is what its functions return.
//
// In that program package testing is this package:
//
//	import testing "marginalia/internal/sandbox/host"
//
//	func main() { testing.Main(map[string]func(*testing.T){"TestFit": TestFit}) }
//
// Each test gets a fresh guest, interpreted first, and the notebook's package variables as new. When the tests have taken as long as
// compiling does, the guest is compiled, and the test that is going on is run again from its beginning.
//
// A test may have goroutines. Their calls of the guest take turns (package wire). Those that go on when the test is over are
// ended, and a judge that they may still be in answers nothing more.
package host

import (
	"cmp"
	"context"
	"os"
	"reflect"
	"runtime"
	"strings"
	"sync"
	"time"

	"marginalia/internal/sandbox/guest"
	"marginalia/internal/sandbox/guest/wire"
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

// Now refreshes the judge's copy of a variable that the guest may have changed; like Need, it fails
// the test if the guest cannot supply it.
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
	deep     bool                   // a check has ended with guest.ErrStack
	announce func(*wire.PanicError) // says with what the program ends unless a goroutine of the test's recovers

	watch sync.Mutex // of what is below
	since time.Duration
	end   context.CancelCauseFunc // ends the guest
	late  bool                    // it has been called
	slow  bool                    // a check has taken longer than it may
	stuck time.Time               // when a goroutine was ended whose result the test may wait for
}

// mu guards what is above, except what watch guards, and all tests, which a test's goroutines may use at once.
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
