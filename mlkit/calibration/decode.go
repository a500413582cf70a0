package calibration

import (
	"encoding/json"

	"marginalia/mlkit/internal/codec"
)

func (p *Platt) form() codec.Form {
	type plain Platt
	return codec.Form{Name: "calibration: decoding a Platt", Plain: (*plain)(p), Check: func() error {
		return codec.First(codec.Finite("a", p.A), codec.Finite("b", p.B))
	}}
}

// ModelKind names the model in files: see package modelfile.
func (*Platt) ModelKind() string { return "calibration.Platt" }

// GobEncode encodes A and B as JSON.
func (p Platt) GobEncode() ([]byte, error) { return json.Marshal(p) }

// GobDecode decodes A and B from the output of GobEncode. It returns the errors of
// UnmarshalJSON.
func (p *Platt) GobDecode(data []byte) error { return p.UnmarshalJSON(data) }

// UnmarshalJSON decodes A and B. It returns an error, and leaves p unchanged, if a field
// is missing, unknown or not finite.
func (p *Platt) UnmarshalJSON(data []byte) error { return codec.DecodeJSON(data, p, (*Platt).form) }
