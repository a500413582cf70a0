package linear

import (
	"context"
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"

	"marginalia/mlkit"
	"marginalia/mlkit/internal/check"
)

// Perceptron is the perceptron algorithm (Frank Rosenblatt, 1957): go through
// the samples in turn, and at each mistake move the hyperplane towards the
// sample,
//
//	if y(w·x + b) ≤ 0:  w ← w + ρyx,  b ← b + ρyc²
//
// until a whole pass goes by without a mistake. If a hyperplane separates the
// classes this happens after at most (R/γ)² mistakes; see Novikoff. The zero value
// is EE-559's algorithm with the bias "introduced by adding a constant component
// equal to 1"; each field says what else the lectures do.
//
// A sample on the hyperplane is a mistake: otherwise nothing would ever be learnt
// from w = 0. Yuille (sections 1 and 3) first replaces each negative sample x by
// -x, labelled +1, and then adds the samples with a·x < 0: through the origin
// that is this rule, because y(w·x) = w·(yx).
//
// A pass takes O(nd) time, and a fit O(n + d) memory beside X. The mistakes of two
// processors of one architecture are the same: see the package comment of mlkit.
type Perceptron struct {
	// Bias says how b is learnt. The zero value, ExtendedByOne, learns it as the
	// weight of a constant feature 1.
	Bias Bias

	// Rate is ρ > 0, the size of a step; 0 means 1. From w = 0 it scales (w, b)
	// and changes nothing else.
	Rate float64

	// Start is the hyperplane w(0), b(0) to start from; it is not changed. Nil
	// means W = 0, B = 0. Its B must be 0 with ThroughOrigin.
	Start *Hyperplane

	// MaxEpochs limits the passes through the samples; 0 means 1000. If the
	// hyperplane does not separate the classes after them, Fit returns a
	// *mlkit.NotConvergedError.
	MaxEpochs int

	// StopEarly ends the fit as soon as every sample has been found right since
	// the last mistake, in the middle of a pass if need be: in the order of the
	// rows that is after n steps in a row without a mistake, as in Theodoridis,
	// example 3.2. False means at the end of the first pass without a mistake.
	// The hyperplane is the same.
	StopEarly bool

	// ZeroIsPositive makes a score of 0 right for a positive sample (CMU:
	// "predict positive iff w·x ≥ 0"). False means that 0 is a mistake for both
	// labels (EE-559; Theodoridis, equations 3.21 to 3.23).
	ZeroIsPositive bool

	// Shuffle takes the samples in a new random order in each pass, which
	// follows from Seed. False means the order of the rows.
	Shuffle bool
	Seed    uint64

	// Trace, if not nil, is called with every step. Returning false ends the
	// fit.
	Trace func(PerceptronStep) bool

	// TraceEpoch, if not nil, is called at the end of every pass. Returning
	// false ends the fit.
	TraceEpoch func(PerceptronEpoch) bool
}

// PerceptronStep is one step of the perceptron: one sample, looked at once.
type PerceptronStep struct {
	Step     int        // 1 for the first: the step from w(0) to w(1)
	Epoch    int        // the pass, 0 for the first
	Index    int        // the row of X
	X        []float64  // that row; a view of X, not to be changed
	Y        int        // its label
	Score    float64    // w·x + b before the step
	Mistake  bool       // whether the step corrected the hyperplane
	Mistakes int        // mistakes so far, with this one
	Before   Hyperplane // not to be changed; shared by the steps between two mistakes
	After    Hyperplane // as Before, if Mistake is false
}

// PerceptronEpoch is one pass of the perceptron through the samples.
type PerceptronEpoch struct {
	Epoch      int        // 0 for the first
	Mistakes   int        // mistakes in this pass
	Total      int        // mistakes so far
	Steps      int        // steps so far
	Hyperplane Hyperplane // at the end of the pass
}

// PerceptronModel is what a Perceptron has learnt: its hyperplane, and how it came
// there.
type PerceptronModel struct {
	Hyperplane
	Mistakes         int   `json:"mistakes"`           // corrections in all
	Epochs           int   `json:"epochs"`             // passes begun, with the last one
	Steps            int   `json:"steps"`              // samples looked at
	MistakesPerEpoch []int `json:"mistakes_per_epoch"` // Epochs numbers
	Converged        bool  `json:"converged"`          // whether Fit found every sample on its own side
}

