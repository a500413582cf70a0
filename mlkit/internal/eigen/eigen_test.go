package eigen_test

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"marginalia/mlkit"
	"marginalia/mlkit/internal/eigen"
	"marginalia/mlkit/internal/testkit"
)

// path is the Laplacian of the path graph, with the eigenvalues 2 - 2cos(πj/n) for j
// from 0 to n-1 (Daniel Spielman, Spectral and Algebraic Graph Theory, 2019, chapter
// 6.6). cycle closes the path: its eigenvalues are 2 - 2cos(2πj/n), all double except
// one or two (chapter 6.5).
func path(dst, x []float64) {
	n := len(x)
	for i := range x {
		dst[i] = 0
		if i > 0 {
			dst[i] += x[i] - x[i-1]
		}
		if i < n-1 {
			dst[i] += x[i] - x[i+1]
		}
	}
}

func cycle(dst, x []float64) {
	n := len(x)
	for i := range x {
		dst[i] = 2*x[i] - x[(i+1)%n] - x[(i+n-1)%n]
	}
}

// hypercube is the adjacency matrix of the hypercube: its vertices are the words of d
// bits, joined if they differ in one bit. Its eigenvalues are d - 2j, with multiplicity
// d choose j (Spielman, chapter 6.3.1).
func hypercube(dst, x []float64) {
	for i := range x {
		dst[i] = 0
		for bit := 1; bit < len(x); bit <<= 1 {
			dst[i] += x[i^bit]
		}
	}
}

func TestClosedForms(t *testing.T) {
	bg := context.Background()
	for _, c := range []struct {
		name string
		find func(context.Context, int, int, func(dst, x []float64)) (*eigen.Pairs, error)
		n, k int
		mul  func(dst, x []float64)
		want func(i int) float64
	}{
		{"path, smallest", eigen.Solver{}.Smallest, 100, 4, path, func(i int) float64 { return 2 - 2*math.Cos(math.Pi*float64(i)/100) }},
		{"path, largest", eigen.Solver{}.Largest, 300, 3, path, func(i int) float64 { return 2 - 2*math.Cos(math.Pi*float64(299-i)/300) }},
		{"cycle, smallest", eigen.Solver{}.Smallest, 101, 7, cycle, func(i int) float64 { return 2 - 2*math.Cos(2*math.Pi*float64((i+1)/2)/101) }},
		{"cycle, all", eigen.Solver{}.Largest, 9, 9, cycle, func(i int) float64 { return 2 - 2*math.Cos(2*math.Pi*float64(4-i/2)/9) }},
		{"hypercube", eigen.Solver{}.Largest, 1024, 13, hypercube, func(i int) float64 { return []float64{10, 8, 8, 8, 8, 8, 8, 8, 8, 8, 8, 6, 6}[i] }},
		{"identity", eigen.Solver{}.Largest, 200, 5, func(dst, x []float64) { copy(dst, x) }, func(int) float64 { return 1 }},
		{"zero", eigen.Solver{}.Smallest, 60, 3, func(dst, x []float64) { clear(dst) }, func(int) float64 { return 0 }},
		{"one number", eigen.Solver{}.Largest, 1, 1, func(dst, x []float64) { dst[0] = -7 * x[0] }, func(int) float64 { return -7 }},
	} {
		p, err := c.find(bg, c.n, c.k, c.mul)
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		if len(p.Values) != c.k {
			t.Errorf("%s: %d values, want %d", c.name, len(p.Values), c.k)
		}
		for i, v := range p.Values {
			if want := c.want(i); math.Abs(v-want) > 1e-12*(1+p.Norm) {
				t.Errorf("%s: value %d = %.15g, want %.15g", c.name, i, v, want)
			}
		}
		checkPairs(t, c.name, p, c.mul)
	}
}

// checkPairs checks the residuals of the pairs and that the vectors are orthonormal.
func checkPairs(t *testing.T, name string, p *eigen.Pairs, mul func(dst, x []float64)) {
	t.Helper()
	for i, v := range p.Vectors {
		av := make([]float64, len(v))
		mul(av, v)
		floats.AddScaled(av, -p.Values[i], v)
		r := floats.Norm(av, 2)
		if r > 1e-9*p.Norm || math.Abs(r-p.Residuals[i]) > 1e-15*p.Norm {
			t.Errorf("%s: residual %d = %g, said to be %g, norm %g", name, i, r, p.Residuals[i], p.Norm)
		}
		for j := range i + 1 {
			want := 0.0
			if i == j {
				want = 1
			}
			if d := floats.Dot(v, p.Vectors[j]); math.Abs(d-want) > 1e-12 {
				t.Errorf("%s: vectors %d and %d have the product %g, want %g", name, i, j, d, want)
			}
		}
	}
}

