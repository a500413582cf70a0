package gram

import (
	"context"
	"errors"
	"math"
	"testing"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
)

// The residual satisfies |A - UᵀU| ≤ γ|Uᵀ||U| with γ = (n+2)u/(1-(n+2)u): Higham's
// theorem 10.3, with one more rounding for the reciprocal of the diagonal element. The
// orders lie around the edges of panels, blocks and depths. Solve inverts A.
func TestCholesky(t *testing.T) {
	const shift = 0.5
	for _, n := range []int{1, 5, 31, 32, 33, blockRows - 1, blockRows, blockRows + 1, 2*blockRows + 7, depth + 2*blockRows + 40} {
		X := points(n, 4, 0, 0)
		A := mat.NewSymDense(n, nil)
		A.SymOuterK(1, X)
		K := mat.NewSymDense(n, nil)
		K.CopySym(A)
		raw := K.RawSymmetric()
		for i := range n {
			A.SetSym(i, i, A.At(i, i)+shift)
			for j := range i {
				raw.Data[i*raw.Stride+j] = math.NaN() // never read
			}
		}
		c, ok, err := NewCholesky(context.Background(), K, shift)
		if !ok || err != nil {
			t.Fatalf("n = %d: %v, %v", n, ok, err)
		}
		U, size := mat.NewDense(n, n, nil), mat.NewDense(n, n, nil)
		for i := range n {
			for j := i; j < n; j++ {
				U.Set(i, j, c.panels[j/32][i*32+j%32])
				size.Set(i, j, math.Abs(U.At(i, j)))
			}
		}
		var product, bound mat.Dense
		product.Mul(U.T(), U)
		bound.Mul(size.T(), size)
		gamma := 2 * float64(n+2) * 0x1p-53 / (1 - float64(n+2)*0x1p-53) // doubled for the rounding of this product
		for i := range n {
			for j := range n {
				if !(math.Abs(product.At(i, j)-A.At(i, j)) <= gamma*bound.At(i, j)) {
					t.Fatalf("n = %d: (UᵀU)[%d][%d] = %v, want %v", n, i, j, product.At(i, j), A.At(i, j))
				}
			}
		}
		x, b := make([]float64, n), mat.NewVecDense(n, nil)
		for i := range x {
			x[i] = math.Sin(float64(i))
		}
		b.MulVec(A, mat.NewVecDense(n, x))
		c.Solve(b.RawVector().Data)
		if d := floats.Distance(b.RawVector().Data, x, 2); !(d <= 1e-15*float64(n)*mat.Norm(A, 1)/shift*floats.Norm(x, 2)) {
			t.Errorf("n = %d: the solution is off by %v", n, d)
		}
		if _, ok, _ := NewCholesky(context.Background(), K, -1000); ok {
			t.Errorf("n = %d: a matrix with negative eigenvalues has a factor", n)
		}
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, _, err := NewCholesky(ctx, mat.NewSymDense(1, []float64{1}), 0); !errors.Is(err, context.Canceled) {
		t.Errorf("err = %v, want context.Canceled", err)
	}
}
