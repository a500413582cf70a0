package eval

import (
	"encoding/json"
	"fmt"

	"marginalia/mlkit/internal/codec"
)

// Decoding a result succeeds completely or returns an error, if its methods rely on more
// than one field: see mlkit/internal/codec.

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

// UnmarshalJSON decodes a matrix, or returns an error and leaves c unchanged.
func (c *Confusion) UnmarshalJSON(data []byte) error {
	return codec.Decode(data, c, (*Confusion).check)
}

// rocForm is how a curve is encoded, whose first threshold is +Inf.
type rocForm struct {
	Threshold codec.Floats
	FPR, TPR  []float64
}

func (r *ROC) check() error {
	return codec.First(
		codec.Length("FPR", len(r.FPR), len(r.Thresholds), "Threshold"),
		codec.Length("TPR", len(r.TPR), len(r.Thresholds), "Threshold"),
		codec.AllFinite("FPR", r.FPR),
		codec.AllFinite("TPR", r.TPR),
	)
}

// ModelKind names the curve in files: see package modelfile.
func (*ROC) ModelKind() string { return "eval.ROC" }

// MarshalJSON encodes the curve. The first threshold is "+Inf".
func (r ROC) MarshalJSON() ([]byte, error) { return json.Marshal(rocForm{r.Thresholds, r.FPR, r.TPR}) }

// UnmarshalJSON decodes a curve, or returns an error and leaves r unchanged.
func (r *ROC) UnmarshalJSON(data []byte) error {
	return codec.DecodeAs(data, r, func(f rocForm) ROC { return ROC{f.Threshold, f.FPR, f.TPR} }, (*ROC).check)
}
