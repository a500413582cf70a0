package cluster

import (
	"context"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"marginalia/mlkit/internal/nearest"
)

// Graph is a large sparse affinity: an undirected graph of n samples with weighted links,
// in compressed sparse row format. The neighbours of sample i are
// Neighbors[RowStarts[i]:RowStarts[i+1]] in ascending order, and the same part of Weights has
// the weights w_ij ≥ 0 of the links. Each link is stored twice, once from each end.
type Graph struct {
	RowStarts []int // n+1 numbers, the first 0
	Neighbors []int
	Weights   []float64
}

// Edge is a link between the samples I and J.
type Edge struct {
	I, J   int
	Weight float64 // > 0; the larger, the nearer
}

// NewGraph returns the graph of n samples with the given links, in any order. Give each
// link once: weights of repeated links are added up, also of (i, j) and (j, i). It
// returns an error if n < 1, a sample is not in 0 to n-1, or a weight is not positive and
// finite.
func NewGraph(n int, edges []Edge) (*Graph, error) {
	if n < 1 {
		return nil, fmt.Errorf("cluster: n = %d samples, want at least 1", n)
	}
	// Once filled in, the links of sample i are links[ends[i-1]:ends[i]].
	ends := make([]int, n+1)
	for at, e := range edges {
		if e.I < 0 || e.I >= n || e.J < 0 || e.J >= n {
			return nil, fmt.Errorf("cluster: edges[%d] links samples %d and %d, want numbers from 0 to %d", at, e.I, e.J, n-1)
		}
		if !(e.Weight > 0 && e.Weight <= math.MaxFloat64) {
			return nil, fmt.Errorf("cluster: edges[%d].Weight = %v, want a positive finite number", at, e.Weight)
		}
		ends[e.I+1]++
		if e.I != e.J {
			ends[e.J+1]++
		}
	}
	for i := range n {
		ends[i+1] += ends[i]
	}
	type link struct {
		to     int
		weight float64
	}
	links := make([]link, ends[n])
	for _, e := range edges {
		links[ends[e.I]] = link{e.J, e.Weight}
		ends[e.I]++
		if e.I != e.J {
			links[ends[e.J]] = link{e.I, e.Weight}
			ends[e.J]++
		}
	}
	g := &Graph{RowStarts: make([]int, 1, n+1), Neighbors: make([]int, 0, len(links)), Weights: make([]float64, 0, len(links))}
	from := 0
	for i := range n {
		own := links[from:ends[i]]
		from = ends[i]
		slices.SortStableFunc(own, func(a, b link) int { return a.to - b.to })
		for _, l := range own {
			if last := len(g.Neighbors) - 1; last >= g.RowStarts[i] && g.Neighbors[last] == l.to {
				g.Weights[last] += l.weight
				continue
			}
			g.Neighbors = append(g.Neighbors, l.to)
			g.Weights = append(g.Weights, l.weight)
		}
		g.RowStarts = append(g.RowStarts, len(g.Neighbors))
	}
	return g, nil
}

// check checks the conditions that spectral clustering relies on.
func (g *Graph) check() error {
	if g == nil || len(g.RowStarts) < 2 || g.RowStarts[0] != 0 || g.RowStarts[len(g.RowStarts)-1] != len(g.Neighbors) || len(g.Neighbors) != len(g.Weights) {
		return fmt.Errorf("cluster: the graph has no rows, or RowStarts does not go from 0 to len(Neighbors) = len(Weights); NewGraph makes graphs")
	}
	n := len(g.RowStarts) - 1
	for i := range n {
		if g.RowStarts[i] > g.RowStarts[i+1] {
			return fmt.Errorf("cluster: Graph.RowStarts[%d] = %d is more than the next, want numbers that do not fall", i, g.RowStarts[i])
		}
	}
	for i := range n {
		for at := g.RowStarts[i]; at < g.RowStarts[i+1]; at++ {
			j, w := g.Neighbors[at], g.Weights[at]
			if j < 0 || j >= n || at > g.RowStarts[i] && j <= g.Neighbors[at-1] {
				return fmt.Errorf("cluster: Graph.Neighbors[%d] = %d in row %d, want numbers from 0 to %d that rise along the row", at, j, i, n-1)
			}
			if !(w >= 0 && w <= math.MaxFloat64) {
				return fmt.Errorf("cluster: Graph.Weights[%d] = %v in row %d, want a finite number ≥ 0", at, w, i)
			}
		}
	}
	for i := range n {
		for at := g.RowStarts[i]; at < g.RowStarts[i+1]; at++ {
			j := g.Neighbors[at]
			back, ok := slices.BinarySearch(g.Neighbors[g.RowStarts[j]:g.RowStarts[j+1]], i)
			if !ok || g.Weights[g.RowStarts[j]+back] != g.Weights[at] {
				return fmt.Errorf("cluster: the graph links sample %d with %d, but not the other way round with the same weight", i, j)
			}
		}
	}
	return nil
}

