package mlkit

import (
	"context"
	"fmt"

	"gonum.org/v1/gonum/mat"
)

// An Algorithm learns models of type M from samples, with labels or with targets that are
// numbers. Searches, cross-validation, pipelines, calibration and package multiclass take
// any Algorithm: those of mlkit, or one of your own with this method.
//
// FitWith must be safe for concurrent use, and must not change or keep X, y or the weights.
type Algorithm[M any, Y int | float64] interface {
	// FitWith learns from the rows of X (n×d) with labels or targets y[i].
	FitWith(o Options, X *mat.Dense, y []Y) (M, error)
}

// Options are what a fit takes besides its data. The zero value is what Fit uses.
type Options struct {
	// Context ends the fit: soon after it is done, FitWith returns a *NotConvergedError that
	// wraps the context's error, and the model so far. Nil means context.Background().
	Context context.Context

	// Weights has a weight of at least 0 for each row of X; nil means that all are 1. A sample
	// of weight 2 counts as two. One of weight 0 is absent: the result is that of a fit without
	// it, bit for bit, with 0 in its place where a model has a number for each sample. It must
	// be valid all the same. A class whose samples all have weight 0 is absent too. An algorithm
	// that takes no weights returns an error.
	Weights []float64

	// Report, if not nil, is called as a fit goes on, never concurrently: by an algorithm that
	// is iterative after each pass or iteration, or after many of them if each is short, and by
	// one that trains or measures many models after each. The fits of these models report
	// nothing themselves. Nor do algorithms that are not iterative, such as discriminant.LDA.
	// Report changes nothing in a fit; Trace is what shows its steps.
	Report func(Progress)
}

// Progress is how far a fit has come.
type Progress struct {
	Algorithm string  // package and algorithm, such as "svm: Classifier", as in NotConvergedError
	Done      int     // the passes, iterations or models that are done: the algorithm says which; larger in each report
	Of        int     // the largest that Done can become, such as MaxIter; most fits end sooner
	Residual  float64 // what is still wrong, in the measure of NotConvergedError; NaN if that is not known before the end
}

// ContextOrBackground returns Context, or context.Background() if it is nil.
func (o Options) ContextOrBackground() context.Context {
	if o.Context == nil {
		return context.Background()
	}
	return o.Context
}

// Unweighted returns the context of a fit by an algorithm that takes no weights, such as
// "perceptron: Perceptron", or an error if there are weights.
func (o Options) Unweighted(algorithm string) (context.Context, error) {
	if o.Weights != nil {
		return nil, fmt.Errorf("%s takes no weights of samples, want Options.Weights = nil", algorithm)
	}
	return o.ContextOrBackground(), nil
}

// FitFunc makes an Algorithm of a function, such as the method Fit of an algorithm of your
// own; nil of nil. It passes neither context nor Report on, and takes no weights.
func FitFunc[M any, Y int | float64](fit func(X *mat.Dense, y []Y) (M, error)) Algorithm[M, Y] {
	if fit == nil {
		return nil
	}
	return fitFunc[M, Y](fit)
}

type fitFunc[M any, Y int | float64] func(X *mat.Dense, y []Y) (M, error)

func (f fitFunc[M, Y]) FitWith(o Options, X *mat.Dense, y []Y) (M, error) {
	if _, err := o.Unweighted("mlkit: FitFunc"); err != nil {
		var none M
		return none, err
	}
	return f(X, y)
}
