package logistic

import (
	"encoding/json"

	"marginalia/mlkit/internal/codec"
)

// A model is decoded completely or not at all: see mlkit/internal/codec.

func (m *Model) form() codec.Form {
	type plain Model
	return codec.Form{Name: "logistic: decoding a Model", Plain: (*plain)(m), Check: func() error {
		return codec.First(codec.Hyperplane(m.W, m.B), codec.AtLeast("iterations", m.Iterations, 0))
	}}
}

// ModelKind names the model in files: see package modelfile.
func (*Model) ModelKind() string { return "logistic.Model" }

// GobEncode encodes the model as JSON.
func (m Model) GobEncode() ([]byte, error) { return json.Marshal(m) }

// GobDecode decodes a model from the output of GobEncode. It returns the errors of
// UnmarshalJSON.
func (m *Model) GobDecode(data []byte) error { return m.UnmarshalJSON(data) }

// UnmarshalJSON decodes a model. It returns an error, and leaves m unchanged, if a field is
// missing, unknown or invalid.
func (m *Model) UnmarshalJSON(data []byte) error {
	return codec.DecodeJSON(data, m, (*Model).form)
}

func (m *SoftmaxModel) form() codec.Form {
	type plain SoftmaxModel
	return codec.Form{Name: "logistic: decoding a SoftmaxModel", Plain: (*plain)(m), Check: func() error {
		return codec.First(codec.LinearMachine(m.Classes, m.W, m.B), codec.AtLeast("iterations", m.Iterations, 0))
	}}
}

// ModelKind names the model in files: see package modelfile.
func (*SoftmaxModel) ModelKind() string { return "logistic.SoftmaxModel" }

// GobEncode encodes the model as JSON.
func (m SoftmaxModel) GobEncode() ([]byte, error) { return json.Marshal(m) }

// GobDecode decodes a model from the output of GobEncode. It returns the errors of
// UnmarshalJSON.
func (m *SoftmaxModel) GobDecode(data []byte) error { return m.UnmarshalJSON(data) }

// UnmarshalJSON decodes a model. It returns an error, and leaves m unchanged, if a field is
// missing, unknown or invalid.
func (m *SoftmaxModel) UnmarshalJSON(data []byte) error {
	return codec.DecodeJSON(data, m, (*SoftmaxModel).form)
}
