package svm

import (
	"fmt"
	"reflect"

	"marginalia/mlkit/internal/codec"
	"marginalia/mlkit/kernel"
)

// Decoding a model succeeds completely or returns an error: see mlkit/internal/codec.

func (m *Model) check() error {
	return codec.First(
		kernel.Check(m.Kernel.Kernel),
		codec.Length("coef", len(m.Coef), len(m.Vectors), "vectors"),
		codec.AllFinite("coef", m.Coef),
		codec.Finite("b", m.B),
		codec.AllFinite("w", m.W),
		m.checkVectors(),
		codec.Finite("norm", m.Norm),
		m.Solution.check(len(m.Vectors)),
	)
}

// check checks the solution of a model with the given number of support vectors.
func (s *Solution) check(vectors int) error {
	if reflect.ValueOf(*s).IsZero() {
		return nil
	}
	n := len(s.Alpha)
	if err := codec.First(
		codec.Length("solution.support", len(s.Support), vectors, "vectors"),
		codec.Length("solution.slack", len(s.Slacks), n, "alpha"),
		s.checkRows("solution.support", s.Support),
		s.checkRows("solution.free", s.Free),
		s.checkRows("solution.at_bound", s.AtBound),
		codec.AtLeast("solution.iterations", s.Iterations, 0),
	); err != nil {
		return err
	}
	if len(s.Free)+len(s.AtBound) != vectors {
		return fmt.Errorf("len(solution.free) = %d and len(solution.at_bound) = %d, want %d in all, one for each of vectors", len(s.Free), len(s.AtBound), vectors)
	}
	if s.Hard {
		return codec.First(codec.Length("solution.tau", len(s.Tau), 0, "none"), codec.Length("solution.bound", len(s.Bounds), 0, "none"))
	}
	return codec.First(codec.Length("solution.tau", len(s.Tau), n, "alpha"), codec.Length("solution.bound", len(s.Bounds), n, "alpha"))
}

// checkRows checks a field of ascending row indices.
func (s *Solution) checkRows(field string, rows []int) error {
	return codec.First(codec.Indices(field, rows, len(s.Alpha)), codec.Ascending(field, rows))
}

// checkVectors checks that w is present only with the linear kernel, and that the vectors
// have equal lengths.
func (m *Model) checkVectors() error {
	if linear := isLinear(m.Kernel.Kernel); linear != (m.W != nil) {
		return fmt.Errorf("w has %d weights, want some with the linear kernel and none with others", len(m.W))
	}
	if m.Inputs() == 0 && (m.W != nil || len(m.Vectors) > 0) {
		return fmt.Errorf("w and vectors have no numbers, want at least one for a feature")
	}
	return codec.Rows("vectors", m.Vectors, m.Inputs())
}

// Inputs returns the number of features of a sample, or 0 if the model does not know it:
// without support vectors, unless the kernel is linear.
func (m *Model) Inputs() int {
	switch {
	case m.W != nil:
		return len(m.W)
	case len(m.Vectors) > 0:
		return len(m.Vectors[0])
	}
	return 0
}

// ModelKind names the model in files: see package modelfile.
func (*Model) ModelKind() string { return "svm.Model" }

// UnmarshalJSON decodes a model, or returns an error and leaves m unchanged.
func (m *Model) UnmarshalJSON(data []byte) error { return codec.Decode(data, m, (*Model).check) }

func (m *LinearModel) check() error {
	return codec.First(
		codec.AtLeast("len(w)", len(m.W), 1),
		codec.AllFinite("w", m.W),
		codec.Finite("b", m.B),
		codec.AtLeast("iterations", m.Iterations, 0),
	)
}

// ModelKind names the model in files: see package modelfile.
func (*LinearModel) ModelKind() string { return "svm.LinearModel" }

// UnmarshalJSON decodes a model, or returns an error and leaves m unchanged.
func (m *LinearModel) UnmarshalJSON(data []byte) error {
	return codec.Decode(data, m, (*LinearModel).check)
}
