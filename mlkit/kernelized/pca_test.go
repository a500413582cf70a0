package kernelized

import (
	"context"
	"errors"
	"math"
	"testing"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat"

	"marginalia/datasets"
	"marginalia/mlkit"
	"marginalia/mlkit/feature"
	"marginalia/mlkit/internal/eigen"
	"marginalia/mlkit/internal/samples"
	"marginalia/mlkit/internal/testkit"
	"marginalia/mlkit/kernel"
	"marginalia/mlkit/mlkittest"
)

func TestPCAConformance(t *testing.T) { onBothPaths(t, pcaConformance) }

func pcaConformance(t *testing.T, except ...string) {
	for name, p := range map[string]PCA{
		"zero value": {},
		"rbf":        {Kernel: kernel.RBF{}, Components: 5},
		"cubic":      {Kernel: kernel.Polynomial{Degree: 3, Coef0: 1}, Components: 3},
	} {
		except := except
		if name == "cubic" { // "zero value" is encoded with directions, "rbf" without
			except = without(t, except)
		}
		testkit.NoError(t, name, mlkittest.TestMap(p.Fit, except...))
	}
}

// The eigenvalues are from scikit-learn 1.2.1, KernelPCA(kernel="rbf", gamma=0.25) on the
// 150 irises.
func TestPCAIris(t *testing.T) {
	X := datasets.Iris().X
	m := testkit.Try(PCA{Kernel: kernel.RBF{Gamma: 0.25}, Components: 4}.Fit(X)).Or(t)
	if want := []float64{48.11051564, 19.094294284, 6.63327814, 4.27532381}; !floats.EqualApprox(m.Eigenvalues, want, 5e-9) {
		t.Errorf("eigenvalues = %v, want %v", m.Eigenvalues, want)
	}
	// The components of the samples have mean 0 and are orthogonal; their squared norms
	// are the eigenvalues.
	Z := m.Transform(nil, X)
	var C mat.Dense
	C.Mul(Z.T(), Z)
	for i := range 4 {
		if mean := stat.Mean(mat.Col(nil, i, Z), nil); math.Abs(mean) > 1e-12 {
			t.Errorf("component %d has the mean %v, want 0", i, mean)
		}
		for j := range 4 {
			want := 0.0
			if i == j {
				want = m.Eigenvalues[i]
			}
			if math.Abs(C.At(i, j)-want) > 1e-10 {
				t.Errorf("ZᵀZ at %d, %d = %v, want %v", i, j, C.At(i, j), want)
			}
		}
	}
	// All eigenvalues are nonnegative and sum to the total.
	all := testkit.Try(PCA{Kernel: kernel.RBF{Gamma: 0.25}, Components: 150}.Fit(X)).Or(t)
	if sum := floats.Sum(all.Eigenvalues); math.Abs(sum-all.Total) > 1e-9*sum {
		t.Errorf("the eigenvalues sum to %v, the total is %v", sum, all.Total)
	}
}

// With the linear kernel this is principal component analysis, as in gonum.
func TestPCALinear(t *testing.T) {
	for _, n := range []int{40, eigen.DenseLimit + 50} {
		X := samples.Uniform(8, n, 3)
		m, err := PCA{Components: 10}.Fit(X) // only 3 exist
		if err != nil {
			t.Fatal(err)
		}
		var pc stat.PC
		if !pc.PrincipalComponents(X, nil) {
			t.Fatal("no principal components")
		}
		vars := pc.VarsTo(nil)
		floats.Scale(float64(n-1), vars)
		if !floats.EqualApprox(m.Eigenvalues, vars, 1e-10) {
			t.Fatalf("n = %d: eigenvalues = %v, want %v", n, m.Eigenvalues, vars)
		}
		var V mat.Dense
		pc.VectorsTo(&V)
		mean := make([]float64, 3)
		for j := range mean {
			mean[j] = stat.Mean(mat.Col(nil, j, X), nil)
		}
		x := []float64{0.2, 3, -1}
		z := m.TransformSample(nil, x)
		floats.Sub(x, mean)
		for c := range z {
			if want := floats.Dot(x, mat.Col(nil, c, &V)); math.Abs(math.Abs(z[c])-math.Abs(want)) > 1e-9 {
				t.Errorf("n = %d: component %d = %v, want ±%v", n, c, z[c], want)
			}
		}
	}
}

