package feature

import (
	"fmt"
	"math"

	"marginalia/mlkit/internal/codec"
)

// A model or map is decoded completely or not at all: see mlkit/internal/codec. A Chain
// may hold maps of any type, so its maps are stored one by one.

// ModelKind names the map in files: see package modelfile.
func (*Scaling) ModelKind() string { return "feature.Scaling" }

// UnmarshalJSON decodes a map, or returns an error and leaves s unchanged.
func (s *Scaling) UnmarshalJSON(data []byte) error { return codec.Decode(data, s, (*Scaling).valid) }

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

// UnmarshalJSON decodes a map, or returns an error and leaves m unchanged.
func (m *PCAModel) UnmarshalJSON(data []byte) error { return codec.Decode(data, m, (*PCAModel).check) }
