package kernelized

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"marginalia/mlkit"
	"marginalia/mlkit/cluster"
	"marginalia/mlkit/internal/samples"
	"marginalia/mlkit/internal/testkit"
	"marginalia/mlkit/kernel"
	"marginalia/mlkit/mlkittest"
)

func TestKMeansConformance(t *testing.T) {
	onBothPaths(t, kmeansConformance)
	X := samples.Uniform(20, 200, 2)
	if err := mlkittest.TestNotConverged(func() (*KMeansModel, error) {
		return KMeans{K: 20, MaxIter: 1, Restarts: 1}.Fit(X)
	}); err != nil {
		t.Error(err)
	}
}

func kmeansConformance(t *testing.T, except ...string) {
	for name, k := range map[string]KMeans{
		"zero value": {},
		"rbf":        {Kernel: kernel.RBF{Gamma: 0.2}},
	} {
		except := except
		if name != "rbf" {
			except = without(t, except)
		}
		testkit.NoError(t, name, mlkittest.TestClusterer(k.Fit, except...))
	}
}

// With the linear kernel this is k-means, iteration by iteration; with a polynomial
// kernel it is k-means on its φ. The same start leads to the same clusters.
func TestKMeansIsExplicit(t *testing.T) {
	for seed := range uint64(20) {
		r := rand.New(rand.NewPCG(seed, 2))
		n, K := 20+r.IntN(40), 2+r.IntN(4)
		X := samples.Uniform(seed+100, n, 2)
		k := kernel.Polynomial{Degree: 1 + r.IntN(3), Coef0: 1}
		φ := testkit.Try(kernel.Monomials{Kernel: k}.For(2)).Or(t)
		start := make([]int, n)
		for i := range start {
			start[i] = r.IntN(K)
			if i < K {
				start[i] = i
			}
		}
		Φ := φ.Transform(nil, X)
		centres, sizes := mat.NewDense(K, φ.Dim(), nil), make([]float64, K)
		for i, c := range start {
			floats.Add(centres.RawRowView(c), Φ.RawRowView(i))
			sizes[c]++
		}
		for c, size := range sizes {
			floats.Scale(1/size, centres.RawRowView(c))
		}
		want := testkit.Try(cluster.KMeans{K: K, Start: centres}.Fit(Φ)).Or(t)
		got := testkit.Try(KMeans{K: K, Kernel: k, Start: start}.Fit(X)).Or(t)
		if !slices.Equal(got.Labels, want.Labels) || !slices.Equal(got.Sizes, want.Sizes) || math.Abs(got.Inertia-want.Inertia) > 1e-10*want.Inertia {
			t.Errorf("seed %d, %+v: labels %v with J = %v, want %v with %v", seed, k, got.Labels, got.Inertia, want.Labels, want.Inertia)
			continue
		}
		x := []float64{0.4, 1.7}
		if d, w := got.Distances(nil, x), want.Distances(nil, φ.TransformSample(nil, x)); !floats.EqualApprox(d, w, 1e-9) {
			t.Errorf("seed %d: distances = %v, want %v", seed, d, w)
		}
		// With k-means++ in the space of φ, J falls within each run, and the best run is
		// kept.
		inertia, best := math.Inf(1), math.Inf(1)
		var at int
		m, err := KMeans{K: K, Kernel: k, Seed: seed, Trace: func(s KMeansStep) bool {
			if s.Iteration > 1 && s.Inertia > inertia*(1+1e-12) {
				t.Errorf("seed %d: J rises from %v to %v in iteration %d of run %d", seed, inertia, s.Inertia, s.Iteration, s.Restart)
			}
			inertia = s.Inertia
			if s.Changed == 0 && inertia < best {
				best, at = inertia, s.Restart
			}
			return true
		}}.Fit(X)
		if err != nil {
			t.Fatal(err)
		}
		if m.Inertia != best || m.Restart != at || !m.Converged {
			t.Errorf("seed %d: the model is that of run %d with J = %v, want run %d with %v", seed, m.Restart, m.Inertia, at, best)
		}
		if p := m.Predictions(nil, X); !slices.Equal(p, m.Labels) {
			t.Errorf("seed %d: predictions %v, want the labels %v", seed, p, m.Labels)
		}
	}
}

// No line between two means separates a disc from a ring around it, but in the space of
// exp(-γ‖x-z‖²) they are two clusters.
func TestKMeansRing(t *testing.T) {
	const n = 60
	X, want := mat.NewDense(n, 2, nil), make([]int, n)
	for i := range n {
		angle, radius := 2*math.Pi*float64(i)/n*7, 0.2
		if i >= n/2 {
			radius, want[i] = 3, 1
		}
		X.SetRow(i, []float64{radius * math.Cos(angle), radius * math.Sin(angle)})
	}
	m := testkit.Try(KMeans{Kernel: kernel.Polynomial{Degree: 2}, Restarts: 1, Start: want}.Fit(X)).Or(t)
	if !slices.Equal(m.Labels, want) || m.Iterations != 1 {
		t.Errorf("labels = %v after %d iterations, want the ring apart", m.Labels, m.Iterations)
	}
	line := testkit.Try(KMeans{Start: want}.Fit(X)).Or(t)
	if slices.Equal(line.Labels, want) {
		t.Error("k-means without a kernel has the ring apart too")
	}
}

