package discriminant

import (
	"fmt"

	"marginalia/mlkit/internal/codec"
)

func checkPriorsOf(priors []float64, M int) error {
	return codec.First(codec.Length("priors", len(priors), M, "classes"), checkProbabilities(priors))
}

func checkProbabilities(priors []float64) error {
	for k, p := range priors {
		if !(p > 0 && p < 1) {
			return fmt.Errorf("priors[%d] = %v, want a probability above 0 and below 1", k, p)
		}
	}
	return nil
}

func (m *LDAModel) check() error {
	if err := codec.LinearMachine(m.Classes, m.W, m.B); err != nil {
		return err
	}
	M, d := len(m.Classes), len(m.W[0])
	return codec.First(
		codec.Length("means", len(m.Means), M, "classes"),
		codec.Rows("means", m.Means, d),
		codec.Length("mean", len(m.Mean), d, "the columns of w"),
		codec.AllFinite("mean", m.Mean),
		checkPriorsOf(m.Priors, M),
		codec.Square("covariance", m.Covariance, d),
		codec.Rows("directions", m.Directions, d),
		codec.Length("variances", len(m.Variances), len(m.Directions), "directions"),
		codec.Length("explained", len(m.Explained), len(m.Directions), "directions"),
	)
}

// ModelKind names the model in files: see package modelfile.
func (*LDAModel) ModelKind() string { return "discriminant.LDAModel" }

// UnmarshalJSON decodes a model, or returns an error and leaves m unchanged.
func (m *LDAModel) UnmarshalJSON(data []byte) error {
	return codec.Decode(data, m, (*LDAModel).check)
}

func (m *QDAModel) check() error {
	M := len(m.Classes)
	if err := codec.First(
		checkGaussians(m.Classes, m.Priors, m.Means, m.Offsets),
		codec.Length("covariances", len(m.Covariances), M, "classes"),
		codec.Length("whitenings", len(m.Whitenings), M, "classes"),
	); err != nil {
		return err
	}
	d := len(m.Means[0])
	for k := range M {
		if err := codec.First(
			codec.Square(fmt.Sprintf("covariances[%d]", k), m.Covariances[k], d),
			codec.Square(fmt.Sprintf("whitenings[%d]", k), m.Whitenings[k], d),
		); err != nil {
			return err
		}
	}
	return nil
}

// checkGaussians checks the fields that QDAModel and GaussianNBModel share.
func checkGaussians(classes []int, priors []float64, means [][]float64, offsets []float64) error {
	M := len(classes)
	if err := codec.First(
		codec.Classes("classes", classes),
		checkPriorsOf(priors, M),
		codec.Length("means", len(means), M, "classes"),
		codec.Length("offsets", len(offsets), M, "classes"),
		codec.AllFinite("offsets", offsets),
	); err != nil {
		return err
	}
	d := len(means[0])
	return codec.First(codec.AtLeast("len(means[0])", d, 1), codec.Rows("means", means, d))
}

// ModelKind names the model in files: see package modelfile.
func (*QDAModel) ModelKind() string { return "discriminant.QDAModel" }

// UnmarshalJSON decodes a model, or returns an error and leaves m unchanged.
func (m *QDAModel) UnmarshalJSON(data []byte) error {
	return codec.Decode(data, m, (*QDAModel).check)
}
