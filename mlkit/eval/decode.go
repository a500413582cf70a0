package eval

import (
	"encoding/json"
	"fmt"

	"marginalia/mlkit/internal/codec"
)

// Decoding a result succeeds completely or returns an error, if its methods rely on more
// than one field: see mlkit/internal/codec.

func (c *Confusion) form() codec.Form {
	type plain Confusion
	return codec.Form{Name: "eval: decoding a Confusion", Plain: (*plain)(c), Check: c.check}
}

func (c *Confusion) check() error {
	if err := codec.First(
		codec.AtLeast("len(Classes)", len(c.Classes), 1),
		codec.Ascending("Classes", c.Classes),
		codec.Length("Counts", len(c.Counts), len(c.Classes), "Classes"),
	); err != nil {
		return err
	}
	for i, row := range c.Counts {
		field := fmt.Sprintf("Counts[%d]", i)
		if err := codec.First(codec.Length(field, len(row), len(c.Classes), "Classes"), codec.Counts(field, row, 0)); err != nil {
			return err
		}
	}
	return nil
}

// ModelKind names the matrix in files: see package modelfile.
func (*Confusion) ModelKind() string { return "eval.Confusion" }

// GobEncode encodes the matrix as JSON.
func (c Confusion) GobEncode() ([]byte, error) { return json.Marshal(c) }

// GobDecode decodes a matrix from the output of GobEncode. It returns the errors of
// UnmarshalJSON.
func (c *Confusion) GobDecode(data []byte) error { return c.UnmarshalJSON(data) }

// UnmarshalJSON decodes a matrix. It returns an error, and leaves c unchanged, if a field
// is missing, unknown or invalid.
func (c *Confusion) UnmarshalJSON(data []byte) error {
	return codec.DecodeJSON(data, c, (*Confusion).form)
}

// form encodes thresholds as codec.Floats, since the first is +Inf.
func (r *ROC) form() codec.Form {
	plain := &struct {
		Threshold *codec.Floats
		FPR, TPR  *[]float64
	}{(*codec.Floats)(&r.Thresholds), &r.FPR, &r.TPR}
	return codec.Form{Name: "eval: decoding a ROC", Plain: plain, Check: func() error {
		return codec.First(
			codec.Length("FPR", len(r.FPR), len(r.Thresholds), "Threshold"),
			codec.Length("TPR", len(r.TPR), len(r.Thresholds), "Threshold"),
			codec.AllFinite("FPR", r.FPR),
			codec.AllFinite("TPR", r.TPR),
		)
	}}
}

// ModelKind names the curve in files: see package modelfile.
func (*ROC) ModelKind() string { return "eval.ROC" }

// GobEncode encodes the curve as JSON.
func (r ROC) GobEncode() ([]byte, error) { return r.MarshalJSON() }

// GobDecode decodes a curve from the output of GobEncode. It returns the errors of
// UnmarshalJSON.
func (r *ROC) GobDecode(data []byte) error { return r.UnmarshalJSON(data) }

// MarshalJSON encodes the curve. The first threshold is "+Inf".
func (r ROC) MarshalJSON() ([]byte, error) { return json.Marshal(r.form().Plain) }

// UnmarshalJSON decodes a curve. It returns an error, and leaves r unchanged, if a field
// is missing, unknown or invalid.
func (r *ROC) UnmarshalJSON(data []byte) error { return codec.DecodeJSON(data, r, (*ROC).form) }
