package feature

import (
	"encoding/json"

	"marginalia/mlkit/internal/codec"
)

func (p *Polynomial) form() codec.Form {
	type plain Polynomial
	return codec.Form{Name: "feature: decoding a Polynomial", Plain: (*plain)(p), Check: p.valid}
}

// ModelKind names the map in files: see package modelfile.
func (*Polynomial) ModelKind() string { return "feature.Polynomial" }

// GobEncode encodes the map as JSON.
func (p Polynomial) GobEncode() ([]byte, error) { return json.Marshal(p) }

// GobDecode decodes a map from the output of GobEncode. It returns the errors of
// UnmarshalJSON.
func (p *Polynomial) GobDecode(data []byte) error { return p.UnmarshalJSON(data) }

// UnmarshalJSON decodes a map. It returns an error, and leaves p unchanged, if a field is
// missing, unknown or invalid.
func (p *Polynomial) UnmarshalJSON(data []byte) error {
	return codec.DecodeJSON(data, p, (*Polynomial).form)
}

func (p *Products) form() codec.Form {
	type plain Products
	return codec.Form{Name: "feature: decoding a Products", Plain: (*plain)(p), Check: p.valid}
}

// ModelKind names the map in files: see package modelfile.
func (*Products) ModelKind() string { return "feature.Products" }

// GobEncode encodes the map as JSON.
func (p Products) GobEncode() ([]byte, error) { return json.Marshal(p) }

// GobDecode decodes a map from the output of GobEncode. It returns the errors of
// UnmarshalJSON.
func (p *Products) GobDecode(data []byte) error { return p.UnmarshalJSON(data) }

// UnmarshalJSON decodes a map. It returns an error, and leaves p unchanged, if a field is
// missing, unknown or invalid.
func (p *Products) UnmarshalJSON(data []byte) error {
	return codec.DecodeJSON(data, p, (*Products).form)
}

func (c *Constant) form() codec.Form {
	type plain Constant
	return codec.Form{Name: "feature: decoding a Constant", Plain: (*plain)(c), Check: func() error { return codec.AtLeast("d", c.D, 1) }}
}

// ModelKind names the map in files: see package modelfile.
func (*Constant) ModelKind() string { return "feature.Constant" }

// GobEncode encodes the map as JSON.
func (c Constant) GobEncode() ([]byte, error) { return json.Marshal(c) }

// GobDecode decodes a map from the output of GobEncode. It returns the errors of
// UnmarshalJSON.
func (c *Constant) GobDecode(data []byte) error { return c.UnmarshalJSON(data) }

// UnmarshalJSON decodes a map. It returns an error, and leaves c unchanged, if a field is
// missing, unknown or invalid.
func (c *Constant) UnmarshalJSON(data []byte) error {
	return codec.DecodeJSON(data, c, (*Constant).form)
}

func (p *Polar) form() codec.Form {
	type plain Polar
	return codec.Form{Name: "feature: decoding a Polar", Plain: (*plain)(p), Check: func() error { return codec.AllFinite("centre", p.Centre[:]) }}
}

// ModelKind names the map in files: see package modelfile.
func (*Polar) ModelKind() string { return "feature.Polar" }

// GobEncode encodes the map as JSON.
func (p Polar) GobEncode() ([]byte, error) { return json.Marshal(p) }

// GobDecode decodes a map from the output of GobEncode. It returns the errors of
// UnmarshalJSON.
func (p *Polar) GobDecode(data []byte) error { return p.UnmarshalJSON(data) }

// UnmarshalJSON decodes a map. It returns an error, and leaves p unchanged, if a field is
// missing, unknown or invalid.
func (p *Polar) UnmarshalJSON(data []byte) error { return codec.DecodeJSON(data, p, (*Polar).form) }

func (h *Histogram) form() codec.Form {
	type plain Histogram
	return codec.Form{Name: "feature: decoding a Histogram", Plain: (*plain)(h), Check: func() error { return h.valid() }}
}

// ModelKind names the map in files: see package modelfile.
func (*Histogram) ModelKind() string { return "feature.Histogram" }

// GobEncode encodes the map as JSON.
func (h Histogram) GobEncode() ([]byte, error) { return json.Marshal(h) }

// GobDecode decodes a map from the output of GobEncode. It returns the errors of
// UnmarshalJSON.
func (h *Histogram) GobDecode(data []byte) error { return h.UnmarshalJSON(data) }

// UnmarshalJSON decodes a map. It returns an error, and leaves h unchanged, if a field is
// missing, unknown or invalid.
func (h *Histogram) UnmarshalJSON(data []byte) error {
	return codec.DecodeJSON(data, h, (*Histogram).form)
}

func (h *HOG) form() codec.Form {
	type plain HOG
	return codec.Form{Name: "feature: decoding a HOG", Plain: (*plain)(h), Check: func() error { return h.valid() }}
}

// ModelKind names the map in files: see package modelfile.
func (*HOG) ModelKind() string { return "feature.HOG" }

// GobEncode encodes the map as JSON.
func (h HOG) GobEncode() ([]byte, error) { return json.Marshal(h) }

// GobDecode decodes a map from the output of GobEncode. It returns the errors of
// UnmarshalJSON.
func (h *HOG) GobDecode(data []byte) error { return h.UnmarshalJSON(data) }

// UnmarshalJSON decodes a map. It returns an error, and leaves h unchanged, if a field is
// missing, unknown or invalid.
func (h *HOG) UnmarshalJSON(data []byte) error { return codec.DecodeJSON(data, h, (*HOG).form) }
