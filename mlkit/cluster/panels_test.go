package cluster

import (
	"context"
	"testing"

	"gonum.org/v1/gonum/mat"
)

// Labels and distances equal those computed sample by sample, bit for bit, even on ties:
// samples and centres are on a grid.
func TestPanelsNearest(t *testing.T) {
	for n := 1; n < 100; n += 7 {
		for d := 1; d < 12; d += 3 {
			X := blobs(n, d, 3)
			if n%2 == 0 {
				X.Apply(func(_, _ int, v float64) float64 { return float64(int(v / 4)) }, X)
			}
			var centres [][]float64
			for k := range min(n, 9) {
				centres = append(centres, mat.Row(nil, k, X))
			}
			labels, distances, p := make([]int, n), make([]float64, n), newPanels(X)
			if !p.each(context.Background(), nil, len(centres), p.nearest(labels, distances, centres)) {
				t.Fatal("ended early")
			}
			for i := range n {
				k, distance := nearestCenter(X.RawRowView(i), centres)
				if labels[i] != k || distances[i] != distance {
					t.Fatalf("n = %d, d = %d, sample %d: centre %d at %v, want %d at %v", n, d, i, labels[i], distances[i], k, distance)
				}
			}
		}
	}
}
