package plotting

import (
	"math"
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
