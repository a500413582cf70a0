package svm

import (
	"cmp"

	"gonum.org/v1/gonum/mat"

	"marginalia/mlkit"
	"marginalia/mlkit/internal/check"
	"marginalia/mlkit/internal/work"
	"marginalia/mlkit/svm/internal/dcd"
	"marginalia/mlkit/svm/internal/linear"
)

// DualDescent is the support vector machine with the linear kernel, by coordinate descent
// in the dual. It visits the samples in random order, sets each multiplier to its optimum
// with the others fixed, and keeps w = Σ αᵢyᵢxᵢ up to date (Cho-Jui Hsieh, Kai-Wei Chang,
// Chih-Jen Lin, S. Sathiya Keerthi, S. Sundararajan, "A dual coordinate descent method
// for large-scale linear SVM", 2008, algorithm 1). The zero value has the hinge loss and
// C = 1.
//
// A free b brings the constraint Σ αᵢyᵢ = 0, and no single multiplier can move along it.
// The paper therefore has a penalised b, or none. Here the penalty is ½(b - b₀)²/β² in
// place of ½b², and b₀ is set to b repeatedly, until the penalty is 0 at the end (the
// proximal point method, R. Tyrrell Rockafellar, "Augmented Lagrangians and applications
// of the proximal point algorithm in convex programming", 1976). β² is the mean of ‖xᵢ‖².
//
// A pass takes O(nd) time. The number of passes grows with C. If n is much larger than d,
// Newton is faster for SquaredHinge.
type DualDescent struct {
	C            float64         // penalty per unit of slack, or of squared slack, above 0; 0 means 1
	Loss         Loss            // Hinge or SquaredHinge
	Bias         mlkit.Bias      // FreeBias, PenalizedBias or NoBias
	Tol          float64         // tolerance for Gap/Primal, above 0; 0 means 1e-3
	MaxIter      int             // limit on the passes; 0 means 10000
	ClassWeights map[int]float64 // factors of C by label, above 0; 1 if absent
	Balanced     bool            // give both classes the same total weight (see package mlkit); needs ClassWeights empty
	Seed         uint64          // seed of the order of each pass

	// Start is a model for a warm start, such as that for another C, with a multiplier
	// for each row of X, best multiplied by the ratio of the two C. Multipliers are clipped
	// to their bounds. nil means α = 0.
	Start *LinearModel

	// Trace, if not nil, is called with the state after each of passes 1 to 10 and every
	// tenth pass. Returning false ends the fit.
	Trace func(LinearStep) bool
}

const (
	dualDescentTol    = 1e-3
	dualDescentPasses = 10000
)

// Fit trains a machine on the rows of X (n×d) with labels y[i], each -1 or +1. The
// model's Iterations counts passes. If the gap is above Tol after MaxIter passes, Fit
// returns the model with a *mlkit.NotConvergedError and Gap/Primal in its Residual. Other
// errors report invalid X, y or c.
func (c DualDescent) Fit(X *mat.Dense, y []int) (*LinearModel, error) {
	return c.FitWith(mlkit.Options{}, X, y)
}

// FitWith is Fit with a context and with a factor of C for each row of X, as Classifier.FitWith
// is. It reports each pass, with the smallest Gap/Primal so far.
func (c DualDescent) FitWith(o mlkit.Options, X *mat.Dense, y []int) (*LinearModel, error) {
	if err := checkLinear("DualDescent", c.Loss, c.Bias, c.C, c.Tol, c.MaxIter); err != nil {
		return nil, err
	}
	if err := check.Shape("svm", X); err != nil { // dcd.New checks the elements
		return nil, err
	}
	n, _ := X.Dims()
	if err := check.Signs("svm", n, y); err != nil {
		return nil, err
	}
	if err := check.BothSigns("svm", y); err != nil {
		return nil, err
	}
	if err := checkStart("DualDescent", c.Start, X, true); err != nil {
		return nil, err
	}
	bound, err := bounds(c.C, c.ClassWeights, c.Balanced, y, o.Weights)
	if err != nil {
		return nil, err
	}
	if o.Weights != nil { // dcd.New does not see all rows
		if err := check.Samples("svm", X); err != nil {
			return nil, err
		}
	}
	c.Tol = cmp.Or(c.Tol, dualDescentTol)
	if c.MaxIter == 0 {
		c.MaxIter = dualDescentPasses
	}
	return c.solve(o, linear.New(X, y, bound, c.Loss == SquaredHinge, c.Bias))
}

func (c DualDescent) solve(o mlkit.Options, p *linear.Problem) (*LinearModel, error) {
	f, err := dcd.New(p, (*linear.Solution)(c.Start))
	if err != nil {
		return nil, err
	}
	f.Tol, f.MaxIter, f.Seed, f.Trace = c.Tol, c.MaxIter, c.Seed, linearTrace(c.Trace)
	f.Report = work.Reporter(o, "svm: DualDescent", f.MaxIter)
	ctx := o.ContextOrBackground()
	s, ended := f.Solve(ctx)
	return solved(ctx, "DualDescent", p, s, ended, f.Passes, f.Tol)
}
