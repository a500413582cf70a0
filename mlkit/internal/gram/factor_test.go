package gram

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"testing"

	"marginalia/mlkit/internal/samples"
	"marginalia/mlkit/internal/testkit"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
)

// The solution matches that of gonum's Cholesky decomposition, for orders around tile
// boundaries.
func TestFactor(t *testing.T) {
	for _, n := range []int{1, 2, tile - 1, tile, tile + 1, 3*tile + 5} {
		K := gaussians(uint64(n), n, 2, 0.5)
		before := duplicate(K)
		c, ok, err := NewFactor(context.Background(), K, 0.5)
		if !mat.Equal(K, before) {
			t.Errorf("n = %d: the factorisation has changed K", n)
		}
		if err != nil || !ok {
			t.Fatalf("n = %d: %v, %v", n, ok, err)
		}
		shifted := mat.NewSymDense(n, nil)
		shifted.CopySym(K)
		b := make([]float64, n)
		for i := range n {
			shifted.SetSym(i, i, K.At(i, i)+0.5)
			b[i] = math.Sin(float64(i))
		}
		var want mat.VecDense
		var g mat.Cholesky
		if !g.Factorize(shifted) {
			t.Fatal("not positive definite")
		}
		if err := g.SolveVecTo(&want, mat.NewVecDense(n, b)); err != nil {
			t.Fatal(err)
		}
		got := append([]float64(nil), b...)
		c.Solve(got)
		for i := range got {
			if math.Abs(got[i]-want.AtVec(i)) > 1e-12 {
				t.Errorf("n = %d: solution at %d = %v, want %v", n, i, got[i], want.AtVec(i))
			}
		}
		if _, ok, _ := NewFactor(context.Background(), duplicate(K), -2); ok {
			t.Errorf("n = %d: K - 2I, whose smallest eigenvalue is negative, has a factor", n)
		}
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, _, err := NewFactor(ctx, mat.NewSymDense(1, []float64{1}), 0); !errors.Is(err, context.Canceled) {
		t.Errorf("err = %v, want context.Canceled", err)
	}
}

// gaussians returns exp(-γ‖xᵢ - xⱼ‖²) of n random samples of d numbers, which is positive
// definite with a diagonal of 1.
func gaussians(seed uint64, n, d int, gamma float64) *mat.SymDense {
	X := samples.Gaussian(rand.New(rand.NewPCG(seed, 0)), n, d)
	K := mat.NewSymDense(n, nil)
	for i := range n {
		for j := i; j < n; j++ {
			r := floats.Distance(X.RawRowView(i), X.RawRowView(j), 2)
			K.SetSym(i, j, math.Exp(-gamma*r*r))
		}
	}
	return K
}

func duplicate(K *mat.SymDense) *mat.SymDense {
	c := mat.NewSymDense(K.SymmetricDim(), nil)
	c.CopySym(K)
	return c
}

// The factor of a large matrix solves its equations: the residual is about n rounding
// errors of |A||x| (Higham, theorem 10.3). Package gram factorises smaller matrices the
// same way.
func TestCholeskyOfMany(t *testing.T) {
	testkit.Long(t)
	const n = 2011
	A := gaussians(6, n, 5, 1)
	K := mat.NewSymDense(n, nil)
	K.CopySym(A)
	c, ok, err := NewFactor(context.Background(), K, 0.1)
	if !ok || err != nil {
		t.Fatal(ok, err)
	}
	x := make([]float64, n)
	for i := range x {
		x[i] = math.Sin(float64(i))
	}
	b := mat.NewVecDense(n, append([]float64(nil), x...))
	c.Solve(x)
	var r mat.VecDense
	r.MulVec(A, mat.NewVecDense(n, x))
	r.AddScaledVec(&r, 0.1, mat.NewVecDense(n, x))
	r.SubVec(&r, b)
	if worst := mat.Norm(&r, math.Inf(1)); !(worst <= n*0x1p-52*floats.Norm(x, 1)) {
		t.Errorf("residual %v of x with norm %v", worst, floats.Norm(x, 1))
	}
	K.CopySym(A)
	if _, ok, err := NewFactor(context.Background(), K, -0.9); ok || err != nil {
		t.Errorf("not positive definite: %v, %v", ok, err)
	}
}
