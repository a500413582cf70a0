package multiclass

import (
	"gonum.org/v1/gonum/floats"
)

// coupling finds the probabilities p of M classes from those of each class against each
// other one, r_ij = P(i | i or j). They seldom fit together exactly, so that pᵢ/pⱼ = r_ij/r_ji
// for all pairs, and p minimises
//
//	Σ_{i<j} (r_ji pᵢ - r_ij pⱼ)² = pᵀQp   where   Σ pᵢ = 1
//	Q_ii = Σ_{s≠i} r_si²,  Q_ij = -r_ji r_ij
//
// (Ting-Fan Wu, Chih-Jen Lin, Ruby C. Weng, "Probability estimates for multi-class
// classification by pairwise coupling", 2004, equations 14 and 18). LIBSVM stops an
// iteration for it early. Here Gaussian elimination solves Qp ∝ e, e = (1, …, 1), in M³/3
// steps, and needs neither p ≥ 0 as a constraint nor r_ij away from 0 and 1:
//
//   - Elements of Q off the diagonal are at most 0, and elimination keeps them so. Hence the
//     factors and p are sums of numbers of one sign: p ≥ 0, and even tiny pᵢ are accurate.
//   - The largest element of the diagonal is the next pivot. What elimination leaves of Q_ii is
//     at least Σ r_ji² over the classes j that are left, as minimising over the others
//     removes no terms of these. Since r_ij + r_ji = 1, one of m such sums is at least
//     (m-1)/4, so only the last pivot may be near 0.
//   - The last pivot, δ, is 0 if the r_ij fit together: then Qp = 0. Nothing is divided by it,
//     since p is found for the right-hand side δe. Elimination leaves little but rounding of
//     a small δ. It is the minimum of the sum above with 1 for the last class instead of
//     Σ pᵢ = 1, so δ is that sum of squares for the p that solves Qp = 0 up to the last row.
type coupling struct {
	Q     [][]float64 // the rows and columns of order from step t on are those left in step t
	y     []float64   // the right-hand side
	order []int       // the class that each step eliminates
}

func newCoupling(M int) *coupling {
	c := &coupling{Q: make([][]float64, M), y: make([]float64, M), order: make([]int, M)}
	for i := range c.Q {
		c.Q[i] = make([]float64, M)
	}
	return c
}

// probabilities sets p, given r_ij of each pair i < j: 01, 02, …, 12, ….
func (c *coupling) probabilities(p, r []float64) {
	Q, y, order, M := c.Q, c.y, c.order, len(p)
	for i := range M {
		Q[i][i], y[i], order[i] = 0, 1, i
	}
	for i, k := 0, 0; i < M; i++ {
		for j := i + 1; j < M; j++ {
			rij, rji := r[k], 1-r[k]
			Q[i][i] += rji * rji
			Q[j][j] += rij * rij
			Q[i][j], Q[j][i] = -rji*rij, -rji*rij
			k++
		}
	}
	for t := range M - 1 {
		largest := t
		for s := t + 1; s < M; s++ {
			if Q[order[s]][order[s]] > Q[order[largest]][order[largest]] {
				largest = s
			}
		}
		order[t], order[largest] = order[largest], order[t]
		i := order[t]
		for _, j := range order[t+1:] {
			factor := -Q[j][i] / Q[i][i]
			for _, l := range order[t+1:] {
				Q[j][l] += factor * Q[i][l]
			}
			y[j] += factor * y[i]
		}
	}
	c.substitute(p, 0)
	δ, k := 0.0, 0
	for i := range M {
		for j := i + 1; j < M; j++ {
			e := (1-r[k])*p[i] - r[k]*p[j]
			δ += e * e
			k++
		}
	}
	last := p[order[M-1]]
	c.substitute(p, δ/(last*last))
	floats.Scale(1/floats.Sum(p), p)
}

// substitute solves the eliminated system for the right-hand side δe.
func (c *coupling) substitute(p []float64, δ float64) {
	last := len(p) - 1
	p[c.order[last]] = c.y[c.order[last]]
	for t := last - 1; t >= 0; t-- {
		i := c.order[t]
		sum := δ * c.y[i]
		for _, j := range c.order[t+1:] {
			sum -= c.Q[i][j] * p[j]
		}
		p[i] = sum / c.Q[i][i]
	}
}
