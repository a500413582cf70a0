package kernelized

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"math/big"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"marginalia/mlkit"
	"marginalia/mlkit/feature"
	"marginalia/mlkit/internal/rows"
	"marginalia/mlkit/internal/samples"
	"marginalia/mlkit/internal/testkit"
	"marginalia/mlkit/kernel"
)

// digits is the precision of the exact solution in bits, 180 decimal digits: with samples of
// size 10⁶ and degree 5, K is 10⁶⁶ times as large as λ.
const digits = 600

func exactly(v float64) *big.Float { return new(big.Float).SetPrec(digits).SetFloat64(v) }

func product(a, b *big.Float) *big.Float    { return exactly(0).Mul(a, b) }
func difference(a, b *big.Float) *big.Float { return exactly(0).Sub(a, b) }

// exactKernel is k(x, z), rounded to digits bits.
func exactKernel(k kernel.Kernel, x, z []float64) *big.Float {
	sum := exactly(0)
	switch k := k.(type) {
	case kernel.Linear:
		for i, v := range x {
			sum.Add(sum, product(exactly(v), exactly(z[i])))
		}
	case kernel.Polynomial:
		base := product(exactly(cmp.Or(k.Gamma, 1)), exactKernel(kernel.Linear{}, x, z))
		base.Add(base, exactly(k.Coef0))
		sum.SetInt64(1)
		for range cmp.Or(k.Degree, 2) {
			sum.Mul(sum, base)
		}
	case kernel.RBF:
		for i, v := range x {
			d := difference(exactly(v), exactly(z[i]))
			sum.Add(sum, d.Mul(d, d))
		}
		return exponential(sum.Mul(sum, exactly(-cmp.Or(k.Gamma, 0.5))))
	case kernel.Sum:
		for _, part := range k {
			sum.Add(sum, exactKernel(part, x, z))
		}
	case kernel.Scaled:
		return product(exactly(k.Factor), exactKernel(k.Kernel, x, z))
	default:
		panic(fmt.Sprintf("no exact %T", k))
	}
	return sum
}

// exponential returns eˣ = (Σ (x/2ᵏ)ⁱ/i!)^(2ᵏ) for x ≤ 0.
func exponential(x *big.Float) *big.Float {
	if x.Cmp(exactly(-1e4)) < 0 {
		return exactly(0)
	}
	const halvings = 40
	small, term, sum := exactly(0).SetMantExp(x, -halvings), exactly(1), exactly(1)
	for i := 1; i < 20; i++ {
		term.Mul(term, small)
		term.Quo(term, exactly(float64(i)))
		sum.Add(sum, term)
	}
	for range halvings {
		sum.Mul(sum, sum)
	}
	return sum
}

// exactScores returns the scores at the rows of Z of the exact solution of
//
//	Σⱼ k(xᵢ, xⱼ)αⱼ + λαᵢ/sᵢ + b = yᵢ,  Σ αᵢ = 0
//
// which are sums Σ wᵢyᵢ, and by how much errors eᵢ of y may change each: √Σ wᵢ²/sᵢ, times
// √Σ sᵢeᵢ².
func exactScores(r Ridge, X, Z *mat.Dense, y, weights []float64) (scores, conditions []float64) {
	n := len(y)
	size := n
	if r.Bias == mlkit.FreeBias {
		size++
	}
	m, _ := Z.Dims()
	at := func(i, j int) *big.Float {
		switch {
		case i < n && j < n:
			return exactKernel(r.Kernel, X.RawRowView(i), X.RawRowView(j))
		case i < n || j < n:
			return exactly(1)
		}
		return exactly(0)
	}
	rows := make([][]*big.Float, size) // of the matrix, and beside it a right side for each row of Z
	for i := range rows {
		for j := range size {
			rows[i] = append(rows[i], at(i, j))
		}
		if i < n {
			rows[i][i].Add(rows[i][i], exactly(0).Quo(exactly(r.Lambda), exactly(weights[i])))
		}
		for z := range m {
			side := exactly(1)
			if i < n {
				side = exactKernel(r.Kernel, X.RawRowView(i), Z.RawRowView(z))
			}
			rows[i] = append(rows[i], side)
		}
	}
	for c := range size { // only the last pivot, that of b, is not positive
		for i := range size {
			if i == c {
				continue
			}
			factor := exactly(0).Quo(rows[i][c], rows[c][c])
			for j := c; j < size+m; j++ {
				rows[i][j].Sub(rows[i][j], product(factor, rows[c][j]))
			}
		}
	}
	scores, conditions = make([]float64, m), make([]float64, m)
	for z := range m {
		sum := exactly(0)
		for i := range n {
			w := exactly(0).Quo(rows[i][size+z], rows[i][i])
			sum.Add(sum, product(w, exactly(y[i])))
			v, _ := w.Float64()
			conditions[z] += v * v / weights[i]
		}
		scores[z], _ = sum.Float64()
		conditions[z] = math.Sqrt(conditions[z])
	}
	return scores, conditions
}

