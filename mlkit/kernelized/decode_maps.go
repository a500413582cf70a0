package kernelized

import (
	"fmt"

	"marginalia/mlkit/internal/check"
	"marginalia/mlkit/internal/codec"
	"marginalia/mlkit/kernel"
)

func (m *PCAModel) check() error {
	if err := codec.First(
		kernel.Check(m.Kernel.Kernel),
		m.X.check("x"),
		codec.Length("centering.means", len(m.Centering.Means), m.X.Rows, "the rows of x"),
		codec.AllFinite("centering.means", m.Centering.Means),
		codec.Finite("centering.mean", m.Centering.Mean),
		codec.Finite("total", m.Total),
		checkShift(m.Shift, m.X.Cols),
		checkComponents(m.Eigenvectors, len(m.Eigenvalues), "values", m.X.Rows, "x"),
		m.checkDirections(),
	); err != nil {
		return err
	}
	for c, λ := range m.Eigenvalues {
		if !(λ > 0 && check.Finite(λ)) {
			return fmt.Errorf("values[%d] = %v, want a positive number", c, λ)
		}
	}
	return nil
}

// checkDirections checks the fields that only a model with the linear kernel uses.
func (m *PCAModel) checkDirections() error {
	if m.Directions.Rows == 0 {
		return codec.First(m.Directions.check("directions"), codec.Length("mean", len(m.Mean), 0, "the columns of directions"))
	}
	if m.Directions.Rows != len(m.Eigenvalues) || m.Directions.Cols != m.X.Cols {
		return fmt.Errorf("directions is %d×%d, want %d×%d, a row for each of values and a column for each of x", m.Directions.Rows, m.Directions.Cols, len(m.Eigenvalues), m.X.Cols)
	}
	return codec.First(
		m.Directions.check("directions"),
		codec.Length("mean", len(m.Mean), m.X.Cols, "the columns of x"),
		codec.AllFinite("mean", m.Mean),
	)
}

// checkComponents checks that vectors has a row for each component and a column for each
// sample. A fit that ended early has no components.
func checkComponents(vectors Matrix, components int, each string, samples int, of string) error {
	if err := vectors.check("vectors"); err != nil {
		return err
	}
	if vectors.Rows != components {
		return fmt.Errorf("vectors.rows = %d, want %d, one for each of %s", vectors.Rows, components, each)
	}
	if components > 0 && vectors.Cols != samples {
		return fmt.Errorf("vectors.cols = %d, want %d, one for each of the rows of %s", vectors.Cols, samples, of)
	}
	return nil
}

// ModelKind names the model in files: see package modelfile.
func (*PCAModel) ModelKind() string { return "kernelized.PCAModel" }

// UnmarshalJSON decodes a model, or returns an error and leaves m unchanged.
func (m *PCAModel) UnmarshalJSON(data []byte) error { return codec.Decode(data, m, (*PCAModel).check) }

func (m *NystroemModel) check() error {
	return codec.First(
		kernel.Check(m.Kernel.Kernel),
		m.Landmarks.check("landmarks"),
		codec.AtLeast("landmarks.rows", m.Landmarks.Rows, 1),
		codec.Length("rows", len(m.Rows), m.Landmarks.Rows, "the landmarks"),
		codec.Counts("rows", m.Rows, 0),
		codec.Ascending("rows", m.Rows),
		checkComponents(m.Basis, m.Basis.Rows, "its components", m.Landmarks.Rows, "landmarks"),
	)
}

// ModelKind names the model in files: see package modelfile.
func (*NystroemModel) ModelKind() string { return "kernelized.NystroemModel" }

// UnmarshalJSON decodes a model, or returns an error and leaves m unchanged.
func (m *NystroemModel) UnmarshalJSON(data []byte) error {
	return codec.Decode(data, m, (*NystroemModel).check)
}

func (m *FourierModel) check() error {
	return codec.First(
		m.W.check("w"),
		codec.AtLeast("w.rows", m.W.Rows, 1),
		codec.Length("b", len(m.B), m.W.Rows, "the rows of w"),
		codec.AllFinite("b", m.B),
	)
}

// ModelKind names the model in files: see package modelfile.
func (*FourierModel) ModelKind() string { return "kernelized.FourierModel" }

// UnmarshalJSON decodes a model, or returns an error and leaves m unchanged.
func (m *FourierModel) UnmarshalJSON(data []byte) error {
	return codec.Decode(data, m, (*FourierModel).check)
}
