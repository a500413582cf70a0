package feature

import (
	"context"
	"errors"
	"fmt"
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"marginalia/mlkit"
	"marginalia/mlkit/internal/axes"
	"marginalia/mlkit/internal/check"
	"marginalia/mlkit/internal/rows"
)

// PCA is principal component analysis (Karl Pearson, 1901; Harold Hotelling, 1933). It
// finds the orthogonal directions u₁, u₂, … along which the samples vary most: u₁ maximises
// the variance of u·x over ‖u‖ = 1, u₂ does so among the directions orthogonal to u₁, and
// so on. A sample is mapped to its components
//
//	z_c = u_c·(x - m)
//
// where m is the mean of the training samples. The first components lose the least of all
// linear maps to as many dimensions (Christopher Bishop, "Pattern Recognition and Machine
// Learning", 2006, section 12.1). Components depend on the units of the columns:
// Standardize first, unless all are in the same unit. Package kernelized has PCA in the
// space of a kernel.
//
// The samples are centred before they are squared, so a mean far from 0 costs no digits beyond the
// rounding of the samples, and may be 10¹² standard deviations. Fit takes O(nd·min(n, d))
// time and O(nd + min(n, d)²) memory. It decomposes the d×d or the n×n matrix of inner
// products, whichever is smaller, for all components in O(min(n, d)³) time. The
// variances have errors of a few 10⁻¹⁶ of the largest one. So components with a variance
// below 10⁻¹² of the largest are dropped, as are those along which the samples vary by no
// more than their own rounding: there are never more than the rank of the centred samples.
type PCA struct {
	// Components is the number of components wanted; 0 means all. There may be fewer.
	Components int

	// Whiten divides each component by its standard deviation.
	Whiten bool
}

// PCAModel is the result of a PCA, a map from d columns to K components.
type PCAModel struct {
	Mean       []float64   `json:"mean"`       // m, d numbers
	Directions [][]float64 `json:"directions"` // K×d, orthonormal; in each the element of largest magnitude is positive
	Variances  []float64   `json:"variances"`  // of the training samples along each direction, with the divisor n - 1; descending
	Explained  []float64   `json:"explained"`  // each variance over the sum of the variances of all columns
	Whiten     bool        `json:"whiten"`     // whether components are divided by their standard deviation
}

var _ Map = (*PCAModel)(nil)

// Fit finds the components of the rows of X (n×d). It returns an error if X or p is
// invalid, if all samples are equal, or if their squares overflow or underflow.
func (p PCA) Fit(X *mat.Dense) (*PCAModel, error) {
	return p.FitWith(mlkit.Options{}, X)
}

// FitWith is Fit with a context. It takes no weights. Its model has no components,
// and its Residual is the number of components wanted.
func (p PCA) FitWith(o mlkit.Options, X *mat.Dense) (*PCAModel, error) {
	ctx, err := o.Unweighted("feature: PCA")
	if err != nil {
		return nil, err
	}
	if p.Components < 0 {
		return nil, fmt.Errorf("feature: PCA.Components = %d, want a positive number, or 0 for all", p.Components)
	}
	if err := check.Samples("feature", X); err != nil {
		return nil, err
	}
	n, d := X.Dims()
	wanted := min(n, d)
	if p.Components > 0 {
		wanted = min(wanted, p.Components)
	}
	m, err := p.fit(ctx, X, wanted)
	if err != nil && ctx.Err() != nil {
		none := &PCAModel{Mean: make([]float64, d), Directions: [][]float64{}, Variances: []float64{}, Explained: []float64{}, Whiten: p.Whiten}
		return none, &mlkit.NotConvergedError{
			Algorithm: "feature: PCA", Residual: float64(wanted),
			Reason: fmt.Sprintf("%v; no component is found yet", ctx.Err()),
			Model:  none, Err: ctx.Err(),
		}
	}
	return m, err
}

// FitMap is FitWith as a step of a pipeline: see pipeline.Step.
func (p PCA) FitMap(o mlkit.Options, X *mat.Dense) (Map, error) {
	m, err := p.FitWith(o, X)
	if err != nil {
		return nil, err
	}
	return m, nil
}

func (p PCA) fit(ctx context.Context, X *mat.Dense, wanted int) (*PCAModel, error) {
	shift, err := axes.Near(ctx, X)
	if err != nil {
		return nil, err
	}
	moved, err := axes.Relative(ctx, X, shift)
	if err != nil {
		return nil, err
	}
	axes, err := axes.Find(ctx, moved, shift, wanted)
	if err != nil {
		return nil, fmt.Errorf("feature: PCA: %w", err)
	}
	if len(axes.Values) == 0 {
		return nil, errors.New("feature: PCA: the rows of X are the same, but for rounding, want samples that differ")
	}
	n, _ := X.Dims()
	m := &PCAModel{Mean: axes.Mean, Directions: axes.Directions, Whiten: p.Whiten}
	if shift != nil {
		floats.Add(m.Mean, shift)
	}
	for c, u := range m.Directions {
		if rows.Extreme(u) < 0 {
			floats.Scale(-1, u)
		}
		m.Variances = append(m.Variances, axes.Values[c]/float64(n-1))
		m.Explained = append(m.Explained, axes.Values[c]/axes.Total)
	}
	return m, nil
}

// Inputs returns d.
func (m *PCAModel) Inputs() int { return len(m.Mean) }

// Dim returns K.
func (m *PCAModel) Dim() int { return len(m.Directions) }

func (m *PCAModel) valid() error {
	if m == nil {
		return errors.New("feature: the PCAModel is nil, want one from a Fit")
	}
	if err := m.check(); err != nil {
		return fmt.Errorf("feature: PCAModel: %w", err)
	}
	return nil
}

// TransformSample sets dst to the components of x and returns dst, a new slice if dst is
// nil. It panics unless x has length d and dst length K.
func (m *PCAModel) TransformSample(dst, x []float64) []float64 {
	dst = rows.Mapped("feature", m, dst, x)
	centred := floats.SubTo(make([]float64, len(x)), x, m.Mean)
	for c, u := range m.Directions {
		dst[c] = floats.Dot(u, centred) / m.unit(c)
	}
	return dst
}

// Transform sets each row of dst to the components of that row of X (n×d) and returns
// dst, a new matrix if dst is nil. The result is empty if the fit ended without
// components. It panics unless X has d columns and dst has shape n×K.
func (m *PCAModel) Transform(dst *mat.Dense, X mat.Matrix) *mat.Dense {
	return rows.Transform("feature", m, dst, X)
}

// Inverse sets dst to m + Σ z_c u_c, the sample with the components z in the plane of the
// directions, and returns dst, a new slice if dst is nil. It panics unless z has length K
// and dst length d.
func (m *PCAModel) Inverse(dst, z []float64) []float64 {
	if len(z) != m.Dim() {
		panic(fmt.Sprintf("feature: Inverse: len(z) = %d, want %d, one for each component", len(z), m.Dim()))
	}
	dst = rows.Destination("feature", "Inverse", dst, len(m.Mean))
	copy(dst, m.Mean)
	for c, u := range m.Directions {
		floats.AddScaled(dst, z[c]*m.unit(c), u)
	}
	return dst
}

// unit returns what component c is divided by.
func (m *PCAModel) unit(c int) float64 {
	if m.Whiten {
		return math.Sqrt(m.Variances[c])
	}
	return 1
}
