package kernelized

import (
	"errors"
	"math"
	"testing"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"marginalia/mlkit/internal/samples"
	"marginalia/mlkit/internal/testkit"
	"marginalia/mlkit/kernel"
	"marginalia/mlkit/mlkittest"
)

func TestApproximateConformance(t *testing.T) { onBothPaths(t, approximateConformance) }

func approximateConformance(t *testing.T, except ...string) {
	testkit.NoErrors(t, map[string]error{
		"fourier":         mlkittest.TestMap(Fourier{}.Fit, except...),
		"fourier laplace": mlkittest.TestMap(Fourier{Kernel: kernel.Laplace{}, Components: 7, Seed: 1}.Fit, without(t, except)...),
		"nystroem":        mlkittest.TestMap(Nystroem{}.Fit, except...),
		"nystroem cubic":  mlkittest.TestMap(Nystroem{Kernel: kernel.Polynomial{Degree: 3}, Landmarks: 1}.Fit, without(t, except)...),
	})
}

// Each inner product is the mean of D terms with mean k and variance at most 3/2, so the
// mean square of the 190 errors is at most 3/(2D), with little random variation. Half
// that bound tells the kernels apart; their true variance is smaller.
func TestFourier(t *testing.T) {
	const n, D = 20, 20000
	X := samples.Uniform(15, n, 3)
	for _, k := range []kernel.Kernel{nil, kernel.RBF{Gamma: 2}, kernel.Laplace{Gamma: 1.5}, kernel.Laplace{Gamma: 0.8, Taxicab: true}} {
		m := testkit.Try(Fourier{Kernel: k, Components: D, Seed: 4}.Fit(X)).Or(t)
		Z := m.Transform(nil, X)
		exact := k
		if k == nil {
			exact = kernel.RBF{}
		}
		sum, count := 0.0, 0.0
		for i := range n {
			for j := range i {
				diff := floats.Dot(Z.RawRowView(i), Z.RawRowView(j)) - exact.Eval(X.RawRowView(i), X.RawRowView(j))
				sum += diff * diff
				count++
			}
		}
		if ms := sum / count; ms > 1.5/D {
			t.Errorf("%#v: the mean squared error is %v, want at most %v", k, ms, 1.5/D)
		}
	}
}

// With all samples as landmarks, and for samples in the landmarks' span, inner products
// equal the kernel. With fewer landmarks they fall short.
func TestNystroem(t *testing.T) {
	const n = 15
	X := samples.Uniform(16, n, 2)
	for _, k := range []kernel.Kernel{nil, kernel.RBF{Gamma: 3}, kernel.Polynomial{Degree: 2, Coef0: 1}, kernel.Laplace{}} {
		exact := k
		if k == nil {
			exact = kernel.RBF{}
		}
		m := testkit.Try(Nystroem{Kernel: k}.Fit(X)).Or(t)
		Z := m.Transform(nil, X)
		for i := range n {
			for j := range n {
				got, want := floats.Dot(Z.RawRowView(i), Z.RawRowView(j)), exact.Eval(X.RawRowView(i), X.RawRowView(j))
				if math.Abs(got-want) > 1e-8 {
					t.Errorf("%#v: z·z' = %v, want %v", k, got, want)
				}
			}
		}
		few := testkit.Try(Nystroem{Kernel: k, Landmarks: 4, Seed: 2}.Fit(X)).Or(t)
		Z = few.Transform(nil, X)
		inside := map[int]bool{}
		for _, i := range few.Rows {
			inside[i] = true
		}
		for i := range n {
			z, want := Z.RawRowView(i), exact.Eval(X.RawRowView(i), X.RawRowView(i))
			if got := floats.Dot(z, z); inside[i] && math.Abs(got-want) > 1e-8 || got > want+1e-8 {
				t.Errorf("%#v: row %d, a landmark %v: z·z = %v, want %v or less", k, i, inside[i], got, want)
			}
		}
		if few.Dim() != 4 || len(inside) != 4 {
			t.Errorf("%#v: %d components of %d landmarks, want 4", k, few.Dim(), len(inside))
		}
	}
	// (x·z + 1)² in the plane has 6 monomials, so the 15 landmarks span 6 dimensions.
	m, err := Nystroem{Kernel: kernel.Polynomial{Coef0: 1}}.Fit(X)
	if err != nil || m.Dim() != 6 {
		t.Errorf("%d components, %v, want 6", m.Dim(), err)
	}
}

