package pipeline

import (
	"errors"
	"fmt"

	"gonum.org/v1/gonum/mat"

	"marginalia/mlkit"
	"marginalia/mlkit/feature"
	"marginalia/mlkit/internal/check"
)

// Step learns a map of samples from samples. feature.Standardize, feature.MinMax, feature.PCA,
// kernelized.PCA, kernelized.Nystroem and kernelized.Fourier are steps, and so are Fixed and
// Polynomial.
//
// For a step of your own, declare a type with this method, and Register the type of its map
// if you want to encode it. A step may be used by many goroutines at once.
type Step interface {
	// FitMap returns the map learnt from the rows of X (n×d), which it must not change, with
	// the context and the weights of o, whose Report is nil. A step that takes no weights returns an error if there
	// are some.
	// With a *mlkit.NotConvergedError that wraps no context's error it may return a map
	// too; the pipeline then uses that.
	FitMap(o mlkit.Options, X *mat.Dense) (feature.Map, error)
}

// Fixed is a step that learns nothing: Map is any map of package feature, a
// *kernel.MonomialMap or one of your own.
type Fixed struct {
	Map feature.Map // required
}

// FitMap returns Map.
func (f Fixed) FitMap(mlkit.Options, *mat.Dense) (feature.Map, error) {
	if check.Nil(f.Map) {
		return nil, errors.New("pipeline: Fixed.Map is nil, want a map such as feature.Polar")
	}
	return f.Map, nil
}

// Polynomial is a step that maps a sample to all its monomials up to a total degree, with
// feature.NewPolynomial. It takes from the samples only how many columns they have.
type Polynomial struct {
	Degree int // 0 means 2
}

// FitMap returns the map for the d columns of X (n×d). It returns an error if Degree is
// negative, or if there are too many monomials.
func (p Polynomial) FitMap(_ mlkit.Options, X *mat.Dense) (feature.Map, error) {
	if p.Degree < 0 {
		return nil, fmt.Errorf("pipeline: Polynomial.Degree = %d, want a positive number, or 0 for 2", p.Degree)
	}
	if X == nil {
		return nil, errors.New("pipeline: X is nil, want an n×d matrix, one sample a row")
	}
	if p.Degree == 0 {
		p.Degree = 2
	}
	_, d := X.Dims()
	φ, err := feature.NewPolynomial(d, p.Degree)
	if err != nil {
		return nil, err
	}
	return φ, nil
}

// learn fits one step after the other, each to the samples as mapped by those before. It
// returns the maps and the samples as mapped by all. A chain counts as the maps in it.
// unfinished is the error of the first step that has not converged.
func learn(o mlkit.Options, steps []Step, X *mat.Dense) (maps Maps, Z *mat.Dense, unfinished, err error) {
	Z, o.Report = X, nil // that is the algorithm's
	for i, step := range steps {
		if check.Nil(step) {
			return nil, nil, nil, fmt.Errorf("pipeline: Steps[%d] is nil, want a step such as feature.Standardize{}", i)
		}
		where := fmt.Sprintf("step %d of the pipeline, %T", i, step)
		m, err := step.FitMap(o, Z)
		var e *mlkit.NotConvergedError
		switch {
		case errors.As(err, &e) && e.Err != nil:
			// Not err itself: its model is a map of one step.
			return nil, nil, nil, fmt.Errorf("pipeline: stopped in %s: %w", where, e.Err)
		case err != nil && (e == nil || check.Nil(m)):
			return nil, nil, nil, fmt.Errorf("%w (%s)", err, where)
		case check.Nil(m):
			return nil, nil, nil, fmt.Errorf("pipeline: the map is nil, want one from FitMap (%s)", where)
		case unfinished == nil:
			unfinished = err
		}
		if Z, err = feature.ApplyContext(o.ContextOrBackground(), m, Z); err != nil {
			return nil, nil, nil, fmt.Errorf("%w (%s)", err, where)
		}
		maps = append(maps, flat(m)...)
	}
	return maps, Z, unfinished, nil
}

// flat returns the maps of a chain, and of the chains in it, or m alone.
func flat(m feature.Map) (maps Maps) {
	chain, ok := m.(feature.Chain)
	if !ok {
		return Maps{m}
	}
	for _, m := range chain {
		maps = append(maps, flat(m)...)
	}
	return maps
}
