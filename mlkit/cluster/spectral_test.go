package cluster_test

import (
	"context"
	"errors"
	"fmt"
	"log"
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"marginalia/datasets"
	"marginalia/mlkit"
	"marginalia/mlkit/cluster"
	"marginalia/mlkit/internal/testkit"
)

// A path of four samples is cut in the middle.
func ExampleSpectral_FitGraph() {
	g, err := cluster.NewGraph(4, []cluster.Edge{{0, 1, 1}, {1, 2, 1}, {2, 3, 1}})
	if err != nil {
		log.Fatal(err)
	}
	m, err := cluster.Spectral{K: 2, Laplacian: cluster.Unnormalized}.FitGraph(g)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%v %.4f\n", m.Labels, m.Eigenvalues)
	// Output: [0 0 1 1] [0.0000 0.5858]
}

// k-means on the points cannot separate the rings (Cornell, figure 12).
func ExampleSpectral() {
	rings := datasets.Must(datasets.Rings(1, 200, 0.02))
	for _, f := range []func(*mat.Dense) ([]int, error){
		func(X *mat.Dense) ([]int, error) {
			m, err := cluster.KMeans{K: 2}.Fit(X)
			return m.Labels, err
		},
		func(X *mat.Dense) ([]int, error) {
			m, err := cluster.Spectral{K: 2, Gamma: 50}.Fit(X)
			return m.Labels, err
		},
	} {
		labels, err := f(rings.X)
		if err != nil {
			log.Fatal(err)
		}
		ari, _ := cluster.ARI(labels, rings.Y)
		fmt.Println("the rings are found:", ari == 1)
	}
	// Output:
	// the rings are found: false
	// the rings are found: true
}

// Every Laplacian on every graph finds the moons and the rings.
func TestSpectralShapes(t *testing.T) {
	for _, d := range []*datasets.Dataset{datasets.Must(datasets.Moons(2, 300, 0.05)), datasets.Must(datasets.Rings(2, 300, 0.03))} {
		for _, l := range []cluster.Laplacian{cluster.Symmetric, cluster.RandomWalk, cluster.Unnormalized} {
			for name, s := range map[string]cluster.Spectral{
				"Gaussian":            {Gamma: 60},
				"neighbours":          {Affinity: cluster.Neighbors},
				"mutual neighbours":   {Affinity: cluster.MutualNeighbors, Nearest: 20},
				"weighted neighbours": {Affinity: cluster.Neighbors, Weighted: true, Gamma: 20},
			} {
				if !testkit.IsLong(t) && (l == cluster.RandomWalk) != (d.Name == "moons") {
					continue // test each Laplacian and each graph with one of the shapes only
				}
				s.K, s.Laplacian = 2, l
				m, err := s.Fit(d.X)
				if err != nil {
					t.Errorf("%s, Laplacian %d, %s: %v", d.Name, l, name, err)
					continue
				}
				if ari, _ := cluster.ARI(m.Labels, d.Y); ari != 1 {
					t.Errorf("%s, Laplacian %d, %s: ARI %v, want 1", d.Name, l, name, ari)
				}
			}
		}
	}
}

// The eigenvalues are from numpy 2 and scikit-learn 1.9.1: eigvalsh of the Laplacians of
// rbf_kernel(X, gamma=1) with diagonal 0, where X is Iris.
func TestSpectralIris(t *testing.T) {
	iris := datasets.Iris()
	normalised := []float64{0, 2.12726261e-03, 2.89962622e-01, 4.96342998e-01, 6.66407300e-01, 7.13359996e-01}
	for _, c := range []struct {
		l    cluster.Laplacian
		want []float64
	}{
		{cluster.Symmetric, normalised},
		{cluster.RandomWalk, normalised},
		{cluster.Unnormalized, []float64{0, 6.29231951e-02, 3.09239699e+00, 4.74138269e+00, 5.90474288e+00, 6.10660963e+00}},
	} {
		m := testkit.Try(cluster.Spectral{Gamma: 1, Laplacian: c.l, Eigenvalues: 6}.Fit(iris.X)).Or(t)
		for i, want := range c.want {
			if math.Abs(m.Eigenvalues[i]-want) > 1e-8*(1+want) {
				t.Errorf("Laplacian %d: eigenvalue %d = %.9g, want %.9g", c.l, i, m.Eigenvalues[i], want)
			}
		}
		if c.l != cluster.Unnormalized && m.K != 2 {
			t.Errorf("the eigengap chooses %d clusters, want 2", m.K) // λ₃ - λ₂ = 0.288 is the largest gap
		}
	}
	m := testkit.Try(cluster.Spectral{K: 2, Gamma: 1}.Fit(iris.X)).Or(t)
	setosa := make([]int, 150)
	for i := range setosa {
		setosa[i] = min(iris.Y[i], 1)
	}
	if ari, _ := cluster.ARI(m.Labels, setosa); ari != 1 {
		t.Errorf("two clusters of Iris: ARI with setosa and the rest %v, want 1", ari)
	}
}

