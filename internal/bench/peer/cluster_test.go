//go:build unix

package peer_test

import (
	"errors"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"marginalia/internal/testkit/must"
	"marginalia/mlkit/cluster"
)

var clusterModels = []model{
	{"kmeans", compareKMeans, []rule{
		{"labels", 0, "the same steps from the same centres"},
		{"centres", 1e-12, "means of the same samples; scikit-learn moves the samples to the origin first"},
		{"inertia", 1e-12, "as the centres"},
	}},
	{"spectral", compareSpectral, []rule{
		{"eigenvalues", 1e-10, "in units of the largest there can be; ours are found by Lanczos, to 1e-10 or so"},
		{"agreement", 0, "adjusted Rand index of 1, where the eigengap is clear"},
	}},
	{"ari", compareARI, []rule{
		{"ari", 1e-13, "the same fraction of whole numbers"},
	}},
}

// compareKMeans starts both libraries at the same centres, distinct samples.
func compareKMeans(t *trial) {
	n, d := t.size()
	X := t.samples(n, d)
	t.classes(X, 4)
	k := 1 + t.IntN(5)
	var start [][]float64
	for _, i := range t.Perm(n) {
		x := X.RawRowView(i)
		if len(start) < k && !slices.ContainsFunc(start, func(c []float64) bool { return slices.Equal(c, x) }) {
			start = append(start, x)
		}
	}
	k = len(start)
	tie, refilled := -1, -1
	m, err := cluster.KMeans{K: k, Start: mat.NewDense(k, d, concat(start)), Trace: func(s cluster.KMeansStep) bool {
		if len(s.Refilled) > 0 {
			refilled = s.Iteration
		}
		for i := range n {
			first, second := math.Inf(1), math.Inf(1)
			for _, c := range s.Centers {
				q := 0.0
				for j, x := range X.RawRowView(i) {
					q += (x - c[j]) * (x - c[j])
				}
				second = min(second, max(first, q))
				first = min(first, q)
			}
			if second-first <= 1e-12*second {
				tie = i
			}
		}
		return true
	}}.Fit(X)
	if err != nil {
		t.Fatal(err)
	}
	switch {
	case refilled >= 0:
		t.explain("a cluster lost all its samples in iteration %d: which one takes over which is not settled", refilled)
		return
	case tie >= 0:
		t.explain("row %d is as far from two centres, but for rounding", tie)
		return
	}
	var sk struct {
		Labels  []int
		Centers [][]float64
		Inertia float64
	}
	t.ask(map[string]any{"X": rows(X), "start": start}, &sk)
	t.same("labels", m.Labels, sk.Labels, nil)
	t.near("centres", concat(m.Centers), concat(sk.Centers), 0)
	t.one("inertia", m.Inertia, sk.Inertia, mat.Norm(X, 2)*mat.Norm(X, 2))
}

// compareSpectral clusters separated blobs. k-means on the eigenvectors is random, so
// the test compares the eigenvalues with those of SciPy's Laplacian, and the clusters
// only if the eigengap is clear.
func compareSpectral(t *trial) {
	k := 2 + t.IntN(3)
	n, d := 20*k+t.IntN(40), 2+t.IntN(3)
	X := mat.NewDense(n, d, nil)
	centres := mat.NewDense(k, d, nil)
	centres.Apply(func(int, int, float64) float64 { return 4 * t.NormFloat64() }, centres)
	for i := range n {
		for j := range d {
			X.Set(i, j, centres.At(i%k, j)+t.NormFloat64())
		}
	}
	s := cluster.Spectral{K: k, Eigenvalues: k + 1, Laplacian: cluster.Laplacian(t.IntN(3)), Affinity: cluster.Affinity(t.IntN(3))}
	if s.Affinity == cluster.Gaussian {
		s.Gamma = t.power(-2, 0)
	} else {
		s.Nearest = 8 + t.IntN(8)
	}
	t.Logf("%d×%d %+v", n, d, s)
	m, err := s.Fit(X)
	if apart := new(cluster.DisconnectedError); errors.As(err, &apart) {
		t.explain("the graph falls into %d parts, more than the %d clusters: refused, where scikit-learn warns", apart.Count, k)
		return
	}
	if err != nil {
		t.Fatal(err)
	}
	var sk struct {
		Labels      []int
		Eigenvalues []float64
		Cut         float64
		CutOfOurs   float64 `json:"cut_of_ours"`
	}
	t.ask(map[string]any{"X": rows(X), "k": k, "gamma": s.Gamma, "nearest": s.Nearest, "laplacian": int(s.Laplacian),
		"mutual": s.Affinity == cluster.MutualNeighbors, "ours": m.Labels}, &sk)
	top := 2.0
	if s.Laplacian == cluster.Unnormalized {
		top = sk.Eigenvalues[n-1]
	}
	t.near("eigenvalues", m.Eigenvalues, sk.Eigenvalues[:len(m.Eigenvalues)], top)
	within, next := sk.Eigenvalues[k-1], sk.Eigenvalues[k]
	if s.Laplacian != cluster.RandomWalk || within > next/10 {
		return // scikit-learn has only the random walk; without a clear eigengap the clusters are arbitrary
	}
	ari := must.Get(cluster.ARI(m.Labels, sk.Labels)).Or(t)
	// Clusters that differ are right if they have the smaller normalised cut, which spectral
	// clustering approximates. So it is where the graph falls into K parts, one of them a
	// sample without links: mlkit's clusters are these parts and cut no link; scikit-learn
	// adds the lone sample to another part and divides a connected one.
	if ari < 1 && sk.CutOfOurs < sk.Cut {
		t.explain("the normalised cut is %.3g, scikit-learn's %.3g", sk.CutOfOurs, sk.Cut)
		return
	}
	t.one("agreement", ari, 1, 1)
}

func compareARI(t *trial) {
	n := 2 + t.IntN(60)
	a, b := make([]int, n), make([]int, n)
	k, l, noise := 1+t.IntN(6), 1+t.IntN(6), t.Float64()
	for i := range n {
		a[i] = 5*t.IntN(k) - 7
		b[i] = a[i]
		if t.Float64() < noise {
			b[i] = t.IntN(l)
		}
	}
	got := must.Get(cluster.ARI(a, b)).Or(t)
	var sk struct{ Ari float64 }
	t.ask(map[string]any{"a": a, "b": b}, &sk)
	t.one("ari", got, sk.Ari, 1)
}
