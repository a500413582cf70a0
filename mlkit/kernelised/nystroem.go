package kernelised

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"marginalia/mlkit"
	"marginalia/mlkit/feature"
	"marginalia/mlkit/internal/eigen"
	"marginalia/mlkit/internal/rows"
	"marginalia/mlkit/kernel"
)

// Nystroem makes the map of Nyström's method (Christopher Williams and Matthias Seeger,
// "Using the Nyström method to speed up kernel machines", 2000), which projects samples
// onto the span of the images of m landmarks. If K = VΛVᵀ is the Gram matrix of the
// landmarks lⱼ, the map is
//
//	z(x) = Λ^(-1/2) Vᵀ (k(l₁, x), …, k(lₘ, x))
//
// If φ(x) or φ(x') is in that span, for instance if x or x' is a landmark, then
// z(x)·z(x') = k(x, x'). For every x, z(x)·z(x) ≤ k(x, x).
//
// Eigenvalues within rounding error of 0 are dropped, by the same rule as in PCA. A fit
// takes O(m²d + m³) time: about half a second for a thousand landmarks.
type Nystroem struct {
	// Kernel is k; nil means RBF{}.
	Kernel kernel.Kernel

	// Landmarks is m, at most n; 0 means the smaller of 100 and n.
	Landmarks int

	// Seed seeds the draw of the landmarks, rows of X without replacement.
	Seed uint64
}

// NystroemModel is the map of a Nystroem.
type NystroemModel struct {
	Kernel       kernel.Any `json:"kernel"`
	Landmarks    Matrix     `json:"landmarks"` // one per row
	Rows         []int      `json:"rows"`      // the rows of X that are the landmarks, ascending
	Eigenvectors Matrix     `json:"vectors"`   // Λ^(-1/2)Vᵀ
}

// Fit draws the landmarks from the rows of X (n×d). It returns an error if X or a field
// of p is invalid, and a *MercerError if the kernel has no φ on the landmarks.
func (p Nystroem) Fit(X *mat.Dense) (*NystroemModel, error) {
	return p.FitContext(context.Background(), X)
}

// FitContext is Fit with a context. Soon after ctx is done it returns a
// *mlkit.NotConvergedError that wraps the context's error. Its model has the landmarks
// but no components, and its Residual is m.
func (p Nystroem) FitContext(ctx context.Context, X *mat.Dense) (*NystroemModel, error) {
	if p.Kernel == nil {
		p.Kernel = kernel.RBF{}
	}
	if err := checkBoth(p.Kernel, X); err != nil {
		return nil, err
	}
	n, _ := X.Dims()
	if p.Landmarks < 0 || p.Landmarks > n {
		return nil, fmt.Errorf("kernelised: Nystroem.Landmarks = %d, want 1 to %d, the rows of X, or 0 for at most 100", p.Landmarks, n)
	}
	if p.Landmarks == 0 {
		p.Landmarks = min(100, n)
	}
	chosen := rand.New(rand.NewPCG(p.Seed, 0)).Perm(n)[:p.Landmarks]
	slices.Sort(chosen)
	m := &NystroemModel{Kernel: kernel.Any{Kernel: p.Kernel}, Rows: chosen, Landmarks: copyRows(X, chosen)}
	if err := m.decompose(ctx); err != nil && ctx.Err() != nil {
		m.Eigenvectors = Matrix{}
		return m, &mlkit.NotConvergedError{
			Algorithm: "kernelised: Nystroem", Residual: float64(p.Landmarks),
			Reason: fmt.Sprintf("%v; the Gram matrix of the landmarks is not decomposed", ctx.Err()),
			Model:  m, Err: ctx.Err(),
		}
	} else if err != nil {
		return nil, err
	}
	return m, nil
}

// FitMap is FitContext as a step of a pipeline: see pipeline.Step.
func (p Nystroem) FitMap(ctx context.Context, X *mat.Dense) (feature.Map, error) {
	m, err := p.FitContext(ctx, X)
	if err != nil {
		return nil, err
	}
	return m, nil
}

// decompose sets m.Eigenvectors.
func (m *NystroemModel) decompose(ctx context.Context) error {
	K, err := kernel.GramContext(ctx, m.Kernel.Kernel, m.Landmarks.Dense())
	if err != nil {
		return err
	}
	norm, err := eigen.NormInf(ctx, K)
	if err != nil {
		return err
	}
	values, vectors, err := eigen.Full(ctx, K)
	if err != nil {
		return fmt.Errorf("kernelised: the eigenvalues of the Gram matrix: %w", err)
	}
	last := len(values) - 1
	if err := kernel.Definite(values[last], vectors[last], norm); err != nil {
		return err
	}
	for i, λ := range values {
		if λ <= eigen.Noise(values[0], len(values), norm) {
			break
		}
		floats.Scale(1/math.Sqrt(λ), vectors[i])
		m.Eigenvectors.Data = append(m.Eigenvectors.Data, vectors[i]...)
		m.Eigenvectors.Rows++
	}
	if m.Eigenvectors.Rows == 0 {
		return errors.New("kernelised: Nystroem: the kernel is 0 on all landmarks; choose another kernel or scale X")
	}
	m.Eigenvectors.Cols = m.Landmarks.Rows
	return nil
}

// Inputs returns d, the number of features of a sample.
func (m *NystroemModel) Inputs() int { return m.Landmarks.Cols }

// Dim returns the number of components, at most m.
func (m *NystroemModel) Dim() int { return m.Eigenvectors.Rows }

// TransformSample sets dst to z(x) and returns dst, a new slice if dst is nil. It panics
// unless x has length d and dst length Dim.
func (m *NystroemModel) TransformSample(dst, x []float64) []float64 {
	dst = rows.Mapped("kernelised", m, dst, x)
	row := kernel.Row(nil, m.Kernel.Kernel, x, m.Landmarks.Dense())
	for c := range dst {
		dst[c] = floats.Dot(m.Eigenvectors.Row(c), row)
	}
	return dst
}

// Transform sets each row of dst to z of that row of X (n×d) and returns dst, a new
// matrix if dst is nil. The result is empty if the fit ended without components. It
// panics unless X has d columns and dst has shape n×Dim.
//
// It equals TransformSample on each row, bit for bit, unless n·m·Dim ≥ 2²⁴. Then all
// processors map blocks of rows. The result differs by the rounding error of the sums and
// of the kernels (for RBF, of ‖lⱼ‖² + ‖x‖² - 2lⱼ·x), and does not depend on the number of
// processors.
func (m *NystroemModel) Transform(dst *mat.Dense, X mat.Matrix) *mat.Dense {
	return transform(m, dst, X, m.Kernel.Kernel, m.Landmarks, m.Eigenvectors, nil)
}
