package svm

import (
	"context"
	"errors"
	"fmt"

	"gonum.org/v1/gonum/mat"

	"marginalia/mlkit/internal/check"
	"marginalia/mlkit/internal/early"
	"marginalia/mlkit/kernel"
)

// Classifier is the support vector machine for two classes, with a hard or a soft
// margin, in the space of a kernel: it minimises ½‖w‖² + C Σ ξᵢ (see the package
// comment; Theodoridis, "Support Vector Machines"; Yuille, sections 7 to 13). The
// zero value is the linear machine with C = 1.
//
// It maximises the dual by sequential minimal optimisation (John Platt, 1998): again
// and again it takes the two multipliers that promise most and sets them to what is
// best for them, with the others as they are. Which two follows from second-order
// information (Rong-En Fan, Pai-Hsuen Chen, Chih-Jen Lin, "Working set selection
// using second order information for training support vector machines", 2005, WSS 2).
//
// An iteration takes O(n) time, and O(nd) more for a row of the Gram matrix that is
// not in the cache. The number of iterations grows with C, and with the differences
// in scale between the columns of X, so these are better made alike.
//
// With 1000 samples or more, a soft margin and a kernel that is linear, polynomial or
// Gaussian, the rows are of float32, twelve at a time, by vector instructions if the
// processor has them; and if iterations are many, multipliers that stay at their bounds
// are left out of them. In the end the violation is evaluated in float64 from all, and
// the fit goes on if it is above Tol, with rows of float64 if those of float32 don't get
// it down. So processors differ in the model, but not in what it promises. The number of
// them (GOMAXPROCS) and CacheBytes have no influence.
type Classifier struct {
	// C > 0 is the price of a unit of slack; 0 means 1, and math.Inf(1) is the hard
	// margin, which fits only classes that can be separated. See COfLambda for the
	// λ of EE-559.
	C float64

	// Kernel is the inner product of the space; nil means kernel.Linear{}.
	Kernel kernel.Kernel

	// Tol > 0 is the violation at which the fit ends: the largest difference
	// between two samples in what they ask b to be, in the unit in which the margin
	// is 1 (Fan, Chen, Lin, equation 6: m(α) - M(α)). 0 means 1e-3.
	Tol float64

	// MaxIter limits the iterations; 0 means 10⁷, or 100n if that is more. If the
	// violation is above Tol then, Fit returns a *mlkit.NotConvergedError.
	MaxIter int

	// CacheBytes is the memory for rows of the Gram matrix, of which at least two
	// are kept; 0 means 200 MB. It has no influence on the result. Machines for many
	// classes that are fitted at the same time share it.
	CacheBytes int64

	// ClassWeights are factors of C for the samples of a class, by label, each
	// above 0; a class that is not in it has the factor 1. See BalancedWeights.
	ClassWeights map[int]float64

	// Start are the multipliers α to start from, one for each row of X, such as the
	// Alpha of a model with another C or another kernel. They are moved into their
	// bounds first, and those of one class made smaller until Σ αᵢyᵢ = 0. Nil means 0.
	Start []float64

	// Trace, if not nil, is called with the state at the start and after every
	// iteration. Returning false ends the fit. With it no multipliers are left out, so a
	// fit of 1000 samples or more, and of more than 4n iterations, takes other steps to
	// another solution within Tol.
	Trace func(Step) bool
}

// Step is the state of a Classifier's fit after an iteration.
type Step struct {
	Iteration      int     // 0 for the start
	I, J           int     // the rows whose multipliers were changed; -1 at the start
	AlphaI, AlphaJ float64 // what these became
	B              float64 // the bias
	Dual           float64 // value of the dual problem: never falls
	Primal         float64 // value of the primal problem at w, b, as for Model
	Gap            float64 // Primal - Dual ≥ 0
	Violation      float64 // m(α) - M(α), below Tol at the end
}