// Two of three clusters start with the same mean: the one that loses all its samples
// takes over the farthest sample.
func TestKMeansEmpty(t *testing.T) {
	X := mat.NewDense(7, 1, []float64{0, 0, 1, 1, 10, 11, 20})
	m := testkit.Try(KMeans{K: 3, Start: []int{0, 1, 0, 1, 2, 2, 2}}.Fit(X)).Or(t)
	// Means 0.5, 0.5, 41/3: cluster 1 is empty, and row 6 is the farthest, at (20-41/3)².
	if want := []int{0, 0, 0, 0, 2, 2, 1}; !slices.Equal(m.Labels, want) {
		t.Errorf("labels = %v, want %v", m.Labels, want)
	}
	if math.Abs(m.Inertia-1.5) > 1e-12 { // 4·0.25 + 2·0.25
		t.Errorf("J = %v, want 1.5", m.Inertia)
	}
}

func TestKMeansErrors(t *testing.T) {
	X := samples.Uniform(21, 4, 2)
	same := mat.NewDense(4, 1, []float64{1, 2, 1, 2})
	huge := mat.NewDense(2, 1, []float64{1.2e154, -1.2e154})
	testkit.Refusals{
		{second(KMeans{K: -1}.Fit(X)), "kernelized: KMeans.K = -1…"},
		{second(KMeans{K: 5}.Fit(X)), "kernelized: X has 4 rows, want at least 5…"},
		{second(KMeans{Restarts: -1}.Fit(X)), "kernelized: KMeans.Restarts = -1…"},
		{second(KMeans{MaxIter: -1}.Fit(X)), "kernelized: KMeans.MaxIter = -1…"},
		{second(KMeans{Kernel: kernel.RBF{Gamma: -1}}.Fit(X)), "kernel: RBF.Gamma = -1…"},
		{second(KMeans{Start: []int{0, 1}}.Fit(X)), "kernelized: len(KMeans.Start) = 2, want 4…"},
		{second(KMeans{Start: []int{0, 1, 2, 0}}.Fit(X)), "kernelized: KMeans.Start[2] = 2, want 0 to 1"},
		{second(KMeans{Start: []int{0, 0, 0, 0}}.Fit(X)), "kernelized: KMeans.Start has no row in cluster 1, want at least one"},
		{second(KMeans{Start: []int{0, 1, 0, 0}, Restarts: 2}.Fit(X)), "kernelized: KMeans.Restarts = 2, want 1 with Start"},
		{second(KMeans{K: 3}.Fit(same)), "kernelized: X has only 2 different images…"},
		{second(KMeans{}.Fit(huge)), "kernelized: KMeans: the sum of the squared distances overflows…"},
	}.Check(t)
	stop := KMeans{K: 3, Trace: func(s KMeansStep) bool { return s.Restart < 2 }}
	m, err := stop.Fit(samples.Uniform(22, 30, 2))
	if err != nil || m.Restart > 2 {
		t.Errorf("stopped by the trace: %v, run %d", err, m.Restart)
	}
	ctx, cancel := context.WithCancel(context.Background())
	long := KMeans{K: 3, Trace: func(s KMeansStep) bool { cancel(); return true }}
	m, err = long.FitWith(mlkit.Options{Context: ctx}, samples.Uniform(22, 30, 2))
	var e *mlkit.NotConvergedError
	if !errors.As(err, &e) || !errors.Is(err, context.Canceled) || m.Iterations != 1 || len(m.Labels) != 30 ||
		!strings.Contains(e.Reason, "canceled after iteration 1 of run 0") {
		t.Errorf("cancelled: %v, %+v", err, m)
	}
	m, err = long.FitWith(mlkit.Options{Context: ctx}, X)
	if !errors.Is(err, context.Canceled) || m.Labels != nil || m.Predict([]float64{1, 2}) != 0 {
		t.Errorf("cancelled before: %v, %+v", err, m)
	}
}

// Two clusters far from 0 are found, or rounding hides them and the fit says so: the images of
// a polynomial kernel are as far from each other as the samples, relatively, but from the origin
// as the power of the offset.
func TestKMeansFarAway(t *testing.T) {
	random := rand.New(rand.NewPCG(46, 0))
	const n = 40
	found, hidden := 0, 0
	for _, degree := range []int{1, 2, 3, 5} {
		for _, offset := range []float64{1e2, 1e4, 1e6, 1e7, 1e8, 1e9, 1e10, 1e12} {
			X := mat.NewDense(n, 2, nil)
			for i := range n {
				X.SetRow(i, []float64{offset + 10*float64(i%2) + random.NormFloat64(), offset + random.NormFloat64()})
			}
			m, err := KMeans{Kernel: kernel.Polynomial{Degree: degree, Coef0: 1}}.Fit(X)
			if err != nil {
				if hidden++; degree == 1 || offset < 1e8 || !strings.Contains(err.Error(), "KMeans: the images of X[0] and X[1] differ by rounding only") {
					t.Errorf("degree %d, offset %g: %v", degree, offset, err)
				}
				continue
			}
			found++
			for i, label := range m.Labels {
				if label != m.Labels[i%2] {
					t.Errorf("degree %d, offset %g: row %d is in cluster %d", degree, offset, i, label)
				}
			}
		}
	}
	if found == 0 || hidden == 0 {
		t.Errorf("%d fits found the clusters and %d did not, want some of both", found, hidden)
	}
}
