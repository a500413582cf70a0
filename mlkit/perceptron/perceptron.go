package perceptron

import (
	"context"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"marginalia/mlkit"
	"marginalia/mlkit/internal/check"
	"marginalia/mlkit/internal/rows"
)

// Perceptron is the perceptron algorithm (Frank Rosenblatt, 1957). It visits the
// samples in turn and, at each mistake, moves the hyperplane towards the sample,
//
//	if y(w·x + b) ≤ 0:  w ← w + ρyx,  b ← b + ρyc²
//
// until a whole pass makes no mistake. If a hyperplane separates the classes, a fit
// from w = 0 makes at most (R/Δ)² mistakes; see Novikoff. The zero value is EE-559's
// algorithm with the bias "introduced by adding a constant component … equal to 1"; the
// fields select the variants of the other lectures.
//
// A sample on the hyperplane is a mistake; otherwise w = 0 would never change. Yuille
// (sections 1 and 3) first replaces each negative sample x by -x, labelled +1, and then
// adds the samples with a·x < 0. Through the origin that is this rule, because
// y(w·x) = w·(yx).
//
// A pass takes O(nd) time, and a fit O(n + d) memory beside X. All processors of one
// architecture make the same mistakes; see the package comment of mlkit.
type Perceptron struct {
	// Bias says how b is learnt. The zero value, mlkit.FreeBias, learns it as the weight
	// of a constant feature 1.
	Bias mlkit.Bias

	// Rate is the step size ρ > 0; 0 means 1. From w = 0 it scales (w, b) and changes
	// nothing else.
	Rate float64

	// Start is the initial hyperplane w(0), b(0), which Fit does not modify. Nil means
	// W = 0, B = 0. With NoBias, its B must be 0.
	Start *mlkit.Hyperplane

	// MaxIter limits the passes over the samples; 0 means 1000. If the hyperplane
	// does not separate the classes by then, Fit returns the best one with an error.
	MaxIter int

	// StopEarly ends the fit as soon as every sample has been classified correctly
	// since the last mistake, even in the middle of a pass. In row order that is after
	// n consecutive steps without a mistake, as in Theodoridis, example 3.2. False
	// means at the end of the first pass without a mistake. The hyperplane is the same.
	StopEarly bool

	// ZeroIsPositive accepts a score of 0 for a positive sample (CMU: "predict positive
	// iff w·x ≥ 0"). False means that 0 is a mistake for both labels (EE-559;
	// Theodoridis, equations 3.21 to 3.23).
	ZeroIsPositive bool

	// Shuffle visits the samples in a new random order in each pass, determined by
	// Seed. False means row order.
	Shuffle bool
	Seed    uint64

	// Trace, if not nil, is called after every step. Returning false ends the fit.
	Trace func(Step) bool

	// TraceEpoch, if not nil, is called after every pass. Returning false ends the
	// fit.
	TraceEpoch func(Epoch) bool
}

// Model is the result of a Perceptron: its hyperplane and statistics of the
// fit.
type Model struct {
	mlkit.Hyperplane
	Mistakes         int   `json:"mistakes"`           // updates in all
	Epochs           int   `json:"epochs"`             // passes begun, including the last
	Steps            int   `json:"steps"`              // samples visited
	MistakesPerEpoch []int `json:"mistakes_per_epoch"` // Epochs numbers
	Converged        bool  `json:"converged"`          // whether Fit found every sample on its own side
}

var _ mlkit.ClassifierModel = (*Model)(nil)

// Fit learns a hyperplane that separates the rows of X (n×d) with label y[i] = +1 from
// those with y[i] = -1.
//
// If there is none, or MaxIter passes find none, Fit returns the best hyperplane
// along with one of two errors. For *mlkit.NotConvergedError, Iterations is the number
// of passes and Residual the number of rows of X on the wrong side.
// *mlkit.NotSeparableError holds a proof: two rows are the same point with both labels,
// or the weights at the end of a pass occurred before. The best hyperplane is either
// the last one or the one that survived the most steps, whichever makes fewer mistakes
// on X. The latter is that of the pocket algorithm (Stephen Gallant, "Perceptron-based
// learning algorithms", 1990).
//
// Fit also returns an error if X, y or p is invalid, or if a score overflows. Both
// classes must occur, except with NoBias, where the sign of a sample may have
// been moved from y to x.
func (p Perceptron) Fit(X *mat.Dense, y []int) (*Model, error) {
	return p.FitWith(mlkit.Options{}, X, y)
}

