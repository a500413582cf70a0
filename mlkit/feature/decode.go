package feature

import (
	"encoding/json"
	"fmt"

	"marginalia/mlkit/internal/codec"
)

// A model or map is decoded completely or not at all: see mlkit/internal/codec. A Chain
// may hold maps of any type, so its maps are stored one by one.

func (m *KNNModel) form() codec.Form {
	type plain KNNModel
	return codec.Form{Name: "feature: decoding a KNNModel", Plain: (*plain)(m), Check: m.check}
}

func (m *KNNModel) check() error {
	n := len(m.X)
	if m.K < 1 || m.K > n {
		return fmt.Errorf("k = %d, want 1 to %d, the rows of x", m.K, n)
	}
	return codec.First(
		codec.Classes("classes", m.Classes),
		codec.AtLeast("len(x[0])", len(m.X[0]), 1),
		codec.Rows("x", m.X, len(m.X[0])),
		codec.Length("y", len(m.Y), n, "the rows of x"),
		codec.OneOf("y", m.Y, m.Classes),
	)
}

// GobEncode encodes the model as JSON.
func (m KNNModel) GobEncode() ([]byte, error) { return json.Marshal(m) }

// GobDecode decodes a model from the output of GobEncode. It returns the errors of
// UnmarshalJSON.
func (m *KNNModel) GobDecode(data []byte) error { return m.UnmarshalJSON(data) }

// UnmarshalJSON decodes a model. It returns an error, and leaves m unchanged, if a field is
// missing, unknown or invalid.
func (m *KNNModel) UnmarshalJSON(data []byte) error {
	return codec.DecodeJSON(data, m, (*KNNModel).form)
}

func (s *Scaling) form() codec.Form {
	type plain Scaling
	return codec.Form{Name: "feature: decoding a Scaling", Plain: (*plain)(s), Check: s.valid}
}

// GobEncode encodes the map as JSON.
func (s Scaling) GobEncode() ([]byte, error) { return json.Marshal(s) }

// GobDecode decodes a map from the output of GobEncode. It returns the errors of
// UnmarshalJSON.
func (s *Scaling) GobDecode(data []byte) error { return s.UnmarshalJSON(data) }

// UnmarshalJSON decodes a map. It returns an error, and leaves s unchanged, if a field is
// missing, unknown or invalid.
func (s *Scaling) UnmarshalJSON(data []byte) error {
	return codec.DecodeJSON(data, s, (*Scaling).form)
}