// A fit without an error has the scores of the exact solution, to 1/500 of the standard
// deviation of y, whatever the kernel, its degree, the origins and units of X, λ and the
// weights. Otherwise the error bounds the difference, and λ is small next to rounding.
func TestRidgeIsExact(t *testing.T) { onBothPaths(t, ridgeIsExact) }

func ridgeIsExact(t *testing.T, _ ...string) {
	random := rand.New(rand.NewPCG(42, 0))
	pick := func(of ...float64) float64 { return of[random.IntN(len(of))] }
	solved, refused := 0, 0
	for trial := range testkit.Size(t, 120, 5000) {
		n, d := 2+random.IntN(9), 1+random.IntN(3)
		scale, offset := pick(1e-6, 1e-3, 1, 1e3, 1e6), pick(0, 1, 100, 1e4, 1e6)
		X, Z := mat.NewDense(n, d, nil), mat.NewDense(3, d, nil)
		y, weights := make([]float64, n), make([]float64, n)
		for i := range n {
			for j := range d {
				X.Set(i, j, (random.Float64()+offset)*scale)
			}
			y[i], weights[i] = pick(0, 0, 1e3)+random.NormFloat64(), 1
			if i > 0 && random.IntN(20) == 0 {
				X.SetRow(i, X.RawRowView(i-1)) // with another target
			}
		}
		for i := range 3 { // between two samples
			floats.AddTo(Z.RawRowView(i), X.RawRowView(random.IntN(n)), X.RawRowView(random.IntN(n)))
			floats.Scale(0.5, Z.RawRowView(i))
		}
		if random.IntN(2) == 0 {
			for i := range weights {
				weights[i] = math.Pow(10, pick(0, 1, 3)*random.NormFloat64())
			}
		}
		polynomial := kernel.Polynomial{Degree: 1 + random.IntN(5), Coef0: pick(0, 1, 1e6)}
		kernels := []kernel.Kernel{
			kernel.Linear{}, polynomial, polynomial, polynomial, kernel.RBF{}, kernel.RBF{Gamma: 1 / scale / scale},
			kernel.Sum{polynomial, kernel.RBF{Gamma: 1 / scale / scale}}, kernel.Scaled{Factor: 1e10, Kernel: kernel.RBF{Gamma: 1e-4 / scale / scale}},
		}
		r := Ridge{Kernel: kernels[random.IntN(len(kernels))], Lambda: pick(1e-6, 1e-3, 1, 1e3), Bias: biasOf(random.IntN(3) > 0)}
		name := fmt.Sprintf("trial %d: %T%+v, %d×%d, scale %g, offset %g, λ = %g, %v", trial, r.Kernel, r.Kernel, n, d, scale, offset, r.Lambda, r.Bias)

		m, err := r.FitWith(mlkit.Options{Weights: weights}, X, y)
		var e *mlkit.NotConvergedError
		if err != nil && !errors.As(err, &e) {
			t.Errorf("%s: %v", name, err)
			continue
		}
		// In the measure of the weights, how far the scores are off, and how y varies.
		want, _ := exactScores(r, X, X, y, weights)
		total := floats.Sum(weights)
		off, varies, large, spread := 0.0, 0.0, 0.0, 0.0
		middle := 0.0
		if r.Bias == mlkit.FreeBias {
			middle = mean(y, weights)
		}
		got := m.Scores(nil, X)
		for i, s := range weights {
			x := X.RawRowView(i)
			off += s / total * math.Pow(got[i]-want[i], 2)
			varies += s / total * math.Pow(y[i]-middle, 2)
			large += s / total * y[i] * y[i]
			spread += s * m.Kernel.Eval(x, x)
		}
		rounding := 4 * rows.Epsilon * math.Sqrt(large) // of y
		allowed := math.Sqrt(varies)/500 + rounding
		if e != nil {
			refused++
			if allowed = e.Residual + rounding; r.Lambda > 1e4*rows.Epsilon*spread {
				t.Errorf("%s: λ is no smaller than rounding: %v", name, err)
			}
		} else {
			solved++
			want, conditions := exactScores(r, X, Z, y, weights)
			for i, got := range m.Scores(nil, Z) {
				if tol := allowed * (2 + math.Sqrt(total)*conditions[i]); !(math.Abs(got-want[i]) <= tol) {
					t.Errorf("%s: the score of a new sample is %v, want %v ± %v", name, got, want[i], tol)
				}
			}
		}
		if !(math.Sqrt(off) <= allowed) {
			t.Errorf("%s: the scores are off by %v, want at most %v, where y varies by %.3g (%v)", name, math.Sqrt(off), allowed, math.Sqrt(varies), err)
		}
	}
	if solved < 50 || refused < 15 {
		t.Errorf("%d fits solved and %d refused, want many of both", solved, refused)
	}
}

