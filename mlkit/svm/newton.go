package svm

import (
	"cmp"

	"gonum.org/v1/gonum/mat"

	"marginalia/mlkit"
	"marginalia/mlkit/internal/check"
	"marginalia/mlkit/internal/work"
	"marginalia/mlkit/svm/internal/linear"
	"marginalia/mlkit/svm/internal/newton"
)

// Newton is the support vector machine with the linear kernel and squared slacks. It
// minimises ½‖w‖² + C Σ ξᵢ² by Newton's method in the primal. A step solves the least
// squares problem of the samples that currently have slack. An exact line search makes
// the objective fall, so the method ends after finitely many steps (S. Sathiya Keerthi,
// Dennis DeCoste, "A modified finite Newton method for fast solution of large scale
// linear SVMs", 2005; Olivier Chapelle, "Training a support vector machine in the
// primal", 2007). The zero value has C = 1.
//
// A step takes O(nd² + d³) time and O(d²) memory, and few steps are needed. With n < d it takes
// O(nd + n³) time and O(n²) memory, after O(n²d) for the inner products of the samples, and a
// centred copy of X during that if b is free.
type Newton struct {
	C            float64               // penalty per unit of squared slack, above 0; 0 means 1
	Bias         mlkit.Bias            // FreeBias, PenalizedBias or NoBias
	Tol          float64               // tolerance for Gap/Primal, above 0; 0 means 1e-9
	MaxIter      int                   // limit on the steps; 0 means 100
	ClassWeights map[int]float64       // factors of C by label, above 0; 1 if absent
	Balanced     bool                  // give both classes the same total weight (see package mlkit); needs ClassWeights empty
	Start        *LinearModel          // model whose w and b to start from, such as that for another C; nil means 0
	Trace        func(LinearStep) bool // if not nil, called after every step; returning false ends the fit
}

const (
	newtonTol     = 1e-9
	newtonMaxIter = 100
)

// Fit trains a machine on the rows of X (n×d) with labels y[i], each -1 or +1. The
// model's Iterations counts steps. If the gap is above Tol after MaxIter steps, Fit
// returns the model with a *mlkit.NotConvergedError and Gap/Primal in its Residual. Other
// errors report invalid X, y or c.
func (c Newton) Fit(X *mat.Dense, y []int) (*LinearModel, error) {
	return c.FitWith(mlkit.Options{}, X, y)
}

// FitWith is Fit with a context and with a factor of C for each row of X, as Classifier.FitWith
// is. It reports each step, with Gap/Primal.
func (c Newton) FitWith(o mlkit.Options, X *mat.Dense, y []int) (*LinearModel, error) {
	if err := checkLinear("Newton", SquaredHinge, c.Bias, c.C, c.Tol, c.MaxIter); err != nil {
		return nil, err
	}
	if err := check.TwoClasses("svm", X, y); err != nil {
		return nil, err
	}
	if err := checkStart("Newton", c.Start, X, false); err != nil {
		return nil, err
	}
	bound, err := bounds(c.C, c.ClassWeights, c.Balanced, y, o.Weights)
	if err != nil {
		return nil, err
	}
	c.Tol = cmp.Or(c.Tol, newtonTol)
	if c.MaxIter == 0 {
		c.MaxIter = newtonMaxIter
	}
	return c.solve(o, linear.New(X, y, bound, true, c.Bias))
}

func (c Newton) solve(o mlkit.Options, p *linear.Problem) (*LinearModel, error) {
	f := newton.New(p, (*linear.Solution)(c.Start))
	f.Tol, f.MaxIter, f.Trace = c.Tol, c.MaxIter, linearTrace(c.Trace)
	f.Report = work.Reporter(o, "svm: Newton", f.MaxIter)
	ctx := o.ContextOrBackground()
	s, ended := f.Solve(ctx)
	return solved(ctx, "Newton", p, s, ended, s.Iterations, f.Tol)
}
