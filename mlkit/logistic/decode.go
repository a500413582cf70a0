package logistic

import "marginalia/mlkit/internal/codec"

// A model is decoded completely or not at all: see mlkit/internal/codec.

func (m *Model) check() error {
	return codec.First(codec.LinearMachine(m.Classes, m.W, m.B), codec.AtLeast("iterations", m.Iterations, 0))
}

// ModelKind names the model in files: see package modelfile.
func (*Model) ModelKind() string { return "logistic.Model" }

// UnmarshalJSON decodes a model, or returns an error and leaves m unchanged.
func (m *Model) UnmarshalJSON(data []byte) error {
	return codec.Decode(data, m, (*Model).check)
}
