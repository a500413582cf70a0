package smo

// Ending is how Optimise or Solve ended.
type Ending int

const (
	Converged   Ending = iota // the violation is at most Tol
	Stalled                   // the best step is below rounding error
	OutOfSteps                // MaxIter iterations are done
	Stopped                   // the trace returned false
	Cancelled                 // the context is done
	Overflowed                // the scores overflow
	Overlapping               // no hyperplane separates the classes, or float64 cannot tell: see Overlap
	TooCoarse                 // rounding of the kernel makes the scores uncertain: see Dual.Uncertainty
)
