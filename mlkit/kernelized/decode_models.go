package kernelized

import (
	"fmt"

	"marginalia/mlkit/internal/codec"
	"marginalia/mlkit/kernel"
)

// Models are decoded completely or not at all. Expansion, Matrix and Centering are
// checked by the models that contain them; see mlkit/internal/codec.

// check returns an error unless Data has Rows·Cols finite elements.
func (m Matrix) check(field string) error {
	n := len(m.Data)
	// Rows*Cols might overflow, so divide.
	if m.Rows < 0 || m.Cols < 0 || m.Rows == 0 && n > 0 || m.Rows > 0 && (n/m.Rows != m.Cols || n%m.Rows != 0 || n == 0) {
		return fmt.Errorf("%s is %d×%d with %d elements of data, want rows times cols", field, m.Rows, m.Cols, n)
	}
	return codec.AllFinite(field+".data", m.Data)
}

// checkShift checks the shift of samples with d features; nil is valid.
func checkShift(shift []float64, d int) error {
	if shift == nil {
		return nil
	}
	return codec.First(codec.Length("shift", len(shift), d, "the columns of x"), codec.AllFinite("shift", shift))
}

func (e *Expansion) check() error {
	return codec.First(
		kernel.Check(e.Kernel.Kernel),
		e.X.check("x"),
		checkShift(e.Shift, e.X.Cols),
		codec.Length("coef", len(e.Coef), e.X.Rows, "the rows of x"),
		codec.AllFinite("coef", e.Coef),
		codec.Finite("b", e.B),
	)
}

// ModelKind names the model in files: see package modelfile.
func (*RidgeModel) ModelKind() string { return "kernelized.RidgeModel" }

// UnmarshalJSON decodes a model, or returns an error and leaves m unchanged.
func (m *RidgeModel) UnmarshalJSON(data []byte) error {
	return codec.Decode(data, m, (*RidgeModel).check)
}

func (m *PerceptronModel) check() error {
	return codec.First(
		m.Expansion.check(),
		codec.Length("rows", len(m.Rows), m.X.Rows, "the rows of x"),
		codec.Counts("rows", m.Rows, 0),
		codec.Ascending("rows", m.Rows),
		codec.Length("alpha", len(m.Alpha), m.X.Rows, "the rows of x"),
		codec.Counts("alpha", m.Alpha, 1),
		codec.AtLeast("mistakes", m.Mistakes, 0),
		codec.AtLeast("epochs", m.Epochs, 0),
		codec.AtLeast("steps", m.Steps, 0),
		codec.Counts("mistakes_per_epoch", m.MistakesPerEpoch, 0),
	)
}

// ModelKind names the model in files: see package modelfile.
func (*PerceptronModel) ModelKind() string { return "kernelized.PerceptronModel" }

// UnmarshalJSON decodes a model, or returns an error and leaves m unchanged.
func (m *PerceptronModel) UnmarshalJSON(data []byte) error {
	return codec.Decode(data, m, (*PerceptronModel).check)
}

func (m *KMeansModel) check() error {
	if err := codec.First(
		kernel.Check(m.Kernel.Kernel),
		m.X.check("x"),
		checkShift(m.Shift, m.X.Cols),
		codec.Length("labels", len(m.Labels), m.X.Rows, "the rows of x"),
		codec.Indices("labels", m.Labels, len(m.Sizes)),
		codec.AtLeast("len(sizes)", len(m.Sizes), 1),
		codec.Length("norms", len(m.Norms), len(m.Sizes), "sizes"),
		codec.AllFinite("norms", m.Norms),
		codec.AtLeast("iterations", m.Iterations, 0),
		codec.AtLeast("run", m.Restart, 0),
	); err != nil {
		return err
	}
	return codec.Sizes(m.Sizes, m.Labels)
}

// ModelKind names the model in files: see package modelfile.
func (*KMeansModel) ModelKind() string { return "kernelized.KMeansModel" }

// UnmarshalJSON decodes a model, or returns an error and leaves m unchanged.
func (m *KMeansModel) UnmarshalJSON(data []byte) error {
	return codec.Decode(data, m, (*KMeansModel).check)
}
