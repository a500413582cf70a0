package svm

import "math"

// objectives holds both objectives at the current multipliers.
type objectives struct {
	b                 float64
	norm2             float64 // ‖w‖²
	dual, primal, gap float64
}

// objectives evaluates both problems without the kernel. With w = Σ αᵢyᵢφ(xᵢ),
// w·φ(xᵢ) = yᵢ - gᵢ, so
//
//	‖w‖² = Σ αᵢyᵢ(yᵢ - gᵢ)   and   1 - yᵢf(xᵢ) = yᵢ(gᵢ - b) =: rᵢ
//
// Because Σ αᵢyᵢ = 0, the gap is a sum of nonnegative terms, the violations of
// complementary slackness (Theodoridis, KKT conditions 4 and 5):
//
//	½‖w‖² + Σ Cᵢξᵢ - (Σ αᵢ - ½‖w‖²) = Σ Cᵢ max(0, rᵢ) - αᵢrᵢ
//	                                = Σ (Cᵢ - αᵢ) max(0, rᵢ) + αᵢ max(0, -rᵢ)
func (s *smo) objectives() objectives {
	o := objectives{b: s.bias()}
	sum, least := 0.0, math.Inf(1)
	for i, a := range s.alpha {
		r := s.y[i] * (s.g[i] - o.b)
		o.norm2 += a * s.y[i] * (s.y[i] - s.g[i])
		sum += a
		if s.bound[i] > 0 {
			least = min(least, 1-r)
		}
		if s.hard {
			continue
		}
		o.gap += (s.bound[i]-a)*max(0, r) + a*max(0, -r)
	}
	o.norm2 = max(0, o.norm2)
	o.dual = sum - o.norm2/2
	if !s.hard {
		o.primal = o.dual + o.gap
		return o
	}
	// (w, b) divided by the least margin needs no slack.
	o.primal, o.gap = math.MaxFloat64, math.MaxFloat64
	if least > 0 {
		if v := o.norm2 / 2 / least / least; finite(v) {
			o.primal, o.gap = v, max(0, v-o.dual)
		}
	}
	return o
}

// bias returns b. With a soft margin it is the mean of gᵢ over the free support vectors,
// where gᵢ = b at the optimum, or without any the midpoint of the interval that the
// others allow. With a hard margin it makes the least margins of both classes equal.
func (s *smo) bias() float64 {
	if s.hard {
		high, low := math.Inf(-1), math.Inf(1)
		for i, g := range s.g {
			if s.bound[i] == 0 {
				continue
			}
			if s.y[i] > 0 {
				high = max(high, g)
			} else {
				low = min(low, g)
			}
		}
		return high/2 + low/2
	}
	sum, count := 0.0, 0
	for i, a := range s.alpha {
		if a > 0 && a < s.bound[i] {
			sum += s.g[i]
			count++
		}
	}
	if count > 0 {
		return sum / float64(count)
	}
	_, m, M := s.first()
	return m/2 + M/2
}
