package feature

import (
	"encoding/json"
	"fmt"
	"math"

	"marginalia/mlkit/internal/codec"
)

// A model or map is decoded completely or not at all: see mlkit/internal/codec. A Chain
// may hold maps of any type, so its maps are stored one by one.

func (s *Scaling) form() codec.Form {
	type plain Scaling
	return codec.Form{Name: "feature: decoding a Scaling", Plain: (*plain)(s), Check: s.valid}
}

// ModelKind names the map in files: see package modelfile.
func (*Scaling) ModelKind() string { return "feature.Scaling" }

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

func (m *PCAModel) form() codec.Form {
	type plain PCAModel
	return codec.Form{Name: "feature: decoding a PCAModel", Plain: (*plain)(m), Check: m.check}
}

func (m *PCAModel) check() error {
	K := len(m.Directions)
	if err := codec.First(
		codec.AtLeast("len(mean)", len(m.Mean), 1),
		codec.AllFinite("mean", m.Mean),
		codec.Rows("directions", m.Directions, len(m.Mean)),
		codec.Length("variances", len(m.Variances), K, "directions"),
		codec.Length("explained", len(m.Explained), K, "directions"),
		codec.AllFinite("explained", m.Explained),
	); err != nil {
		return err
	}
	for c, v := range m.Variances {
		if !(v > 0 && v <= math.MaxFloat64) {
			return fmt.Errorf("variances[%d] = %v, want a positive number", c, v)
		}
	}
	return nil
}

// ModelKind names the map in files: see package modelfile.
func (*PCAModel) ModelKind() string { return "feature.PCAModel" }

// GobEncode encodes the map as JSON.
func (m PCAModel) GobEncode() ([]byte, error) { return json.Marshal(m) }

// GobDecode decodes a map from the output of GobEncode. It returns the errors of
// UnmarshalJSON.
func (m *PCAModel) GobDecode(data []byte) error { return m.UnmarshalJSON(data) }

// UnmarshalJSON decodes a map. It returns an error, and leaves m unchanged, if a field is
// missing, unknown or invalid.
func (m *PCAModel) UnmarshalJSON(data []byte) error {
	return codec.DecodeJSON(data, m, (*PCAModel).form)
}
