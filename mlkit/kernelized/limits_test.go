package kernelized

import (
	"math"
	"testing"

	"marginalia/mlkit"
	"marginalia/mlkit/internal/testkit"
	"marginalia/mlkit/kernel"

	"gonum.org/v1/gonum/mat"
)

// Sizes beyond any machine's memory, or that overflow, are refused at once with an error
// that names the limit.
func TestTooLarge(t *testing.T) {
	X := mat.NewDense(3, 2, []float64{1, 2, 3, 4, 5, 7})
	many := mat.NewDense(1<<16+1, 1, nil)
	monomials := func(degree, d int, ordered bool) error {
		return second(kernel.Monomials{Kernel: kernel.Polynomial{Degree: degree}, Ordered: ordered}.For(d))
	}
	testkit.Refusals{
		{second(Fourier{Components: 1 << 40}.Fit(X)), "kernelized: Fourier.Components = 1099511627776, want at most 89478485…"},
		{second(Fourier{Components: 1 << 60}.Fit(X)), "kernelized: Fourier.Components = 1152921504606846976, want at most 89478485…"}, // overflows
		{second(Fourier{Components: math.MaxInt}.Fit(X)), "kernelized: Fourier.Components = 9223372036854775807, want at most 89478485…"},
		{monomials(1<<60, 1, false), "kernel: Monomials.For(1): φ has 1 monomials of degree 1152921504606846976…"},
		{monomials(1<<24-1, 2, false), "kernel: Monomials.For(2): φ has 16777216 monomials of degree 16777215…"},
		{monomials(1<<60, 2, true), "kernel: Monomials.For(2): φ has +Inf components, want at most 16777216; use the kernel"},
		{second(kernel.Gram(kernel.RBF{}, many)), "kernel: a Gram matrix of 65537 rows, want at most 65536…"},
		{second(kernel.Cross(kernel.RBF{}, many, many)), "kernel: the values of k are a 65537×65537…"},
		{kernel.Mercer(kernel.RBF{}, many), "kernel: a Gram matrix of 65537 rows…"},
		{second(PCA{Kernel: kernel.RBF{}}.Fit(many)), "kernel: a Gram matrix of 65537 rows…"},
		{second(KMeans{K: 1<<16 + 1}.Fit(many)), "kernel: a Gram matrix of 65537 rows…"},
		{second(Ridge{Bias: mlkit.NoBias}.Fit(many, make([]float64, 1<<16+1))), "kernel: a Gram matrix of 65537 rows…"},
		{second(Nystroem{Landmarks: 1<<16 + 1}.Fit(many)), "kernel: a Gram matrix of 65537 rows…"},
	}.Check(t)
	// A million components are allowed, and so is a high degree in one dimension.
	if m, err := (Fourier{Components: 1 << 20}).Fit(X); err != nil || m.Dim() != 1<<20 {
		t.Errorf("a million components: %v", err)
	}
	if φ, err := (kernel.Monomials{Kernel: kernel.Polynomial{Degree: 1 << 20}}).For(1); err != nil || φ.Dim() != 1 {
		t.Errorf("a high degree: %v", err)
	}
}
