package plotting

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"
)

// A curve is upright where its function jumps, wherever that is between the samples. Smooth
// functions, corners and steep slopes get no further samples.
func TestCurveJumps(t *testing.T) {
	step := func(at float64) func(float64) float64 {
		return func(x float64) float64 {
			if x < at {
				return -1
			}
			return 2
		}
	}
	for _, c := range []struct {
		name  string
		f     func(float64) float64
		jumps []float64
	}{
		{"at a sample", step(0), []float64{0}},
		{"between samples", step(0.1234567), []float64{0.1234567}},
		{"at the ends", func(x float64) float64 { return step(-3+1e-4)(x) + step(3-1e-4)(x) }, []float64{-3 + 1e-4, 3 - 1e-4}},
		{"floor", func(x float64) float64 { return math.Floor(x) + x }, []float64{-2, -1, 0, 1, 2, 3}},
		{"smooth", math.Sin, nil},
		{"corner", func(x float64) float64 { return math.Max(0, 1-x) }, nil},
		{"steep", func(x float64) float64 { return math.Tanh(2000 * (x - 0.106)) }, nil},
		{"holes", func(x float64) float64 { return math.Sqrt(x * (x - 1)) }, nil},
		{"pole", func(x float64) float64 { return 1 / (x - 0.1) }, nil},
	} {
		l := Curve(c.f).(*curve)
		xs, ys := l.over(-3, 3, false)
		if c.name != "pole" && len(xs) != samples+1+2*len(c.jumps) {
			t.Errorf("%s: %d samples, want %d", c.name, len(xs), samples+1+2*len(c.jumps))
		}
		found := []float64{}
		for i := 1; i < len(xs); i++ {
			if xs[i] < xs[i-1] {
				t.Errorf("%s: x = %v after %v", c.name, xs[i], xs[i-1])
			}
			if xs[i]-xs[i-1] < 1e-9 && math.Abs(ys[i]-ys[i-1]) > 0.9 {
				found = append(found, xs[i])
			}
		}
		for k, at := range c.jumps {
			if k >= len(found) || math.Abs(found[k]-at) > 1e-9 {
				t.Errorf("%s: upright at %v, want %v", c.name, found, c.jumps)
				break
			}
		}
	}
}

// Every point of the outline at distance r has (x − m)ᵀ Σ⁻¹ (x − m) = r². The test writes
// out the inverse of a 2×2 matrix.
func TestEllipseDistance(t *testing.T) {
	for _, S := range [][][]float64{{{1, 0}, {0, 1}}, {{0.5, 0.2}, {0.2, 0.4}}, {{3, -2.9}, {-2.9, 3}}, {{1e-6, 0}, {0, 1e6}}} {
		l := Ellipse([]float64{1, -2}, S, []float64{0.5, 2}).(*ellipse)
		det := S[0][0]*S[1][1] - S[0][1]*S[1][0]
		for _, r := range l.radii {
			xs, ys := l.outline(r)
			for i := range xs {
				u, v := xs[i]-1, ys[i]+2
				if q := (S[1][1]*u*u - 2*S[0][1]*u*v + S[0][0]*v*v) / det; math.Abs(q-r*r) > 1e-8*r*r {
					t.Errorf("Σ = %v: distance² %v, want %v", S, q, r*r)
				}
			}
		}
	}
}

// Mass inverts 1 − e^{−r²/2}. Half of a Gaussian lies within √(2 ln 2), and 95 % within
// 2.4477, the square root of 5.991 in tables of χ² with two degrees of freedom.
func TestMass(t *testing.T) {
	got := Mass(0.5, 0.95, 1e-15)
	for i, want := range []float64{math.Sqrt(2 * math.Ln2), 2.4477, math.Sqrt(2e-15)} {
		if math.Abs(got[i]-want) > 5e-5*want {
			t.Errorf("Mass %d is %v, want %v", i, got[i], want)
		}
	}
}

// A singular covariance gives a segment. A matrix that is no covariance gives no ellipse,
// and the text alternative says so.
func TestEllipseWithoutArea(t *testing.T) {
	xs, ys := Ellipse([]float64{0, 0}, [][]float64{{1, 2}, {2, 4}}, []float64{1}).(*ellipse).outline(1)
	for i := range xs {
		if math.Abs(ys[i]-2*xs[i]) > 1e-15 {
			t.Errorf("(%v, %v) is off the line y = 2x", xs[i], ys[i])
		}
	}
	if x := slices.Max(xs); x != 1 {
		t.Errorf("the segment goes to x = %v, want 1", x)
	}
	if _, ys := Ellipse([]float64{0, 0}, [][]float64{{0, 0}, {0, 4}}, nil).(*ellipse).outline(1); math.Abs(slices.Max(ys)-2) > 1e-12 {
		t.Errorf("without variance in x: up to %v, want 2", slices.Max(ys))
	}
	nan := math.NaN()
	for _, S := range [][][]float64{{{1, 2}, {2, 1}}, {{nan, 0}, {0, 1}}, {{1, 0.5}, {0, 1}}, {{-1, 0}, {0, 1}}, {{0, 1}, {1, 0}}, {{1, 0}, {0, math.Inf(1)}}} {
		l := Ellipse([]float64{3, 4}, S, nil, Name("ω₁")).(*ellipse)
		if alt := l.Alt(); alt != "mean “ω₁” at (3, 4), without ellipses" {
			t.Errorf("Σ = %v: %s", S, alt)
		}
		if New("", l).PNG(30) == nil {
			t.Error("no figure")
		}
	}
}

func ExampleEllipse() {
	fig := New("", Ellipse([]float64{1, 2}, [][]float64{{2, 1}, {1, 2}}, Mass(0.5, 0.95), Name("p(x | ω₁)")))
	fmt.Println(strings.Split(fig.Alt(), ". ")[0])
	// Output: Figure: 2 ellipses “p(x | ω₁)” around (1, 2) at Mahalanobis distance 1.177, 2.448
}
