package feature

import (
	"encoding/json"

	"marginalia/mlkit/internal/codec"
)

// A model or map is decoded completely or not at all: see mlkit/internal/codec. A Chain
// may hold maps of any type, so its maps are stored one by one.

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
