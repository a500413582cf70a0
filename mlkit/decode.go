package mlkit

import (
	"encoding/json"
	"fmt"

	"marginalia/mlkit/internal/codec"
)

// A Hyperplane has no such methods: every one of them is whole, and models embed it.

// form encodes margins that are NaN, as those of w = 0, or infinite.
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

// GobEncode encodes the margins, as JSON.
func (m Margins) GobEncode() ([]byte, error) { return m.MarshalJSON() }

// GobDecode decodes what GobEncode has made. It refuses margins that are not whole.
func (m *Margins) GobDecode(data []byte) error { return m.UnmarshalJSON(data) }

// MarshalJSON encodes the margins. Those that are no numbers are "NaN", "+Inf" or "-Inf".
func (m Margins) MarshalJSON() ([]byte, error) { return json.Marshal(m.form().Plain) }

// UnmarshalJSON decodes margins. It refuses those that are not whole, or have unknown fields.
func (m *Margins) UnmarshalJSON(data []byte) error {
	return codec.DecodeJSON(data, m, (*Margins).form)
}