var _ mlkit.Classifier = (*PerceptronModel)(nil)

// Fit learns a hyperplane that separates the rows of X (n×d) with label y[i] = +1
// from those with y[i] = -1.
//
// If there is none, or none is found in MaxEpochs passes, Fit returns the best
// hyperplane met with one of two errors. *mlkit.NotConvergedError counts in
// Iterations the passes and in Residual the rows of X on the wrong side.
// *mlkit.NotSeparableError has a proof: two rows are one point with both labels,
// or the weights at the end of a pass were met before. The best hyperplane is,
// of the last one and the one that stood for the most steps, the one with fewer
// mistakes on X; the latter is that of the pocket algorithm (Stephen Gallant,
// "Perceptron-based learning algorithms", 1990).
//
// Other errors name what is wrong with X, y or p; X is refused if a score overflows.
// Samples of one class only are refused, except with ThroughOrigin, where the sign
// of a sample may have been moved from y to x.
func (p Perceptron) Fit(X *mat.Dense, y []int) (*PerceptronModel, error) {
	return p.FitContext(context.Background(), X, y)
}

// FitContext is Fit that ends with a *mlkit.NotConvergedError, wrapping the
// context's error, soon after ctx is done.
func (p Perceptron) FitContext(ctx context.Context, X *mat.Dense, y []int) (*PerceptronModel, error) {
	if err := p.check(X, y); err != nil {
		return nil, err
	}
	r := newPerceptronRun(p, X, y)
	ended, err := r.run(ctx)
	if err != nil {
		return nil, err
	}
	return r.finish(ended, ctx.Err())
}

// check checks the hyperparameters and the data.
func (p Perceptron) check(X *mat.Dense, y []int) error {
	return p.checkAs("Perceptron", "MaxEpochs", maxEpochs, X, y)
}

// checkAs is check for the algorithm of the given name, whose limit on the passes
// has the name and the default that are given.
func (p Perceptron) checkAs(name, passes string, usual int, X *mat.Dense, y []int) error {
	if !p.Bias.valid() {
		return fmt.Errorf("linear: %s.Bias = %d, want ExtendedByOne, ThroughOrigin or ExtendedByRadius", name, int(p.Bias))
	}
	if !(p.Rate >= 0 && p.Rate <= math.MaxFloat64) {
		return fmt.Errorf("linear: %s.Rate = %v, want a positive number, or 0 for 1", name, p.Rate)
	}
	if p.MaxEpochs < 0 {
		return fmt.Errorf("linear: %s.%s = %d, want a positive number, or 0 for %d", name, passes, p.MaxEpochs, usual)
	}
	if err := check.Samples("linear", X); err != nil {
		return err
	}
	n, d := X.Dims()
	if err := check.Signs("linear", n, y); err != nil {
		return err
	}
	if p.Bias != ThroughOrigin {
		if err := check.BothSigns("linear", y); err != nil {
			return err
		}
	}
	return p.checkStart(name, d)
}

func (p Perceptron) checkStart(name string, d int) error {
	if p.Start == nil {
		return nil
	}
	if len(p.Start.W) != d {
		return fmt.Errorf("linear: %s.Start has %d weights, want %d, one for each column of X", name, len(p.Start.W), d)
	}
	for j, w := range p.Start.W {
		if !finite(w) {
			return fmt.Errorf("linear: %s.Start.W[%d] = %v, want a finite number", name, j, w)
		}
	}
	if !finite(p.Start.B) {
		return fmt.Errorf("linear: %s.Start.B = %v, want a finite number", name, p.Start.B)
	}
	if p.Bias == ThroughOrigin && p.Start.B != 0 {
		return fmt.Errorf("linear: %s.Start.B = %v, want 0 with ThroughOrigin", name, p.Start.B)
	}
	return nil
}

// maxEpochs is what Perceptron.MaxEpochs = 0 means.
const maxEpochs = 1000

// finite reports whether v is neither NaN nor ±Inf.
func finite(v float64) bool { return math.Abs(v) <= math.MaxFloat64 }
