package kernelized

import (
	"math"
	"slices"

	"marginalia/mlkit/kernel"

	"gonum.org/v1/gonum/mat"
)

// dimension returns an upper bound on the dimension of the span of φ(xᵢ), or of φ(xᵢ) - φ̄
// if centred, for the rows of X. The eigenvalues of the Gram matrix beyond it are 0, whatever
// rounding makes of them.
func dimension(k kernel.Kernel, X *mat.Dense, centred bool) int {
	n, d := X.Dims()
	distinct := make([][]float64, n)
	for i := range distinct {
		distinct[i] = X.RawRowView(i)
	}
	slices.SortFunc(distinct, slices.Compare)
	most := len(slices.CompactFunc(distinct, slices.Equal))
	if centred {
		most--
	}
	features, constant := 0, false // columns that vary, and whether there is one that does not
	for j := range d {
		first, varies := X.At(0, j), false
		for i := 1; i < n && !varies; i++ {
			varies = X.At(i, j) != first
		}
		if varies {
			features++
		} else {
			constant = constant || first != 0
		}
	}
	return int(min(float64(most), span{features, constant}.of(k, centred)))
}

// span is what the dimension depends on beside the kernel.
type span struct {
	features int
	constant bool // whether a constant counts as a feature
}

// of returns the dimension of the space of φ, +Inf if it has no end.
func (s span) of(k kernel.Kernel, centred bool) float64 {
	switch k := k.(type) {
	case kernel.Linear:
		return s.monomials(1, s.constant, centred)
	case kernel.Polynomial:
		f, _ := kernel.OfProducts(k)
		return s.monomials(f.Degree, s.constant || k.Coef0 != 0, centred)
	case kernel.Sum:
		sum := 0.0
		for _, part := range k {
			sum += s.of(part, centred)
		}
		return sum
	case kernel.Product:
		product := 1.0
		for _, part := range k {
			product *= s.of(part, false)
		}
		return product
	case kernel.Scaled:
		return s.of(kernel.OrLinear(k.Kernel), centred)
	case kernel.Any:
		return s.of(k.Kernel, centred)
	}
	return math.Inf(1)
}

// monomials returns the number of monomials of the given degree in the features, among which
// there may be a constant: the binomial coefficient of features - 1 + degree and degree. With
// a constant, one of the monomials is constant, and 0 when centred.
func (s span) monomials(degree int, constant, centred bool) float64 {
	features := s.features
	if constant {
		features++
	}
	if features == 0 {
		return 0
	}
	count, rest := 1.0, max(degree, features-1)
	for t := 1; t <= min(degree, features-1) && count <= math.MaxFloat64; t++ {
		count = count * float64(rest+t) / float64(t) // an integer after each factor
	}
	if constant && centred {
		count--
	}
	return count
}
