package eval

import (
	"fmt"
	"math"
	"math/big"
	"math/rand/v2"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"

	"marginalia/mlkit"
	"marginalia/mlkit/internal/samples"
	"marginalia/mlkit/internal/testkit"
)

// corners returns the origin and the d unit vectors, which are affinely independent.
func corners(d int) *mat.Dense {
	X := mat.NewDense(d+1, d, nil)
	for j := range d {
		X.Set(j+1, j, 1)
	}
	return X
}

// proven checks both proofs independently of Separate.
func proven(t *testing.T, X *mat.Dense, y []int, s Separation) {
	t.Helper()
	n, d := X.Dims()
	if s.Separable {
		for i := range n {
			if f := float64(y[i]) * s.Hyperplane.Score(X.RawRowView(i)); !(f > 0) {
				t.Fatalf("row %d of %v with labels %v has the margin %v", i, mat.Formatted(X), y, f)
			}
		}
		return
	}
	sum, total := make([]float64, d+1), 0.0
	for i, a := range s.Alpha {
		if a < 0 {
			t.Fatalf("Alpha[%d] = %v", i, a)
		}
		total += a
		for j, v := range append(mat.Row(nil, i, X), 1) {
			sum[j] += a * float64(y[i]) * v
		}
	}
	if len(s.Alpha) != n || math.Abs(total-1) > 1e-12 || mat.Norm(mat.NewVecDense(d+1, sum), 2) > 1e-12*(1+mat.Norm(X, 2)) {
		t.Fatalf("Alpha = %v sums to %v, and Σ αᵢyᵢ(xᵢ, 1) = %v", s.Alpha, total, sum)
	}
}

// VC dimension: the d+1 corners of a simplex are shattered, and d+2 points never are
// (CMU).
func TestVCDimension(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	for d := 1; d <= 5; d++ {
		s, err := Shatter(corners(d))
		if err != nil || !s.Shattered || s.Labels != nil {
			t.Errorf("%d points in %d dimensions: %+v, %v", d+1, d, s, err)
		}
		for range 5 {
			X := samples.Gaussian(rng, d+2, d)
			s, err := Shatter(X)
			if err != nil || s.Shattered {
				t.Fatalf("%d points in %d dimensions: %+v, %v", d+2, d, s, err)
			}
			proven(t, X, s.Labels, Separation{Alpha: s.Alpha})
		}
	}
}

// Three collinear points are not shattered: the middle one cannot have its own label.
func TestCollinear(t *testing.T) {
	s, err := Shatter(mat.NewDense(3, 2, []float64{0, 0, 1, 1, 3, 3}))
	if err != nil || s.Shattered || !slices.Equal(s.Labels, []int{1, -1, 1}) {
		t.Fatalf("%+v, %v; want labels + - +", s, err)
	}
	// The point 1 is 2/3·0 + 1/3·3, and the αᵢ of each class sum to ½.
	for i, want := range []float64{1.0 / 3, 1.0 / 2, 1.0 / 6} {
		near(t, fmt.Sprintf("Alpha[%d]", i), s.Alpha[i], want, 1e-15)
	}
}

// Points in general position have CoverCount dichotomies.
func TestDichotomies(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	for _, c := range []struct{ n, d, want int }{
		{1, 1, 2}, {4, 1, 8}, {3, 2, 8},
		{4, 2, 14}, // all 16 except the two of exclusive or
		{6, 2, 32}, {7, 3, 84}, {8, 2, 58}, {6, 5, 64},
	} {
		X := samples.Gaussian(rng, c.n, c.d)
		got, err := Dichotomies(X)
		if err != nil || got != c.want {
			t.Errorf("%d points in %d dimensions: %d, %v; want %d", c.n, c.d, got, err, c.want)
		}
		if cover := CoverCount(c.n, c.d); cover.Cmp(big.NewInt(int64(c.want))) != 0 {
			t.Errorf("CoverCount(%d, %d) = %d, want %d", c.n, c.d, cover, c.want)
		}
	}
	// Half of the labellings at n = 2(d+1) (Cover, "the capacity"), all of them up to
	// d+1.
	for d := range 12 {
		half := new(big.Int).Lsh(big.NewInt(1), uint(2*d+1))
		if got := CoverCount(2*d+2, d); got.Cmp(half) != 0 {
			t.Errorf("CoverCount(%d, %d) = %d, want %d", 2*d+2, d, got, half)
		}
	}
	if CoverCount(0, 2).Sign() != 0 || CoverCount(3, -1).Sign() != 0 {
		t.Error("CoverCount of nothing is not 0")
	}
}

