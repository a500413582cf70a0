package pipeline

import (
	"context"
	"errors"
	"fmt"

	"gonum.org/v1/gonum/mat"

	"marginalia/mlkit"
)

// fit sets *m to what steps and algorithm learn from X and y. whole is the model that *m is
// part of. It returns whole if there is a model, and nil otherwise. valid checks X and y, so
// that no step learns for long before the algorithm would refuse y.
func fit[W, M any, Y int | float64](ctx context.Context, steps []Step, algorithm any, valid func(pkg string, X *mat.Dense, y []Y) error, X *mat.Dense, y []Y, whole *W, m *Fitted[M]) (*W, error) {
	if ctx == nil {
		return nil, errors.New("pipeline: ctx is nil, want a context, such as context.Background()")
	}
	learnModel, err := fitter[M, Y](algorithm)
	if err != nil {
		return nil, err
	}
	if err := valid("pipeline", X, y); err != nil {
		return nil, err
	}
	maps, Z, unfinished, err := learn(ctx, steps, X)
	if err != nil {
		return nil, err
	}
	m.Maps = maps
	m.Model, err = learnModel(ctx, Z, y)
	if isNil(m.Model) && err == nil {
		err = fmt.Errorf("pipeline: the fit of %T returns nil, want a model", algorithm)
	}
	if isNil(m.Model) || err != nil && !errors.As(err, new(*mlkit.NotConvergedError)) {
		return nil, err
	}
	if err == nil {
		err = unfinished
	}
	return whole, about(whole, err)
}

// fitter returns the method of an algorithm that learns an M. It prefers one that takes a
// context.
func fitter[M any, Y int | float64](algorithm any) (func(ctx context.Context, X *mat.Dense, y []Y) (M, error), error) {
	if isNil(algorithm) {
		return nil, errors.New("pipeline: Algorithm is nil, want one such as svm.Classifier{}")
	}
	switch a := algorithm.(type) {
	case interface {
		FitContext(ctx context.Context, X *mat.Dense, y []Y) (M, error)
	}:
		return a.FitContext, nil
	case interface {
		FitClassesContext(ctx context.Context, X *mat.Dense, y []Y) (M, error)
	}:
		return a.FitClassesContext, nil
	case interface {
		Fit(X *mat.Dense, y []Y) (M, error)
	}:
		return func(_ context.Context, X *mat.Dense, y []Y) (M, error) { return a.Fit(X, y) }, nil
	case interface {
		FitClasses(X *mat.Dense, y []Y) (M, error)
	}:
		return func(_ context.Context, X *mat.Dense, y []Y) (M, error) { return a.FitClasses(X, y) }, nil
	}
	var m *M
	return nil, fmt.Errorf("pipeline: Algorithm is a %T, want one with a method Fit, FitContext, FitClasses or FitClassesContext for y of type %T that returns %s", algorithm, []Y{}, fmt.Sprintf("%T", m)[1:])
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
