package leastsquares

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"marginalia/mlkit"
	"marginalia/mlkit/internal/samples"
	"marginalia/mlkit/internal/testkit"
)

// problemOf returns the problem of l for the targets Y and weights.
func problemOf(t *testing.T, l Regression, X, Y *mat.Dense, weights []float64) *problem {
	t.Helper()
	_, M := Y.Dims()
	p, err := l.problem(context.Background(), "", data{X, M, func(dst []float64, i int) { copy(dst, Y.RawRowView(i)) }, weights})
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// finished returns the solution that f is of p.
func finished(t *testing.T, p *problem, f *fit) *solution {
	t.Helper()
	s := &solution{W: make([][]float64, p.M), B: make([]float64, p.M)}
	if err := p.finish(context.Background(), s, f); err != nil {
		t.Fatal(err)
	}
	return s
}

// The Gram matrices of columns and rows give the solutions of the reflections, up to
// rounding error: with and without a bias and a ridge, far from 0, in odd units, with a
// constant column, for several targets. Two columns, and in wide problems two rows,
// differ by near, which makes the condition number of the Gram matrix some 1/near².
func TestProductsAreReflections(t *testing.T) {
	random := rand.New(rand.NewPCG(31, 32))
	for _, size := range [][2]int{{60, 7}, {300, 40}, {7, 60}, {30, 200}, {20, 19}, {20, 20}, {1, 3}} {
		for _, l := range []Regression{{}, {Bias: mlkit.NoBias}, {Lambda: 0.3}, {Lambda: 1e-30}, {Bias: mlkit.NoBias, Lambda: 5}} {
			for _, near := range []float64{1, 1e-2, 1e-3} {
				n, d := size[0], size[1]
				X, Y := samples.Gaussian(random, n, d), samples.Gaussian(random, n, 2)
				if n > 1 && n <= d {
					floats.ScaleTo(X.RawRowView(n-1), 1, X.RawRowView(0))
					floats.AddScaled(X.RawRowView(n-1), near, samples.Gaussian(random, 1, d).RawRowView(0))
				}
				for i := range n {
					x := X.RawRowView(i)
					x[1] = x[0] + near*x[1]
					floats.AddConst(100, x)
					x[d-1] = 3
					if n > d {
						x[0] *= 1e6
					}
				}
				name := fmt.Sprintf("%d×%d, %+v, nearly dependent by %g", n, d, l, near)
				p := problemOf(t, l, X, Y, slices.Repeat([]float64{1}, n))
				exact, fast := p.tall, p.tallProducts
				if n < p.c+d {
					exact, fast = p.wide, p.wideProducts
				}
				got := testkit.Try(fast(context.Background())).Or(t)
				if got == nil {
					if near == 1 && n != d && n != d+1 && n > 1 && !(l.Bias == mlkit.NoBias) {
						t.Errorf("%s: the products are of no good condition", name)
					}
					continue
				}
				want := testkit.Try(exact(context.Background())).Or(t)
				a, b := finished(t, p, want), finished(t, p, got)
				if a.rank != b.rank {
					t.Errorf("%s: rank %d, want %d", name, b.rank, a.rank)
				}
				for k := range 2 {
					// The columns have a condition number of at most 10⁴.
					for j, w := range a.W[k] {
						if math.Abs(b.W[k][j]-w)/p.unit[j] > 1e-10*(1+mat.Norm(want.V, math.Inf(1))) {
							t.Errorf("%s: w[%d] = %v, want %v", name, j, b.W[k][j], w)
						}
					}
					if math.Abs(b.mse[k]-a.mse[k]) > 1e-12*(1+a.mse[k]) {
						t.Errorf("%s: MSE %v, want %v", name, b.mse[k], a.mse[k])
					}
					if math.Abs(b.B[k]-a.B[k]) > 1e-7 {
						t.Errorf("%s: b = %v, want %v", name, b.B[k], a.B[k])
					}
				}
			}
		}
	}
}

// Errors a million times smaller than the targets are found to eight digits. The squares of the
// targets, summed in float64, would leave three of them.
func TestSmallErrors(t *testing.T) {
	random := rand.New(rand.NewPCG(37, 38))
	X, y := samples.Gaussian(random, 100, 5), make([]float64, 100)
	for i := range y {
		y[i] = floats.Sum(X.RawRowView(i)) + 1e-6*random.NormFloat64()
	}
	p := problemOf(t, Regression{}, X, mat.NewDense(100, 1, y), slices.Repeat([]float64{1}, 100))
	var mse [2]float64
	for k, solve := range []func(context.Context) (*fit, error){p.tall, p.tallProducts} {
		f := testkit.Try(solve(context.Background())).Or(t)
		mse[k] = finished(t, p, f).mse[0]
	}
	if math.Abs(mse[1]-mse[0]) > 1e-8*mse[0] {
		t.Errorf("MSE %v, want %v", mse[1], mse[0])
	}
}

// Singular and ill-conditioned Gram matrices, of equal or nearly equal columns or rows,
// are left to the reflections.
func TestProductsRefused(t *testing.T) {
	random := rand.New(rand.NewPCG(33, 34))
	for _, near := range []float64{0, 1e-5, 1e-9} {
		for _, size := range [][2]int{{50, 5}, {5, 50}} {
			X := samples.Gaussian(random, size[0], size[1])
			n, d := X.Dims()
			if n > d {
				for i := range n {
					X.Set(i, 1, X.At(i, 0)+near*X.At(i, 1))
				}
			} else {
				for j := range d {
					X.Set(1, j, X.At(0, j)+near*X.At(1, j))
				}
			}
			p := problemOf(t, Regression{}, X, samples.Gaussian(random, n, 1), slices.Repeat([]float64{1}, n))
			fast := p.tallProducts
			if n < d {
				fast = p.wideProducts
			}
			if f, err := fast(context.Background()); f != nil || err != nil {
				t.Errorf("%d×%d, rows or columns that differ by %g: %v, %v, want no solution", n, d, near, f, err)
			}
		}
	}
}

// Problems large enough for Gram matrices have the solutions of the reflections, even
// where the Gram matrix is refused.
func TestLargeProblems(t *testing.T) {
	testkit.Long(t)
	random := rand.New(rand.NewPCG(35, 36))
	for _, size := range [][2]int{{1200, 300}, {300, 1200}} {
		for _, dependent := range []bool{false, true} {
			n, d := size[0], size[1]
			if dependent == (n > d) && !testkit.IsLong(t) {
				continue
			}
			X, y := samples.Gaussian(random, n, d), make([]float64, n)
			for i := range n {
				y[i] = random.NormFloat64() + X.At(i, 0)
				if dependent {
					X.Set(i, 1, X.At(i, 0))
					if i == n-1 {
						copy(X.RawRowView(i), X.RawRowView(0))
					}
				}
			}
			m := fitted(t, Regression{}.Fit, X, y)
			p := problemOf(t, Regression{}, X, mat.NewDense(n, 1, y), slices.Repeat([]float64{1}, n))
			exact := p.tall
			if n < d {
				exact = p.wide
			}
			want := testkit.Try(exact(context.Background())).Or(t)
			s := finished(t, p, want)
			if !floats.EqualApprox(m.W, s.W[0], 1e-11) || math.Abs(m.B-s.B[0]) > 1e-11 || m.Rank != s.rank {
				t.Errorf("%d×%d, dependent %v: b = %v, rank %d, want %v, %d, or other weights", n, d, dependent, m.B, m.Rank, s.B[0], s.rank)
			}
			rank := min(d+1, n)
			if dependent {
				rank = map[int]int{1200: d, 300: n - 1}[n]
			}
			if m.Rank != rank {
				t.Errorf("%d×%d, dependent %v: rank %d, want %d", n, d, dependent, m.Rank, rank)
			}
		}
	}
}

// The estimate of the condition number is within a factor of 3 of the one in the 1-norm
// that gonum computes from the inverse.
func TestConditionEstimate(t *testing.T) {
	random := rand.New(rand.NewPCG(37, 38))
	for _, n := range []int{1, 2, 5, 40} {
		for _, small := range []float64{1, 1e-3, 1e-6} {
			A := samples.Gaussian(random, n, n)
			S := mat.NewSymDense(n, nil)
			S.SymOuterK(1, A)
			S.SetSym(0, 0, S.At(0, 0)+1/small)
			f, got, err := factorise(context.Background(), S)
			if err != nil || f == nil {
				t.Fatal(err)
			}
			var inverse mat.Dense
			if err := inverse.Inverse(S); err != nil && !math.IsInf(float64(err.(mat.Condition)), 1) {
				t.Log(err) // the condition number
			}
			want := mat.Norm(S, 1) * mat.Norm(&inverse, 1)
			if !(got <= want*1.01 && got >= want/3) {
				t.Errorf("n = %d: condition %g, want %g", n, got, want)
			}
		}
	}
	S := mat.NewSymDense(2, []float64{1, 2, 2, 1})
	if f, c, err := factorise(context.Background(), S); f != nil || !math.IsInf(c, 1) || err != nil {
		t.Errorf("an indefinite matrix: %v, %v, %v", f, c, err)
	}
}
