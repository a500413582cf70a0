//go:build unix

package peer_test

import (
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"marginalia/internal/testkit/must"
	"marginalia/mlkit"
	"marginalia/mlkit/kernel"
	"marginalia/mlkit/kernelized"
)

var kernelModels = []model{
	{"gram", compareGram, []rule{
		{"gram", 1e-12, "the squared distances of scikit-learn are |x|²+|z|²-2x·z, which cancels; ours are sums of squares"},
	}},
	{"kernel_ridge", compareKernelRidge, []rule{
		{"coefficients", 1e-13, "in units of the largest, times the condition of K + λI"},
		{"predictions", 1e-13, "as the coefficients"},
	}},
	{"kernel_pca", compareKernelPCA, []rule{
		{"eigenvalues", 1e-12, "in units of the largest: a symmetric eigenvalue problem is as well posed as that"},
		{"components", 1e-11, "up to the sign, in units of the largest number, over the relative distance to the next eigenvalue"},
	}},
}

// namedKernel is a kernel of mlkit with its name and parameters in scikit-learn.
type namedKernel struct {
	kernel.Kernel
	name                string
	gamma, coef0, scale float64
	degree              int
}

// drawKernel draws a kernel with parameters that suit X: γ is about the reciprocal of
// the mean squared norm of a sample, so that no kernel is 0 everywhere.
func (t *trial) drawKernel(X *mat.Dense, names ...string) namedKernel {
	n, _ := X.Dims()
	k := namedKernel{name: names[t.IntN(len(names))], degree: 1 + t.IntN(4), coef0: float64(t.IntN(3)) / 2, scale: 1}
	square := mat.Norm(X, 2) * mat.Norm(X, 2) / float64(n)
	k.gamma = t.power(-1, 0.7) / (square + 1e-3)
	switch k.name {
	case "linear":
		k.Kernel, k.scale = kernel.Linear{}, square
	case "poly":
		k.Kernel = kernel.Polynomial{Degree: k.degree, Gamma: k.gamma, Coef0: k.coef0}
	case "rbf":
		k.Kernel = kernel.RBF{Gamma: k.gamma}
	case "sigmoid":
		k.Kernel = kernel.Sigmoid{Gamma: k.gamma, Coef0: k.coef0}
	case "laplacian":
		k.Kernel = kernel.Laplace{Gamma: k.gamma, Taxicab: true}
	case "chi2":
		k.Kernel = kernel.Chi2{Gamma: k.gamma}
	}
	t.Logf("%T %v", k.Kernel, k.Kernel)
	return k
}

// with adds the kernel to a problem and returns the problem.
func (k namedKernel) with(problem map[string]any) map[string]any {
	problem["kernel"], problem["gamma"], problem["degree"], problem["coef0"] = k.name, k.gamma, k.degree, k.coef0
	return problem
}

func compareGram(t *trial) {
	n, d := t.size()
	X := t.samples(n, d)
	k := t.drawKernel(X, "linear", "poly", "rbf", "sigmoid", "laplacian", "chi2")
	if k.name == "chi2" {
		X.Apply(func(_, _ int, x float64) float64 { return x * x }, X)
	}
	K := must.Get(kernel.Gram(k, X)).Or(t)
	Z := t.others(X, 5)
	if k.name == "chi2" {
		Z.Apply(func(_, _ int, x float64) float64 { return x * x }, Z)
	}
	cross := must.Get(kernel.Cross(k, X, Z)).Or(t)
	var sk struct{ Gram, Cross [][]float64 }
	t.ask(k.with(map[string]any{"X": rows(X), "Z": rows(Z)}), &sk)
	t.near("gram", append(flat(K), flat(cross)...), append(concat(sk.Gram), concat(sk.Cross)...), 0)
}

// compareKernelRidge fits without an intercept, which scikit-learn's kernel ridge
// lacks.
func compareKernelRidge(t *trial) {
	n, d := t.size()
	X := t.samples(n, d)
	y := t.targets(X)
	k := t.drawKernel(X, "linear", "poly", "rbf", "laplacian")
	K := must.Get(kernel.Gram(k, X)).Or(t)
	_, largest := spectrum(K)
	lambda := t.power(-8, 3) * largest
	weights := t.positiveWeights(n) // one of 0 leaves its sample out of the model
	if weights != nil {
		largest *= 3.25 // the largest weight
	}
	m, err := kernelized.Ridge{Kernel: k.Kernel, Lambda: lambda, Bias: mlkit.NoBias}.FitWith(mlkit.Options{Weights: weights}, X, y)
	if err != nil {
		t.Fatal(err)
	}
	Z := t.others(X, 10)
	var sk struct{ Coefficients, Predictions []float64 }
	t.ask(k.with(map[string]any{"X": rows(X), "y": y, "Z": rows(Z), "lambda": lambda, "weights": weights}), &sk)
	condition := 1 + largest/lambda
	t.near("coefficients", m.Coef, sk.Coefficients, condition*size(sk.Coefficients))
	// A prediction is a sum of n products of a coefficient and a kernel value.
	t.near("predictions", m.Scores(nil, Z), sk.Predictions, condition*(size(sk.Predictions)+size(y)))
}

// compareKernelPCA compares the components that their eigenvalues determine.
func compareKernelPCA(t *trial) {
	n, d := t.size()
	X := t.samples(n, d)
	k := t.drawKernel(X, "linear", "poly", "rbf", "laplacian")
	wanted := 1 + t.IntN(6)
	m := must.Get(kernelized.PCA{Kernel: k.Kernel, Components: wanted}.Fit(X)).Or(t)
	Z := t.others(X, 10)
	var sk struct {
		Eigenvalues []float64
		Components  [][]float64
	}
	t.ask(k.with(map[string]any{"X": rows(X), "Z": rows(Z), "components": n}), &sk)
	found := len(m.Eigenvalues)
	if found < wanted {
		for _, v := range sk.Eigenvalues[found:] {
			if v > 1e-9*sk.Eigenvalues[0] {
				t.Errorf("%d components, scikit-learn has another of eigenvalue %g", found, v)
			}
		}
	}
	t.near("eigenvalues", m.Eigenvalues, sk.Eigenvalues[:found], sk.Eigenvalues[0])
	ours := m.Transform(nil, Z)
	next := append(sk.Eigenvalues, 0)
	for c := range found {
		gap := next[c] - next[c+1]
		if c > 0 {
			gap = min(gap, next[c-1]-next[c])
		}
		if gap < 1e-6*next[0] {
			continue
		}
		got, want := mat.Col(nil, c, ours), column(sk.Components, c)
		if floats.Dot(got, want) < 0 {
			floats.Scale(-1, want)
		}
		// A component has the size √λ, and its error is proportional to 1/√λ.
		t.near("components", got, want, size(want)*next[0]/gap*math.Sqrt(next[0]/next[c]))
	}
}
