package mlkit

import (
	"encoding/json"
	"fmt"

	"marginalia/mlkit/internal/codec"
)

// Hyperplane needs no such methods: any values of its fields are valid, and models
// embed it.

// form encodes margins that may be infinite, or NaN as for w = 0.
func (m *Margins) form() codec.Form {
	plain := &struct {
		Functional, Geometric *codec.Floats
		Smallest              int
	}{(*codec.Floats)(&m.Functional), (*codec.Floats)(&m.Geometric), m.Smallest}
	return codec.Form{Name: "mlkit: decoding Margins", Plain: plain, Check: func() error {
		m.Smallest = plain.Smallest
		n := len(m.Functional)
		if m.Smallest < 0 || m.Smallest >= n {
			return fmt.Errorf("row %d is Smallest, want one from 0 to %d", m.Smallest, n-1)
		}
		return codec.Length("Geometric", len(m.Geometric), n, "Functional")
	}}
}

// ModelKind names the margins in files: see package modelfile.
func (*Margins) ModelKind() string { return "mlkit.Margins" }

// GobEncode encodes the margins as JSON.
func (m Margins) GobEncode() ([]byte, error) { return m.MarshalJSON() }

// GobDecode decodes margins from the output of GobEncode. It returns the errors of
// UnmarshalJSON.
func (m *Margins) GobDecode(data []byte) error { return m.UnmarshalJSON(data) }

// MarshalJSON encodes the margins. Those that are not finite become "NaN", "+Inf" or
// "-Inf".
func (m Margins) MarshalJSON() ([]byte, error) { return json.Marshal(m.form().Plain) }

// UnmarshalJSON decodes margins. It returns an error, and leaves m unchanged, if a field is
// missing, unknown or invalid.
func (m *Margins) UnmarshalJSON(data []byte) error {
	return codec.DecodeJSON(data, m, (*Margins).form)
}
