package unit

import (
	"encoding/json"

	"marginalia/mlkit/internal/codec"
)

// A model is decoded completely or not at all: see mlkit/internal/codec.

func (u *Threshold) form() codec.Form {
	type plain Threshold
	return codec.Form{Name: "unit: decoding a Threshold", Plain: (*plain)(u), Check: func() error {
		return codec.Hyperplane(u.W, u.B)
	}}
}

// ModelKind names the unit in files: see package modelfile.
func (*Threshold) ModelKind() string { return "unit.Threshold" }

// GobEncode encodes the unit as JSON.
func (u Threshold) GobEncode() ([]byte, error) { return json.Marshal(u) }

// GobDecode decodes a unit from the output of GobEncode. It returns the errors of
// UnmarshalJSON.
func (u *Threshold) GobDecode(data []byte) error { return u.UnmarshalJSON(data) }

// UnmarshalJSON decodes a unit. It returns an error, and leaves u unchanged, if a field is
// missing, unknown or invalid.
func (u *Threshold) UnmarshalJSON(data []byte) error {
	return codec.DecodeJSON(data, u, (*Threshold).form)
}

func (l *Layer) form() codec.Form {
	type plain Layer
	return codec.Form{Name: "unit: decoding a Layer", Plain: (*plain)(l), Check: func() error { return l.check() }}
}

// ModelKind names the layer in files: see package modelfile.
func (*Layer) ModelKind() string { return "unit.Layer" }

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
	return codec.Form{Name: "unit: decoding a Network", Plain: (*plain)(n), Check: func() error { return n.check() }}
}

// ModelKind names the network in files: see package modelfile.
func (*Network) ModelKind() string { return "unit.Network" }

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
