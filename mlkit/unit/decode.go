package unit

import "marginalia/mlkit/internal/codec"

// A model is decoded completely or not at all: see mlkit/internal/codec.

func (u *Threshold) check() error {
	return codec.Hyperplane(u.W, u.B)
}

// ModelKind names the unit in files: see package modelfile.
func (*Threshold) ModelKind() string { return "unit.Threshold" }

// UnmarshalJSON decodes a unit, or returns an error and leaves u unchanged.
func (u *Threshold) UnmarshalJSON(data []byte) error {
	return codec.Decode(data, u, (*Threshold).check)
}

// ModelKind names the layer in files: see package modelfile.
func (*Layer) ModelKind() string { return "unit.Layer" }

// UnmarshalJSON decodes a layer, or returns an error and leaves l unchanged.
func (l *Layer) UnmarshalJSON(data []byte) error { return codec.Decode(data, l, (*Layer).check) }

// ModelKind names the network in files: see package modelfile.
func (*Network) ModelKind() string { return "unit.Network" }

// UnmarshalJSON decodes a network, or returns an error and leaves n unchanged.
func (n *Network) UnmarshalJSON(data []byte) error {
	return codec.DecodeAs(data, n, func(layers []Layer) Network { return layers }, (*Network).check)
}