func TestSeparate(t *testing.T) {
	tenth := 0.1
	for _, c := range []struct {
		name string
		X    *mat.Dense
		y    []int
		want bool
	}{
		{"exclusive or", mat.NewDense(4, 2, []float64{0, 0, 1, 1, 0, 1, 1, 0}), []int{1, 1, -1, -1}, false},
		{"or", mat.NewDense(4, 2, []float64{0, 0, 1, 1, 0, 1, 1, 0}), []int{-1, 1, 1, 1}, true},
		{"one class", mat.NewDense(2, 1, []float64{1, 1}), []int{-1, -1}, true},
		{"one point, two labels", mat.NewDense(2, 1, []float64{1, 1}), []int{-1, 1}, false},
		// In float64 0.1 + 0.2 is above 0.3: 0.2 is not exactly the midpoint of 0.1 and
		// 0.3, but it lies between them.
		{"nearly one line", mat.NewDense(3, 1, []float64{tenth, 2 * tenth, 3 * tenth}), []int{1, -1, 1}, false},
		{"neighbours", mat.NewDense(2, 1, []float64{1, math.Nextafter(1, 2)}), []int{1, -1}, true},
		// The midpoint of the first two differs from the third by one bit, which
		// floating-point arithmetic does not see.
		{"one bit off a line", mat.NewDense(3, 2, []float64{0, 0, 2, 2, 1, math.Nextafter(1, 2)}), []int{1, 1, -1}, true},
		{"on a line", mat.NewDense(3, 2, []float64{0, 0, 2, 2, 1, 1}), []int{1, 1, -1}, false},
		{"huge and tiny", mat.NewDense(3, 1, []float64{-1e300, 1e-300, 1e300}), []int{1, -1, 1}, false},
	} {
		s, err := Separate(c.X, c.y)
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		if s.Separable != c.want {
			t.Errorf("%s: Separable is %v, want %v", c.name, s.Separable, c.want)
		}
		if s.Separable && !proves(s.Hyperplane, extended(c.X, c.y)) {
			t.Errorf("%s: %v is no proof", c.name, s.Hyperplane)
		}
	}
}

// A hyperplane with a point on it is no proof.
func TestProvesStrictly(t *testing.T) {
	z := extended(mat.NewDense(2, 1, []float64{1, 3}), []int{-1, 1})
	for b, want := range map[float64]bool{-2: true, -1: false, -3: false, 0: false} {
		if got := proves(mlkit.Hyperplane{W: []float64{1}, B: b}, z); got != want {
			t.Errorf("x + %v proves: %v, want %v", b, got, want)
		}
	}
}

// The linear program alone gives the known answers: labels of a hyperplane are separable,
// points around the mean of others are not.
func TestGordan(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 8))
	for range 60 {
		n, d := 3+rng.IntN(8), 1+rng.IntN(3)
		X, y := mat.NewDense(n, d, nil), make([]int, n)
		for i := range n {
			for j := range d {
				X.Set(i, j, float64(rng.IntN(9)-4))
			}
			y[i] = 1 - 2*rng.IntN(2)
		}
		alpha, u := gordan(extended(X, y))
		s := testkit.Try(Separate(X, y)).Or(t)
		if (alpha == nil) != s.Separable || (u != nil) != s.Separable {
			t.Fatalf("α = %v, u = %v, and Separate says %v", alpha, u, s.Separable)
		}
		proven(t, X, y, s)
		if u != nil {
			h, ok := hyperplaneOf(u)
			if !ok || !proves(h, extended(X, y)) {
				t.Fatalf("u = %v does not separate %v, %v", u, mat.Formatted(X), y)
			}
		}
	}
}

func TestShatterRefused(t *testing.T) {
	testkit.Refusals{
		{second(Shatter(nil)), "eval: X is nil, want an n×d matrix, one sample a row"},
		{second(Dichotomies(mat.NewDense(17, 1, nil))), "eval: X has 17 rows, want at most 16, since 2ⁿ labellings are tried"},
		{second(Separate(mat.NewDense(2, 1, nil), []int{1})), "eval: len(y) = 1, want 2, one label for each row of X"},
		{second(Separate(mat.NewDense(1, 1, nil), []int{2})), "eval: y[0] = 2, want -1 or +1"},
	}.Check(t)
}
