package kernelized

import (
	"fmt"
	"math"
	"math/rand/v2"
	"runtime"
	"sync/atomic"
	"testing"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"marginalia/mlkit/internal/rows"
	"marginalia/mlkit/internal/testkit"
	"marginalia/mlkit/kernel"
	"marginalia/mlkit/mlkittest"
)

// The rules of mlkittest hold for maps that map samples in blocks. These divide by no small
// eigenvalue, which would make rounding errors larger than the rules allow.
func TestTransformManyConformance(t *testing.T) {
	testkit.Set(t, &projectFrom, 0)
	testkit.NoErrors(t, map[string]error{
		"nystroem":         mlkittest.TestMap(Nystroem{Landmarks: 5, Kernel: kernel.RBF{Gamma: 2}}.Fit, "corrupt"),
		"nystroem, cubic":  mlkittest.TestMap(Nystroem{Landmarks: 1, Kernel: kernel.Polynomial{Degree: 3}}.Fit, "corrupt"),
		"nystroem, custom": mlkittest.TestMap(Nystroem{Landmarks: 5, Kernel: kernel.Laplace{}}.Fit, "corrupt"),
		"pca":              mlkittest.TestMap(PCA{Kernel: kernel.RBF{}}.Fit, "corrupt"),
	})
}

// Samples mapped in blocks have the images of single ones up to rounding. A kernel is a sum
// over the features, a component a sum over the m samples, so the error is at most
// (m + cond·d)·ε·‖V_c‖‖k‖, where cond is that of the argument of exp. Centering k adds three
// means, which are as large as the kernels of the samples.
func TestTransformMany(t *testing.T) {
	testkit.Set(t, &projectFrom, 0)
	rng := rand.New(rand.NewPCG(6, 6))
	for trial := range 60 {
		n, m, d := 1+rng.IntN(80), 4+rng.IntN(60), 1+rng.IntN(9)
		far := 1e5 * float64(trial%3/2)
		draw := func(n int) *mat.Dense {
			X := mat.NewDense(n, d, nil)
			X.Apply(func(_, _ int, _ float64) float64 { return rng.NormFloat64() + far }, X)
			return X
		}
		X, Z := draw(m), draw(n)
		for _, k := range []kernel.Kernel{kernel.RBF{Gamma: 0.3}, kernel.Any{Kernel: kernel.RBF{}}, kernel.Laplace{}, kernel.Polynomial{Degree: 2, Coef0: 1}} {
			if _, polynomial := k.(kernel.Polynomial); polynomial && far > 0 {
				continue // float64 does not tell the samples apart
			}
			nystroem := testkit.Try(Nystroem{Kernel: k, Landmarks: m - 2}.Fit(X)).Or(t)
			pca := testkit.Try(PCA{Kernel: k, Components: 3}.Fit(X)).Or(t)
			for _, c := range []struct {
				what       string
				m          rows.Mapper
				transform  func(*mat.Dense, mat.Matrix) *mat.Dense
				samples, V Matrix
				means      []float64
			}{
				{"Nystroem", nystroem, nystroem.Transform, nystroem.Landmarks, nystroem.Basis, nil},
				{"PCA", pca, pca.Transform, pca.X, pca.Eigenvectors, pca.Centering.Means},
			} {
				got := c.transform(nil, mat.DenseCopyOf(Z.T()).T()) // no *mat.Dense
				for i := range n {
					x := Z.RawRowView(i)
					want := c.m.TransformSample(nil, x)
					norm := floats.Norm(append(kernel.Row(nil, k, x, c.samples.Dense()), c.means...), 2)
					for j, z := range want {
						bound := float64(m+40*d) * rows.Epsilon * 4 * norm * floats.Norm(c.V.Row(j), 2)
						if g := got.At(i, j); !(math.Abs(g-z) <= bound) {
							t.Fatalf("%s with %T, n = %d, m = %d, d = %d, %g from 0: z[%d][%d] = %v, want %v ± %.2g", c.what, k, n, m, d, far, i, j, g, z, bound)
						}
					}
				}
			}
		}
	}
}

// Where squares overflow, and differences do not, samples are mapped one by one.
func TestTransformManyOverflow(t *testing.T) {
	testkit.Set(t, &projectFrom, 0)
	X := mat.NewDense(3, 1, []float64{1e160, 1e160 * (1 + 1e-15), -1e160})
	m := &NystroemModel{Kernel: kernel.Any{Kernel: kernel.RBF{Gamma: 1e-300}}, Landmarks: copyOf(X), Rows: []int{0, 1, 2}, Basis: Matrix{1, 3, []float64{1, 2, 4}}}
	got, want := m.Transform(nil, X), m.TransformSample(nil, X.RawRowView(0))
	if g := got.At(0, 0); g != want[0] || math.IsNaN(g) {
		t.Errorf("z = %v, want %v", g, want)
	}
}

// A kernel of the caller's own runs in the caller's goroutine, so that its panic comes to the
// caller. Gosched lets others call it meanwhile.
func TestTransformManyOwnKernel(t *testing.T) {
	testkit.Set(t, &projectFrom, 0)
	var calls atomic.Int32
	k := kernel.Func(func(x, z []float64) float64 {
		if calls.Add(1) > 1 {
			t.Error("two goroutines call the kernel")
		}
		for range 10 {
			runtime.Gosched()
		}
		calls.Add(-1)
		if x[0] > 900 {
			panic("mine")
		}
		return 1
	})
	m := &NystroemModel{Kernel: kernel.Any{Kernel: k}, Landmarks: Matrix{1, 1, []float64{1}}, Rows: []int{0}, Basis: Matrix{1, 1, []float64{1}}}
	X := mat.NewDense(1000, 1, nil)
	X.Set(999, 0, 1000)
	defer func() {
		if p := fmt.Sprint(recover()); p != "mine" {
			t.Errorf("the panic is %q, want mine", p)
		}
	}()
	m.Transform(nil, X)
}
