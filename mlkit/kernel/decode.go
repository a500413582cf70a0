package kernel

import (
	"fmt"

	"marginalia/mlkit/internal/codec"
)

func (φ *MonomialMap) check() error {
	if err := codec.First(
		codec.AtLeast("features", φ.D, 1),
		codec.Finite("constant", φ.Constant),
		codec.AtLeast("len(factors)", len(φ.Factors), 1),
		codec.Length("coef", len(φ.Coef), len(φ.Factors), "factors"),
		codec.AllFinite("coef", φ.Coef),
	); err != nil {
		return err
	}
	last := 0
	for t, factors := range φ.Factors {
		for _, j := range factors {
			if j < 0 || j > φ.D {
				return fmt.Errorf("factors[%d] = %v, want features from 0 to %d, the constant", t, factors, φ.D)
			}
			last = max(last, j)
		}
	}
	if φ.D > last+1 { // each feature occurs in some monomial
		return fmt.Errorf("features = %d, want %d, since factors have no further one", φ.D, last+1)
	}
	return nil
}

// ModelKind names the map in files: see package modelfile.
func (*MonomialMap) ModelKind() string { return "kernel.MonomialMap" }

// UnmarshalJSON decodes a map, or returns an error and leaves φ unchanged.
func (φ *MonomialMap) UnmarshalJSON(data []byte) error {
	return codec.Decode(data, φ, (*MonomialMap).check)
}
