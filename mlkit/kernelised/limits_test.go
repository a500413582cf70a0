package kernelised

import (
	"math"
	"strings"
	"testing"

	"marginalia/mlkit"
	"marginalia/mlkit/kernel"

	"gonum.org/v1/gonum/mat"
)

// Sizes beyond any machine's memory, or that overflow, are refused at once with an error
// that names the limit.
func TestTooLarge(t *testing.T) {
	X := mat.NewDense(3, 2, []float64{1, 2, 3, 4, 5, 7})
	many := mat.NewDense(1<<16+1, 1, nil)
	for name, c := range map[string]struct {
		say string
		f   func() error
	}{
		"Fourier": {"Fourier.Components = 1099511627776, want at most 89478485", func() error {
			_, err := Fourier{Components: 1 << 40}.Fit(X)
			return err
		}},
		"Fourier, overflow": {"Fourier.Components = 1152921504606846976, want at most 89478485", func() error {
			_, err := Fourier{Components: 1 << 60}.Fit(X)
			return err
		}},
		"Fourier, all": {"want at most 89478485", func() error { _, err := Fourier{Components: math.MaxInt}.Fit(X); return err }},
		"monomials of high degree": {"1 monomials of degree 1152921504606846976", func() error {
			_, err := kernel.Monomials{Kernel: kernel.Polynomial{Degree: 1 << 60}}.For(1)
			return err
		}},
		"monomials, many and high": {"16777216 monomials of degree 16777215", func() error {
			_, err := kernel.Monomials{Kernel: kernel.Polynomial{Degree: 1<<24 - 1}}.For(2)
			return err
		}},
		"monomials, ordered": {"want at most 16777216", func() error {
			_, err := kernel.Monomials{Kernel: kernel.Polynomial{Degree: 1 << 60}, Ordered: true}.For(2)
			return err
		}},
		"Gram":   {"a Gram matrix of 65537 rows, want at most 65536", func() error { _, err := kernel.Gram(kernel.RBF{}, many); return err }},
		"Cross":  {"65537×65537", func() error { _, err := kernel.Cross(kernel.RBF{}, many, many); return err }},
		"Mercer": {"65537 rows", func() error { return kernel.Mercer(kernel.RBF{}, many) }},
		"PCA":    {"65537 rows", func() error { _, err := PCA{Kernel: kernel.RBF{}}.Fit(many); return err }},
		"KMeans": {"65537 rows", func() error { _, err := KMeans{K: 1<<16 + 1}.Fit(many); return err }},
		"Ridge": {"65537 rows", func() error {
			_, err := Ridge{Bias: mlkit.NoBias}.Fit(many, make([]float64, 1<<16+1))
			return err
		}},
		"Nystroem": {"65537 rows", func() error { _, err := Nystroem{Landmarks: 1<<16 + 1}.Fit(many); return err }},
	} {
		if err := c.f(); err == nil || !strings.Contains(err.Error(), c.say) {
			t.Errorf("%s: err = %v, want %q", name, err, c.say)
		}
	}
	// A million components are allowed, and so is a high degree in one dimension.
	if m, err := (Fourier{Components: 1 << 20}).Fit(X); err != nil || m.Dim() != 1<<20 {
		t.Errorf("a million components: %v", err)
	}
	if φ, err := (kernel.Monomials{Kernel: kernel.Polynomial{Degree: 1 << 20}}).For(1); err != nil || φ.Dim() != 1 {
		t.Errorf("a high degree: %v", err)
	}
}
