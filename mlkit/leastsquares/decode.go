package leastsquares

import (
	"encoding/json"

	"marginalia/mlkit/internal/codec"
)

func (m *Model) form() codec.Form {
	type plain Model
	return codec.Form{Name: "leastsquares: decoding a Model", Plain: (*plain)(m), Check: func() error {
		return codec.First(codec.Hyperplane(m.W, m.B), codec.AtLeast("rank", m.Rank, 0))
	}}
}

// ModelKind names the model in files: see package modelfile.
func (*Model) ModelKind() string { return "leastsquares.Model" }

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

func (m *TargetsModel) form() codec.Form {
	type plain TargetsModel
	return codec.Form{Name: "leastsquares: decoding a TargetsModel", Plain: (*plain)(m), Check: func() error {
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
	}}
}

// ModelKind names the model in files: see package modelfile.
func (*TargetsModel) ModelKind() string { return "leastsquares.TargetsModel" }

// GobEncode encodes the model as JSON.
func (m TargetsModel) GobEncode() ([]byte, error) { return json.Marshal(m) }

// GobDecode decodes a model from the output of GobEncode. It returns the errors of
// UnmarshalJSON.
func (m *TargetsModel) GobDecode(data []byte) error { return m.UnmarshalJSON(data) }

// UnmarshalJSON decodes a model. It returns an error, and leaves m unchanged, if a field is
// missing, unknown or invalid.
func (m *TargetsModel) UnmarshalJSON(data []byte) error {
	return codec.DecodeJSON(data, m, (*TargetsModel).form)
}

func (m *ClassifierModel) form() codec.Form {
	type plain ClassifierModel
	return codec.Form{Name: "leastsquares: decoding a ClassifierModel", Plain: (*plain)(m), Check: func() error {
		return codec.First(codec.Hyperplane(m.W, m.B), codec.AtLeast("rank", m.Rank, 0))
	}}
}

// ModelKind names the model in files: see package modelfile.
func (*ClassifierModel) ModelKind() string { return "leastsquares.ClassifierModel" }

// GobEncode encodes the model as JSON.
func (m ClassifierModel) GobEncode() ([]byte, error) { return json.Marshal(m) }

// GobDecode decodes a model from the output of GobEncode. It returns the errors of
// UnmarshalJSON.
func (m *ClassifierModel) GobDecode(data []byte) error { return m.UnmarshalJSON(data) }

// UnmarshalJSON decodes a model. It returns an error, and leaves m unchanged, if a field is
// missing, unknown or invalid.
func (m *ClassifierModel) UnmarshalJSON(data []byte) error {
	return codec.DecodeJSON(data, m, (*ClassifierModel).form)
}

func (m *ClassesModel) form() codec.Form {
	type plain ClassesModel
	return codec.Form{Name: "leastsquares: decoding a ClassesModel", Plain: (*plain)(m), Check: func() error {
		return codec.First(
			codec.LinearMachine(m.Classes, m.W, m.B),
			codec.AtLeast("rank", m.Rank, 0),
			codec.Length("mse", len(m.MSE), len(m.Classes), "classes"),
		)
	}}
}

// ModelKind names the model in files: see package modelfile.
func (*ClassesModel) ModelKind() string { return "leastsquares.ClassesModel" }

// GobEncode encodes the model as JSON.
func (m ClassesModel) GobEncode() ([]byte, error) { return json.Marshal(m) }

// GobDecode decodes a model from the output of GobEncode. It returns the errors of
// UnmarshalJSON.
func (m *ClassesModel) GobDecode(data []byte) error { return m.UnmarshalJSON(data) }

// UnmarshalJSON decodes a model. It returns an error, and leaves m unchanged, if a field is
// missing, unknown or invalid.
func (m *ClassesModel) UnmarshalJSON(data []byte) error {
	return codec.DecodeJSON(data, m, (*ClassesModel).form)
}
