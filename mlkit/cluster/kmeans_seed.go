package cluster

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/floats"

	"marginalia/mlkit/internal/simd"
)

// plusPlus draws the starting centres: the first one uniformly, each further one with
// probability D(x)²/ΣD(x)². Of 2 + ⌊ln K⌋ candidates it takes the one that leaves the smallest
// ΣD(x)², the first one on ties (Arthur and Vassilvitskii, sections 2.2 and 7).
func (r *kmeansRun) plusPlus(ctx context.Context) error {
	rng := rand.New(rand.NewPCG(r.k.Seed, uint64(r.number)))
	candidates := make([]int, 2+int(math.Log(float64(r.k.K))))
	count := (r.n + width - 1) / width
	left := make([]float64, count*len(candidates)) // in each panel, ΣD(x)² with each candidate
	sums := make([]float64, count)                 // in each panel, ΣD(x)²
	for k := range r.centres {
		drawn := 0
		if k == 0 {
			drawn = rng.IntN(r.n)
		} else {
			total := floats.Sum(sums)
			if total == 0 {
				return fewRows(k, r.k.K)
			}
			for c := range candidates {
				panel, rest := draw(sums, rng.Float64()*total)
				from := panel * width
				i, _ := draw(r.distances[from:min(r.n, from+width)], rest)
				candidates[c] = from + i
			}
			if !r.panels.each(ctx, r.team, len(candidates), func(panel []float64, from, to, _ int) {
				var squares [width]float64
				for c, i := range candidates {
					simd.Distances(squares[:], panel, r.X.RawRowView(i))
					sum := 0.0
					for i := from; i < to; i++ {
						sum += min(squares[i-from], r.distances[i])
					}
					left[from/width*len(candidates)+c] = sum
				}
			}) {
				return nil
			}
			drawn = candidates[best(left, len(candidates))]
		}
		copy(r.centres[k], r.X.RawRowView(drawn))
		if !r.panels.each(ctx, r.team, 1, func(panel []float64, from, to, _ int) {
			var squares [width]float64
			simd.Distances(squares[:], panel, r.centres[k])
			sum := 0.0
			for i := from; i < to; i++ {
				if d := squares[i-from]; k == 0 || d < r.distances[i] {
					r.distances[i] = d
				}
				sum += r.distances[i]
			}
			sums[from/width] = sum
		}) {
			return nil
		}
	}
	return nil
}

// best returns the c < count for which the sum of parts[c], parts[count+c], … is smallest,
// the first one on ties.
func best(parts []float64, count int) int {
	sums := make([]float64, count)
	for from := 0; from < len(parts); from += count {
		floats.Add(sums, parts[from:from+count])
	}
	return floats.MinIdx(sums)
}

// draw returns the first i for which weights[0] to weights[i] add up to more than u, and how
// much of weights[i] is left of u then. It never returns an i with weight 0, unless all are 0.
func draw(weights []float64, u float64) (i int, rest float64) {
	last := 0
	for i, w := range weights {
		if w == 0 {
			continue
		}
		if u < w {
			return i, u
		}
		u -= w
		last = i
	}
	return last, u
}

func fewRows(found, want int) error {
	return fmt.Errorf("cluster: X has only %d different rows, want at least %d, one for each cluster (rows whose squared distance underflows to 0 count as equal)", found, want)
}
