package svm

import (
	"fmt"

	"gonum.org/v1/gonum/mat"

	"marginalia/mlkit"
	"marginalia/mlkit/internal/check"
	"marginalia/mlkit/internal/work"
	"marginalia/mlkit/kernel"
	"marginalia/mlkit/svm/internal/smo"
)

// Classifier is the support vector machine for two classes, with a hard or a soft margin
// and any kernel. It minimises ½‖w‖² + C Σ ξᵢ (see the package comment; Theodoridis,
// "Support Vector Machines"; Yuille, sections 7 to 13). The zero value is the linear
// machine with C = 1.
//
// It maximises the dual by sequential minimal optimisation (John Platt, 1998): each
// iteration selects a working set of two multipliers and optimises it with all others
// fixed. The selection uses second-order information (Rong-En Fan, Pai-Hsuen Chen,
// Chih-Jen Lin, "Working set selection using second order information for training
// support vector machines", 2005, WSS 2).
//
// An iteration takes O(n) time, plus O(nd) for each row of the Gram matrix that is not in
// the cache. The number of iterations grows with C and with differences in scale between
// the features, so standardise them.
type Classifier struct {
	// C > 0 is the penalty per unit of slack; 0 means 1. math.Inf(1) means a hard margin,
	// which needs separable classes. See COfLambda for the λ of EE-559.
	C float64

	// Kernel is the inner product of the feature space; nil means kernel.Linear{}.
	Kernel kernel.Kernel

	// Tol > 0 is the tolerance for the violation m(α) - M(α), the largest difference
	// between the values of b that two samples ask for, in units in which the margin is 1
	// (Fan, Chen, Lin, equation 6). 0 means 1e-3.
	Tol float64

	// MaxIter limits the iterations; 0 means max(10⁷, 100n). If the violation is still
	// above Tol, Fit returns a *mlkit.NotConvergedError.
	MaxIter int

	// CacheBytes is the size of the cache for rows of the Gram matrix, which holds at
	// least two; 0 means 200 MB. It does not change the result. Machines of a multiclass
	// model that are fitted concurrently share it.
	CacheBytes int64

	// ClassWeights multiplies C by a factor above 0 for each sample of the class with
	// that label; a class without an entry has the factor 1. See mlkit.BalancedWeights.
	ClassWeights map[int]float64

	// Balanced gives both classes the same total weight, computed at each fit: see package
	// mlkit. ClassWeights must then be empty.
	Balanced bool

	// Start holds the multipliers α to start from, one for each row of X, such as the
	// Alpha of a model with another kernel, or with another C, best multiplied by the ratio
	// of the two: those at their bound stay there, and the fit takes fewer iterations (Dennis
	// DeCoste, Kiri Wagstaff, "Alpha seeding for support vector machines", 2000). Fit clips them to their bounds, then scales down those of one class until
	// Σ αᵢyᵢ = 0. nil means 0.
	Start []float64

	// Trace, if not nil, is called with the state at the start and after every iteration.
	// Returning false ends the fit. The steps and the result are those without a
	// Trace. It takes O(n) time a step, and for 1000 samples or more, after 4n iterations,
	// O(nd).
	Trace func(Step) bool
}

// Step is the state of a Classifier's fit after an iteration.
type Step struct {
	Iteration      int     // 0 for the start
	I, J           int     // working set, as rows of X; -1 at the start
	AlphaI, AlphaJ float64 // their multipliers after the step
	B              float64 // the bias
	Dual           float64 // value of the dual problem; never decreases
	Primal         float64 // value of the primal problem at w, b, as for Model
	Gap            float64 // Primal - Dual ≥ 0
	Violation      float64 // m(α) - M(α); at most Tol at the end
}