// Digits with 10 nearest neighbours. The eigenvalues are numpy's eigvalsh of the
// normalised Laplacian of kneighbors_graph(X, 10), symmetrised by the maximum
// (scikit-learn 1.9.1). Distances of whole numbers have ties, which scikit-learn breaks
// differently. On that graph its SpectralClustering, which does not scale the rows to
// length 1, reaches ARI 0.757.
func TestSpectralDigits(t *testing.T) {
	testkit.NoRace(t)
	d := datasets.Digits()
	m := testkit.Try(cluster.Spectral{K: 10, Affinity: cluster.Neighbors}.Fit(d.X)).Or(t)
	ari, _ := cluster.ARI(m.Labels, d.Y)
	purity, _ := cluster.Purity(m.Labels, d.Y)
	if ari < 0.75 || purity < 0.8 {
		t.Errorf("ARI %v and purity %v, want 0.75 and 0.8 or more", ari, purity)
	}
	for i, want := range []float64{0, 2.76882488e-03, 6.05545432e-03, 8.00191566e-03, 9.21200890e-03, 1.23071928e-02, 1.27196984e-02, 1.84053615e-02, 2.07799042e-02, 3.36292532e-02} {
		if math.Abs(m.Eigenvalues[i]-want) > 0.02*want {
			t.Errorf("eigenvalue %d = %v, want %v", i, m.Eigenvalues[i], want)
		}
	}
}

// The eigenvectors satisfy (D - W)u = λu or λDu, on a graph that includes a sample
// without links.
func TestSpectralEquations(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 5))
	const n = 25
	W := mat.NewSymDense(n, nil)
	for i := range n - 1 {
		for j := range i {
			if rng.IntN(3) == 0 || j == i-1 {
				W.SetSym(i, j, rng.Float64())
			}
		}
	}
	for _, l := range []cluster.Laplacian{cluster.RandomWalk, cluster.Unnormalized} {
		m := testkit.Try(cluster.Spectral{K: 4, Laplacian: l}.FitAffinity(W)).Or(t)
		if !slices.IsSorted(m.Eigenvalues) || m.Eigenvalues[0] != 0 || m.Eigenvalues[1] != 0 || m.Eigenvalues[2] < 1e-6 {
			t.Errorf("Laplacian %d: eigenvalues %v, want two zeros", l, m.Eigenvalues)
		}
		for k, value := range m.Eigenvalues {
			largest := 0.0
			for i := range n {
				degree, sum := 0.0, 0.0
				for j := range n {
					degree += W.At(i, j)
					sum += W.At(i, j) * m.Embedding[j][k]
				}
				u := m.Embedding[i][k]
				right := value * u
				if l == cluster.RandomWalk {
					right *= degree
				}
				if left := degree*u - sum; math.Abs(left-right) > 1e-9 {
					t.Errorf("Laplacian %d, pair %d, row %d: %v = %v", l, k, i, left, right)
				}
				if math.Abs(u) > math.Abs(largest)*(1+1e-6) {
					largest = u
				}
			}
			if largest <= 0 {
				t.Errorf("Laplacian %d, pair %d: the largest component is %v", l, k, largest)
			}
		}
	}
}

// A fit that is cancelled or stopped returns what it has found so far: before the graph,
// before the eigenvectors and during k-means.
func TestSpectralEnds(t *testing.T) {
	moons := datasets.Must(datasets.Moons(1, 200, 0.05))
	done, cancel := context.WithCancel(context.Background())
	cancel()
	for _, s := range []cluster.Spectral{{K: 2, Gamma: 10}, {K: 2, Affinity: cluster.Neighbors}} {
		m, err := s.FitWith(mlkit.Options{Context: done}, moons.X)
		var nc *mlkit.NotConvergedError
		if !errors.As(err, &nc) || !errors.Is(err, context.Canceled) || m.Labels != nil || nc.Model != any(m) {
			t.Errorf("cancelled: %v, %+v", err, m)
		}
	}
	W := mat.NewDense(3, 3, []float64{0, 1, 1, 1, 0, 1, 1, 1, 0})
	if m, err := (cluster.Spectral{K: 2}).FitAffinityWith(mlkit.Options{Context: done}, W); !errors.Is(err, context.Canceled) || len(m.ComponentLabels) != 3 || m.Labels != nil {
		t.Errorf("cancelled before the eigenvectors: %v, %+v", err, m)
	}
	ctx, cancel := context.WithCancel(context.Background())
	m, err := cluster.Spectral{K: 2, Gamma: 10, Trace: func(cluster.KMeansStep) bool { cancel(); return true }}.FitWith(mlkit.Options{Context: ctx}, moons.X)
	var nc *mlkit.NotConvergedError
	if !errors.As(err, &nc) || nc.Model != any(m) || len(m.Labels) != 200 {
		t.Errorf("cancelled in k-means: %v", err)
	}
	steps := 0
	if m, err := (cluster.Spectral{K: 2, Gamma: 10, Trace: func(cluster.KMeansStep) bool { steps++; return false }}).Fit(moons.X); err != nil || steps != 1 || len(m.Labels) != 200 {
		t.Errorf("stopped: %v, %d steps", err, steps)
	}
}

