package mlkit

import "fmt"

// NotConvergedError is the error of a fit that ended before its stopping rule was met:
// it reached the limit on its iterations, its context ended, or it was found to cycle. It is
// also the error of a fit whose model does not solve its equations, because of rounding.
type NotConvergedError struct {
	Algorithm  string  // package and algorithm, such as "perceptron: Perceptron"
	Iterations int     // passes, sweeps or iterations done; the algorithm says which
	Residual   float64 // what is still wrong with Model, in the algorithm's measure, such as its training errors
	Reason     string  // why the fit ended and what to do about it
	Model      any     // the best model so far, of the type returned by Fit
	Err        error   // the context's error if that ended the fit, otherwise nil
}

func (e *NotConvergedError) Error() string {
	return fmt.Sprintf("%s: not converged: %s", e.Algorithm, e.Reason)
}

// Unwrap returns the error of the context that ended the fit, or nil.
func (e *NotConvergedError) Unwrap() error { return e.Err }

// NotSeparableError is the error of a fit that needs a separating hyperplane and has
// proved that there is none. By Gordan's theorem (Paul Gordan, 1873) exactly one of two
// things exists: a w with yᵢ(w·xᵢ) > 0 for all i, or weights αᵢ ≥ 0, not all zero, with
// Σ αᵢyᵢxᵢ = 0. Alpha is the second. If the hyperplane has a bias, xᵢ is the sample
// extended by a constant, and therefore Σ αᵢyᵢ = 0 too; with a kernel, xᵢ stands for
// φ(xᵢ). For whole numbers the proof is exact; otherwise Reason says how far from 0 the
// sum is.
type NotSeparableError struct {
	Alpha  []float64          // αᵢ for each sample
	Reason string             // the proof in words
	Fit    *NotConvergedError // how far the fit came, and its best model
}

func (e *NotSeparableError) Error() string {
	return fmt.Sprintf("%s: not separable: %s", e.Fit.Algorithm, e.Reason)
}

// Unwrap returns e.Fit, since not being separable is one way of not converging.
func (e *NotSeparableError) Unwrap() error { return e.Fit }

// PanicError is the panic value of an mlkit function if a function passed to it, such
// as a fit, a measure or a kernel, panicked in another goroutine. mlkit then panics in
// the caller's goroutine, where the panic can be recovered.
type PanicError struct {
	Value any    // what the function panicked with
	Stack []byte // the stack of its goroutine, in the format of runtime.Stack
}

func (e *PanicError) Error() string { return fmt.Sprintf("%v\n\n%s", e.Value, e.Stack) }

// Unwrap returns Value if it is an error, otherwise nil.
func (e *PanicError) Unwrap() error {
	err, _ := e.Value.(error)
	return err
}