// Fit trains a machine on the rows of X (n×d) with labels y[i], each -1 or +1.
//
// It returns a model together with an error in three cases:
//
//   - A hard margin is asked for, and no hyperplane separates the classes in the feature
//     space. The error is a *mlkit.NotSeparableError that says how close the convex hulls
//     of the classes come. Its Alpha sums to 1 over each class, or is 1 at each of two
//     equal samples.
//   - The violation exceeds Tol after MaxIter iterations. The error is a
//     *mlkit.NotConvergedError with their number in Iterations and the violation in Residual.
//   - float64 is too coarse for the kernel of X: rounding moves the scores by more than
//     max(Tol, 1e-3), or hides whether a hyperplane separates the classes. The error is a
//     *mlkit.NotConvergedError.
//
// Other errors report invalid X, y or c.
func (c Classifier) Fit(X *mat.Dense, y []int) (*Model, error) {
	return c.FitWith(mlkit.Options{}, X, y)
}

// FitWith is Fit with a context and with a factor of C for each row of X. Both labels need rows
// of positive weight. With a hard margin it matters only which weights are 0. FitWith reports the
// violation every few milliseconds, after 1 + 2²⁰/n iterations.
func (c Classifier) FitWith(o mlkit.Options, X *mat.Dense, y []int) (*Model, error) {
	if err := c.check(len(y)); err != nil {
		return nil, err
	}
	if err := check.TwoClasses("svm", X, y); err != nil {
		return nil, err
	}
	var end work.Ender = work.Never{}
	if o.Context != nil {
		end = o.Context
	}
	return fitSamples(end, c, o, smo.Samples{X: X}, y, nil)
}

// fitSamples is FitWith after all checks except that of the kernel's domain. For a
// machine among several it takes memory from space, and the model keeps views of X, not
// copies: see own.
func fitSamples(ctx work.Ender, c Classifier, o mlkit.Options, X smo.Samples, y []int, space *smo.Space) (*Model, error) {
	if c.Kernel != nil {
		if err := kernel.CheckSamples(c.Kernel, X.X); err != nil {
			return nil, fmt.Errorf("svm: Classifier.Kernel: %w", err)
		}
	}
	bounds, err := bounds(c.C, c.ClassWeights, c.Balanced, y, o.Weights)
	if err != nil {
		return nil, err
	}
	f := newFit(c, X, y, bounds)
	f.Space = space
	f.Report = work.Reporter(o, "svm: Classifier", f.MaxIter)
	return f.run(ctx, space != nil)
}

// check checks the hyperparameters for n samples.
func (c Classifier) check(n int) error {
	if !(c.C >= 0) {
		return fmt.Errorf("svm: Classifier.C = %v, want a positive number, +Inf for a hard margin, or 0 for 1", c.C)
	}
	if !(c.Tol >= 0 && check.Finite(c.Tol)) {
		return fmt.Errorf("svm: Classifier.Tol = %v, want a positive number, or 0 for %v", c.Tol, smoTol)
	}
	if c.MaxIter < 0 {
		return fmt.Errorf("svm: Classifier.MaxIter = %d, want a positive number, or 0 for 10⁷", c.MaxIter)
	}
	if c.CacheBytes < 0 {
		return fmt.Errorf("svm: Classifier.CacheBytes = %d, want a positive number, or 0 for 200 MB", c.CacheBytes)
	}
	if c.Kernel != nil {
		if err := kernel.Check(c.Kernel); err != nil {
			return fmt.Errorf("svm: Classifier.Kernel: %w", err)
		}
	}
	if c.Start != nil && len(c.Start) != n {
		return fmt.Errorf("svm: Classifier.Start has %d multipliers, want %d, one for each row of X", len(c.Start), n)
	}
	for i, a := range c.Start {
		if !(a >= 0 && check.Finite(a)) {
			return fmt.Errorf("svm: Classifier.Start[%d] = %v, want a finite number of at least 0", i, a)
		}
	}
	return nil
}

// Defaults of Classifier.
const (
	smoTol   = 1e-3
	smoCache = 200 << 20
)

func smoMaxIter(n int) int { return max(10_000_000, 100*n) }
