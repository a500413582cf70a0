package leastsquares

import "marginalia/mlkit/internal/codec"

func (m *Model) check() error {
	return codec.First(codec.Hyperplane(m.W, m.B), codec.AtLeast("rank", m.Rank, 0))
}

// ModelKind names the model in files: see package modelfile.
func (*Model) ModelKind() string { return "leastsquares.Model" }

// UnmarshalJSON decodes a model, or returns an error and leaves m unchanged.
func (m *Model) UnmarshalJSON(data []byte) error { return codec.Decode(data, m, (*Model).check) }

func (m *TargetsModel) check() error {
	if err := codec.First(
		codec.AtLeast("len(w)", len(m.W), 1),
		codec.Length("b", len(m.B), len(m.W), "w"),
		codec.AllFinite("b", m.B),
		codec.AtLeast("rank", m.Rank, 0),
		codec.Length("mse", len(m.MSE), len(m.W), "w"),
	); err != nil {
		return err
	}
	return codec.First(codec.AtLeast("len(w[0])", len(m.W[0]), 1), codec.Rows("w", m.W, len(m.W[0])))
}

// ModelKind names the model in files: see package modelfile.
func (*TargetsModel) ModelKind() string { return "leastsquares.TargetsModel" }

// UnmarshalJSON decodes a model, or returns an error and leaves m unchanged.
func (m *TargetsModel) UnmarshalJSON(data []byte) error {
	return codec.Decode(data, m, (*TargetsModel).check)
}

func (m *ClassifierModel) check() error {
	return codec.First(
		codec.LinearMachine(m.Classes, m.W, m.B),
		codec.AtLeast("rank", m.Rank, 0),
		codec.Length("mse", len(m.MSE), len(m.Classes), "classes"),
	)
}

// ModelKind names the model in files: see package modelfile.
func (*ClassifierModel) ModelKind() string { return "leastsquares.ClassifierModel" }

// UnmarshalJSON decodes a model, or returns an error and leaves m unchanged.
func (m *ClassifierModel) UnmarshalJSON(data []byte) error {
	return codec.Decode(data, m, (*ClassifierModel).check)
}
