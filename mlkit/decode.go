package mlkit

import (
	"encoding/json"
	"fmt"

	"marginalia/mlkit/internal/codec"
)

// Hyperplane needs no such methods: any values of its fields are valid, and models
// embed it.

// marginsForm is how margins are encoded, which may be infinite, or NaN as for w = 0.
type marginsForm struct {
	Functional, Geometric codec.Floats
	Smallest              int
}

func (m *Margins) check() error {
	n := len(m.Functional)
	if m.Smallest < 0 || m.Smallest >= n {
		return fmt.Errorf("row %d is Smallest, want one from 0 to %d", m.Smallest, n-1)
	}
	return codec.Length("Geometric", len(m.Geometric), n, "Functional")
}

// ModelKind names the margins in files: see package modelfile.
func (*Margins) ModelKind() string { return "mlkit.Margins" }

// MarshalJSON encodes the margins. Those that are not finite become "NaN", "+Inf" or
// "-Inf".
func (m Margins) MarshalJSON() ([]byte, error) {
	return json.Marshal(marginsForm{m.Functional, m.Geometric, m.Smallest})
}

// UnmarshalJSON decodes margins, or returns an error and leaves m unchanged.
func (m *Margins) UnmarshalJSON(data []byte) error {
	return codec.DecodeAs(data, m, func(f marginsForm) Margins { return Margins{f.Functional, f.Geometric, f.Smallest} }, (*Margins).check)
}
