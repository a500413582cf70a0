package main

import (
	"fmt"
	"math"
	"math/cmplx"
	"math/rand/v2"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat"

	"marginalia/mlkit/kernel"
	"marginalia/mlkit/logistic"
	"marginalia/mlkit/svm"
)

// of1 and of2 are functions of one number and of two. The compiler may fuse some of the latter.
var of1 = map[string]func(float64) float64{
	"Exp": math.Exp, "Exp2": math.Exp2, "Expm1": math.Expm1, "Log": math.Log, "Log2": math.Log2, "Log10": math.Log10, "Log1p": math.Log1p,
	"Sin": math.Sin, "Cos": math.Cos, "Tan": math.Tan, "Asin": math.Asin, "Acos": math.Acos, "Atan": math.Atan,
	"Sinh": math.Sinh, "Cosh": math.Cosh, "Tanh": math.Tanh, "Asinh": math.Asinh, "Acosh": math.Acosh, "Atanh": math.Atanh,
	"Sqrt": math.Sqrt, "Cbrt": math.Cbrt, "Erf": math.Erf, "Erfc": math.Erfc, "Erfinv": math.Erfinv, "Gamma": math.Gamma,
	"J0": math.J0, "Y1": math.Y1, "Floor": math.Floor, "Ceil": math.Ceil, "Trunc": math.Trunc, "Round": math.Round, "RoundToEven": math.RoundToEven,
	"Logb": math.Logb, "Abs": math.Abs,
	"sigmoid":     func(x float64) float64 { return 1 / (1 + math.Exp(-x)) },
	"Horner":      func(x float64) float64 { return ((3.1*x-2.7)*x+0.3)*x - 1/(x*x+0.1) },
	"float32":     func(x float64) float64 { y := float32(x); return float64(y*y + y) },
	"complex exp": func(x float64) float64 { z := cmplx.Exp(complex(x/7, x)); return real(z)*3 + imag(z) },
	"in range": func(x float64) float64 {
		return float64(int(math.Mod(x, 1e9))) + float64(uint(math.Abs(math.Mod(x, 1e9))))
	},
}

var of2 = map[string]func(x, y float64) float64{
	"Pow": math.Pow, "Hypot": math.Hypot, "Atan2": math.Atan2, "Mod": math.Mod, "Remainder": math.Remainder, "Max": math.Max, "Min": math.Min, "Dim": math.Dim,
	"a*b+a":  func(x, y float64) float64 { return x*y + x },
	"a-a*b":  func(x, y float64) float64 { return x - x*y },
	"a*a-bb": func(x, y float64) float64 { return x*x - y*y },
	"quotient": func(x, y float64) float64 {
		return (x*1.1 + y*0.3) / (x*x + y*y)
	},
	"FMA": func(x, y float64) float64 { return math.FMA(x, y, -x) },
	"float32": func(x, y float64) float64 {
		a, b := float32(x), float32(y)
		return float64(a*b - a)
	},
}

// draw returns a number: ordinary ones, all bits alike, and those that functions treat by themselves.
func draw(r *rand.Rand) float64 {
	switch r.IntN(6) {
	case 0:
		return r.NormFloat64()
	case 1:
		return (r.Float64() - 0.5) * 1000
	case 2:
		return math.Float64frombits(r.Uint64()) // huge, tiny, infinite, no number
	case 3:
		return math.Copysign(math.Float64frombits(r.Uint64N(1<<52)), r.NormFloat64()) // subnormal
	case 4:
		return float64(r.IntN(2001)-1000) / 4
	}
	edges := []float64{0, math.Copysign(0, -1), 1, -1, math.Inf(1), math.Inf(-1), math.MaxFloat64, -math.MaxFloat64, math.SmallestNonzeroFloat64, math.Pi, 709.78, -745.2, 0.5}
	return edges[r.IntN(len(edges))]
}

// bits are those of x. All that is not a number is alike.
func bits(xs ...float64) []uint64 {
	out := make([]uint64, len(xs))
	for i, x := range xs {
		if out[i] = math.Float64bits(x); math.IsNaN(x) {
			out[i] = 0x7ff8000000000001
		}
	}
	return out
}

