package leastsquares

import (
	"math"
	"math/big"
	"runtime"
	"testing"

	"marginalia/mlkit"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat"
)

// farColumns returns columns far from 0 or in odd units, as they occur: times,
// frequencies, masses of molecules. y is 20 + 5u plus an error of deviation 0.1, so R² is
// 0.995, or 0.9996 where u has variance 1. internal/bench/peer gives them to
// scikit-learn.
func farColumns() map[string]struct{ x, y []float64 } {
	all := map[string]struct{ x, y []float64 }{}
	for _, c := range []struct {
		name    string
		n       int
		normal  bool
		x       func(u float64) float64
		largerY float64
	}{
		{"Unix seconds of a day", 1000, false, func(u float64) float64 { return math.Floor(1.76e9 + 86400*u) }, 0},
		{"Unix milliseconds of a year", 1000, false, func(u float64) float64 { return math.Floor(1.76e12 + 3.15e10*u) }, 0},
		{"frequencies to 5e14", 1000, false, func(u float64) float64 { return 5e14 * u }, 0},
		{"normal, times 1e14", 50, true, func(u float64) float64 { return 1e14 * u }, 100},
		{"normal, times 1e-14", 50, true, func(u float64) float64 { return 1e-14 * u }, 100},
	} {
		x, y := make([]float64, c.n), make([]float64, c.n)
		for i := range c.n {
			// The fractional parts of the multiples of an irrational number fill the
			// interval evenly.
			_, u := math.Modf(float64(i+1) * math.Phi)
			_, e := math.Modf(float64(i+1) * math.Sqrt2)
			if c.normal {
				u = math.Sqrt2 * math.Erfinv(2*u-1)
			}
			x[i], y[i] = c.x(u), 20+5*u+0.2*math.Sqrt(3)*(e-0.5)+c.largerY
		}
		all[c.name] = struct{ x, y []float64 }{x, y}
	}
	return all
}

// exactLine returns w, b and R² of the least squares line, computed in 400 bits:
// w = Sxy/Sxx, b = ȳ - wx̄, R² = Sxy²/(Sxx Syy).
func exactLine(x, y []float64) (w, b, r2 float64) {
	f := func(v float64) *big.Float { return new(big.Float).SetPrec(400).SetFloat64(v) }
	mean := func(v []float64) *big.Float {
		sum := f(0)
		for _, a := range v {
			sum.Add(sum, f(a))
		}
		return sum.Quo(sum, f(float64(len(v))))
	}
	about := func(u, v []float64) *big.Float {
		mu, mv, sum := mean(u), mean(v), f(0)
		for i := range u {
			du, dv := f(u[i]), f(v[i])
			sum.Add(sum, du.Mul(du.Sub(du, mu), dv.Sub(dv, mv)))
		}
		return sum
	}
	sxy, sxx, syy := about(x, y), about(x, x), about(y, y)
	slope := f(0).Quo(sxy, sxx)
	w, _ = slope.Float64()
	b, _ = f(0).Sub(mean(y), f(0).Mul(slope, mean(x))).Float64()
	r2, _ = f(0).Quo(f(0).Mul(slope, sxy), syy).Float64()
	return w, b, r2
}

