package kernelized

import (
	"cmp"
	"fmt"
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"marginalia/mlkit"
	"marginalia/mlkit/feature"
	"marginalia/mlkit/internal/check"
	"marginalia/mlkit/internal/rows"
	"marginalia/mlkit/kernel"
)

// Fourier makes random Fourier features (Ali Rahimi and Benjamin Recht, "Random features
// for large-scale kernel machines", 2007, algorithm 1): a map z to D dimensions with
// z(x)·z(x') ≈ k(x, x') for a kernel that depends on x - x' only. A linear method on z(x)
// then approximates the kernel method. By Bochner's theorem such a kernel is the mean of
// cos(ω·(x - x')) over some distribution of ω, and
//
//	zⱼ(x) = √(2/D) cos(ωⱼ·x + bⱼ)
//
// with ωⱼ from that distribution and bⱼ uniform in [0, 2π). The error of an inner product
// has mean 0 and a standard deviation of at most √(3/(2D)).
type Fourier struct {
	// Kernel is an RBF (ω is normal with variance 2γ) or a Laplace (ω is Cauchy with
	// scale γ); nil means RBF{}.
	Kernel kernel.Kernel

	// Components is D; 0 means 100. The map holds D(d+1) numbers, at most 2²⁸ (2 GiB).
	Components int

	// Seed seeds the random numbers for ω and b.
	Seed uint64
}

// FourierModel is the map of a Fourier for samples with d features.
type FourierModel struct {
	W Matrix    `json:"w"` // ωⱼ, one per row, D×d
	B []float64 `json:"b"` // bⱼ
}

// Fit draws a map for samples with as many features as X (n×d). It learns nothing else
// from X. It returns an error if X or a field of f is invalid, or if ω·x could overflow
// for values as large as those of X.
func (f Fourier) Fit(X *mat.Dense) (*FourierModel, error) {
	if f.Components < 0 {
		return nil, fmt.Errorf("kernelized: Fourier.Components = %d, want a positive number, or 0 for 100", f.Components)
	}
	f.Components = cmp.Or(f.Components, 100)
	if f.Kernel == nil {
		f.Kernel = kernel.RBF{}
	}
	if err := kernel.Check(f.Kernel); err != nil {
		return nil, err
	}
	if err := check.Samples("kernelized", X); err != nil {
		return nil, err
	}
	_, d := X.Dims()
	if most := maxNumbers / (d + 1); f.Components > most {
		return nil, fmt.Errorf("kernelized: Fourier.Components = %d, want at most %d for samples of length %d, so that the map takes no more than %d MiB", f.Components, most, d, maxNumbers>>17)
	}
	random := rand.New(rand.NewPCG(f.Seed, 0))
	frequency, err := f.frequencies(random)
	if err != nil {
		return nil, err
	}
	m := &FourierModel{
		W: Matrix{Rows: f.Components, Cols: d, Data: make([]float64, f.Components*d)},
		B: make([]float64, f.Components),
	}
	largest := columnMaxima(X)
	for j := range m.B {
		ω := m.W.Row(j)
		frequency(ω)
		m.B[j] = 2 * math.Pi * random.Float64()
		bound := 0.0
		for c, v := range ω {
			bound += math.Abs(v) * largest[c]
		}
		if !check.Finite(bound) {
			return nil, fmt.Errorf("kernelized: Fourier: ω·x may overflow in component %d, want smaller numbers; scale X or lower Gamma", j)
		}
	}
	return m, nil
}

// FitMap is Fit as a step of a pipeline: see pipeline.Step. It takes no weights.
func (f Fourier) FitMap(o mlkit.Options, X *mat.Dense) (feature.Map, error) {
	if _, err := o.Unweighted("kernelized: Fourier"); err != nil {
		return nil, err
	}
	m, err := f.Fit(X)
	if err != nil {
		return nil, err
	}
	return m, nil
}

// maxNumbers is the largest number of float64s in a map.
const maxNumbers = 1 << 28

// columnMaxima returns the largest |Xᵢⱼ| of each column j.
func columnMaxima(X *mat.Dense) []float64 {
	n, d := X.Dims()
	largest := make([]float64, d)
	for i := range n {
		for j, v := range X.RawRowView(i) {
			largest[j] = math.Max(largest[j], math.Abs(v))
		}
	}
	return largest
}

// frequencies returns a function that draws one ω for the kernel.
func (f Fourier) frequencies(random *rand.Rand) (func(ω []float64), error) {
	normal := func(ω []float64, scale float64) {
		for j := range ω {
			ω[j] = scale * random.NormFloat64()
		}
	}
	switch k := f.Kernel.(type) {
	case kernel.RBF:
		scale := math.Sqrt(2 * cmp.Or(k.Gamma, 0.5))
		return func(ω []float64) { normal(ω, scale) }, nil
	case kernel.Laplace:
		scale := cmp.Or(k.Gamma, 0.5)
		if k.Taxicab { // independent Cauchy variables
			return func(ω []float64) {
				for j := range ω {
					ω[j] = scale * math.Tan(math.Pi*(random.Float64()-0.5))
				}
			}, nil
		}
		// A normal vector divided by an independent normal variable is multivariate
		// Cauchy.
		return func(ω []float64) { normal(ω, scale/math.Abs(random.NormFloat64())) }, nil
	}
	return nil, fmt.Errorf("kernelized: Fourier.Kernel is a %T, want RBF or Laplace", f.Kernel)
}

// Inputs returns d, the number of features of a sample.
func (m *FourierModel) Inputs() int { return m.W.Cols }

// Dim returns D.
func (m *FourierModel) Dim() int { return len(m.B) }

// TransformSample sets dst to z(x) and returns dst, a new slice if dst is nil. It panics
// unless x has length d and dst length D.
func (m *FourierModel) TransformSample(dst, x []float64) []float64 {
	dst = rows.Mapped("kernelized", m, dst, x)
	scale := math.Sqrt(2 / float64(m.Dim()))
	for j := range dst {
		dst[j] = scale * math.Cos(floats.Dot(m.W.Row(j), x)+m.B[j])
	}
	return dst
}

// Transform sets each row of dst to z of that row of X (n×d) and returns dst, a new
// matrix if dst is nil. It panics unless X has d columns and dst has shape n×D.
func (m *FourierModel) Transform(dst *mat.Dense, X mat.Matrix) *mat.Dense {
	return rows.Transform("kernelized", m, dst, X)
}
