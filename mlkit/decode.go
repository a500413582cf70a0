package mlkit

import (
	"fmt"

	"marginalia/mlkit/internal/codec"
)

// A Hyperplane has no such methods: every one of them is whole, and models embed it.

func (m *Margins) form() codec.Form {
	type plain Margins
	return codec.Form{Name: "mlkit: decoding Margins", Plain: (*plain)(m), Check: m.check}
}

func (m *Margins) check() error {
	n := len(m.Functional)
	if m.Smallest < 0 || m.Smallest >= n {
		return fmt.Errorf("row %d is Smallest, want one from 0 to %d", m.Smallest, n-1)
	}
	return codec.Length("Geometric", len(m.Geometric), n, "Functional")
}

// GobEncode encodes the margins.
func (m Margins) GobEncode() ([]byte, error) { return m.form().EncodeGob() }

// GobDecode decodes what GobEncode has made. It refuses margins that are not whole.
func (m *Margins) GobDecode(data []byte) error { return codec.DecodeGob(data, m, (*Margins).form) }

// UnmarshalJSON decodes margins. It refuses those that are not whole, or have unknown fields.
func (m *Margins) UnmarshalJSON(data []byte) error {
	return codec.DecodeJSON(data, m, (*Margins).form)
}
