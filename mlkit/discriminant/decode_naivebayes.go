package discriminant

import (
	"fmt"
	"math"

	"marginalia/mlkit/internal/codec"
)

func (m *GaussianNBModel) check() error {
	if err := codec.First(
		checkGaussians(m.Classes, m.Priors, m.Means, m.Offsets),
		codec.Length("variances", len(m.Variances), len(m.Classes), "classes"),
	); err != nil {
		return err
	}
	if err := codec.Rows("variances", m.Variances, len(m.Means[0])); err != nil {
		return err
	}
	for k, v := range m.Variances {
		if err := checkNotNegative(fmt.Sprintf("variances[%d]", k), v); err != nil {
			return err
		}
	}
	return nil
}

func checkNotNegative(field string, v []float64) error {
	for j, x := range v {
		if !(x >= 0 && x <= math.MaxFloat64) {
			return fmt.Errorf("%s[%d] = %v, want a finite number of at least 0", field, j, x)
		}
	}
	return nil
}

// ModelKind names the model in files: see package modelfile.
func (*GaussianNBModel) ModelKind() string { return "discriminant.GaussianNBModel" }

// UnmarshalJSON decodes a model, or returns an error and leaves m unchanged.
func (m *GaussianNBModel) UnmarshalJSON(data []byte) error {
	return codec.Decode(data, m, (*GaussianNBModel).check)
}

func (m *DiagonalLDAModel) check() error {
	if err := codec.LinearMachine(m.Classes, m.W, m.B); err != nil {
		return err
	}
	M, d := len(m.Classes), len(m.W[0])
	return codec.First(
		codec.Length("means", len(m.Means), M, "classes"),
		codec.Rows("means", m.Means, d),
		checkPriorsOf(m.Priors, M),
		codec.Length("variances", len(m.Variances), d, "the columns of w"),
		checkNotNegative("variances", m.Variances),
	)
}

// ModelKind names the model in files: see package modelfile.
func (*DiagonalLDAModel) ModelKind() string { return "discriminant.DiagonalLDAModel" }

// UnmarshalJSON decodes a model, or returns an error and leaves m unchanged.
func (m *DiagonalLDAModel) UnmarshalJSON(data []byte) error {
	return codec.Decode(data, m, (*DiagonalLDAModel).check)
}

func (m *BernoulliNBModel) check() error {
	if err := codec.LinearMachine(m.Classes, m.W, m.B); err != nil {
		return err
	}
	M := len(m.Classes)
	return codec.First(
		checkPriorsOf(m.Priors, M),
		codec.Length("probabilities", len(m.Probabilities), M, "classes"),
		codec.Rows("probabilities", m.Probabilities, len(m.W[0])),
		checkShares("probabilities", m.Probabilities),
	)
}

// checkShares checks that all elements are from 0 to 1.
func checkShares(field string, rows [][]float64) error {
	for k, row := range rows {
		for j, v := range row {
			if !(v >= 0 && v <= 1) {
				return fmt.Errorf("%s[%d][%d] = %v, want a number from 0 to 1", field, k, j, v)
			}
		}
	}
	return nil
}

// ModelKind names the model in files: see package modelfile.
func (*BernoulliNBModel) ModelKind() string { return "discriminant.BernoulliNBModel" }

// UnmarshalJSON decodes a model, or returns an error and leaves m unchanged.
func (m *BernoulliNBModel) UnmarshalJSON(data []byte) error {
	return codec.Decode(data, m, (*BernoulliNBModel).check)
}
