package perceptron

import (
	"fmt"

	"marginalia/mlkit/internal/codec"
)

func (m *Model) check() error {
	return codec.First(
		codec.Hyperplane(m.W, m.B),
		codec.AtLeast("mistakes", m.Mistakes, 0),
		codec.AtLeast("epochs", m.Epochs, 0),
		codec.AtLeast("steps", m.Steps, 0),
		codec.Counts("mistakes_per_epoch", m.MistakesPerEpoch, 0),
	)
}

// ModelKind names the model in files: see package modelfile.
func (*Model) ModelKind() string { return "perceptron.Model" }

// UnmarshalJSON decodes a model, or returns an error and leaves m unchanged.
func (m *Model) UnmarshalJSON(data []byte) error { return codec.Decode(data, m, (*Model).check) }

func (m *PocketModel) check() error {
	return codec.First(
		codec.Hyperplane(m.W, m.B),
		codec.AtLeast("errors", m.Errors, 0),
		codec.AtLeast("run", m.Run, 0),
		codec.AtLeast("mistakes", m.Mistakes, 0),
		codec.AtLeast("steps", m.Steps, 0),
	)
}

// ModelKind names the model in files: see package modelfile.
func (*PocketModel) ModelKind() string { return "perceptron.PocketModel" }

// UnmarshalJSON decodes a model, or returns an error and leaves m unchanged.
func (m *PocketModel) UnmarshalJSON(data []byte) error {
	return codec.Decode(data, m, (*PocketModel).check)
}

func (m *VotedModel) check() error {
	for k, h := range m.Hyperplanes {
		if err := codec.Hyperplane(h.W, h.B); err != nil {
			return fmt.Errorf("hyperplanes[%d]: %w", k, err)
		}
		if d := len(m.Hyperplanes[0].W); len(h.W) != d {
			return fmt.Errorf("hyperplanes[%d]: len(w) = %d, want %d, as hyperplanes[0] has", k, len(h.W), d)
		}
	}
	return codec.First(
		codec.Length("votes", len(m.Votes), len(m.Hyperplanes), "hyperplanes"),
		codec.Counts("votes", m.Votes, 1),
		codec.AtLeast("mistakes", m.Mistakes, 0),
		codec.AtLeast("epochs", m.Epochs, 0),
	)
}

// ModelKind names the model in files: see package modelfile.
func (*VotedModel) ModelKind() string { return "perceptron.VotedModel" }

// UnmarshalJSON decodes a model, or returns an error and leaves m unchanged.
func (m *VotedModel) UnmarshalJSON(data []byte) error {
	return codec.Decode(data, m, (*VotedModel).check)
}

func (m *AveragedModel) check() error {
	return codec.First(
		codec.Hyperplane(m.W, m.B),
		codec.Length("last.w", len(m.Last.W), len(m.W), "w"),
		codec.AllFinite("last.w", m.Last.W),
		codec.Finite("last.b", m.Last.B),
		codec.AtLeast("mistakes", m.Mistakes, 0),
		codec.AtLeast("epochs", m.Epochs, 0),
	)
}

// ModelKind names the model in files: see package modelfile.
func (*AveragedModel) ModelKind() string { return "perceptron.AveragedModel" }

// UnmarshalJSON decodes a model, or returns an error and leaves m unchanged.
func (m *AveragedModel) UnmarshalJSON(data []byte) error {
	return codec.Decode(data, m, (*AveragedModel).check)
}

// maxD is the largest D of a model without vectors, since nothing else limits the
// memory that its method Hyperplane allocates.
const maxD = 1 << 24

func (m *DualModel) check() error {
	if err := codec.First(
		codec.AtLeast("dim", m.D, 1),
		codec.Indices("support", m.Support, len(m.Alpha)),
		codec.Ascending("support", m.Support),
		codec.Length("vectors", len(m.Vectors), len(m.Support), "support"),
		codec.Rows("vectors", m.Vectors, m.D),
		codec.Length("labels", len(m.Labels), len(m.Support), "support"),
		codec.OneOf("labels", m.Labels, []int{-1, +1}),
		codec.Counts("alpha", m.Alpha, 0),
		codec.Finite("b", m.B),
		codec.AtLeast("mistakes", m.Mistakes, 0),
		codec.AtLeast("epochs", m.Epochs, 0),
		codec.Counts("mistakes_per_epoch", m.MistakesPerEpoch, 0),
	); err != nil {
		return err
	}
	if len(m.Vectors) == 0 && m.D > maxD {
		return fmt.Errorf("dim = %d, want at most %d without vectors", m.D, maxD)
	}
	return nil
}

// ModelKind names the model in files: see package modelfile.
func (*DualModel) ModelKind() string { return "perceptron.DualModel" }

// UnmarshalJSON decodes a model, or returns an error and leaves m unchanged.
func (m *DualModel) UnmarshalJSON(data []byte) error {
	return codec.Decode(data, m, (*DualModel).check)
}
