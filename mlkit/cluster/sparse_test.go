package cluster_test

import (
	"runtime"
	"slices"
	"testing"

	"marginalia/datasets"
	"marginalia/mlkit/cluster"
)

// The graph of the nearest neighbours of 5000 samples has some 50000 links. All that
// a fit allocates, one thing after the other, is less than one n×n matrix of 200 MB,
// so there is none, nor a full decomposition.
func TestSpectralIsSparse(t *testing.T) {
	const n = 5000
	moons := datasets.Must(datasets.Moons(3, n, 0.07))
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	m, err := cluster.Spectral{K: 2, Affinity: cluster.Neighbours}.Fit(moons.X)
	runtime.ReadMemStats(&after)
	if err != nil {
		t.Fatal(err)
	}
	if slices.Max(m.Component) != 0 {
		t.Fatal("the graph is not connected, so there is no eigenvector to find")
	}
	if bytes := after.TotalAlloc - before.TotalAlloc; bytes >= n*n*8 {
		t.Errorf("%d bytes allocated, want less than %d", bytes, n*n*8)
	}
	// The noise that links the moons puts a few samples of one into the other.
	if ari, _ := cluster.ARI(m.Labels, moons.Y); ari < 0.98 {
		t.Errorf("ARI %v, want 0.98 or more", ari)
	}
}

// What spectral clustering finds exactly, k-means, which cuts along a line, does not:
// of moons it gets a part, of rings nothing, which is an index of about 0.
func TestKMeansMissesShapes(t *testing.T) {
	for _, c := range []struct {
		d    *datasets.Dataset
		most float64
	}{
		{datasets.Must(datasets.Moons(2, 300, 0.05)), 0.5},
		{datasets.Must(datasets.Rings(2, 300, 0.03)), 0.05},
	} {
		m, err := cluster.KMeans{K: 2}.Fit(c.d.X)
		if err != nil {
			t.Fatal(err)
		}
		if ari, _ := cluster.ARI(m.Labels, c.d.Y); ari > c.most {
			t.Errorf("%s: ARI %v, want at most %v", c.d.Name, ari, c.most)
		}
	}
}
