package kernelized

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"marginalia/mlkit"
	"marginalia/mlkit/feature"
	"marginalia/mlkit/internal/axes"
	"marginalia/mlkit/internal/check"
	"marginalia/mlkit/internal/eigen"
	"marginalia/mlkit/internal/rows"
	"marginalia/mlkit/kernel"
)

// PCA is kernel principal component analysis (Bernhard Schölkopf, Alexander Smola and
// Klaus-Robert Müller, "Nonlinear component analysis as a kernel eigenvalue problem",
// Neural Computation 10, 1998). It finds the directions in the space of φ along which the
// centred samples vary most. If Kv = λv for the centred Gram matrix and ‖v‖ = 1, the
// direction is Σ vᵢφ̃(xᵢ)/√λ, and the component of a sample is
//
//	Σ vᵢ k̃(xᵢ, x)/√λ
//
// where k̃ is the centred kernel. With Linear this is principal component analysis, and uses
// the d×d scatter matrix if that is smaller than the Gram matrix. feature.PCA finds the same
// components up to signs, in a model without X. There the largest element of each direction is
// positive, here that of each v.
//
// With Linear, or a sum of multiples of Linear and functions of x - z, shifting all
// samples makes no difference: X is shifted to the origin first.
//
// Components within rounding error are dropped: those with λ ≤ max(10⁻¹²λ₁, nε‖G‖∞), and
// with Linear those along which the samples vary by no more than their own rounding. An
// eigenvalue below -10⁻¹⁰‖G‖∞ is no rounding error, and Fit returns an error.
//
// A fit takes O(n²) memory, or O(nd + min(n, d)²) with Linear. All eigenpairs are
// computed for a matrix of up to 250 rows, or if a quarter of them or more are wanted,
// and otherwise only the ones wanted.
type PCA struct {
	// Kernel is k; nil means Linear{}.
	Kernel kernel.Kernel

	// Components is the number of components wanted; 0 means 2. There may be fewer.
	Components int
}

// PCAModel is the result of a PCA.
type PCAModel struct {
	Kernel       kernel.Any       `json:"kernel"`
	X            Matrix           `json:"x"`     // the samples minus Shift, one per row
	Shift        []float64        `json:"shift"` // d numbers, subtracted from each sample first; nil means none
	Centering    kernel.Centering `json:"centering"`
	Eigenvalues  []float64        `json:"values"`  // λ > 0 of each component in descending order, n times the component's variance
	Total        float64          `json:"total"`   // the sum of all n eigenvalues; Eigenvalues[c]/Total is the fraction of variance explained
	Eigenvectors Matrix           `json:"vectors"` // v/√λ of each component, one per row; the element of largest magnitude is positive

	// With Linear, a component of x is the inner product of a direction and
	// x - Shift - Mean. Both fields are empty with other kernels.
	Directions Matrix    `json:"directions"` // orthonormal, one row per component
	Mean       []float64 `json:"mean"`       // the mean of the rows of X
}

// Fit finds the components of the rows of X (n×d).
//
// It returns an error if X or a field of p is invalid, or if all samples have the same
// image. It returns a *MercerError with a negative eigenvalue if the kernel has no φ.
func (p PCA) Fit(X *mat.Dense) (*PCAModel, error) {
	return p.FitWith(mlkit.Options{}, X)
}

// FitWith is Fit with a context. It takes no weights. Its model has no components,
// and its Residual is the number of components wanted.
func (p PCA) FitWith(o mlkit.Options, X *mat.Dense) (*PCAModel, error) {
	ctx, err := o.Unweighted("kernelized: PCA")
	if err != nil {
		return nil, err
	}
	if p.Components < 0 {
		return nil, fmt.Errorf("kernelized: PCA.Components = %d, want a positive number, or 0 for 2", p.Components)
	}
	p.Components = cmp.Or(p.Components, 2)
	p.Kernel = kernel.OrLinear(p.Kernel)
	m, err := p.fit(ctx, X)
	if err != nil && ctx.Err() != nil {
		none := &PCAModel{Kernel: kernel.Any{Kernel: p.Kernel}}
		return none, &mlkit.NotConvergedError{
			Algorithm: "kernelized: PCA", Residual: float64(p.Components),
			Reason: fmt.Sprintf("%v; no component is found yet", ctx.Err()),
			Model:  none, Err: ctx.Err(),
		}
	}
	return m, err
}

// FitMap is FitWith as a step of a pipeline: see pipeline.Step.
func (p PCA) FitMap(o mlkit.Options, X *mat.Dense) (feature.Map, error) {
	m, err := p.FitWith(o, X)
	if err != nil {
		return nil, err
	}
	return m, nil
}