// FitWith is Fit with a context. It takes no weights. It reports each pass, with its mistakes.
func (p Perceptron) FitWith(o mlkit.Options, X *mat.Dense, y []int) (*Model, error) {
	ctx, err := o.Unweighted("perceptron: Perceptron")
	if err != nil {
		return nil, err
	}
	r, err := newRun(o, "Perceptron", p, maxIter, X, y)
	if err != nil {
		return nil, err
	}
	longest, cycle := newLongest(r.h), newCycle(r.h, len(y))
	r.observers = []observer{longest, cycle}
	if p.Trace != nil {
		r.watches = append(r.watches, r.traced(p.Trace))
	}
	if p.StopEarly {
		r.watches = append(r.watches, r.settled())
	}
	ended, err := r.learn(ctx, cycle)
	if err != nil {
		return nil, err
	}
	return r.finish(ended, ctx.Err(), longest.h, cycle)
}

// maxIter is the limit on the passes of a Perceptron, and its default.
var maxIter = limit{"MaxIter", 1000}

// learn makes passes until the stopping rule holds: a pass without a mistake, a cycle, or
// MaxIter passes. StopEarly, the trace and the context end it within a pass.
func (r *run) learn(ctx context.Context, cycle *cycle) (ending, error) {
	for range r.MaxIter {
		ended, err := r.epoch(ctx)
		if err != nil || ended == stopped || ended == cancelled {
			return ended, err
		}
		goOn := r.traceEpoch()
		switch {
		case ended == clean || r.model.MistakesPerEpoch[r.model.Epochs-1] == 0:
			return clean, nil
		case !goOn:
			return stopped, nil
		// With Shuffle, a hyperplane that recurred need not recur again, but the
		// updates in between are a proof nevertheless.
		case cycle.closed(r.h) && (!r.Shuffle || cycle.proves(r.Perceptron, r.X, r.y)):
			return inCycle, nil
		}
	}
	return unended, nil
}

// pass is the algorithm: it visits the rows in the given order and corrects each mistake. The
// observers see the hyperplane that made the mistake, the watches what came of the step.
func (r *run) pass(order []int) (ending, error) {
	for _, i := range order {
		x, y := r.X.RawRowView(i), float64(r.y[i])
		s := floats.Dot(r.h.W, x) + r.h.B
		if !check.Finite(s) {
			return unended, r.overflow(i, s, r.model.Epochs-1)
		}
		mistake := r.mistake(s, r.y[i])
		if mistake {
			r.observe(i)
			// w ← w + ρyx,  b ← b + ρyc²
			floats.AddScaled(r.h.W, r.Rate*y, x)
			r.h.B += r.Rate * y * r.c2
		}
		r.model.Steps++
		for _, watch := range r.watches {
			if ended := watch(i, s, mistake); ended != unended {
				return ended, nil
			}
		}
	}
	return unended, nil
}

// mistake reports whether score s is wrong for label y.
func (p Perceptron) mistake(s float64, y int) bool {
	if p.ZeroIsPositive {
		return rows.Side(s) != y
	}
	return s*float64(y) <= 0
}

// settled returns a watch for StopEarly. It ends the run when every row has been found right
// since the last mistake.
func (r *run) settled() watch {
	right := slices.Repeat([]int{-1}, len(r.y)) // the number of mistakes when row i was last found right
	count := 0                                  // of rows found right since the last one
	return func(i int, _ float64, mistake bool) ending {
		if mistake {
			count = 0
		} else if right[i] != r.model.Mistakes {
			right[i] = r.model.Mistakes
			count++
		}
		if count == len(right) {
			return clean
		}
		return unended
	}
}
