package cluster_test

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"runtime"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"marginalia/datasets"
	"marginalia/mlkit"
	"marginalia/mlkit/cluster"
	"marginalia/mlkit/internal/testkit"
)

// The nearest-neighbour graph of 5000 samples has about 50,000 links. The total allocated
// during a fit is less than one n×n matrix (200 MB for 5000), so there is no such matrix
// and no full decomposition.
func TestSpectralIsSparse(t *testing.T) {
	testkit.Long(t)
	n := testkit.Size(t, 3000, 5000)
	moons := datasets.Must(datasets.Moons(3, n, 0.07))
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	m, err := cluster.Spectral{K: 2, Affinity: cluster.Neighbors}.Fit(moons.X)
	runtime.ReadMemStats(&after)
	if err != nil {
		t.Fatal(err)
	}
	if slices.Max(m.ComponentLabels) != 0 {
		t.Fatal("the graph is not connected, so there is no eigenvector to find")
	}
	if bytes := after.TotalAlloc - before.TotalAlloc; bytes >= uint64(n*n*8) {
		t.Errorf("%d bytes allocated, want less than %d", bytes, n*n*8)
	}
	// The noise that links the moons puts a few samples on the wrong side.
	if ari, _ := cluster.ARI(m.Labels, moons.Y); ari < 0.98 {
		t.Errorf("ARI %v, want 0.98 or more", ari)
	}
}

// k-means misses shapes that spectral clustering finds exactly. It cuts along a line, so
// it gets part of the moons right and none of the rings (ARI about 0).
func TestKMeansMissesShapes(t *testing.T) {
	for _, c := range []struct {
		d    *datasets.Dataset
		most float64
	}{
		{datasets.Must(datasets.Moons(2, 300, 0.05)), 0.5},
		{datasets.Must(datasets.Rings(2, 300, 0.03)), 0.05},
	} {
		m := testkit.Try(cluster.KMeans{K: 2}.Fit(c.d.X)).Or(t)
		if ari, _ := cluster.ARI(m.Labels, c.d.Y); ari > c.most {
			t.Errorf("%s: ARI %v, want at most %v", c.d.Name, ari, c.most)
		}
	}
}

// The eigenvalues of a path are 1 - cos(πj/(n-1)) (Fan Chung, Spectral Graph Theory,
// 1997, example 1.4). With the symmetric Laplacian, the rows that k-means gets have
// length 1.
func TestSpectralPath(t *testing.T) {
	const n = 30
	var edges []cluster.Edge
	for i := range n - 1 {
		edges = append(edges, cluster.Edge{I: i + 1, J: i, Weight: 2})
	}
	g := testkit.Try(cluster.NewGraph(n, edges)).Or(t)
	m := testkit.Try(cluster.Spectral{K: 3, Eigenvalues: 5}.FitGraph(g)).Or(t)
	for j, v := range m.Eigenvalues {
		if want := 1 - math.Cos(math.Pi*float64(j)/(n-1)); math.Abs(v-want) > 1e-12 {
			t.Errorf("eigenvalue %d = %v, want %v", j, v, want)
		}
	}
	for i, e := range m.Embedding {
		sum := 0.0
		for _, v := range e {
			sum += v * v
		}
		if len(e) != 3 || math.Abs(sum-1) > 1e-14 {
			t.Errorf("row %d of the embedding is %v", i, e)
		}
	}
	if !slices.IsSorted(m.Labels) || m.Labels[n-1] != 2 {
		t.Errorf("labels %v, want three stretches of the path", m.Labels)
	}
}

func TestSpectralDisconnected(t *testing.T) {
	// Two triangles and a sample without links.
	g, err := cluster.NewGraph(7, []cluster.Edge{{0, 2, 1}, {2, 4, 1}, {4, 0, 1}, {1, 3, 1}, {3, 5, 1}, {5, 1, 1}})
	if err != nil {
		t.Fatal(err)
	}
	bg := context.Background()
	parts := []int{0, 1, 0, 1, 0, 1, 2}
	for _, l := range []cluster.Laplacian{cluster.Symmetric, cluster.RandomWalk, cluster.Unnormalized} {
		for _, k := range []int{0, 3} {
			m := testkit.Try(cluster.Spectral{K: k, Laplacian: l}.FitGraphWith(mlkit.Options{Context: bg}, g)).Or(t)
			if m.K != 3 || !slices.Equal(m.Labels, parts) || !slices.Equal(m.ComponentLabels, parts) {
				t.Errorf("Laplacian %d: %+v, want the three parts", l, m)
			}
		}
		_, err := cluster.Spectral{K: 2, Laplacian: l}.FitGraphWith(mlkit.Options{Context: bg}, g)
		var parted *cluster.DisconnectedError
		if !errors.As(err, &parted) || parted.Count != 3 || parted.K != 2 || !slices.Equal(parted.ComponentLabels, parts) {
			t.Errorf("two clusters of three parts: %v", err)
		}
		if err != nil && !strings.Contains(err.Error(), "3 unconnected parts, more than the 2 clusters") {
			t.Errorf("message %q", err)
		}
	}
}

// Without links, each sample is a cluster.
func TestSpectralNoLinks(t *testing.T) {
	m, err := cluster.Spectral{}.FitAffinity(mat.NewDense(3, 3, nil))
	if err != nil || m.K != 3 || !slices.Equal(m.Labels, []int{0, 1, 2}) {
		t.Errorf("%+v, %v, want three clusters", m, err)
	}
}

// This is a sparse graph of many samples in 4 groups (planted partition: each sample has
// about 10 links within its group and 1 to the others). The n×n matrix of 20000 samples
// would take 3.2 GB.
func TestSpectralLarge(t *testing.T) {
	testkit.Long(t)
	const groups = 4
	n := testkit.Size(t, 4000, 20000)
	rng := rand.New(rand.NewPCG(1, 2))
	var edges []cluster.Edge
	group := make([]int, n)
	for i := range n {
		group[i] = i % groups
		for range 5 {
			edges = append(edges, cluster.Edge{I: i, J: rng.IntN(n/groups)*groups + i%groups, Weight: 1})
		}
		if i%2 == 0 {
			edges = append(edges, cluster.Edge{I: i, J: rng.IntN(n), Weight: 1})
		}
	}
	g := testkit.Try(cluster.NewGraph(n, edges)).Or(t)
	m := testkit.Try(cluster.Spectral{K: groups}.FitGraph(g)).Or(t)
	if ari, _ := cluster.ARI(m.Labels, group); ari < 0.99 {
		t.Errorf("ARI %v, want 0.99 or more", ari)
	}
}
