package linear

import (
	"encoding/json"

	"marginalia/mlkit/internal/codec"
)

// A model is decoded completely or not at all: see mlkit/internal/codec.

func (m *LogisticModel) form() codec.Form {
	type plain LogisticModel
	return codec.Form{Name: "linear: decoding a LogisticModel", Plain: (*plain)(m), Check: func() error {
		return codec.First(codec.Hyperplane(m.W, m.B), codec.AtLeast("iterations", m.Iterations, 0))
	}}
}

// GobEncode encodes the model as JSON.
func (m LogisticModel) GobEncode() ([]byte, error) { return json.Marshal(m) }

// GobDecode decodes a model from the output of GobEncode. It returns the errors of
// UnmarshalJSON.
func (m *LogisticModel) GobDecode(data []byte) error { return m.UnmarshalJSON(data) }

// UnmarshalJSON decodes a model. It returns an error, and leaves m unchanged, if a field is
// missing, unknown or invalid.
func (m *LogisticModel) UnmarshalJSON(data []byte) error {
	return codec.DecodeJSON(data, m, (*LogisticModel).form)
}

func (m *SoftmaxModel) form() codec.Form {
	type plain SoftmaxModel
	return codec.Form{Name: "linear: decoding a SoftmaxModel", Plain: (*plain)(m), Check: func() error {
		return codec.First(codec.LinearMachine(m.Classes, m.W, m.B), codec.AtLeast("iterations", m.Iterations, 0))
	}}
}

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
