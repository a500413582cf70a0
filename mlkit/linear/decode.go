package linear

import (
	"encoding/json"
	"fmt"

	"marginalia/mlkit/internal/codec"
)

// A model is decoded completely or not at all: see mlkit/internal/codec. Hyperplane and
// LinearMachine are parts of models, which check them.

func checkHyperplane(h Hyperplane) error {
	return codec.First(
		codec.AtLeast("len(w)", len(h.W), 1),
		codec.AllFinite("w", h.W),
		codec.Finite("b", h.B),
	)
}

func (m LinearMachine) check() error {
	if err := codec.First(
		codec.Classes("classes", m.Classes),
		codec.Length("w", len(m.W), len(m.Classes), "classes"),
		codec.Length("b", len(m.B), len(m.Classes), "classes"),
		codec.AllFinite("b", m.B),
	); err != nil {
		return err
	}
	return codec.First(codec.AtLeast("len(w[0])", len(m.W[0]), 1), codec.Rows("w", m.W, len(m.W[0])))
}

// checkSquare returns an error unless rows is a d×d matrix, or empty as after a cancelled
// fit.
func checkSquare(field string, rows [][]float64, d int) error {
	if len(rows) != 0 && len(rows) != d {
		return fmt.Errorf("len(%s) = %d, want %d, one for each of w, or 0", field, len(rows), d)
	}
	return codec.Rows(field, rows, d)
}

func (m *LogisticModel) form() codec.Form {
	type plain LogisticModel
	return codec.Form{Name: "linear: decoding a LogisticModel", Plain: (*plain)(m), Check: func() error {
		return codec.First(checkHyperplane(m.Hyperplane), codec.AtLeast("iterations", m.Iterations, 0))
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
		return codec.First(m.LinearMachine.check(), codec.AtLeast("iterations", m.Iterations, 0))
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

func (u *ThresholdUnit) form() codec.Form {
	type plain ThresholdUnit
	return codec.Form{Name: "linear: decoding a ThresholdUnit", Plain: (*plain)(u), Check: func() error {
		return checkHyperplane(u.Hyperplane)
	}}
}

// GobEncode encodes the unit as JSON.
func (u ThresholdUnit) GobEncode() ([]byte, error) { return json.Marshal(u) }

// GobDecode decodes a unit from the output of GobEncode. It returns the errors of
// UnmarshalJSON.
func (u *ThresholdUnit) GobDecode(data []byte) error { return u.UnmarshalJSON(data) }

// UnmarshalJSON decodes a unit. It returns an error, and leaves u unchanged, if a field is
// missing, unknown or invalid.
func (u *ThresholdUnit) UnmarshalJSON(data []byte) error {
	return codec.DecodeJSON(data, u, (*ThresholdUnit).form)
}

func (l *Layer) form() codec.Form {
	type plain Layer
	return codec.Form{Name: "linear: decoding a Layer", Plain: (*plain)(l), Check: func() error { return l.check() }}
}

// GobEncode encodes the layer as JSON.
func (l Layer) GobEncode() ([]byte, error) { return json.Marshal(l) }

// GobDecode decodes a layer from the output of GobEncode. It returns the errors of
// UnmarshalJSON.
func (l *Layer) GobDecode(data []byte) error { return l.UnmarshalJSON(data) }

// UnmarshalJSON decodes a layer. It returns an error, and leaves l unchanged, if a field is
// missing, unknown or invalid.
func (l *Layer) UnmarshalJSON(data []byte) error { return codec.DecodeJSON(data, l, (*Layer).form) }

func (n *Network) form() codec.Form {
	type plain Network
	return codec.Form{Name: "linear: decoding a Network", Plain: (*plain)(n), Check: func() error { return n.check() }}
}

// GobEncode encodes the network as JSON.
func (n Network) GobEncode() ([]byte, error) { return json.Marshal(n) }

// GobDecode decodes a network from the output of GobEncode. It returns the errors of
// UnmarshalJSON.
func (n *Network) GobDecode(data []byte) error { return n.UnmarshalJSON(data) }

// UnmarshalJSON decodes a network. It returns an error, and leaves n unchanged, if a field is
// missing, unknown or invalid.
func (n *Network) UnmarshalJSON(data []byte) error {
	return codec.DecodeJSON(data, n, (*Network).form)
}
