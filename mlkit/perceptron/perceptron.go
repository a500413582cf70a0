package perceptron

import (
	"context"
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"

	"marginalia/mlkit"
	"marginalia/mlkit/internal/check"
)

// Perceptron is the perceptron algorithm (Frank Rosenblatt, 1957). It visits the
// samples in turn and, at each mistake, moves the hyperplane towards the sample,
//
//	if y(w·x + b) ≤ 0:  w ← w + ρyx,  b ← b + ρyc²
//
// until a whole pass makes no mistake. If a hyperplane separates the classes, a fit
// from w = 0 makes at most (R/γ)² mistakes; see Novikoff. The zero value is EE-559's
// algorithm with the bias "introduced by adding a constant component equal to 1"; the
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
	// does not separate the classes by then, Fit returns a *mlkit.NotConvergedError.
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

	// Trace, if not nil, is called after every step. Returning false stops the fit.
	Trace func(Step) bool

	// TraceEpoch, if not nil, is called after every pass. Returning false stops the
	// fit.
	TraceEpoch func(Epoch) bool
}

// Step is one step of the perceptron: one visit to one sample.
type Step struct {
	Step     int              // 1 for the first, from w(0) to w(1)
	Epoch    int              // the pass, 0 for the first
	Index    int              // the row of X
	X        []float64        // that row, a view of X; must not be modified
	Y        int              // its label
	Score    float64          // w·x + b before the step
	Mistake  bool             // whether the step updated the hyperplane
	Mistakes int              // mistakes so far, including this step
	Before   mlkit.Hyperplane // must not be modified; shared by the steps between two mistakes
	After    mlkit.Hyperplane // same as Before if Mistake is false
}

// Epoch is one pass of the perceptron over the samples.
type Epoch struct {
	Epoch      int              // 0 for the first
	Mistakes   int              // mistakes in this pass
	Total      int              // mistakes so far
	Steps      int              // steps so far
	Hyperplane mlkit.Hyperplane // at the end of the pass
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

var _ mlkit.Classifier = (*Model)(nil)

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
	return p.FitContext(context.Background(), X, y)
}

// FitContext is like Fit but stops soon after ctx is done, with a
// *mlkit.NotConvergedError that wraps the context's error.
func (p Perceptron) FitContext(ctx context.Context, X *mat.Dense, y []int) (*Model, error) {
	if err := p.check(X, y); err != nil {
		return nil, err
	}
	r := newLearner(p, X, y)
	ended, err := r.run(ctx)
	if err != nil {
		return nil, err
	}
	return r.finish(ended, ctx.Err())
}

// check validates the hyperparameters and the data.
func (p Perceptron) check(X *mat.Dense, y []int) error {
	return p.checkAs("Perceptron", "MaxIter", maxEpochs, X, y)
}

// checkAs is check for the algorithm of the given name. passes is the name of its limit
// on the passes, and usual that limit's default.
func (p Perceptron) checkAs(name, passes string, usual int, X *mat.Dense, y []int) error {
	if !learnable(p.Bias) {
		return fmt.Errorf("perceptron: %s.Bias = %v, want FreeBias, NoBias or RadiusBias", name, p.Bias)
	}
	if !(p.Rate >= 0 && p.Rate <= math.MaxFloat64) {
		return fmt.Errorf("perceptron: %s.Rate = %v, want a positive number, or 0 for 1", name, p.Rate)
	}
	if p.MaxIter < 0 {
		return fmt.Errorf("perceptron: %s.%s = %d, want a positive number, or 0 for %d", name, passes, p.MaxIter, usual)
	}
	if err := check.Samples("perceptron", X); err != nil {
		return err
	}
	n, d := X.Dims()
	if err := check.Signs("perceptron", n, y); err != nil {
		return err
	}
	if p.Bias != mlkit.NoBias {
		if err := check.BothSigns("perceptron", y); err != nil {
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
		return fmt.Errorf("perceptron: %s.Start has %d weights, want %d, one for each column of X", name, len(p.Start.W), d)
	}
	for j, w := range p.Start.W {
		if !check.Finite(w) {
			return fmt.Errorf("perceptron: %s.Start.W[%d] = %v, want a finite number", name, j, w)
		}
	}
	if !check.Finite(p.Start.B) {
		return fmt.Errorf("perceptron: %s.Start.B = %v, want a finite number", name, p.Start.B)
	}
	if p.Bias == mlkit.NoBias && p.Start.B != 0 {
		return fmt.Errorf("perceptron: %s.Start.B = %v, want 0 with NoBias", name, p.Start.B)
	}
	return nil
}

// maxEpochs is the default of Perceptron.MaxIter.
const maxEpochs = 1000

// finite reports whether v is neither NaN nor ±Inf.
