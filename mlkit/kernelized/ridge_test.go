package kernelized

import (
	"context"
	"errors"
	"math"
	"testing"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"marginalia/datasets"
	"marginalia/mlkit"
	"marginalia/mlkit/internal/samples"
	"marginalia/mlkit/internal/testkit"
	"marginalia/mlkit/kernel"
	"marginalia/mlkit/mlkittest"
)

func biasOf(free bool) mlkit.Bias {
	if free {
		return mlkit.FreeBias
	}
	return mlkit.NoBias
}

func TestRidgeConformance(t *testing.T) {
	onBothPaths(t, ridgeConformance)
	// α is of order 10⁵ here, and its terms cancel: too much for the rule batch to ask of
	// sums in blocks.
	if err := mlkittest.TestRegression(Ridge{Lambda: 1e-6, Bias: mlkit.NoBias}.Fit, append(without(t, nil), "constant", "learns")...); err != nil {
		t.Errorf("without bias, tiny λ: %v", err)
	}
}

func ridgeConformance(t *testing.T, except ...string) {
	for name, r := range map[string]Ridge{
		"linear": {Lambda: 0.01},
		"rbf":    {Kernel: kernel.RBF{Gamma: 0.1}, Lambda: 0.001},
		// With λ = 0.001 the terms of a score sum to 4·10⁴ in absolute value, and cancel: too
		// much for the rule batch, as below.
		"quadratic": {Kernel: kernel.Polynomial{Coef0: 1}, Lambda: 0.1},
	} {
		except := except
		if name != "rbf" {
			except = without(t, except)
		}
		testkit.NoError(t, name, mlkittest.TestRegression(r.Fit, except...))
	}
	if err := mlkittest.TestRegression(Ridge{Lambda: 0.1, Bias: mlkit.NoBias}.Fit, append(without(t, except), "constant", "learns")...); err != nil {
		t.Errorf("without bias: %v", err)
	}
	if err := mlkittest.TestOrder(Ridge{Kernel: kernel.RBF{}, Bias: mlkit.NoBias}.Fit, 1e-9); err != nil {
		t.Error(err)
	}
}

// The predictions are from scikit-learn 1.2.1, KernelRidge(kernel="rbf", gamma=0.25,
// alpha=0.1): the irises' petal width from their other measurements.
func TestRidgeIris(t *testing.T) {
	iris := datasets.Iris().X
	X, y := mat.DenseCopyOf(iris.Slice(0, 150, 0, 3)), mat.Col(nil, 3, iris)
	m := testkit.Try(Ridge{Kernel: kernel.RBF{Gamma: 0.25}, Lambda: 0.1, Bias: mlkit.NoBias}.Fit(X, y)).Or(t)
	for i, want := range map[int]float64{0: 0.233173076, 50: 1.517463153, 100: 2.303237028} {
		if got := m.Score(X.RawRowView(i)); math.Abs(got-want) > 5e-10 {
			t.Errorf("prediction of row %d = %.10f, want %v", i, got, want)
		}
	}
	mse := 0.0
	for i, v := range m.Scores(nil, X) {
		mse += (v - y[i]) * (v - y[i]) / 150
	}
	if math.Abs(mse-0.026509678612940502) > 1e-14 {
		t.Errorf("mean squared error = %v, want 0.026509678612940502", mse)
	}
}

