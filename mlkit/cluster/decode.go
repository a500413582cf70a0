package cluster

import (
	"marginalia/mlkit/internal/codec"
)

// Models are decoded completely or not at all; see mlkit/internal/codec. A Graph is
// checked by FitGraph.

func (m *KMeansModel) check() error {
	K := len(m.Centers)
	if err := codec.AtLeast("len(centers)", K, 1); err != nil {
		return err
	}
	if err := codec.First(
		codec.AtLeast("len(centers[0])", len(m.Centers[0]), 1),
		codec.Rows("centers", m.Centers, len(m.Centers[0])),
		codec.Indices("labels", m.Labels, K),
		codec.AtLeast("iterations", m.Iterations, 0),
		codec.AtLeast("run", m.Restart, 0),
	); err != nil {
		return err
	}
	if m.Labels == nil { // the fit ended before its first iteration
		return codec.Length("sizes", len(m.Sizes), 0, "labels")
	}
	if err := codec.Length("sizes", len(m.Sizes), K, "centers"); err != nil {
		return err
	}
	return codec.Sizes(m.Sizes, m.Labels)
}

// ModelKind names the model in files: see package modelfile.
func (*KMeansModel) ModelKind() string { return "cluster.KMeansModel" }

// UnmarshalJSON decodes a model, or returns an error and leaves m unchanged.
func (m *KMeansModel) UnmarshalJSON(data []byte) error {
	return codec.Decode(data, m, (*KMeansModel).check)
}

// check allows for a fit that ended early: Labels is nil, or Embedding too, or
// everything.
func (m *SpectralModel) check() error {
	n := len(m.ComponentLabels)
	if err := codec.First(
		codec.AtLeast("k", m.K, 0),
		codec.AllFinite("eigenvalues", m.Eigenvalues),
		codec.Indices("component", m.ComponentLabels, n),
	); err != nil {
		return err
	}
	if m.Embedding != nil {
		if err := codec.First(
			codec.AtLeast("k", m.K, 1),
			codec.AtLeast("len(eigenvalues)", len(m.Eigenvalues), m.K),
			codec.Length("embedding", len(m.Embedding), n, "component"),
			codec.Rows("embedding", m.Embedding, m.K),
		); err != nil {
			return err
		}
	}
	if m.Labels == nil {
		return nil
	}
	return codec.First(
		codec.Length("embedding", len(m.Embedding), n, "component"),
		codec.Length("labels", len(m.Labels), n, "component"),
		codec.Indices("labels", m.Labels, m.K),
	)
}

// ModelKind names the model in files: see package modelfile.
func (*SpectralModel) ModelKind() string { return "cluster.SpectralModel" }

// UnmarshalJSON decodes a model, or returns an error and leaves m unchanged.
func (m *SpectralModel) UnmarshalJSON(data []byte) error {
	return codec.Decode(data, m, (*SpectralModel).check)
}
