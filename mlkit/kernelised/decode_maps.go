package kernelised

import (
	"encoding/json"
	"fmt"

	"marginalia/mlkit/internal/check"
	"marginalia/mlkit/internal/codec"
	"marginalia/mlkit/kernel"
)

func (m *PCAModel) form() codec.Form {
	type plain PCAModel
	return codec.Form{Name: "kernelised: decoding a PCAModel", Plain: (*plain)(m), Check: m.check}
}

func (m *PCAModel) check() error {
	if err := codec.First(
		kernel.Check(m.Kernel.Kernel),
		m.X.check("x"),
		codec.Length("centering.means", len(m.Centring.Means), m.X.Rows, "the rows of x"),
		codec.AllFinite("centering.means", m.Centring.Means),
		codec.Finite("centering.mean", m.Centring.Mean),
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
func (*PCAModel) ModelKind() string { return "kernelised.PCAModel" }

// GobEncode encodes the model as JSON.
func (m PCAModel) GobEncode() ([]byte, error) { return json.Marshal(m) }

// GobDecode decodes a model from the output of GobEncode. It returns the errors of
// UnmarshalJSON.
func (m *PCAModel) GobDecode(data []byte) error { return m.UnmarshalJSON(data) }

// UnmarshalJSON decodes a model. It returns an error, and leaves m unchanged, if a field
// is missing, unknown or invalid.
func (m *PCAModel) UnmarshalJSON(data []byte) error {
	return codec.DecodeJSON(data, m, (*PCAModel).form)
}

func (m *NystroemModel) form() codec.Form {
	type plain NystroemModel
	return codec.Form{Name: "kernelised: decoding a NystroemModel", Plain: (*plain)(m), Check: m.check}
}

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
func (*NystroemModel) ModelKind() string { return "kernelised.NystroemModel" }

// GobEncode encodes the model as JSON.
func (m NystroemModel) GobEncode() ([]byte, error) { return json.Marshal(m) }

// GobDecode decodes a model from the output of GobEncode. It returns the errors of
// UnmarshalJSON.
func (m *NystroemModel) GobDecode(data []byte) error { return m.UnmarshalJSON(data) }

// UnmarshalJSON decodes a model. It returns an error, and leaves m unchanged, if a field
// is missing, unknown or invalid.
func (m *NystroemModel) UnmarshalJSON(data []byte) error {
	return codec.DecodeJSON(data, m, (*NystroemModel).form)
}

func (m *FourierModel) form() codec.Form {
	type plain FourierModel
	return codec.Form{Name: "kernelised: decoding a FourierModel", Plain: (*plain)(m), Check: m.check}
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
func (*FourierModel) ModelKind() string { return "kernelised.FourierModel" }

// GobEncode encodes the model as JSON.
func (m FourierModel) GobEncode() ([]byte, error) { return json.Marshal(m) }

// GobDecode decodes a model from the output of GobEncode. It returns the errors of
// UnmarshalJSON.
func (m *FourierModel) GobDecode(data []byte) error { return m.UnmarshalJSON(data) }

// UnmarshalJSON decodes a model. It returns an error, and leaves m unchanged, if a field
// is missing, unknown or invalid.
func (m *FourierModel) UnmarshalJSON(data []byte) error {
	return codec.DecodeJSON(data, m, (*FourierModel).form)
}
