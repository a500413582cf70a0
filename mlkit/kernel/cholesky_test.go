package kernel

import (
	"context"
	"errors"
	"math"
	"testing"

	"gonum.org/v1/gonum/mat"
)

// The solution matches that of gonum's Cholesky decomposition, for orders around tile
// boundaries.
func TestCholesky(t *testing.T) {
	for _, n := range []int{1, 2, tile - 1, tile, tile + 1, 3*tile + 5} {
		K, err := Gram(RBF{}, randomMatrix(uint64(n), n, 2))
		if err != nil {
			t.Fatal(err)
		}
		c, ok, err := newCholesky(context.Background(), duplicate(t, K), 0.5)
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
		c.solve(got)
		for i := range got {
			if math.Abs(got[i]-want.AtVec(i)) > 1e-12 {
				t.Errorf("n = %d: solution at %d = %v, want %v", n, i, got[i], want.AtVec(i))
			}
		}
		if _, ok, _ := newCholesky(context.Background(), duplicate(t, K), -2); ok {
			t.Errorf("n = %d: K - 2I, whose smallest eigenvalue is negative, has a factor", n)
		}
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, _, err := newCholesky(ctx, mat.NewSymDense(1, []float64{1}), 0); !errors.Is(err, context.Canceled) {
		t.Errorf("err = %v, want context.Canceled", err)
	}
}

// duplicate returns a copy of K.
func duplicate(t *testing.T, K *mat.SymDense) *mat.SymDense {
	c, err := copySym(context.Background(), K)
	if err != nil || !mat.Equal(c, K) {
		t.Fatalf("copy: %v", err)
	}
	return c
}
