package linear

import (
	"encoding/json"

	"marginalia/mlkit/internal/codec"
)

func (m *LeastSquaresModel) form() codec.Form {
	type plain LeastSquaresModel
	return codec.Form{Name: "linear: decoding a LeastSquaresModel", Plain: (*plain)(m), Check: func() error {
		return codec.First(codec.Hyperplane(m.W, m.B), codec.AtLeast("rank", m.Rank, 0))
	}}
}

// GobEncode encodes the model as JSON.
func (m LeastSquaresModel) GobEncode() ([]byte, error) { return json.Marshal(m) }

// GobDecode decodes a model from the output of GobEncode. It returns the errors of
// UnmarshalJSON.
func (m *LeastSquaresModel) GobDecode(data []byte) error { return m.UnmarshalJSON(data) }

// UnmarshalJSON decodes a model. It returns an error, and leaves m unchanged, if a field is
// missing, unknown or invalid.
func (m *LeastSquaresModel) UnmarshalJSON(data []byte) error {
	return codec.DecodeJSON(data, m, (*LeastSquaresModel).form)
}

// form lists the fields of Layer: an embedded Layer would decode itself and take the
// model's other fields for its own.
func (m *LeastSquaresTargetsModel) form() codec.Form {
	plain := &struct {
		W          [][]float64 `json:"w"`
		B          []float64   `json:"b"`
		Activation Activation  `json:"activation"`
		Rank       int         `json:"rank"`
		MSE        []float64   `json:"mse"`
	}{m.W, m.B, m.Activation, m.Rank, m.MSE}
	return codec.Form{Name: "linear: decoding a LeastSquaresTargetsModel", Plain: plain, Check: func() error {
		m.Layer = Layer{W: plain.W, B: plain.B, Activation: plain.Activation}
		m.Rank, m.MSE = plain.Rank, plain.MSE
		return codec.First(
			m.Layer.check(),
			codec.AtLeast("rank", m.Rank, 0),
			codec.Length("mse", len(m.MSE), len(m.B), "b"),
		)
	}}
}

// GobEncode encodes the model as JSON.
func (m LeastSquaresTargetsModel) GobEncode() ([]byte, error) { return json.Marshal(m) }

// GobDecode decodes a model from the output of GobEncode. It returns the errors of
// UnmarshalJSON.
func (m *LeastSquaresTargetsModel) GobDecode(data []byte) error { return m.UnmarshalJSON(data) }

// UnmarshalJSON decodes a model. It returns an error, and leaves m unchanged, if a field is
// missing, unknown or invalid.
func (m *LeastSquaresTargetsModel) UnmarshalJSON(data []byte) error {
	return codec.DecodeJSON(data, m, (*LeastSquaresTargetsModel).form)
}

func (m *LeastSquaresClassifierModel) form() codec.Form {
	type plain LeastSquaresClassifierModel
	return codec.Form{Name: "linear: decoding a LeastSquaresClassifierModel", Plain: (*plain)(m), Check: func() error {
		return codec.First(codec.Hyperplane(m.W, m.B), codec.AtLeast("rank", m.Rank, 0))
	}}
}

// GobEncode encodes the model as JSON.
func (m LeastSquaresClassifierModel) GobEncode() ([]byte, error) { return json.Marshal(m) }

// GobDecode decodes a model from the output of GobEncode. It returns the errors of
// UnmarshalJSON.
func (m *LeastSquaresClassifierModel) GobDecode(data []byte) error { return m.UnmarshalJSON(data) }

// UnmarshalJSON decodes a model. It returns an error, and leaves m unchanged, if a field is
// missing, unknown or invalid.
func (m *LeastSquaresClassifierModel) UnmarshalJSON(data []byte) error {
	return codec.DecodeJSON(data, m, (*LeastSquaresClassifierModel).form)
}

func (m *LeastSquaresClassesModel) form() codec.Form {
	type plain LeastSquaresClassesModel
	return codec.Form{Name: "linear: decoding a LeastSquaresClassesModel", Plain: (*plain)(m), Check: func() error {
		return codec.First(
			codec.LinearMachine(m.Classes, m.W, m.B),
			codec.AtLeast("rank", m.Rank, 0),
			codec.Length("mse", len(m.MSE), len(m.Classes), "classes"),
		)
	}}
}

// GobEncode encodes the model as JSON.
func (m LeastSquaresClassesModel) GobEncode() ([]byte, error) { return json.Marshal(m) }

// GobDecode decodes a model from the output of GobEncode. It returns the errors of
// UnmarshalJSON.
func (m *LeastSquaresClassesModel) GobDecode(data []byte) error { return m.UnmarshalJSON(data) }

// UnmarshalJSON decodes a model. It returns an error, and leaves m unchanged, if a field is
// missing, unknown or invalid.
func (m *LeastSquaresClassesModel) UnmarshalJSON(data []byte) error {
	return codec.DecodeJSON(data, m, (*LeastSquaresClassesModel).form)
}