// Sixty groups of three samples are 4 to 8 apart, linked by exp(-32) at the widest gap, so
// rounding hides which eigenvectors belong to the smallest eigenvalues. The error says what is
// wrong and what to do, and each of these helps.
func TestSpectralNearlyFallsApart(t *testing.T) {
	testkit.NoRace(t)
	X := mat.NewDense(180, 2, nil)
	at := 0.0
	for g := range 60 {
		_, fraction := math.Modf(0.618 * float64(g))
		at += 4 + 4*fraction
		for j := range 3 {
			X.SetRow(3*g+j, []float64{at + 0.3*float64(j), 0.3 * math.Sin(float64(g*g+j))})
		}
	}
	_, err := cluster.Spectral{K: 2}.Fit(X)
	var nc *mlkit.NotConvergedError
	if !errors.As(err, &nc) || !strings.Contains(nc.Reason, "falls into more parts; link more (a smaller Gamma, a larger Nearest) or raise K") {
		t.Fatalf("err = %v", err)
	}
	for _, s := range []cluster.Spectral{{K: 2, Gamma: 0.05}, {K: 2, Affinity: cluster.Neighbors}, {K: 60}} {
		if _, err := s.Fit(X); err != nil {
			t.Errorf("K = %d, γ = %g: %v", s.K, s.Gamma, err)
		}
	}
}

func TestSpectralModel(t *testing.T) {
	moons := datasets.Must(datasets.Moons(1, 100, 0.05))
	X := moons.X
	s := cluster.Spectral{K: 2, Gamma: 30, Seed: 4}
	m := testkit.Try(s.Fit(X)).Or(t)
	// Passing the Gaussian graph as an affinity gives the same graph.
	W := mat.NewSymDense(100, nil)
	for i := range 100 {
		for j := range i {
			dx, dy := X.At(i, 0)-X.At(j, 0), X.At(i, 1)-X.At(j, 1)
			W.SetSym(i, j, math.Exp(-30*(dx*dx+dy*dy)))
		}
	}
	own, err := s.FitAffinity(W)
	if err != nil || !slices.Equal(own.Labels, m.Labels) {
		t.Errorf("own affinity: %v", err)
	}
	// So does linking all neighbours with the same weights, which by default have γ = ½.
	for _, gamma := range []float64{30, 0.5, 0} {
		all := cluster.Spectral{K: 2, Gamma: gamma, Seed: 4}
		want := testkit.Try(all.Fit(X)).Or(t)
		all.Affinity, all.Nearest, all.Weighted = cluster.MutualNeighbors, 99, true
		if gamma == 0.5 {
			all.Gamma = 0
		}
		near, err := all.Fit(X)
		if err != nil || !slices.Equal(near.Labels, want.Labels) || math.Abs(near.Eigenvalues[1]-want.Eigenvalues[1]) > 1e-12 {
			t.Errorf("γ = %v, all neighbours: %v, eigenvalues %v, want %v", gamma, err, near.Eigenvalues, want.Eigenvalues)
		}
	}
	one, err := cluster.Spectral{K: 1, Affinity: cluster.Neighbors}.Fit(mat.NewDense(1, 1, []float64{7}))
	if err != nil || !slices.Equal(one.Labels, []int{0}) {
		t.Errorf("one sample: %v", err)
	}
}