// Weights, R² and rank are those of exact arithmetic, as far as float64 represents the
// data.
func TestFarColumns(t *testing.T) {
	for name, c := range farColumns() {
		w, b, r2 := exactLine(c.x, c.y)
		if want := 0.995; math.Abs(r2-want) > 0.005 {
			t.Fatalf("%s: R² = %v, want about %v", name, r2, want)
		}
		n := len(c.x)
		X := mat.NewDense(n, 1, c.x)
		labels := make([]int, n)
		for i, v := range c.y {
			labels[i] = 1 - 2*(i%2)
			if v > stat.Mean(c.y, nil) {
				labels[i] = 1
			}
		}
		lw, lb, _ := exactLine(c.x, signs(labels))
		// The deviations of x are accurate to some 2⁻⁵² of |x|.
		tol := 1e-15 * (10 + floats.Norm(c.x, math.Inf(1))/stat.PopStdDev(c.x, nil))
		for _, l := range []Regression{{}, {Lambda: 1e-300}, {Solver: ByNormalEquations}} {
			m, err := l.Fit(X, c.y)
			if err != nil {
				t.Errorf("%s, %+v: %v", name, l, err)
				continue
			}
			r := 1 - m.MSE/stat.PopVariance(c.y, nil)
			if math.Abs(m.W[0]-w) > tol*math.Abs(w) || math.Abs(m.B-b) > tol*(math.Abs(b)+100) || math.Abs(r-r2) > 1e-12 || m.Rank != 2 {
				t.Errorf("%s, %+v: w = %v, b = %v, R² = %v, rank %d, want %v, %v, %v, 2", name, l, m.W[0], m.B, r, m.Rank, w, b, r2)
			}
			// The predictions have the rounding error of w·x + b as well.
			left := floats.Distance(m.Scores(nil, X), c.y, 2)
			if got := 1 - left*left/float64(n)/stat.PopVariance(c.y, nil); math.Abs(got-r2) > 1e-9 {
				t.Errorf("%s, %+v: R² of the predictions is %v, want %v", name, l, got, r2)
			}
			two, err := Classifier{Bias: l.Bias, Lambda: l.Lambda, Solver: l.Solver}.Fit(X, labels)
			if err != nil {
				t.Errorf("%s, %+v: classifier: %v", name, l, err)
				continue
			}
			if h := plane(t, two); math.Abs(h.W[0]-lw) > tol*math.Abs(lw) || math.Abs(h.B-lb) > tol*(math.Abs(lb)+100) {
				t.Errorf("%s, %+v: classifier %+v, want %v, %v", name, l, h, lw, lb)
			}
		}
		// A ridge of Sxx = Σ (x - x̄)² halves w, since w = Sxy/(Sxx + λ). scikit-learn's
		// Ridge with alpha = Sxx does so too.
		sxx := stat.PopVariance(c.x, nil) * float64(n)
		m, err := Regression{Lambda: sxx}.Fit(X, c.y)
		if err != nil || math.Abs(m.W[0]-w/2) > 2*tol*math.Abs(w) {
			t.Errorf("%s: a ridge of %v has w = %v, %v, want %v", name, sxx, m.W, err, w/2)
		}
	}
}

// Columns that vary only by rounding error get no weight, wherever they are. A column
// that varies a little gets one.
func TestIdleColumns(t *testing.T) {
	for _, c := range []struct {
		base, step float64
		idle       bool
	}{{0.1, 0, true}, {1e300, 0, true}, {0.3, 0x1p-54, true}, {1, 0x1p-40, false}, {1e12, 1, false}, {1e-300, 1e-303, false}} {
		const n = 40
		X, y := mat.NewDense(n, 2, nil), make([]float64, n)
		for i := range n {
			X.SetRow(i, []float64{float64(i), c.base + c.step*float64(i%3)})
			y[i] = 3*float64(i) + 5*float64(i%3) + 1
		}
		m := fitted(t, Regression{}.Fit, X, y)
		if idle := m.W[1] == 0; idle != c.idle || m.Rank != 3 && !idle || m.Rank != 2 && idle {
			t.Errorf("%v, steps of %v: w = %v, rank %d, want no weight: %v", c.base, c.step, m.W, m.Rank, c.idle)
		}
		if !c.idle && m.MSE > 1e-6 {
			t.Errorf("%v, steps of %v: MSE %v, want 0", c.base, c.step, m.MSE)
		}
	}
}

// Dependent columns in different units: x, u·x, and a third. The shortest w with
// w₁ + u·w₂ = s is s(1, u)/(1 + u²), by hand. The third column has the weight that it has
// alone.
func TestShortestInUnits(t *testing.T) {
	const n = 12
	units := []float64{1, 1e3, 1e-6, 1e12}
	if runtime.GOARCH == "amd64" {
		// Where the compiler fuses products with additions, as on arm64, w₁ = 2e-200
		// comes out as -3e-47 beside w₂ = 2e-100. No prediction notices.
		units = append(units, 1e100)
	}
	for _, u := range units {
		for _, third := range []float64{1, 1e9, 1e-9} {
			X, y := mat.NewDense(n, 3, nil), make([]float64, n)
			for i := range n {
				x, z := float64(1-2*(i%2)), float64(1-2*(i/2%2)) // orthogonal
				X.SetRow(i, []float64{x, u * x, third * z})
				y[i] = 2*x + 7*z + 100
			}
			for _, bias := range []mlkit.Bias{mlkit.FreeBias, mlkit.NoBias} {
				m := fitted(t, Regression{Bias: bias}.Fit, X, y)
				want := []float64{2 / (1 + u*u), 2 / (1/u + u), 7 / third}
				for j, w := range want {
					if bias == mlkit.FreeBias && math.Abs(m.W[j]-w) > 1e-12*math.Abs(w) {
						t.Errorf("units 1, %g, %g: w = %v, want %v", u, third, m.W, want)
						break
					}
				}
				if wantRank := map[mlkit.Bias]int{mlkit.FreeBias: 3, mlkit.NoBias: 2}[bias]; m.Rank != wantRank {
					t.Errorf("units 1, %g, %g, %v: rank %d, want %d", u, third, bias, m.Rank, wantRank)
				}
			}
		}
	}
}
