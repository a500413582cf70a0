package kernel

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
	"marginalia/mlkit/internal/eigen"
)

// Nystroem makes the map of Nyström's method (Christopher Williams and Matthias
// Seeger, "Using the Nyström method to speed up kernel machines", 2000): samples are
// projected onto the images of m landmarks. If K = VΛVᵀ is the Gram matrix of the
// landmarks lⱼ,
//
//	z(x) = Λ^(-1/2) Vᵀ (k(l₁, x), …, k(lₘ, x))
//
// so z(x)·z(x') = k(x, x') as soon as x or x' is in the span of the landmarks, for
// one if it is a landmark itself, and z(x)·z(x) ≤ k(x, x) for all.
//
// Eigenvalues of which nothing but rounding is known are left out, by the rule of
// PCA. A fit takes O(m²d + m³) time: seconds for a thousand landmarks.
type Nystroem struct {
	// Kernel is k; nil means RBF{}.
	Kernel Kernel

	// Landmarks is m, at most n; 0 means the smaller of 100 and n.
	Landmarks int

	// Seed is what the landmarks are drawn from, among the rows of X without
	// replacement.
	Seed uint64
}

// NystroemModel is the map of a Nystroem.
type NystroemModel struct {
	Kernel    Any    `json:"kernel"`
	Landmarks Matrix `json:"landmarks"` // one a row
	Rows      []int  `json:"rows"`      // of X that are the landmarks, ascending
	Vectors   Matrix `json:"vectors"`   // Λ^(-1/2)Vᵀ
}

// Fit draws landmarks among the rows of X (n×d). The error names what is wrong with X
// or p, and is a *MercerError if the kernel has no φ on the landmarks.
func (p Nystroem) Fit(X *mat.Dense) (*NystroemModel, error) {
	return p.FitContext(context.Background(), X)
}

// FitContext is Fit that ends soon after ctx is done, with a
// *mlkit.NotConvergedError that wraps the context's error, and a model with the
// landmarks but no components; Residual is m.
func (p Nystroem) FitContext(ctx context.Context, X *mat.Dense) (*NystroemModel, error) {
	if p.Kernel == nil {
		p.Kernel = RBF{}
	}
	if err := checkBoth(p.Kernel, X); err != nil {
		return nil, err
	}
	n, _ := X.Dims()
	if p.Landmarks < 0 || p.Landmarks > n {
		return nil, fmt.Errorf("kernel: Nystroem.Landmarks = %d, want 1 to %d, the rows of X, or 0 for at most 100", p.Landmarks, n)
	}
	if p.Landmarks == 0 {
		p.Landmarks = min(100, n)
	}
	chosen := rand.New(rand.NewPCG(p.Seed, 0)).Perm(n)[:p.Landmarks]
	slices.Sort(chosen)
	m := &NystroemModel{Kernel: Any{p.Kernel}, Rows: chosen, Landmarks: copyRows(X, chosen)}
	if err := m.decompose(ctx); err != nil && ctx.Err() != nil {
		m.Vectors = Matrix{}
		return m, &mlkit.NotConvergedError{
			Algorithm: "kernel: Nystroem", Residual: float64(p.Landmarks),
			Reason: fmt.Sprintf("%v; the Gram matrix of the landmarks is not decomposed", ctx.Err()),
			Model:  m, Err: ctx.Err(),
		}
	} else if err != nil {
		return nil, err
	}
	return m, nil
}

// decompose sets the Vectors.
func (m *NystroemModel) decompose(ctx context.Context) error {
	K, err := GramContext(ctx, m.Kernel.Kernel, m.Landmarks.Dense())
	if err != nil {
		return err
	}
	norm, err := normInf(ctx, K)
	if err != nil {
		return err
	}
	values, vectors, err := eigen.Full(ctx, K)
	if err != nil {
		return fmt.Errorf("kernel: the eigenvalues of the Gram matrix: %w", err)
	}
	last := len(values) - 1
	if err := definite(values[last], vectors[last], norm); err != nil {
		return err
	}
	for i, λ := range values {
		if λ <= noise(values[0], len(values), norm) {
			break
		}
		floats.Scale(1/math.Sqrt(λ), vectors[i])
		m.Vectors.Data = append(m.Vectors.Data, vectors[i]...)
		m.Vectors.Rows++
	}
	if m.Vectors.Rows == 0 {
		return errors.New("kernel: Nystroem: the kernel is 0 on all landmarks; choose another kernel or scale X")
	}
	m.Vectors.Cols = m.Landmarks.Rows
	return nil
}

// Dim returns the number of components, m or less.
func (m *NystroemModel) Dim() int { return m.Vectors.Rows }

// TransformSample sets dst to z(x) and returns dst, a new slice if dst is nil. It
// panics unless x has length d, and dst length Dim.
func (m *NystroemModel) TransformSample(dst, x []float64) []float64 {
	dst = mapped(dst, x, m.Dim(), m.Landmarks.Cols)
	row := Row(nil, m.Kernel.Kernel, x, m.Landmarks.Dense())
	for c := range dst {
		dst[c] = floats.Dot(m.Vectors.Row(c), row)
	}
	return dst
}

// Transform sets the rows of dst to z of the rows of X (n×d) and returns dst, a new
// matrix if dst is nil, which is empty if the fit has ended without components. It panics
// unless X has d columns, and dst the shape n×Dim.
func (m *NystroemModel) Transform(dst *mat.Dense, X mat.Matrix) *mat.Dense {
	return transform(m, dst, X)
}
