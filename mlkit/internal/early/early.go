// Package early is about work that ends before it is done.
//
// Go brings what ends a goroutine before its function returns, a panic or
// runtime.Goexit, to the goroutine that waits for it. Whoever calls functions of the
// user (a fit, a kernel, a report of progress) in goroutines of its own starts them
// here: a panic there would end the process, and nobody could recover it; a test that
// calls t.FailNow would go on as if nothing had happened.
//
// An Ender interrupts work between its parts. Run leaves work that can't be interrupted,
// such as a factorisation of LAPACK, to itself:
//
//	var ok bool
//	if err := early.Run(ctx, func() { ok = chol.Factorize(S) }); err != nil {
//		return err // chol and S belong to the work that still runs
//	}
package early

import (
	"runtime"
	"sync"

	"marginalia/mlkit"
)

// End is how a function ended that did not return.
type End struct {
	panicked *mlkit.PanicError // nil for runtime.Goexit
}

// Go calls f in a goroutine that wait waits for. If f does not return it calls ended,
// in that goroutine and before wait is told of its end.
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

// panicError returns v with the stack of its goroutine. What comes from a goroutine that
// this one has waited for has that of the former.
func panicError(v any) *mlkit.PanicError {
	if e, ok := v.(*mlkit.PanicError); ok {
		return e
	}
	stack := make([]byte, 64<<10)
	return &mlkit.PanicError{Value: v, Stack: stack[:runtime.Stack(stack, false)]}
}

// Repeat ends the calling goroutine in the same way: it panics with a
// *mlkit.PanicError, or calls runtime.Goexit.
func (e *End) Repeat() {
	if e.panicked != nil {
		panic(e.panicked)
	}
	runtime.Goexit()
}
