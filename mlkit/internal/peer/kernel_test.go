//go:build unix

package peer_test

import (
	"marginalia/mlkit/kernel"

	"gonum.org/v1/gonum/mat"
)

var kernelModels = []model{
	{"gram", compareGram, []rule{
		{"gram", 1e-12, "the squared distances of scikit-learn are |x|²+|z|²-2x·z, which cancels; ours are sums of squares"},
	}},
}

// A namedKernel is a kernel of ours and what scikit-learn calls it.
type namedKernel struct {
	kernel.Kernel
	name                string
	gamma, coef0, scale float64
	degree              int
}

// drawKernel draws a kernel with parameters that suit X: γ is about one over the
// mean square of a sample, so that no kernel is 0 everywhere.
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

// with adds the kernel to a problem.
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
	K, err := kernel.Gram(k, X)
	if err != nil {
		t.Fatal(err)
	}
	Z := t.others(X, 5)
	if k.name == "chi2" {
		Z.Apply(func(_, _ int, x float64) float64 { return x * x }, Z)
	}
	cross, err := kernel.Cross(k, X, Z)
	if err != nil {
		t.Fatal(err)
	}
	var sk struct{ Gram, Cross [][]float64 }
	t.ask(k.with(map[string]any{"X": rows(X), "Z": rows(Z)}), &sk)
	t.near("gram", append(flat(K), flat(cross)...), append(concat(sk.Gram), concat(sk.Cross)...), 0)
}
