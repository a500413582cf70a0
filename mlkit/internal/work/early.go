// Package work divides work between the processors and ends it early: by a panic, by
// runtime.Goexit or by a context.
//
// Go runs a function in a new goroutine. If the function panics or calls
// runtime.Goexit, the goroutine that waits for it can end in the same way; see
// [End.Repeat]. mlkit uses Go wherever its own goroutines call functions of the user: a
// fit, a kernel, a report of progress. Otherwise a panic there would end the process,
// out of reach of any recover, and t.FailNow would not stop a test.
//
// An Ender interrupts work between its steps. Run abandons work that can't be
// interrupted, such as a LAPACK factorisation:
//
//	var ok bool
//	if err := work.Run(ctx, func() { ok = chol.Factorize(S) }); err != nil {
//		return err // the abandoned work may still use chol and S
//	}
//
// A [Team] does jobs of a few microseconds together. [Parts] divide a pass over many samples,
// in the same way on any number of processors.
package work

import (
	"runtime"
	"sync"

	"marginalia/mlkit"
)

// Chunk is the number of rows between two checks of a context, in loops over the samples.
const Chunk = 512

// End tells how a function ended that did not return.
type End struct {
	panicked *mlkit.PanicError // nil for runtime.Goexit
}

// Go calls f in a new goroutine and adds it to wait. If f panics or calls
// runtime.Goexit, Go calls ended in that goroutine, before wait counts it as done.
func Go(wait *sync.WaitGroup, f func(), ended func(*End)) {
	wait.Go(func() {
		returned := false
		defer func() {
			if returned {
				return
			}
			var e End
			if v := recover(); v != nil {
				e.panicked = panicError(v)
			}
			ended(&e)
		}()
		f()
		returned = true
	})
}

// panicError returns v with the stack of this goroutine. If v is already a
// *mlkit.PanicError, repeated from a goroutine that this one waited for, panicError
// returns it unchanged.
func panicError(v any) *mlkit.PanicError {
	if e, ok := v.(*mlkit.PanicError); ok {
		return e
	}
	stack := make([]byte, 64<<10)
	return &mlkit.PanicError{Value: v, Stack: stack[:runtime.Stack(stack, false)]}
}

// Repeat ends the calling goroutine in the way e records: it panics with a
// *mlkit.PanicError or calls runtime.Goexit.
func (e *End) Repeat() {
	if e.panicked != nil {
		panic(e.panicked)
	}
	runtime.Goexit()
}
