package smo

import (
	"math"

	"marginalia/mlkit/internal/work"
	"marginalia/mlkit/kernel"
)

// Fit is the dual problem of some samples under a kernel.
type Fit struct {
	Dual
	Samples    Samples
	Kernel     kernel.Kernel
	Linear     bool   // Kernel is linear, so the origin makes no difference
	CacheBytes int64  // for rows of the kernel matrix
	Space      *Space // if not nil, memory of earlier fits to use, for one at a time

	// What Solve sets.
	Origin  []float64 // what it has subtracted from the samples if Linear; nil means 0
	Overlap *Overlap  // why there is no hard margin, or nil

	exact *exact // nil until float64 rows are needed
}

// solver takes steps with one kind of rows.
type solver interface {
	// diagonal returns Kᵢᵢ, rounded like the rows.
	diagonal(ctx work.Ender) ([]float64, error)
	// optimise is Optimise with these rows.
	optimise(ctx work.Ender, d *Dual) (Ending, error)
	// gradient evaluates g from its definition: in float64 wherever a number of the model
	// depends on it.
	gradient(ctx work.Ender, d *Dual) error
}

// Solve optimises until it reaches an ending. It evaluates g from its definition at the
// start and at the end, since its updates accumulate rounding errors, and goes on if the
// violation is above Tol then: with float64 rows if float32 makes no more progress. err
// reports a kernel value that is not finite, or is the error of ctx. K is nil if Solve has
// ended before the first step.
func (f *Fit) Solve(ctx work.Ender) (Ending, error) {
	fast, err := newShrinking(ctx, f)
	if err != nil {
		return 0, err
	}
	var by solver = fast
	if fast == nil {
		by = f.inFloat64()
	} else {
		defer fast.release()
	}
	if f.K, err = by.diagonal(ctx); err != nil {
		return 0, err
	}
	if f.Hard {
		if f.Overlap, err = f.overlap(ctx); err == errOverflow {
			return Overflowed, nil
		} else if err != nil {
			return 0, err
		}
		if f.Overlap != nil {
			f.MaxIter = min(f.MaxIter, 100+10*len(f.Y)) // enough for a usable model
		}
	}
	if err := by.gradient(ctx, &f.Dual); err != nil {
		return 0, err
	}
	if f.Trace != nil {
		if goOn, err := f.Trace(-1, -1); err != nil || !goOn {
			return Stopped, err
		}
	}
	best, worse := math.Inf(1), 0
	for {
		ended, err := by.optimise(ctx, &f.Dual)
		if err != nil || ended == Stopped || ended == Cancelled || ended == Overflowed {
			return ended, err
		}
		if err := by.gradient(ctx, &f.Dual); err != nil {
			return 0, err
		}
		v := f.Violation()
		if f.Report != nil {
			f.Report(f.Iterations, v)
		}
		switch {
		case f.Overlap != nil:
			return Overlapping, nil
		case v <= f.Tol && f.Uncertainty() > max(f.Tol, 1e-3):
			return TooCoarse, nil // the violation is mere rounding
		case v <= f.Tol:
			return Converged, nil
		case ended == OutOfSteps:
			return OutOfSteps, nil
		}
		if v < best {
			best = v
		} else {
			worse++
		}
		switch {
		case f.exact == nil && (worse > 0 || ended == Stalled):
			by = f.inFloat64()
			if f.K, err = by.diagonal(ctx); err != nil {
				return 0, err
			}
			best, worse = v, 0
		case worse == 3:
			return Stalled, nil
		}
	}
}

// inFloat64 returns the solver with float64 rows.
func (f *Fit) inFloat64() *exact {
	X := f.Samples.Dense()
	if f.Linear {
		if f.Origin == nil {
			f.Origin = farOrigin(X)
		}
		X = shifted(X, f.Origin)
	}
	f.exact = newExact(f.Kernel, X, f.CacheBytes)
	f.exact.rows = f.Samples.Rows
	return f.exact
}