func (p PCA) fit(ctx context.Context, X *mat.Dense) (*PCAModel, error) {
	if err := checkBoth(p.Kernel, X); err != nil {
		return nil, err
	}
	shift, err := nearby(ctx, p.Kernel, X)
	if err != nil {
		return nil, err
	}
	moved, err := axes.Relative(ctx, X, shift)
	if err != nil {
		return nil, err
	}
	var m *PCAModel
	if isLinear(p.Kernel) {
		m, err = p.fitLinear(ctx, moved, shift)
	} else {
		m, err = p.fitGram(ctx, moved, shift)
	}
	if err != nil {
		return nil, err
	}
	if len(m.Eigenvalues) == 0 {
		return nil, errSame("PCA", X)
	}
	m.Eigenvectors.Rows, m.Eigenvectors.Cols = len(m.Eigenvalues), m.X.Rows
	return m, nil
}

// errSame returns the error of an algorithm for samples whose images do not differ.
func errSame(algorithm string, X *mat.Dense) error {
	n, _ := X.Dims()
	for i := range n {
		if !floats.Equal(X.RawRowView(i), X.RawRowView(0)) {
			return fmt.Errorf("kernelized: %s: the images of X[0] and X[%d] differ by rounding only, and so do all others, want samples that differ by more; centre and scale X", algorithm, i)
		}
	}
	return fmt.Errorf("kernelized: %s: X has one image in all its rows, want samples that differ", algorithm)
}

// fitGram finds the components from the Gram matrix. X has already been shifted.
func (p PCA) fitGram(ctx context.Context, X *mat.Dense, shift []float64) (*PCAModel, error) {
	K, err := kernel.GramContext(ctx, p.Kernel, X)
	if err != nil {
		return nil, err
	}
	c, err := kernel.NewWeightedCentering(ctx, K, nil)
	if err != nil {
		return nil, err
	}
	norm, err := eigen.NormInf(ctx, K) // before centring, which may cancel most of K: rounding errors are relative to this
	if err != nil {
		return nil, err
	}
	if err := c.Center(ctx, K); err != nil {
		return nil, err
	}
	left, err := eigen.NormInf(ctx, K)
	if err != nil {
		return nil, err
	}
	if !check.Finite(norm) || !check.Finite(left) {
		return nil, errors.New("kernelized: PCA: the sum of a row of the Gram matrix overflows, want smaller numbers; scale X")
	}
	if !kernel.KnownMercer(p.Kernel) {
		if err := kernel.CheckDefiniteTo(ctx, K, norm); err != nil {
			return nil, err
		}
	}
	values, vectors, err := eigen.LargestOf(ctx, K, p.Components)
	if err != nil {
		return nil, fmt.Errorf("kernelized: PCA: %w", err)
	}
	n := K.SymmetricDim()
	m := &PCAModel{Kernel: kernel.Any{Kernel: p.Kernel}, X: copyOf(X), Shift: shift, Centering: c, Total: K.Trace()}
	for i, λ := range values {
		if λ <= eigen.Noise(values[0], n, norm) {
			break
		}
		floats.Scale(1/math.Sqrt(λ), vectors[i])
		m.Eigenvalues = append(m.Eigenvalues, λ)
		m.Eigenvectors.Data = append(m.Eigenvectors.Data, vectors[i]...)
	}
	return m, nil
}

// Inputs returns d, the number of features of a sample.
func (m *PCAModel) Inputs() int { return m.X.Cols }

// Dim returns the number of components.
func (m *PCAModel) Dim() int { return len(m.Eigenvalues) }

// TransformSample sets dst to the components of x and returns dst, a new slice if dst is
// nil. It panics unless x has length d and dst length Dim.
func (m *PCAModel) TransformSample(dst, x []float64) []float64 {
	dst = rows.Mapped("kernelized", m, dst, x)
	if m.Directions.Rows > 0 {
		m.project(dst, x)
		return dst
	}
	row := kernel.Row(nil, m.Kernel.Kernel, relativeTo(m.Shift, x), m.X.Dense())
	m.Centering.Row(row)
	for c := range dst {
		dst[c] = floats.Dot(m.Eigenvectors.Row(c), row)
	}
	return dst
}

// Transform sets each row of dst to the components of that row of X (n×d) and returns
// dst, a new matrix if dst is nil. The result is empty if the fit ended without
// components. It panics unless X has d columns and dst has shape n×Dim. Many samples are
// mapped in blocks, as by NystroemModel.
func (m *PCAModel) Transform(dst *mat.Dense, X mat.Matrix) *mat.Dense {
	if m.Directions.Rows > 0 || m.Shift != nil {
		return rows.Transform("kernelized", m, dst, X)
	}
	return transform(m, dst, X, m.Kernel.Kernel, m.X, m.Eigenvectors, m.Centering.Row)
}