// Kernel ridge regression equals ridge regression in the space of φ: w = (ΦᵀΦ + λI)⁻¹Φᵀy.
func TestRidgeIsExplicit(t *testing.T) {
	const n, λ = 90, 0.3 // more than one tile
	X, k := samples.Uniform(12, n, 2), kernel.Polynomial{Degree: 3, Gamma: 0.5, Coef0: 1}
	y := make([]float64, n)
	for i := range y {
		y[i] = 5 + math.Sin(3*X.At(i, 0)) + X.At(i, 1)
	}
	φ := testkit.Try(kernel.Monomials{Kernel: k}.For(2)).Or(t)
	Φ := φ.Transform(nil, X)
	D := φ.Dim()
	for _, intercept := range []bool{false, true} {
		m := testkit.Try(Ridge{Kernel: k, Lambda: λ, Bias: biasOf(intercept)}.Fit(X, y)).Or(t)
		// The intercept adds a column of ones without a penalty.
		A := mat.NewDense(n, D+1, nil)
		for i := range n {
			copy(A.RawRowView(i), Φ.RawRowView(i))
			if intercept {
				A.Set(i, D, 1)
			}
		}
		var N, b, w mat.Dense
		N.Mul(A.T(), A)
		for j := range D {
			N.Set(j, j, N.At(j, j)+λ)
		}
		if !intercept {
			N.Set(D, D, 1)
		}
		b.Mul(A.T(), mat.NewDense(n, 1, y))
		if err := w.Solve(&N, &b); err != nil {
			t.Fatal(err)
		}
		x := []float64{0.7, 1.9}
		want := floats.Dot(φ.TransformSample(nil, x), mat.Col(nil, 0, &w)[:D]) + w.At(D, 0)
		if got := m.Score(x); math.Abs(got-want) > 1e-9 {
			t.Errorf("intercept %v: score = %v, want %v", intercept, got, want)
		}
	}
}

func TestRidgeErrors(t *testing.T) {
	X := samples.Uniform(13, 5, 2)
	y := []float64{1, 2, 3, 4, 5}
	negative := kernel.Func(func(x, z []float64) float64 { return -10 * floats.Dot(x, z) })
	testkit.Refusals{
		{second(Ridge{Lambda: -1, Bias: mlkit.NoBias}.Fit(X, y)), "kernelized: Ridge.Lambda = -1…"},
		{second(Ridge{Bias: mlkit.RadiusBias}.Fit(X, y)), "kernelized: Ridge.Bias = RadiusBias, want FreeBias or NoBias"},
		{second(Ridge{Kernel: kernel.RBF{Gamma: -1}, Bias: mlkit.NoBias}.Fit(X, y)), "kernel: RBF.Gamma = -1…"},
		{second(Ridge{Bias: mlkit.NoBias}.Fit(X, y[:4])), "kernelized: len(y) = 4, want 5…"},
		{second(Ridge{Bias: mlkit.NoBias}.Fit(X, []float64{1, 2, math.Inf(1), 4, 5})), "kernelized: y[2] = +Inf, want a finite number"},
		{second(Ridge{Kernel: negative, Bias: mlkit.NoBias}.Fit(X, y)), "kernelized: Ridge: K + λI with λ = 1 is not positive definite…"},
		{second(Ridge{Kernel: kernel.Scaled{Factor: 1e308, Kernel: kernel.Polynomial{}}}.Fit(X, y)), "kernel: k(X[1], X[1]) = +Inf, want a finite number; scale X"},
	}.Check(t)
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if m, err := (Ridge{}).FitWith(mlkit.Options{Context: ctx}, X, y); !errors.Is(err, context.Canceled) || m.Score(X.RawRowView(0)) != 3 {
		t.Errorf("err = %v, want context.Canceled and the mean", err)
	}
}

func TestRidgeWeights(t *testing.T) { onBothPaths(t, ridgeWeights) }

func ridgeWeights(t *testing.T, _ ...string) {
	for _, r := range []Ridge{{Bias: mlkit.NoBias}, {Kernel: kernel.RBF{}, Lambda: 0.3}} {
		if err := mlkittest.TestWeights(r.FitWith, 1e-10); err != nil {
			t.Errorf("%+v: %v", r, err)
		}
	}
	X := mat.NewDense(2, 1, []float64{1, 2})
	if _, err := (Ridge{Bias: mlkit.NoBias}).FitWith(mlkit.Options{Weights: []float64{1e308, 1e308}}, X, []float64{1, 2}); err == nil {
		t.Error("no error on weights whose sum overflows")
	}
	// For one sample x = 1, (1 + λ/s)α = y gives α = sy/(s + λ), even for the smallest
	// weight.
	one := X.Slice(0, 1, 0, 1).(*mat.Dense)
	for _, s := range []float64{5e-324, 0.25, 1e300} {
		m := testkit.Try(Ridge{Bias: mlkit.NoBias}.FitWith(mlkit.Options{Weights: []float64{s}}, one, []float64{3})).Or(t)
		if want := 3 * (s / (s + 1)); math.Abs(m.Coef[0]-want) > 1e-14*want {
			t.Errorf("s = %v: α = %v, want %v", s, m.Coef[0], want)
		}
	}
}
