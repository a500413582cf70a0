package discriminant

import (
	"fmt"

	"marginalia/mlkit/internal/codec"
)

func (m *LDAModel) check() error {
	return codec.First(
		codec.Hyperplane(m.W, m.B),
		codec.Rows("means", m.Means[:], len(m.W)),
		checkProbabilities(m.Priors[:]),
		codec.Square("covariance", m.Covariance, len(m.W)),
	)
}

func checkProbabilities(priors []float64) error {
	for k, p := range priors {
		if !(p > 0 && p < 1) {
			return fmt.Errorf("priors[%d] = %v, want a probability above 0 and below 1", k, p)
		}
	}
	return nil
}

// ModelKind names the model in files: see package modelfile.
func (*LDAModel) ModelKind() string { return "discriminant.LDAModel" }

// UnmarshalJSON decodes a model, or returns an error and leaves m unchanged.
func (m *LDAModel) UnmarshalJSON(data []byte) error { return codec.Decode(data, m, (*LDAModel).check) }

func (m *LDAClassesModel) check() error {
	if err := codec.LinearMachine(m.Classes, m.W, m.B); err != nil {
		return err
	}
	M, d := len(m.Classes), len(m.W[0])
	return codec.First(
		codec.Length("means", len(m.Means), M, "classes"),
		codec.Rows("means", m.Means, d),
		codec.Length("mean", len(m.Mean), d, "the columns of w"),
		codec.AllFinite("mean", m.Mean),
		codec.Length("priors", len(m.Priors), M, "classes"),
		checkProbabilities(m.Priors),
		codec.Square("covariance", m.Covariance, d),
		codec.Rows("directions", m.Directions, d),
		codec.Length("variances", len(m.Variances), len(m.Directions), "directions"),
		codec.Length("explained", len(m.Explained), len(m.Directions), "directions"),
	)
}

// ModelKind names the model in files: see package modelfile.
func (*LDAClassesModel) ModelKind() string { return "discriminant.LDAClassesModel" }

// UnmarshalJSON decodes a model, or returns an error and leaves m unchanged.
func (m *LDAClassesModel) UnmarshalJSON(data []byte) error {
	return codec.Decode(data, m, (*LDAClassesModel).check)
}

func (m *QDAModel) check() error {
	if c := m.Gaussians.Classes; len(c) != 2 || c[0] != -1 || c[1] != +1 {
		return fmt.Errorf("gaussians.classes = %v, want [-1 1]", c)
	}
	return m.Gaussians.check()
}

// ModelKind names the model in files: see package modelfile.
func (*QDAModel) ModelKind() string { return "discriminant.QDAModel" }

// UnmarshalJSON decodes a model, or returns an error and leaves m unchanged.
func (m *QDAModel) UnmarshalJSON(data []byte) error { return codec.Decode(data, m, (*QDAModel).check) }

func (m *QDAClassesModel) check() error {
	M := len(m.Classes)
	if err := codec.First(
		codec.Classes("classes", m.Classes),
		codec.Length("priors", len(m.Priors), M, "classes"),
		checkProbabilities(m.Priors),
		codec.Length("means", len(m.Means), M, "classes"),
		codec.Length("covariances", len(m.Covariances), M, "classes"),
		codec.Length("whitenings", len(m.Whitenings), M, "classes"),
		codec.Length("offsets", len(m.Offsets), M, "classes"),
		codec.AllFinite("offsets", m.Offsets),
	); err != nil {
		return err
	}
	d := len(m.Means[0])
	if err := codec.First(codec.AtLeast("len(means[0])", d, 1), codec.Rows("means", m.Means, d)); err != nil {
		return err
	}
	for k := range M {
		if err := codec.First(
			codec.Square(fmt.Sprintf("covariances[%d]", k), m.Covariances[k], d),
			codec.Square(fmt.Sprintf("whitenings[%d]", k), m.Whitenings[k], d),
		); err != nil {
			return err
		}
	}
	return nil
}

// ModelKind names the model in files: see package modelfile.
func (*QDAClassesModel) ModelKind() string { return "discriminant.QDAClassesModel" }

// UnmarshalJSON decodes a model, or returns an error and leaves m unchanged.
func (m *QDAClassesModel) UnmarshalJSON(data []byte) error {
	return codec.Decode(data, m, (*QDAClassesModel).check)
}