// The basis is orthonormal, B K Bᵀ = I, at any scale of the samples and of the kernel, and has
// as many vectors as the images have dimensions: a sample that is there twice adds none.
func TestNystroemBasis(t *testing.T) {
	X := samples.Uniform(19, 12, 3)
	for i := range 4 {
		copy(X.RawRowView(i), X.RawRowView(i+4))
	}
	for _, c := range []struct {
		kernel func(scale float64) kernel.Kernel
		want   int
	}{
		{func(float64) kernel.Kernel { return kernel.Linear{} }, 3},
		{func(float64) kernel.Kernel { return kernel.Polynomial{Degree: 2} }, 6},
		{func(scale float64) kernel.Kernel { return kernel.RBF{Gamma: 1 / scale / scale} }, 8},
		{func(scale float64) kernel.Kernel {
			return kernel.Scaled{Factor: 1e90, Kernel: kernel.Laplace{Gamma: 1 / scale}}
		}, 8},
	} {
		for _, exponent := range []int{0, 200, -200} {
			scaled := mat.NewDense(12, 3, nil)
			scaled.Scale(math.Ldexp(1, exponent), X)
			k := c.kernel(math.Ldexp(1, exponent))
			m, err := Nystroem{Kernel: k}.Fit(scaled)
			if err != nil {
				t.Fatalf("%#v, scale 2^%d: %v", k, exponent, err)
			}
			if m.Dim() != c.want {
				t.Errorf("%#v, scale 2^%d: %d components, want %d", k, exponent, m.Dim(), c.want)
			}
			K := testkit.Try(kernel.Gram(k, scaled)).Or(t)
			var product mat.Dense
			product.Product(m.Basis.Dense(), K, m.Basis.Dense().T())
			for i := range m.Dim() {
				for j := range m.Dim() {
					want := 0.0
					if i == j {
						want = 1
					}
					if got := product.At(i, j); math.Abs(got-want) > 1e-9 {
						t.Errorf("%#v, scale 2^%d: e%d·e%d = %v, want %v", k, exponent, i, j, got, want)
					}
				}
			}
		}
	}
}

func TestApproximateErrors(t *testing.T) {
	X := samples.Uniform(17, 5, 2)
	testkit.Refusals{
		{second(Fourier{Components: -1}.Fit(X)), "kernelized: Fourier.Components = -1…"},
		{second(Fourier{Kernel: kernel.RBF{Gamma: -1}}.Fit(X)), "kernel: RBF.Gamma = -1…"},
		{second(Fourier{Kernel: kernel.Linear{}}.Fit(X)), "kernelized: Fourier.Kernel is a kernel.Linear, want RBF or Laplace"},
		{second(Nystroem{Landmarks: 6}.Fit(X)), "kernelized: Nystroem.Landmarks = 6, want 1 to 5…"},
		{second(Nystroem{Kernel: kernel.Chi2{Gamma: -1}}.Fit(X)), "kernel: Chi2.Gamma = -1…"},
		{second(Nystroem{Kernel: kernel.Linear{}}.Fit(mat.NewDense(1, 1, []float64{1e200}))), "kernel: k(X[0], X[0]) = +Inf…"},
		{second(Nystroem{Kernel: kernel.Linear{}}.Fit(mat.NewDense(2, 2, nil))), "kernelized: Nystroem: the kernel is 0 on all landmarks…"},
	}.Check(t)
	var e *kernel.MercerError
	if _, err := (Nystroem{Kernel: kernel.Sigmoid{Coef0: -1}}).Fit(X); !errors.As(err, &e) {
		t.Errorf("err = %v, want a *MercerError", err)
	}
}

func TestTransformPanics(t *testing.T) {
	X := samples.Uniform(18, 5, 2)
	m := testkit.Try(Fourier{Components: 3}.Fit(X)).Or(t)
	for name, f := range map[string]func(){
		"no rows":        func() { m.Transform(nil, new(mat.Dense)) },
		"rows of dst":    func() { m.Transform(mat.NewDense(4, 3, nil), X) },
		"columns of dst": func() { m.Transform(mat.NewDense(5, 4, nil), X) },
		"long x":         func() { m.TransformSample(nil, make([]float64, 3)) },
		"long dst":       func() { m.TransformSample(make([]float64, 4), make([]float64, 2)) },
	} {
		testkit.Panics(t, name, f)
	}
}
