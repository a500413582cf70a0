package perceptron

import (
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/mat"

	"marginalia/mlkit"
	"marginalia/mlkit/internal/samples"
	"marginalia/mlkit/internal/testkit"
)

// With the signs moved into CMU's points, all have x = 1 and y from -2 to 2. The hull
// is a segment with nearest point (1, 0), so Δ = 1, R = √5 and the bound is 5.
func TestNovikoffCMU(t *testing.T) {
	X, y := samples.CMU()
	widest, err := WidestThroughOrigin(X, y)
	if err != nil {
		t.Fatal(err)
	}
	if widest.W[0] != 1 || widest.W[1] != 0 || widest.B != 0 {
		t.Errorf("widest = %v, want (1, 0)", widest)
	}
	q := testkit.Try(NewNovikoff(X, y, widest, mlkit.NoBias)).Or(t)
	if want := (Novikoff{R: math.Sqrt(5), Margin: 1, Norm: 1, M: 1, Bound: 5}); q != want {
		t.Errorf("%+v, want %+v", q, want)
	}
	// The weights found by the perceptron, (3, 1), give 5·10/1².
	if q, err = NewNovikoff(X, y, mlkit.Hyperplane{W: []float64{3, 1}}, mlkit.NoBias); err != nil || q.Bound != 50 {
		t.Errorf("%+v, %v, want the bound 50", q, err)
	}
}

// Example 3.2 extended by 1: R² = 2; w = (-1, 1, 0) has m = 1 and ‖w‖² = 2, so the
// bound is 4. Extended by the radius, R = 1, it is the same.
func TestNovikoffTheodoridis(t *testing.T) {
	X, y := samples.Theodoridis()
	for _, bias := range []mlkit.Bias{mlkit.FreeBias, mlkit.RadiusBias} {
		q, err := NewNovikoff(X, y, mlkit.Hyperplane{W: []float64{-1, 1}}, bias)
		if err != nil || q.Bound != 4 || q.R != math.Sqrt2 || math.Abs(q.Margin-1/math.Sqrt2) > 1e-15 {
			t.Errorf("%v: %+v, %v, want R = √2, Δ = 1/√2, bound 4", bias, q, err)
		}
	}
}

// Extended by the radius, c = R, a hyperplane with ‖w‖ = 1 and |b| ≤ R satisfies the
// bound of Cristianini and Shawe-Taylor, "An Introduction to Support Vector Machines",
// 2000, theorem 2.3: (2R/Δ)² with the R and Δ of the samples as they are. By hand:
// R = 5, w = (1, 0), b = -1, Δ = min(3 - 1, 1 + 3) = 2, (2R/Δ)² = 25; extended,
// 50·(1 + 1/25)/4 = 13.
func TestNovikoffRadius(t *testing.T) {
	X := mat.NewDense(2, 2, []float64{3, 4, -3, 0})
	q, err := NewNovikoff(X, []int{+1, -1}, mlkit.Hyperplane{W: []float64{1, 0}, B: -1}, mlkit.RadiusBias)
	if err != nil || math.Abs(q.Bound-13) > 1e-12 {
		t.Errorf("%+v, %v, want the bound 13", q, err)
	}
}

// Compares the line with the best of a search over all angles.
func TestWidestThroughOrigin(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 1))
	for round := 0; round < 40; round += testkit.Size(t, 3, 1) {
		X, y := separable(random, 3+round, 2, 0.1)
		h := testkit.Try(WidestThroughOrigin(X, y)).Or(t)
		m := testkit.Try(h.Margins(X, y)).Or(t)
		best := math.Inf(-1)
		const steps = 4000
		for k := range steps {
			sin, cos := math.Sincos(2 * math.Pi * float64(k) / steps)
			o := testkit.Try(mlkit.Hyperplane{W: []float64{cos, sin}}.Margins(X, y)).Or(t)
			best = max(best, o.MinGeometric())
		}
		// Being half a step off the best angle loses at most R·π/steps < 8e-4.
		if g := m.MinGeometric(); g < best-1e-12 || g > best+8e-4 || math.Abs(h.Norm()-1) > 1e-15 {
			t.Errorf("round %d: margin %v with %v, the search has %v", round, g, h, best)
		}
	}
}

func TestNovikoffRefused(t *testing.T) {
	X, y := samples.CMU()
	const apart = "perceptron: no line through the origin separates the rows of X; the widest gap leaves row 0 on the wrong side or on the line"
	for _, c := range []struct {
		err  error
		want string
	}{
		{errorOf(NewNovikoff(X, y, mlkit.Hyperplane{W: []float64{2, -1}}, mlkit.NoBias)), "perceptron: h does not separate X: y[4](w·x + b) = 0 in row 4, want a positive number"},
		{errorOf(NewNovikoff(X, y, mlkit.Hyperplane{W: []float64{3, 1}, B: 0.5}, mlkit.NoBias)), "perceptron: h.B = 0.5, want 0 with NoBias"},
		{errorOf(NewNovikoff(X, y, mlkit.Hyperplane{W: []float64{3, 1}}, -1)), "perceptron: bias = Bias(-1), want FreeBias, NoBias or RadiusBias"},
		{errorOf(NewNovikoff(X, y, mlkit.Hyperplane{W: []float64{3}}, mlkit.NoBias)), "perceptron: X has 2 columns, want 1, the length of W"},
		{errorOf(NewNovikoff(X, y, mlkit.Hyperplane{W: []float64{3e-200, 1e-200}}, mlkit.NoBias)), "perceptron: the bound can't be computed with R = 2.23606797749979, ‖w‖ = 0 and m = 1e-200; scale X or h"},
		{errorOf(WidestThroughOrigin(samples.XOR())), apart},
		{errorOf(WidestThroughOrigin(mat.NewDense(1, 2, []float64{0, 0}), []int{1})), apart},
		{errorOf(WidestThroughOrigin(mat.NewDense(2, 1, []float64{1, 2}), []int{1, 1})), "perceptron: X has 1 columns, want 2"},
	} {
		if c.err == nil || c.err.Error() != c.want {
			t.Errorf("err = %v, want %s", c.err, c.want)
		}
	}
	if _, err := WidestThroughOrigin(mat.NewDense(2, 2, []float64{1e300, 0, 0, 1e300}), []int{1, 1}); err != nil {
		t.Error(err)
	}
}

func errorOf[T any](_ T, err error) error { return err }
