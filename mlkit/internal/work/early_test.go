package work_test

import (
	"errors"
	"io"
	"runtime"
	"strings"
	"sync"
	"testing"

	"marginalia/mlkit"
	"marginalia/mlkit/internal/work"
)

// end calls f in a goroutine and repeats its end in a second one. It returns the value
// that the second panicked with, and whether it ran on to its last statement.
func end(f func()) (value any, on bool) {
	var outer sync.WaitGroup
	outer.Go(func() {
		defer func() { value = recover() }()
		var inner sync.WaitGroup
		var end *work.End
		work.Go(&inner, f, func(e *work.End) { end = e })
		inner.Wait()
		if end != nil {
			end.Repeat()
		}
		on = true
	})
	outer.Wait()
	return value, on
}

func explode() { panic(io.ErrUnexpectedEOF) }

func TestGo(t *testing.T) {
	if v, on := end(func() {}); v != nil || !on {
		t.Errorf("a function that returns: %v, %v", v, on)
	}
	if v, on := end(runtime.Goexit); v != nil || on {
		t.Errorf("Goexit: %v, %v; want no panic, and the end of the waiting goroutine", v, on)
	}
	v, _ := end(explode)
	e, ok := v.(*mlkit.PanicError)
	if !ok || e.Value != io.ErrUnexpectedEOF || !errors.Is(e, io.ErrUnexpectedEOF) || !strings.Contains(string(e.Stack), "work_test.explode") || !strings.Contains(e.Error(), "work_test.explode") {
		t.Errorf("got %v, want io.ErrUnexpectedEOF with the stack of explode", v)
	}
	if again, _ := end(func() { panic(e) }); again != any(e) {
		t.Errorf("passed on twice: %v, want what was passed on once", again)
	}
	// panic(nil) is a panic too.
	if v, on := end(func() { panic(nil) }); v == nil || on {
		t.Errorf("panic(nil): %v, %v", v, on)
	}
}