// computed has bits of results by what computes them.
func computed(n int) map[string][]uint64 {
	r := rand.New(rand.NewPCG(43, 7))
	all := map[string][]uint64{}
	add := func(name string, xs ...float64) { all[name] = append(all[name], bits(xs...)...) }
	for range n {
		x, y := draw(r), draw(r)
		for name, f := range of1 {
			add("math "+name, f(x))
		}
		for name, f := range of2 {
			add("math "+name, f(x, y))
		}
	}
	for k := range n / 20 {
		d := 1 + k%23
		x, y, w := make([]float64, d), make([]float64, d), make([]float64, d)
		for i := range x {
			x[i], y[i], w[i] = r.NormFloat64(), draw(r), r.Float64()
		}
		add("floats Dot", floats.Dot(x, w), floats.Dot(x, y))
		add("floats Sum", floats.Sum(x), floats.Sum(y))
		add("floats Norm", floats.Norm(x, 2), floats.Norm(x, 1), floats.Norm(x, 3), floats.Norm(y, 2), floats.Distance(x, w, 2))
		add("floats LogSumExp", floats.LogSumExp(x))
		add("floats CumSum", floats.CumSum(make([]float64, d), x)...)
		add("floats CumProd", floats.CumProd(make([]float64, d), x)...)
		floats.AddScaled(y, 0.3, x)
		floats.Div(y, w)
		add("floats AddScaled", y...)
		mean, std := stat.MeanStdDev(x, w)
		add("stat", mean, std, stat.Correlation(x, w, nil), stat.Entropy(w), stat.Skew(x, nil))
	}
	for k := range n / 400 {
		d := 2 + k%9
		A, B := mat.NewDense(d, d, nil), mat.NewDense(d, 3, nil)
		A.Apply(func(_, _ int, _ float64) float64 { return r.NormFloat64() }, A)
		B.Apply(func(_, _ int, _ float64) float64 { return r.NormFloat64() }, B)
		var C, S, E mat.Dense
		C.Mul(A, B)
		add("mat Mul", C.RawMatrix().Data...)
		add("mat Det", mat.Det(A), mat.Norm(A, 2), mat.Cond(A, 2))
		if S.Solve(A, B) == nil {
			add("mat Solve", S.RawMatrix().Data...)
		}
		E.Exp(A)
		add("mat Exp", E.RawMatrix().Data...)
		var sym mat.SymDense
		sym.SymOuterK(1, A)
		var eigen mat.EigenSym
		var chol mat.Cholesky
		if eigen.Factorize(&sym, true) {
			add("mat EigenSym", eigen.Values(nil)...)
		}
		if chol.Factorize(&sym) {
			add("mat Cholesky", chol.LogDet())
		}
		var svd mat.SVD
		if svd.Factorize(A, mat.SVDThin) {
			add("mat SVD", svd.Values(nil)...)
		}
	}
	X, y := mat.NewDense(70, 6, nil), make([]int, 70)
	for i := range y {
		y[i] = 1 - 2*(i%2)
		for j := range 6 {
			X.Set(i, j, r.NormFloat64()+0.4*float64(y[i]))
		}
	}
	for _, k := range []kernel.Kernel{kernel.RBF{Gamma: 0.3}, kernel.Linear{}, kernel.Polynomial{Degree: 3, Gamma: 0.5, Coef0: 1}} {
		name := fmt.Sprintf("mlkit %T", k)
		if G, err := kernel.Gram(k, X); err == nil {
			for i := range y {
				for j := range i {
					add(name, G.At(i, j))
				}
			}
		}
		if m, err := (svm.Classifier{C: 2, Kernel: k}).Fit(X, y); err == nil {
			for i := range y {
				add(name+" Classifier", m.Score(X.RawRowView(i)))
			}
		}
	}
	if m, err := (logistic.Regression{L2: 0.1}).Fit(X, y); err == nil {
		add("mlkit logistic", append(slices.Concat(m.W...), m.B...)...)
	}
	return all
}
