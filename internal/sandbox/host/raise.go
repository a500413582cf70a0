package host

import (
	"errors"
	"fmt"
	"reflect"
	"runtime"
	"strings"

	"marginalia/internal/sandbox/guest"
	"marginalia/internal/sandbox/guest/wire"
)

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
			if f.Function == "runtime.corostart" || strings.HasSuffix(f.Function, "internal/sandbox/host.(*T).body") {
				return true
			}
		}
		if n < len(pcs) {
			return false
		}
	}
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
		current.deep = current.deep || errors.Is(v.err, guest.ErrStack)
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