// Fit learns to tell the rows of X (n×d) with label y[i] = +1 from those with
// y[i] = -1.
//
// It returns a model beside an error in three cases. With a hard margin and classes
// that no hyperplane separates in the space of the kernel it is a
// *mlkit.NotSeparableError, which says how close the convex hulls of the classes
// come; the sum of its Alpha is 1 over each class, or 1 at each of two equal samples. After
// MaxIter iterations it is a *mlkit.NotConvergedError that counts them in
// Iterations and has the violation in Residual. It is one as well where float64 is too
// coarse for the kernel of X: where rounding moves the scores by more than Tol (and
// 1e-3), or hides whether a hyperplane separates the classes.
//
// Other errors name what is wrong with X, y or c.
func (c Classifier) Fit(X *mat.Dense, y []int) (*Model, error) {
	return fitWeighted(early.Never{}, c, X, y, nil)
}

// FitContext is Fit that ends with a *mlkit.NotConvergedError, wrapping the
// context's error, soon after ctx is done.
func (c Classifier) FitContext(ctx context.Context, X *mat.Dense, y []int) (*Model, error) {
	return c.FitWeighted(ctx, X, y, nil)
}

// FitWeighted is FitContext with a factor of C for each row of X: a row of weight 2
// counts as two, one of weight 0 not at all. Nil weights are 1. Rows of both labels
// must have weights above 0. With a hard margin only it matters only which are 0.
func (c Classifier) FitWeighted(ctx context.Context, X *mat.Dense, y []int, weights []float64) (*Model, error) {
	if err := checkContext(ctx); err != nil {
		return nil, err
	}
	return fitWeighted(ctx, c, X, y, weights)
}

// checkContext checks a context: nil would be a panic in the middle of a fit.
func checkContext(ctx context.Context) error {
	if ctx == nil {
		return errors.New("svm: ctx is nil, want a context, such as context.Background()")
	}
	return nil
}

// fitWeighted is c.FitWeighted, of Fit as well, which has no context.
func fitWeighted(ctx early.Ender, c Classifier, X *mat.Dense, y []int, weights []float64) (*Model, error) {
	if err := c.check(len(y)); err != nil {
		return nil, err
	}
	if err := checkTwoClasses(X, y); err != nil {
		return nil, err
	}
	return fitClassifier(ctx, c, samples{X: X}, y, weights, new(memory))
}

// fitClassifier is c.FitWeighted of what has been checked, but for the domain of the
// kernel. It takes memory from a fit before it and leaves it to the next. Were it a method
// of Classifier, each package that imports svm would compile the generic types in memory
// for itself.
func fitClassifier(ctx early.Ender, c Classifier, X samples, y []int, weights []float64, used *memory) (*Model, error) {
	if c.Kernel != nil {
		if err := kernel.CheckSamples(c.Kernel, X.X); err != nil {
			return nil, fmt.Errorf("svm: Classifier.Kernel: %w", err)
		}
	}
	bounds, err := bounds(c.C, c.ClassWeights, y, weights)
	if err != nil {
		return nil, err
	}
	return newSMO(c, X, y, bounds, used).fit(ctx)
}

// check checks the hyperparameters, for n samples.
func (c Classifier) check(n int) error {
	if !(c.C >= 0) {
		return fmt.Errorf("svm: Classifier.C = %v, want a positive number, +Inf for a hard margin, or 0 for 1", c.C)
	}
	if !(c.Tol >= 0 && finite(c.Tol)) {
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
		if !(a >= 0 && finite(a)) {
			return fmt.Errorf("svm: Classifier.Start[%d] = %v, want a finite number of at least 0", i, a)
		}
	}
	return nil
}

// checkTwoClasses checks the data of a fit for two classes.
func checkTwoClasses(X *mat.Dense, y []int) error {
	if err := check.Samples("svm", X); err != nil {
		return err
	}
	return checkTwoLabels(X, y)
}

// checkTwoLabels checks that there is a label for each row of X, and both are there.
func checkTwoLabels(X *mat.Dense, y []int) error {
	n, _ := X.Dims()
	if err := check.Signs("svm", n, y); err != nil {
		return err
	}
	return check.BothSigns("svm", y)
}

// What the zeros of Classifier mean.
const (
	smoTol   = 1e-3
	smoCache = 200 << 20
)

func smoMaxIter(n int) int { return max(10_000_000, 100*n) }