// Where λ vanishes in rounding, the λ of the advice does not, nor does 1 with standardised
// columns. The model that comes with the error is no worse than the constant.
func TestRidgeAdvice(t *testing.T) {
	random := rand.New(rand.NewPCG(43, 0))
	for _, degree := range []int{2, 3, 4} {
		for _, bias := range []mlkit.Bias{mlkit.FreeBias, mlkit.NoBias} {
			const n = 40
			X, y := mat.NewDense(n, 2, nil), make([]float64, n)
			for i := range n {
				X.SetRow(i, []float64{1e5 * random.Float64(), random.Float64()})
				y[i] = 1e3 * random.Float64()
			}
			r := Ridge{Kernel: kernel.Polynomial{Degree: degree, Coef0: 1}, Bias: bias}
			m, err := r.Fit(X, y)
			var e *mlkit.NotConvergedError
			if !errors.As(err, &e) || e.Model != m {
				t.Fatalf("degree %d, %v: %v, want a NotConvergedError", degree, bias, err)
			}
			floats.Sub(y, m.Scores(nil, X))
			left := floats.Norm(y, 2)
			floats.Add(y, m.Scores(nil, X))
			if bias == mlkit.FreeBias {
				floats.AddConst(-mean(y, slices.Repeat([]float64{1}, n)), y)
			}
			if varies := floats.Norm(y, 2); !(left <= varies) {
				t.Errorf("degree %d, %v: the training error is %v, that of the constant %v", degree, bias, left, varies)
			}
			if _, err := fmt.Sscan(e.Reason[strings.LastIndex(e.Reason, " ")+1:], &r.Lambda); err != nil {
				t.Fatalf("%s: %v", e.Reason, err)
			}
			if _, err := r.Fit(X, y); err != nil {
				t.Errorf("degree %d, %v, with the λ of the advice: %v", degree, bias, err)
			}
			r.Lambda = 1
			if scaling, err := (feature.Standardize{}).Fit(X); err != nil {
				t.Error(err)
			} else if _, err := r.Fit(scaling.Transform(nil, X), y); err != nil {
				t.Errorf("degree %d, %v, with standardised columns: %v", degree, bias, err)
			}
		}
	}
}

// A constant y, and a y of one sample, is b alone, however large k is.
func TestRidgeOfConstant(t *testing.T) {
	X := mat.NewDense(3, 2, []float64{1e6, 3, -2e7, 5, 1e7, 0.1})
	for n := 1; n <= 3; n++ {
		for _, v := range []float64{0, 0.1, -1e300} {
			m, err := Ridge{Kernel: kernel.Polynomial{Degree: 5}, Lambda: 1e-300}.FitWith(mlkit.Options{Weights: []float64{0.1, 1e3, 7}[:n]}, X.Slice(0, n, 0, 2).(*mat.Dense), slices.Repeat([]float64{v}, n))
			if err != nil || m.B != v || floats.Norm(m.Coef, 1) != 0 {
				t.Errorf("%d samples with y = %v: %v", n, v, err)
			}
		}
	}
}

// A kernel without φ is told from one whose eigenvalues are below 0 in rounding only.
func TestRidgeOfNoMercerKernel(t *testing.T) {
	X, y := samples.Uniform(17, 30, 2), mat.Col(nil, 0, samples.Uniform(18, 30, 1))
	X.Scale(1e4, X)
	square := kernel.Polynomial{}
	for name, sign := range map[string]float64{"Mercer": 1, "negative": -1} {
		k := kernel.Func(func(x, z []float64) float64 { return sign * square.Eval(x, z) })
		for _, bias := range []mlkit.Bias{mlkit.FreeBias, mlkit.NoBias} {
			_, err := Ridge{Kernel: k, Lambda: 1e-6, Bias: bias}.Fit(X, y)
			var none *kernel.MercerError
			var uncertain *mlkit.NotConvergedError
			if sign < 0 && !errors.As(err, &none) || sign > 0 && !errors.As(err, &uncertain) {
				t.Errorf("%s, %v: %v", name, bias, err)
			}
		}
	}
}
