package feature

import "marginalia/mlkit/internal/codec"

// ModelKind names the map in files: see package modelfile.
func (*Polynomial) ModelKind() string { return "feature.Polynomial" }

// UnmarshalJSON decodes a map, or returns an error and leaves p unchanged.
func (p *Polynomial) UnmarshalJSON(data []byte) error {
	return codec.Decode(data, p, (*Polynomial).valid)
}

// ModelKind names the map in files: see package modelfile.
func (*Products) ModelKind() string { return "feature.Products" }

// UnmarshalJSON decodes a map, or returns an error and leaves p unchanged.
func (p *Products) UnmarshalJSON(data []byte) error { return codec.Decode(data, p, (*Products).valid) }

func (c *Constant) check() error { return codec.AtLeast("d", c.D, 1) }

// ModelKind names the map in files: see package modelfile.
func (*Constant) ModelKind() string { return "feature.Constant" }

// UnmarshalJSON decodes a map, or returns an error and leaves c unchanged.
func (c *Constant) UnmarshalJSON(data []byte) error { return codec.Decode(data, c, (*Constant).check) }

func (p *Polar) check() error { return codec.AllFinite("center", p.Center[:]) }

// ModelKind names the map in files: see package modelfile.
func (*Polar) ModelKind() string { return "feature.Polar" }

// UnmarshalJSON decodes a map, or returns an error and leaves p unchanged.
func (p *Polar) UnmarshalJSON(data []byte) error { return codec.Decode(data, p, (*Polar).check) }

// ModelKind names the map in files: see package modelfile.
func (*Histogram) ModelKind() string { return "feature.Histogram" }

// UnmarshalJSON decodes a map, or returns an error and leaves h unchanged.
func (h *Histogram) UnmarshalJSON(data []byte) error {
	return codec.Decode(data, h, (*Histogram).valid)
}

// ModelKind names the map in files: see package modelfile.
func (*HOG) ModelKind() string { return "feature.HOG" }

// UnmarshalJSON decodes a map, or returns an error and leaves h unchanged.
func (h *HOG) UnmarshalJSON(data []byte) error { return codec.Decode(data, h, (*HOG).valid) }
