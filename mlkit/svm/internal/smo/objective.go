package smo

import (
	"math"

	"marginalia/mlkit/internal/check"

	"gonum.org/v1/gonum/floats"
)

// Objectives holds the values of both problems at some multipliers.
type Objectives struct {
	B                 float64
	Norm2             float64 // ‖w‖²
	Dual, Primal, Gap float64
}

// Objectives evaluates both problems without the kernel. With w = Σ αᵢyᵢφ(xᵢ),
// w·φ(xᵢ) = yᵢ - gᵢ, so
//
//	‖w‖² = Σ αᵢyᵢ(yᵢ - gᵢ)   and   1 - yᵢf(xᵢ) = yᵢ(gᵢ - b) =: rᵢ
//
// Because Σ αᵢyᵢ = 0, the gap is a sum of nonnegative terms, the violations of
// complementary slackness (Theodoridis, KKT conditions 4 and 5):
//
//	½‖w‖² + Σ Cᵢξᵢ - (Σ αᵢ - ½‖w‖²) = Σ Cᵢ max(0, rᵢ) - αᵢrᵢ
//	                                = Σ (Cᵢ - αᵢ) max(0, rᵢ) + αᵢ max(0, -rᵢ)
//
// With a hard margin Primal is the value after dividing (w, b) by the least margin, which
// needs no slack then, or math.MaxFloat64 if that is not positive.
func (d *Dual) Objectives() Objectives {
	o := Objectives{B: d.B()}
	sum, least := 0.0, math.Inf(1)
	for i, a := range d.Alpha {
		r := d.Y[i] * (d.G[i] - o.B)
		o.Norm2 += a * d.Y[i] * (d.Y[i] - d.G[i])
		sum += a
		least = min(least, 1-r)
		if d.Hard {
			continue
		}
		o.Gap += (d.C[i]-a)*max(0, r) + a*max(0, -r)
	}
	o.Norm2 = max(0, o.Norm2)
	o.Dual = sum - o.Norm2/2
	if !d.Hard {
		o.Primal = o.Dual + o.Gap
		return o
	}
	o.Primal, o.Gap = math.MaxFloat64, math.MaxFloat64
	if least > 0 {
		if v := o.Norm2 / 2 / least / least; check.Finite(v) {
			o.Primal, o.Gap = v, max(0, v-o.Dual)
		}
	}
	return o
}

// Uncertainty returns by how much rounding of the kernel moves the scores. A kernel value
// is at most √(k(xᵢ, xᵢ)k(xⱼ, xⱼ)) and is rounded by up to 2⁻⁵³ of that; a score is
// uncertain by the sum of these errors, weighted by α.
func (d *Dual) Uncertainty() float64 {
	sum := 0.0
	for i, a := range d.Alpha {
		sum += a * math.Sqrt(math.Abs(d.K[i]))
	}
	return 0x1p-53 * sum * math.Sqrt(d.Largest())
}

// Largest returns the largest |Kᵢᵢ|.
func (d *Dual) Largest() float64 { return floats.Norm(d.K, math.Inf(1)) }