// weights is a symmetric matrix of affinities.
type weights interface {
	size() int
	mul(dst, x []float64) // dst = W·x
	// links returns the samples linked to sample i, ascending, and the weights. Nil for
	// to means all samples.
	links(i int) (to []int, w []float64)
}

func (g *Graph) size() int { return len(g.RowStarts) - 1 }

func (g *Graph) mul(dst, x []float64) {
	for i := range dst {
		sum := 0.0
		for at := g.RowStarts[i]; at < g.RowStarts[i+1]; at++ {
			sum += g.Weights[at] * x[g.Neighbors[at]]
		}
		dst[i] = sum
	}
}

func (g *Graph) links(i int) (to []int, w []float64) {
	return g.Neighbors[g.RowStarts[i]:g.RowStarts[i+1]], g.Weights[g.RowStarts[i]:g.RowStarts[i+1]]
}

// neighbourGraph links two samples if either is among the k nearest neighbours of the
// other or, if mutual is true, if both are. Links have weight exp(-γ‖xᵢ - xⱼ‖²), which is
// 1 for γ = 0.
func neighbourGraph(ctx context.Context, X *mat.Dense, k int, mutual bool, gamma float64) (*Graph, error) {
	n, d := X.Dims()
	near, all := make([][]int, n), make([]int, 0, n*k)
	take := func(i int, found []nearest.Neighbour) {
		if nearest.Lost(found, X.RawRowView, X.RawRowView(i)) {
			found = nearest.FindByNorm(n, X.RawRowView, X.RawRowView(i), k, i)
		}
		from := len(all)
		for _, f := range found {
			all = append(all, f.Row)
		}
		near[i] = all[from:]
		slices.Sort(near[i])
	}
	itself := func(i int) int { return i }
	if err := nearest.FindMany(ctx, n, d, X.RawRowView, n, X.RawRowView, k, itself, take); err != nil {
		return nil, err
	}
	edges := make([]Edge, 0, len(all))
	for i, js := range near {
		for _, j := range js {
			_, both := slices.BinarySearch(near[j], i)
			if both && j < i || mutual && !both {
				continue // if both are neighbours, the lower one adds the link
			}
			w := math.Exp(-gamma * squaredDistance(X.RawRowView(i), X.RawRowView(j)))
			if w > 0 {
				edges = append(edges, Edge{i, j, w})
			}
		}
	}
	return NewGraph(n, edges)
}

// components numbers the connected components in the order of their first samples. It
// returns the component of each sample and the number of components.
func components(w weights) (of []int, count int) {
	of = make([]int, w.size())
	for i := range of {
		of[i] = -1
	}
	var open []int
	left := len(of) // samples not yet numbered
	for first := range of {
		if of[first] >= 0 {
			continue
		}
		of[first] = count
		left--
		for open = append(open, first); len(open) > 0 && left > 0; {
			i := open[len(open)-1]
			open = open[:len(open)-1]
			to, weights := w.links(i)
			for at, weight := range weights {
				j := at
				if to != nil {
					j = to[at]
				}
				if of[j] < 0 && weight > 0 {
					of[j] = count
					left--
					open = append(open, j)
				}
			}
		}
		count++
	}
	return of, count
}