// TestDense compares with gonum's dense decomposition.
func TestDense(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for _, n := range []int{2, 3, 30, 120} {
		A := mat.NewSymDense(n, nil)
		for i := range n {
			for j := range i + 1 {
				A.SetSym(i, j, rng.NormFloat64())
			}
		}
		var e mat.EigenSym
		if !e.Factorize(A, true) {
			t.Fatal("gonum gave up")
		}
		want := e.Values(nil)
		mul := func(dst, x []float64) { mat.NewVecDense(n, dst).MulVec(A, mat.NewVecDense(n, x)) }
		k := min(n, 5)
		high := testkit.Try(eigen.Solver{}.Largest(context.Background(), n, k, mul)).Or(t)
		low := testkit.Try(eigen.Solver{}.Smallest(context.Background(), n, k, mul)).Or(t)
		for i := range k {
			if math.Abs(high.Values[i]-want[n-1-i]) > 1e-11 || math.Abs(low.Values[i]-want[i]) > 1e-11 {
				t.Errorf("n = %d: pair %d = %v and %v, want %v and %v", n, i, high.Values[i], low.Values[i], want[n-1-i], want[i])
			}
		}
		checkPairs(t, "dense, largest", high, mul)
		checkPairs(t, "dense, smallest", low, mul)
		again, err := eigen.Solver{}.Largest(context.Background(), n, k, mul)
		if err != nil || !reflect.DeepEqual(high, again) {
			t.Errorf("n = %d: a second search differs", n)
		}
	}
}

func TestKnown(t *testing.T) {
	// Orthogonally to the constant vector, the smallest eigenvalue of the path is its
	// second smallest.
	const n = 50
	one := make([]float64, n)
	for i := range one {
		one[i] = 1 / math.Sqrt(n)
	}
	p := testkit.Try(eigen.Solver{Known: [][]float64{one}}.Smallest(context.Background(), n, 1, path)).Or(t)
	if want := 2 - 2*math.Cos(math.Pi/n); math.Abs(p.Values[0]-want) > 1e-12 {
		t.Errorf("got %v, want %v", p.Values[0], want)
	}
	if d := floats.Dot(p.Vectors[0], one); math.Abs(d) > 1e-14 {
		t.Errorf("the vector has the product %g with the known one", d)
	}
}

func TestNotConverged(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	products, n := 0, testkit.Size(t, 1000, 5000)
	late, cancelLate := context.WithCancel(context.Background())
	for _, c := range []struct {
		name   string
		ctx    context.Context
		solver eigen.Solver
		mul    func(dst, x []float64)
		pairs  int
		wraps  error
	}{
		{"limit in the first basis", context.Background(), eigen.Solver{MaxProducts: 10}, path, 2, nil},
		{"limit after restarts", context.Background(), eigen.Solver{MaxProducts: 100}, path, 2, nil},
		{"no time at all", ctx, eigen.Solver{}, path, 0, context.Canceled},
		{"some time", late, eigen.Solver{}, func(dst, x []float64) {
			if products++; products == 70 {
				cancelLate()
			}
			path(dst, x)
		}, 0, context.Canceled},
	} {
		p, err := c.solver.Smallest(c.ctx, n, 2, c.mul)
		var nc *mlkit.NotConvergedError
		if !errors.As(err, &nc) {
			t.Errorf("%s: error %v, want *mlkit.NotConvergedError", c.name, err)
			continue
		}
		if len(p.Values) != c.pairs || nc.Model != any(p) || !errors.Is(err, c.wraps) && c.wraps != nil {
			t.Errorf("%s: %d pairs and %v", c.name, len(p.Values), err)
		}
		if c.pairs > 0 && (!(nc.Residual > 0) || nc.Residual != floats.Max(p.Residuals)) {
			t.Errorf("%s: residual %v of %v", c.name, nc.Residual, p.Residuals)
		}
	}
}

func TestRefused(t *testing.T) {
	nan := func(dst, x []float64) { path(dst, x); dst[3] = math.NaN() }
	for _, c := range []struct {
		solver eigen.Solver
		n, k   int
		mul    func(dst, x []float64)
		want   string
	}{
		{eigen.Solver{}, 5, 0, path, "k = 0 pairs, want 1 to 5"},
		{eigen.Solver{}, 5, 6, path, "k = 6 pairs, want 1 to 5"},
		{eigen.Solver{Known: [][]float64{{1, 0}}}, 5, 1, path, "Known[0] has length 2, want 5"},
		{eigen.Solver{Tol: math.NaN()}, 5, 1, path, "Tol = NaN"},
		{eigen.Solver{MaxProducts: -1}, 5, 1, path, "MaxProducts = -1"},
		{eigen.Solver{}, 5, 1, nan, "not finite"},
	} {
		p, err := c.solver.Largest(context.Background(), c.n, c.k, c.mul)
		if err == nil || !strings.Contains(err.Error(), c.want) || p != nil {
			t.Errorf("got %v, %v, want an error with %q", p, err, c.want)
		}
	}
}

func TestOrient(t *testing.T) {
	for _, c := range []struct{ v, want []float64 }{
		{[]float64{1, -2}, []float64{-1, 2}},
		{[]float64{1, 2}, []float64{1, 2}},
		{[]float64{-1, 1 + 1e-9}, []float64{1, -1 - 1e-9}}, // equal up to rounding: the first decides
		{[]float64{0, 0}, []float64{0, 0}},
	} {
		eigen.Orient(c.v)
		if !floats.Equal(c.v, c.want) {
			t.Errorf("got %v, want %v", c.v, c.want)
		}
	}
}