// Computing all eigenpairs and only the largest agree.
func TestPCALarge(t *testing.T) {
	n := eigen.DenseLimit + 30
	X := samples.Uniform(9, n, 2)
	few := testkit.Try(PCA{Kernel: kernel.RBF{Gamma: 3}, Components: 4}.Fit(X)).Or(t)
	many := testkit.Try(PCA{Kernel: kernel.RBF{Gamma: 3}, Components: n / 3}.Fit(X)).Or(t)
	if !floats.EqualApprox(few.Eigenvalues, many.Eigenvalues[:4], 1e-9) || !floats.EqualApprox(few.Eigenvectors.Data, many.Eigenvectors.Data[:4*n], 1e-8) {
		t.Errorf("eigenvalues = %v, want %v, and the same vectors", few.Eigenvalues, many.Eigenvalues[:4])
	}
}

func TestPCAErrors(t *testing.T) {
	X := samples.Uniform(10, 12, 2)
	same := mat.NewDense(3, 2, []float64{1, 2, 1, 2, 1, 2})
	large := mat.NewDense(3, 1, []float64{1.2e154, -1.2e154, 1.1e154})
	testkit.Refusals{
		{second(PCA{Components: -1}.Fit(X)), "kernelized: PCA.Components = -1…"},
		{second(PCA{Kernel: kernel.RBF{Gamma: -1}}.Fit(X)), "kernel: RBF.Gamma = -1…"},
		{second(PCA{Kernel: kernel.RBF{}}.Fit(same)), "kernelized: PCA: X has one image in all its rows…"},
		{second(PCA{}.Fit(same)), "kernelized: PCA: X has one image in all its rows…"},
		{second(PCA{}.Fit(large)), "kernelized: PCA: a sum of squares of X overflows…"},
		{second(PCA{}.Fit(mat.NewDense(2, 1, []float64{math.MaxFloat64, -math.MaxFloat64}))), "kernelized: PCA: a sum of squares of X overflows…"},
		{second(PCA{Kernel: kernel.Scaled{}}.Fit(mat.NewDense(2, 1, []float64{math.MaxFloat64, -math.MaxFloat64}))), "kernel: k(X[0], X[0]) = +Inf…"},
		{second(PCA{}.Fit(mat.NewDense(2, 1, []float64{math.MaxFloat64, math.MaxFloat64 * (1 - 0x1p-50)}))), "kernelized: PCA: a sum of squares of X overflows…"},
		{second(PCA{}.Fit(mat.NewDense(2, 1, []float64{1e-170, -1e-170}))), "kernelized: PCA: …underflow…"},
		{second(PCA{Kernel: kernel.Scaled{}}.Fit(mat.NewDense(2, 1, []float64{1e-170, -1e-170}))), "kernelized: PCA: the images of X[0] and X[1] differ by rounding only…"},
		{second(PCA{Kernel: kernel.Func(func(x, z []float64) float64 { return -floats.Dot(x, z) })}.Fit(X)), "kernel: …no φ has this kernel as its inner product"},
		{second(PCA{Kernel: kernel.Sum{kernel.Scaled{}, kernel.Polynomial{Coef0: -3}}}.Fit(samples.Uniform(1, eigen.DenseLimit+1, 2))), "kernel: …no φ has this kernel as its inner product"},
	}.Check(t)
	var e *kernel.MercerError
	if _, err := (PCA{Kernel: kernel.Any{Kernel: kernel.Product{kernel.Sigmoid{Coef0: -1}}}}).Fit(X); !errors.As(err, &e) {
		t.Errorf("err = %v, want a *MercerError", err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if m, err := (PCA{}).FitWith(mlkit.Options{Context: ctx}, X); !errors.Is(err, context.Canceled) || m.Dim() != 0 {
		t.Errorf("err = %v, want context.Canceled", err)
	}
}

// With Linear, the components are those of feature.PCA up to signs: there the largest
// element of each direction is positive, here that of each eigenvector of the Gram matrix.
func TestLinearPCASigns(t *testing.T) {
	const n, d = 30, 4
	X := samples.Uniform(41, n, d)
	here := testkit.Try(PCA{Components: d}.Fit(X)).Or(t)
	there := testkit.Try(feature.PCA{}.Fit(X)).Or(t)
	Z, W := here.Transform(nil, X), there.Transform(nil, X)
	opposite := 0
	for c := range d {
		v, u, z, w := here.Eigenvectors.Row(c), there.Directions[c], mat.Col(nil, c, Z), mat.Col(nil, c, W)
		if floats.Max(v) != floats.Norm(v, math.Inf(1)) || floats.Max(u) != floats.Norm(u, math.Inf(1)) {
			t.Errorf("component %d: the largest elements of v = %v and u = %v are not positive", c, v, u)
		}
		if floats.Dot(z, w) < 0 {
			floats.Scale(-1, w)
			opposite++
		}
		if !floats.EqualApprox(z, w, 1e-12) {
			t.Errorf("component %d is %v, with feature.PCA ±%v", c, z, w)
		}
	}
	if opposite == 0 || opposite == d {
		t.Errorf("%d of %d signs differ, want some: they say nothing of each other", opposite, d)
	}
}
