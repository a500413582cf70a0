package kernel

import (
	"context"
	"errors"
	"math"
	"strings"
	"testing"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"marginalia/mlkit/internal/eigen"
	"marginalia/mlkit/internal/samples"
	"marginalia/mlkit/internal/testkit"
)

func TestMercerHolds(t *testing.T) {
	X := samples.Uniform(3, 30, 4)
	for _, k := range kernels() {
		if _, ok := k.(Sigmoid); ok {
			continue
		}
		if err := Mercer(k, X); err != nil {
			t.Errorf("%#v: %v", k, err)
		}
	}
	// Above the limit for dense decompositions, with many zero eigenvalues.
	large := samples.Uniform(4, eigen.DenseLimit+50, 3)
	for _, k := range []Kernel{Linear{}, RBF{}} {
		if err := Mercer(k, large); err != nil {
			t.Errorf("%#v with %d samples: %v", k, eigen.DenseLimit+50, err)
		}
	}
}

// The Gram matrix of k(x, z) = -|x-z| at 0 and 1 is [0 -1; -1 0], with eigenvalue -1 and
// eigenvector (1, 1)/√2.
func TestMercerFails(t *testing.T) {
	distance := Func(func(x, z []float64) float64 { return -math.Abs(x[0] - z[0]) })
	err := Mercer(distance, mat.NewDense(2, 1, []float64{0, 1}))
	var m *MercerError
	if !errors.As(err, &m) {
		t.Fatalf("err = %v, want a *MercerError", err)
	}
	if math.Abs(m.Eigenvalue+1) > 1e-15 || math.Abs(m.Eigenvector[0]-math.Sqrt2/2) > 1e-15 || m.Norm != 1 {
		t.Errorf("err = %+v, want λ = -1, c = (1, 1)/√2, norm 1", m)
	}
	if !strings.HasPrefix(m.Error(), "kernel: the Gram matrix has the eigenvalue -1") && !strings.HasPrefix(m.Error(), "kernel: the Gram matrix has the eigenvalue -0.99") {
		t.Errorf("message %q does not name the eigenvalue", m)
	}
}

// The vector proves Σ cᵢcⱼ k(xᵢ, xⱼ) = λ < 0, for few and for many samples.
func TestMercerProof(t *testing.T) {
	for _, n := range []int{20, eigen.DenseLimit + 20} {
		X := samples.Uniform(6, n, 2)
		k := Sigmoid{Gamma: 1, Coef0: -1}
		var m *MercerError
		if err := Mercer(k, X); !errors.As(err, &m) {
			t.Fatalf("n = %d: err = %v, want a *MercerError", n, err)
		}
		sum := 0.0
		for i := range n {
			row := Row(nil, k, X.RawRowView(i), X)
			sum += m.Eigenvector[i] * floats.Dot(m.Eigenvector, row)
		}
		if math.Abs(sum-m.Eigenvalue) > 1e-9*m.Norm || sum >= 0 {
			t.Errorf("n = %d: the sum is %v, want λ = %v", n, sum, m.Eigenvalue)
		}
		if norm := floats.Norm(m.Eigenvector, 2); math.Abs(norm-1) > 1e-12 {
			t.Errorf("n = %d: ‖c‖ = %v, want 1", n, norm)
		}
	}
}

func TestDefiniteTolerance(t *testing.T) {
	diagonal := func(v float64) *mat.SymDense { return mat.NewSymDense(2, []float64{2, 0, 0, v}) }
	if err := CheckDefinite(diagonal(-1.9e-10)); err != nil {
		t.Errorf("an eigenvalue of -0.95e-10 ‖G‖: %v", err)
	}
	var m *MercerError
	if err := CheckDefinite(diagonal(-2.1e-10)); !errors.As(err, &m) {
		t.Errorf("an eigenvalue of -1.05e-10 ‖G‖: err = %v, want a *MercerError", err)
	}
	testkit.Refusals{
		{CheckDefinite(nil), "kernel: G is empty, want a Gram matrix"},
		{CheckDefinite(new(mat.SymDense)), "kernel: G is empty, want a Gram matrix"},
		{CheckDefinite(diagonal(math.NaN())), "kernel: G has the norm NaN, want finite elements"},
	}.Check(t)
	if err := Mercer(RBF{}, nil); err == nil {
		t.Error("no error on nil samples")
	}
}

// The absolute row sums of [1 -2; -2 3] are 3 and 5, those of [4 2; 2 -1] 6 and 3.
func TestNormInf(t *testing.T) {
	for want, data := range map[float64][]float64{5: {1, -2, -2, 3}, 6: {4, 2, 2, -1}} {
		if norm, err := eigen.NormInf(context.Background(), mat.NewSymDense(2, data)); norm != want || err != nil {
			t.Errorf("‖%v‖∞ = %v, %v, want %v", data, norm, err, want)
		}
	}
}

// Centering the kernel equals centring in the space of φ.
func TestCentering(t *testing.T) {
	X, k := samples.Uniform(7, 8, 3), Polynomial{Degree: 2, Coef0: 1}
	G := testkit.Try(Gram(k, X)).Or(t)
	φ := testkit.Try(Monomials{Kernel: k}.For(3)).Or(t)
	Φ := φ.Transform(nil, X)
	mean := make([]float64, φ.Dim())
	for i := range 8 {
		floats.AddScaled(mean, 1.0/8, Φ.RawRowView(i))
	}
	centred := func(x []float64) []float64 {
		v := φ.TransformSample(nil, x)
		floats.Sub(v, mean)
		return v
	}
	c := NewCentering(G)
	Gc := c.Gram(G)
	x := []float64{0.3, -1, 2}
	row := Row(nil, k, x, X)
	c.Row(row)
	for i := range 8 {
		for j := range 8 {
			if want := floats.Dot(centred(X.RawRowView(i)), centred(X.RawRowView(j))); math.Abs(Gc.At(i, j)-want) > 1e-12 {
				t.Errorf("centred G at %d, %d = %v, want %v", i, j, Gc.At(i, j), want)
			}
		}
		if want := floats.Dot(centred(x), centred(X.RawRowView(i))); math.Abs(row[i]-want) > 1e-12 {
			t.Errorf("centred row at %d = %v, want %v", i, row[i], want)
		}
	}
}
