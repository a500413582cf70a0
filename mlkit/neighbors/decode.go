package neighbors

import (
	"fmt"

	"marginalia/mlkit/internal/codec"
)

// A model is decoded completely or not at all: see mlkit/internal/codec.

func (m *Model) check() error {
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

// ModelKind names the model in files: see package modelfile.
func (*Model) ModelKind() string { return "neighbors.Model" }

// UnmarshalJSON decodes a model, or returns an error and leaves m unchanged.
func (m *Model) UnmarshalJSON(data []byte) error { return codec.Decode(data, m, (*Model).check) }
