package perceptron

import (
	"math/big"

	"gonum.org/v1/gonum/mat"

	"marginalia/mlkit"
	"marginalia/mlkit/internal/brent"
)

// cycle is an observer that detects that a run cycles. In row order, a pass depends only on
// the hyperplane at its start, so a hyperplane that recurs once recurs for ever. On samples
// that are not separable the weights stay bounded (Block and Levin, "On the boundedness of
// an iterative procedure for solving a system of linear inequalities", 1970), so with whole
// numbers they must recur.
type cycle struct {
	passes   *brent.Detector
	mistakes []int // on each sample, since the hyperplane that the detector has marked
}

// newCycle returns a cycle for n samples and a run that begins at start.
func newCycle(start mlkit.Hyperplane, n int) *cycle {
	return &cycle{passes: brent.New(start.W, start.B), mistakes: make([]int, n)}
}

func (c *cycle) mistake(i int, _ mlkit.Hyperplane, _ int) { c.mistakes[i]++ }

// closed reports whether h, the hyperplane at the end of a pass, is that of an earlier one.
func (c *cycle) closed(h mlkit.Hyperplane) bool {
	recurs, marked := c.passes.Next(h.W, h.B)
	if marked {
		clear(c.mistakes)
	}
	return recurs
}

// proves reports whether the mistakes αᵢ of a closed cycle prove that the samples are
// not separable: Σ αᵢyᵢxᵢ = 0 and, with a bias, Σ αᵢyᵢ = 0. That holds unless rounding
// lost an update. With ZeroIsPositive, a negative sample must be among the mistakes.
func (c *cycle) proves(p Perceptron, X *mat.Dense, y []int) bool {
	labels, negative := 0, false
	for i, a := range c.mistakes {
		labels += a * y[i]
		negative = negative || a > 0 && y[i] < 0
	}
	return (p.Bias == mlkit.NoBias || labels == 0) && (negative || !p.ZeroIsPositive) && c.cancels(X, y)
}

// cancels reports whether Σ αᵢyᵢxᵢ = 0 in exact arithmetic. A float64 sum may be 0 for
// separable samples: 5·8.1 - 40.5 is 0 in float64, although five times the float64 8.1
// is not exactly 40.5.
func (c *cycle) cancels(X *mat.Dense, y []int) bool {
	// All bits of a float64, from 2⁻¹⁰⁷⁴ to 2¹⁰²⁴, and 64 each for the number of
	// samples and of mistakes.
	const precision = 1074 + 1024 + 64 + 64
	_, d := X.Dims()
	for j := range d {
		sum := new(big.Float).SetPrec(precision)
		var count, v, product big.Float
		product.SetPrec(precision)
		for i, a := range c.mistakes {
			if a != 0 {
				sum.Add(sum, product.Mul(count.SetInt64(int64(a*y[i])), v.SetFloat64(X.At(i, j))))
			}
		}
		if sum.Sign() != 0 {
			return false
		}
	}
	return true
}
