package pipeline

import (
	"errors"
	"fmt"

	"gonum.org/v1/gonum/mat"

	"marginalia/mlkit"
	"marginalia/mlkit/internal/check"
)

// fit sets *m to what steps and algorithm learn from X and y. whole is the model that *m is
// part of. It returns whole if there is a model, and nil otherwise. valid checks X and y, so
// that no step learns for long before the algorithm would refuse y.
func fit[W, M any, Y int | float64](o mlkit.Options, steps []Step, algorithm mlkit.Algorithm[M, Y], valid func(pkg string, X *mat.Dense, y []Y) error, X *mat.Dense, y []Y, whole *W, m *Fitted[M]) (*W, error) {
	if check.Nil(algorithm) {
		return nil, errors.New("pipeline: Algorithm is nil, want one such as svm.Classifier{}")
	}
	if err := valid("pipeline", X, y); err != nil {
		return nil, err
	}
	if err := check.Weights("pipeline", len(y), o.Weights); err != nil {
		return nil, err
	}
	maps, Z, unfinished, err := learn(o, steps, X)
	if err != nil {
		return nil, err
	}
	m.Maps = maps
	m.Model, err = algorithm.FitWith(o, Z, y)
	if check.Nil(m.Model) && err == nil {
		err = fmt.Errorf("pipeline: the fit of %T returns nil, want a model", algorithm)
	}
	if check.Nil(m.Model) || err != nil && !errors.As(err, new(*mlkit.NotConvergedError)) {
		return nil, err
	}
	if err == nil {
		err = unfinished
	}
	return whole, about(whole, err)
}

// about returns err with the whole pipeline's model in place of that of the algorithm.
func about(whole any, err error) error {
	var e *mlkit.NotConvergedError
	if !errors.As(err, &e) {
		return err
	}
	fit := *e
	fit.Model = whole
	var proof *mlkit.NotSeparableError
	if errors.As(err, &proof) {
		return &mlkit.NotSeparableError{Alpha: proof.Alpha, Reason: proof.Reason, Fit: &fit}
	}
	return &fit
}