func TestSpectralRefuses(t *testing.T) {
	X := mat.NewDense(3, 1, []float64{1, 2, 3})
	fit := func(s cluster.Spectral) error { _, err := s.Fit(X); return err }
	affinity := func(W mat.Matrix) error {
		_, err := cluster.Spectral{K: 1}.FitAffinity(W)
		return err
	}
	graph := func(g *cluster.Graph) error {
		_, err := cluster.Spectral{K: 1}.FitGraph(g)
		return err
	}
	edges := func(n int, e ...cluster.Edge) error { _, err := cluster.NewGraph(n, e); return err }
	big := math.MaxFloat64
	testkit.Refusals{
		{fit(cluster.Spectral{K: 4}), "cluster: Spectral.K = 4, want 1 to 3…"},
		{fit(cluster.Spectral{Affinity: 3}), "cluster: Spectral.Affinity = 3…"},
		{fit(cluster.Spectral{Gamma: -1}), "cluster: Spectral.Gamma = -1…"},
		{fit(cluster.Spectral{Affinity: cluster.MutualNeighbors, Gamma: 2}), "cluster: Spectral.Gamma = 2, want 0 for links of weight 1, or Weighted"},
		{fit(cluster.Spectral{Nearest: 3}), "cluster: Spectral.Nearest = 3, want 1 to 2…"},
		{fit(cluster.Spectral{Laplacian: -1}), "cluster: Spectral.Laplacian = -1…"},
		{fit(cluster.Spectral{Eigenvalues: 4}), "cluster: Spectral.Eigenvalues = 4, want 1 to 3…"},
		{func() error { _, err := cluster.Spectral{}.Fit(nil); return err }(), "cluster: X is nil…"},
		{func() error { _, err := cluster.Spectral{}.Fit(mat.NewDense(1, 1, []float64{1e300})); return err }(), "cluster: X[0][0] = 1e+300…"},
		{affinity(nil), "cluster: W is nil…"},
		{affinity(mat.NewDense(1, 2, nil)), "cluster: W is 1×2, want a square…"},
		{affinity(mat.NewDense(2, 2, []float64{0, -1, -1, 0})), "cluster: W[1][0] = -1 and W[0][1] = -1, want finite numbers ≥ 0"},
		{affinity(mat.NewDense(2, 2, []float64{0, 1, 2, 0})), "cluster: W[1][0] = 2, but W[0][1] = 1, want a symmetric…"},
		{affinity(mat.NewDense(2, 2, []float64{big, big, big, 0})), "cluster: the weights of sample 0 have a sum that overflows…"},
		{func() error {
			_, err := cluster.Spectral{K: 3}.FitAffinity(mat.NewDense(2, 2, nil))
			return err
		}(), "cluster: Spectral.K = 3, want 1 to 2…"},
		{func() error {
			_, err := cluster.Spectral{K: 2}.FitGraph(&cluster.Graph{RowStarts: []int{0, 0}})
			return err
		}(), "cluster: Spectral.K = 2, want 1 to 1…"},
		{graph(nil), "cluster: the graph has no rows…"},
		{graph(&cluster.Graph{RowStarts: []int{0, 2}, Neighbors: []int{0}, Weights: []float64{1}}), "cluster: the graph has no rows, or RowStarts…"},
		{graph(&cluster.Graph{RowStarts: []int{0, 1, 0, 1}, Neighbors: []int{0}, Weights: []float64{1}}), "cluster: Graph.RowStarts[1] = 1 is more…"},
		{graph(&cluster.Graph{RowStarts: []int{0, 1}, Neighbors: []int{1}, Weights: []float64{1}}), "cluster: Graph.Neighbors[0] = 1 in row 0…"},
		{graph(&cluster.Graph{RowStarts: []int{0, 1}, Neighbors: []int{0}, Weights: []float64{math.NaN()}}), "cluster: Graph.Weights[0] = NaN in row 0…"},
		{graph(&cluster.Graph{RowStarts: []int{0, 1, 1}, Neighbors: []int{1}, Weights: []float64{1}}), "cluster: the graph links sample 0 with 1, but not…"},
		{edges(0), "cluster: n = 0 samples…"},
		{edges(2, cluster.Edge{I: 0, J: 2, Weight: 1}), "cluster: edges[0] links samples 0 and 2…"},
		{edges(2, cluster.Edge{I: 0, J: 1}), "cluster: edges[0].Weight = 0, want a positive…"},
	}.Check(t)
}

func TestNewGraph(t *testing.T) {
	g := testkit.Try(cluster.NewGraph(3, []cluster.Edge{{2, 0, 1}, {0, 1, 2}, {0, 2, 4}, {1, 1, 8}})).Or(t)
	want := &cluster.Graph{RowStarts: []int{0, 2, 4, 5}, Neighbors: []int{1, 2, 0, 1, 0}, Weights: []float64{2, 5, 2, 8, 5}}
	if !reflect.DeepEqual(g, want) {
		t.Errorf("got %+v, want %+v", g, want)
	}
}

func TestEigengap(t *testing.T) {
	for _, c := range []struct {
		values []float64
		want   int
	}{{nil, 1}, {[]float64{0}, 1}, {[]float64{0, 0, 0, 1, 1.5}, 3}, {[]float64{0, 1, 2}, 1}} {
		if got := cluster.Eigengap(c.values); got != c.want {
			t.Errorf("Eigengap(%v) = %d, want %d", c.values, got, c.want)
		}
	}
}
