package kernelized

import (
	"cmp"
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
	"marginalia/mlkit/internal/simd"
	"marginalia/mlkit/kernel"
)

// Nystroem makes the map of Nyström's method (Christopher Williams and Matthias Seeger,
// "Using the Nyström method to speed up kernel machines", 2000), which projects samples
// onto the span of the images φ(l₁), …, φ(lₘ) of m landmarks. With an orthonormal basis
// e₁, …, eᵣ of the span, the map is
//
//	z(x) = (e₁·φ(x), …, eᵣ·φ(x))
//
// If φ(x) or φ(x') is in the span, for instance if x or x' is a landmark, then
// z(x)·z(x') = k(x, x'). For every x, z(x)·z(x) ≤ k(x, x).
//
// The basis is that of Gram and Schmidt, which takes next the landmark whose image is
// furthest from the span of those before: in terms of the Gram matrix, Cholesky's
// factorisation with pivots (Shai Fine and Katya Scheinberg, "Efficient SVM training using
// low-rank kernel representations", 2001). Landmarks whose images are in the span up to
// rounding error add nothing to it. A fit takes O(m²d + m³) time: a quarter of a
// second for a thousand landmarks.
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
	Kernel    kernel.Any `json:"kernel"`
	Landmarks Matrix     `json:"landmarks"` // one per row
	Rows      []int      `json:"rows"`      // the rows of X that are the landmarks, ascending
	Basis     Matrix     `json:"vectors"`   // r×m: e_c = Σ Basis[c, j]·φ(lⱼ)
}

// Fit draws the landmarks from the rows of X (n×d). It returns an error if X or a field
// of p is invalid, and a *MercerError if the kernel has no φ on the landmarks.
func (p Nystroem) Fit(X *mat.Dense) (*NystroemModel, error) {
	return p.FitWith(mlkit.Options{}, X)
}

// FitWith is Fit with a context. It takes no weights. Its model has the landmarks
// but no components, and its Residual is m.
func (p Nystroem) FitWith(o mlkit.Options, X *mat.Dense) (*NystroemModel, error) {
	ctx, err := o.Unweighted("kernelized: Nystroem")
	if err != nil {
		return nil, err
	}
	if p.Kernel == nil {
		p.Kernel = kernel.RBF{}
	}
	if err := checkBoth(p.Kernel, X); err != nil {
		return nil, err
	}
	n, _ := X.Dims()
	if p.Landmarks < 0 || p.Landmarks > n {
		return nil, fmt.Errorf("kernelized: Nystroem.Landmarks = %d, want 1 to %d, the rows of X, or 0 for at most 100", p.Landmarks, n)
	}
	p.Landmarks = cmp.Or(p.Landmarks, min(100, n))
	chosen := rand.New(rand.NewPCG(p.Seed, 0)).Perm(n)[:p.Landmarks]
	slices.Sort(chosen)
	m := &NystroemModel{Kernel: kernel.Any{Kernel: p.Kernel}, Rows: chosen, Landmarks: copyRows(X, chosen)}
	if err := m.orthonormalise(ctx); err != nil && ctx.Err() != nil {
		m.Basis = Matrix{}
		return m, &mlkit.NotConvergedError{
			Algorithm: "kernelized: Nystroem", Residual: float64(p.Landmarks),
			Reason: fmt.Sprintf("%v; the landmarks have no basis yet", ctx.Err()),
			Model:  m, Err: ctx.Err(),
		}
	} else if err != nil {
		return nil, err
	}
	return m, nil
}

// FitMap is FitWith as a step of a pipeline: see pipeline.Step.
func (p Nystroem) FitMap(o mlkit.Options, X *mat.Dense) (feature.Map, error) {
	m, err := p.FitWith(o, X)
	if err != nil {
		return nil, err
	}
	return m, nil
}

// orthonormalise sets m.Basis.
func (m *NystroemModel) orthonormalise(ctx context.Context) error {
	k, count := m.Kernel.Kernel, m.Landmarks.Rows
	K, err := kernel.GramContext(ctx, k, m.Landmarks.Dense())
	if err != nil {
		return err
	}
	if !kernel.KnownMercer(k) {
		norm, err := eigen.NormInf(ctx, K)
		if err != nil {
			return err
		}
		if err := kernel.CheckDefiniteTo(ctx, K, norm); err != nil {
			return err
		}
	}
	// left[j] is the squared distance of φ(lⱼ) from the span of the basis, and images has
	// the images of the landmarks: images[c, j] = e_c·φ(lⱼ).
	left := make([]float64, count)
	for j := range left {
		left[j] = K.At(j, j)
	}
	noise := max(1e-12, float64(count)*rows.Epsilon) * floats.Max(left)
	var basis, images []float64
	for r := 0; r < count; r++ {
		p := floats.MaxIdx(left)
		if !(left[p] > noise) {
			break
		}
		// e = (φ(lₚ) - Σ (e_c·φ(lₚ)) e_c) / √left[p],  left[j] ← left[j] - (e·φ(lⱼ))²
		at := r * count
		basis, images = append(basis, make([]float64, count)...), append(images, make([]float64, count)...)
		e, image := basis[at:], images[at:]
		e[p] = 1
		for j := range image {
			image[j] = K.At(p, j)
		}
		shares := make([]float64, r)
		for c := range shares {
			shares[c] = -images[c*count+p]
		}
		const together = 256 // vectors between looks at ctx
		for from := 0; from < r; from += together {
			if err := ctx.Err(); err != nil {
				return err
			}
			part := shares[from:min(r, from+together)]
			simd.Combine(e, basis[from*count:at], count, part)
			simd.Combine(image, images[from*count:at], count, part)
		}
		scale := 1 / math.Sqrt(left[p])
		floats.Scale(scale, e)
		floats.Scale(scale, image)
		for j, v := range image {
			left[j] -= v * v
		}
		left[p] = 0
	}
	if len(basis) == 0 {
		return errors.New("kernelized: Nystroem: the kernel is 0 on all landmarks; choose another kernel or scale X")
	}
	m.Basis = Matrix{Rows: len(basis) / count, Cols: count, Data: basis}
	return nil
}

// Inputs returns d, the number of features of a sample.
func (m *NystroemModel) Inputs() int { return m.Landmarks.Cols }

// Dim returns r, the number of components, at most m.
func (m *NystroemModel) Dim() int { return m.Basis.Rows }

// TransformSample sets dst to z(x) and returns dst, a new slice if dst is nil. It panics
// unless x has length d and dst length Dim.
func (m *NystroemModel) TransformSample(dst, x []float64) []float64 {
	dst = rows.Mapped("kernelized", m, dst, x)
	row := kernel.Row(nil, m.Kernel.Kernel, x, m.Landmarks.Dense())
	for c := range dst {
		dst[c] = floats.Dot(m.Basis.Row(c), row)
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
	return transform(m, dst, X, m.Kernel.Kernel, m.Landmarks, m.Basis, nil)
}
