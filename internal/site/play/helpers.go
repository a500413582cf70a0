package main

import (
	"errors"

	"gonum.org/v1/gonum/mat"

	"marginalia/mlkit"
	"marginalia/mlkit/eval"
	"marginalia/plotting"
)

// best returns a model, or the best one so far of a fit that has not converged. It is nil if
// there is none.
func best[M any](m *M, err error) *M {
	var stopped *mlkit.NotConvergedError
	if m == nil && errors.As(err, &stopped) {
		m, _ = stopped.Model.(*M)
	}
	return m
}

// says returns the words of an error for a reader.
func says(err error) string {
	if err == nil {
		return ""
	}
	return "There is no model: " + err.Error() + "."
}

// must returns v. The error would be a mistake in a playground.
func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}

// wrong returns the number of rows of X whose predicted label is not y[i].
func wrong(m mlkit.Predictor, X *mat.Dense, y []int) int { return must(eval.Misclassified(m, X, y)) }

// once returns a field that evaluates f once at each place.
func once(f plotting.Field) plotting.Field {
	known := map[[2]float64]float64{}
	return func(x1, x2 float64) float64 {
		v, found := known[[2]float64{x1, x2}]
		if !found {
			v = f(x1, x2)
			known[[2]float64{x1, x2}] = v
		}
		return v
	}
}

// both reports whether both classes are among the labels. If not, the picture says so.
func (s *Scene) both(y []int) (pic Picture, ok bool) {
	seen := map[int]bool{}
	for _, class := range y {
		seen[class] = true
	}
	if len(seen) == 2 {
		return pic, true
	}
	return Picture{Figure: s.Figure(s.classes()...), Note: "Place a point of each class."}, false
}

// classes returns the layer of the points, none if there are no points.
func (s *Scene) classes(styles ...plotting.PointsStyle) []plotting.Layer {
	X, y := s.Data()
	if X == nil {
		return nil
	}
	return []plotting.Layer{plotting.Classes(X, y, styles...)}
}
