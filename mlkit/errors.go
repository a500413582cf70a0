package mlkit

import "fmt"

// NotConvergedError is the error of a fit that ended before its stopping rule was
// met: the limit on its iterations was reached, its context ended, or it was found
// to go round in a circle.
type NotConvergedError struct {
	Algorithm  string  // package and algorithm, such as "linear: perceptron"
	Iterations int     // passes, sweeps or iterations done; the algorithm says which
	Residual   float64 // what is still wrong with Model, in the measure of the algorithm, such as its training errors
	Reason     string  // why the fit ended and what can be done
	Model      any     // the best model so far, of the type that Fit returns
	Err        error   // the error of the context if that ended the fit, or nil
}

func (e *NotConvergedError) Error() string {
	return fmt.Sprintf("%s: not converged: %s", e.Algorithm, e.Reason)
}

// Unwrap returns the error of the context that ended the fit, or nil.
func (e *NotConvergedError) Unwrap() error { return e.Err }

// NotSeparableError is the error of a fit that needed a separating hyperplane and
// proved that there is none. By Gordan's theorem (Paul Gordan, 1873) exactly one
// of two things exists: a w with yᵢ(w·xᵢ) > 0 for all i, or weights αᵢ ≥ 0, not
// all zero, with Σ αᵢyᵢxᵢ = 0. Alpha is the second. Where the hyperplane has a
// bias, xᵢ stands for the sample extended by a constant, so that Σ αᵢyᵢ = 0 too; with
// a kernel it stands for φ(xᵢ). Whole numbers prove it exactly; of others Reason says
// how far from 0 the sum is.
type NotSeparableError struct {
	Alpha  []float64          // αᵢ for each sample
	Reason string             // the proof in words
	Fit    *NotConvergedError // how far the fit came, and its best model
}

func (e *NotSeparableError) Error() string {
	return fmt.Sprintf("%s: not separable: %s", e.Fit.Algorithm, e.Reason)
}

// Unwrap returns e.Fit: data that can't be separated are one way of not
// converging.
func (e *NotSeparableError) Unwrap() error { return e.Fit }

// PanicError is the value with which a function of mlkit panics after a function that it
// was given, such as a fit, a measure or a kernel, has panicked in another goroutine. It
// is the caller's goroutine that panics then, where the panic can be recovered.
type PanicError struct {
	Value any    // what the function panicked with
	Stack []byte // the stack of its goroutine, as runtime.Stack writes it
}

func (e *PanicError) Error() string { return fmt.Sprintf("%v\n\n%s", e.Value, e.Stack) }

// Unwrap returns Value if it is an error, and nil if not.
func (e *PanicError) Unwrap() error {
	err, _ := e.Value.(error)
	return err
}
