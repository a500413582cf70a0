package kernel

import (
	"cmp"
	"fmt"

	"marginalia/mlkit/internal/check"
)

// Sum is a sum of kernels. It is a Mercer kernel if its terms are: its φ(x) concatenates
// theirs. It must have at least one term.
type Sum []Kernel

// Eval returns Σ kₜ(x, z).
func (k Sum) Eval(x, z []float64) float64 {
	sum := 0.0
	for _, term := range k {
		sum += term.Eval(x, z)
	}
	return sum
}

// Check returns an error if there are no terms or a term has a parameter out of range.
func (k Sum) Check() error { return checkAll("Sum", k) }

// Product is a product of kernels. It is a Mercer kernel if its factors are (Issai Schur,
// 1911): the components of its φ(x) are all products of one component from each factor.
// It must have at least one factor.
type Product []Kernel

// Eval returns Π kₜ(x, z).
func (k Product) Eval(x, z []float64) float64 {
	product := 1.0
	for _, factor := range k {
		product *= factor.Eval(x, z)
	}
	return product
}

// Check returns an error if there are no factors or a factor has a parameter out of
// range.
func (k Product) Check() error { return checkAll("Product", k) }

func checkAll(name string, ks []Kernel) error {
	if len(ks) == 0 {
		return fmt.Errorf("kernel: %s is empty, want at least one kernel", name)
	}
	for i, k := range ks {
		if err := Check(k); err != nil {
			return fmt.Errorf("kernel: %s[%d]: %w", name, i, err)
		}
	}
	return nil
}

// Scaled is a positive multiple a k(x, z) of a kernel: its φ is √a times that of k.
type Scaled struct {
	Factor float64 // a > 0; 0 means 1
	Kernel Kernel  // nil means Linear{}
}

// Eval returns a k(x, z).
func (k Scaled) Eval(x, z []float64) float64 {
	return cmp.Or(k.Factor, 1) * OrLinear(k.Kernel).Eval(x, z)
}

// Check returns an error if Factor or Kernel is out of range.
func (k Scaled) Check() error {
	if err := check.Positive("kernel", "Scaled.Factor", k.Factor, "1"); err != nil {
		return err
	}
	if err := Check(OrLinear(k.Kernel)); err != nil {
		return fmt.Errorf("kernel: Scaled.Kernel: %w", err)
	}
	return nil
}

// Func is a kernel given as a function, which must be pure and symmetric. Gram checks
// symmetry; Mercer checks the rest. A model with a Func learns and scores like any other
// but cannot be encoded. To encode one, declare a type with an Eval method and Register
// it.
type Func func(x, z []float64) float64

// Eval returns k(x, z).
func (k Func) Eval(x, z []float64) float64 { return k(x, z) }

// Check returns an error if k is nil.
func (k Func) Check() error {
	if k == nil {
		return fmt.Errorf("kernel: Func is nil, want a function")
	}
	return nil
}

// OrLinear returns k, or Linear{} if k is nil: the default kernel of the algorithms.
func OrLinear(k Kernel) Kernel {
	if k == nil {
		return Linear{}
	}
	return k
}

// wantsHistograms reports whether k contains a Chi2.
func wantsHistograms(k Kernel) bool {
	switch k := k.(type) {
	case Chi2:
		return true
	case Sum:
		return anyWantsHistograms(k)
	case Product:
		return anyWantsHistograms(k)
	case Scaled:
		return wantsHistograms(k.Kernel)
	case Any:
		return wantsHistograms(k.Kernel)
	}
	return false
}

func anyWantsHistograms(ks []Kernel) bool {
	for _, k := range ks {
		if wantsHistograms(k) {
			return true
		}
	}
	return false
}
