package eval

import (
	"fmt"

	"marginalia/mlkit/internal/codec"
)

// Results whose methods go by more than one of their fields are decoded whole or not at
// all: see mlkit/internal/codec.

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

// GobEncode encodes the matrix.
func (c Confusion) GobEncode() ([]byte, error) { return c.form().EncodeGob() }

// GobDecode decodes what GobEncode has made. It refuses a matrix that is not whole.
func (c *Confusion) GobDecode(data []byte) error { return codec.DecodeGob(data, c, (*Confusion).form) }

// UnmarshalJSON decodes a matrix. It refuses one that is not whole, or has unknown fields.
func (c *Confusion) UnmarshalJSON(data []byte) error {
	return codec.DecodeJSON(data, c, (*Confusion).form)
}

func (r *ROC) form() codec.Form {
	type plain ROC
	return codec.Form{Name: "eval: decoding a ROC", Plain: (*plain)(r), Check: func() error {
		return codec.First(
			codec.Length("FPR", len(r.FPR), len(r.Threshold), "Threshold"),
			codec.Length("TPR", len(r.TPR), len(r.Threshold), "Threshold"),
			codec.AllFinite("FPR", r.FPR),
			codec.AllFinite("TPR", r.TPR),
		)
	}}
}

// GobEncode encodes the curve. JSON has no number for its first threshold.
func (r ROC) GobEncode() ([]byte, error) { return r.form().EncodeGob() }

// GobDecode decodes what GobEncode has made. It refuses a curve that is not whole.
func (r *ROC) GobDecode(data []byte) error { return codec.DecodeGob(data, r, (*ROC).form) }
