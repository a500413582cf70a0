package cluster_test

import (
	"context"
	"errors"
	"fmt"
	"log"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"marginalia/datasets"
	"marginalia/mlkit"
	"marginalia/mlkit/cluster"
	"marginalia/mlkit/internal/testkit"
)

// The samples are six points in the plane, in two groups of three.
func ExampleKMeans() {
	X := mat.NewDense(6, 2, []float64{0, 0, 0, 1, 1, 0, 10, 10, 10, 11, 11, 10})
	m, err := cluster.KMeans{
		Start: mat.NewDense(2, 2, []float64{0, 0, 0, 1}),
		Trace: func(s cluster.KMeansStep) bool {
			fmt.Printf("%d: %v J = %.2f\n", s.Iteration, s.Labels, s.Inertia)
			return true
		},
	}.Fit(X)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(m.Sizes, m.Predict([]float64{2, 2}))
	// Output:
	// 0: [0 1 0 1 1 1] J = 584.00
	// 1: [0 0 0 1 1 1] J = 39.44
	// 2: [0 0 0 1 1 1] J = 2.67
	// [3 3] 0
}

// Expected values are from scikit-learn 1.9.1, KMeans(k, n_init=50, tol=0). Iris, K = 3:
// J = 78.851441426146, 62, 50 and 38 samples, ARI 0.7302382722834697 with the species.
// K = 2: J = 152.3479517603579, 97 and 53 samples.
func TestKMeansIris(t *testing.T) {
	iris := datasets.Iris()
	for _, c := range []struct {
		k       int
		inertia float64
		sizes   []int
	}{{3, 78.851441426146, []int{38, 50, 62}}, {2, 152.3479517603579, []int{53, 97}}} {
		m := testkit.Try(cluster.KMeans{K: c.k}.Fit(iris.X)).Or(t)
		if math.Abs(m.Inertia-c.inertia) > 1e-9 {
			t.Errorf("K = %d: J = %.13g, want %.13g", c.k, m.Inertia, c.inertia)
		}
		sizes := slices.Sorted(slices.Values(m.Sizes))
		if !slices.Equal(sizes, c.sizes) {
			t.Errorf("K = %d: sizes %v, want %v", c.k, sizes, c.sizes)
		}
		if c.k == 3 {
			if ari, _ := cluster.ARI(m.Labels, iris.Y); math.Abs(ari-0.7302382722834697) > 1e-12 {
				t.Errorf("ARI %v, want 0.7302382722834697", ari)
			}
		}
	}
}

// Digits, K = 10: the best of scikit-learn 1.9.1's KMeans(10, n_init=200, tol=0,
// max_iter=1000) has J = 1165127.46 and ARI 0.667 with the digits.
func TestKMeansDigits(t *testing.T) {
	testkit.Long(t)
	d := datasets.Digits()
	m := testkit.Try(cluster.KMeans{K: 10}.Fit(d.X)).Or(t)
	if m.Inertia < 1165127.46 || m.Inertia > 1165127.46*1.002 {
		t.Errorf("J = %.2f, want 1165127.46, or a little more", m.Inertia)
	}
	if ari, _ := cluster.ARI(m.Labels, d.Y); ari < 0.6 || ari > 0.72 {
		t.Errorf("ARI %v, want about 0.667", ari)
	}
}

// For any data, J never increases, the labels are the nearest centres, the centres are
// the means of their samples, and no cluster is empty.
func TestKMeansProperties(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	for trial := range 200 {
		n, d := 2+rng.IntN(40), 1+rng.IntN(3)
		X := mat.NewDense(n, d, nil)
		different := map[string]bool{}
		for i := range n {
			for j := range d {
				X.Set(i, j, float64(rng.IntN(6))) // many ties and duplicates
			}
			different[fmt.Sprint(X.RawRowView(i))] = true
		}
		K := 1 + rng.IntN(len(different))
		last, run := math.Inf(1), -1
		algorithm := cluster.KMeans{K: K, Seed: uint64(trial), Restarts: 3, Trace: func(s cluster.KMeansStep) bool {
			if s.Restart == run && s.Inertia > last*(1+1e-12) {
				t.Errorf("trial %d, run %d, iteration %d: J rose from %v to %v", trial, s.Restart, s.Iteration, last, s.Inertia)
			}
			last, run = s.Inertia, s.Restart
			return true
		}}
		if trial%2 == 0 {
			algorithm.Restarts, algorithm.Start = 0, mat.NewDense(K, d, nil) // all centres at the origin
		}
		m, err := algorithm.Fit(X)
		if err != nil {
			t.Fatalf("trial %d: %v", trial, err)
		}
		if got := m.Predictions(nil, X); !slices.Equal(got, m.Labels) {
			t.Errorf("trial %d: labels %v, predictions %v", trial, m.Labels, got)
		}
		J := 0.0
		for k, c := range m.Centers {
			sum, members := make([]float64, d), 0
			for i, l := range m.Labels {
				if l == k {
					members++
					for j, v := range X.RawRowView(i) {
						sum[j] += v
						J += (v - c[j]) * (v - c[j])
					}
				}
			}
			if members == 0 || members != m.Sizes[k] {
				t.Errorf("trial %d: cluster %d of %v has %d samples", trial, k, m.Sizes, members)
			}
			for j := range sum {
				if math.Abs(sum[j]/float64(members)-c[j]) > 1e-12 {
					t.Errorf("trial %d: centre %d is %v, want the mean", trial, k, c)
				}
			}
		}
		if math.Abs(J-m.Inertia) > 1e-9 {
			t.Errorf("trial %d: J = %v, said to be %v", trial, J, m.Inertia)
		}
		if K == len(different) && m.Inertia > 1e-12 {
			t.Errorf("trial %d: J = %v with a cluster for each different row", trial, m.Inertia)
		}
	}
}

// Centres 1 and 2 get no sample at first. Cluster 1 is refilled with the row farthest
// from centre 0, which is row 3, then cluster 2 with the farthest of the rest.
func TestKMeansEmptyCluster(t *testing.T) {
	X := mat.NewDense(4, 1, []float64{0, 1, 5, 9})
	var first cluster.KMeansStep
	m, err := cluster.KMeans{
		K:     3,
		Start: mat.NewDense(3, 1, []float64{0, 100, 200}),
		Trace: func(s cluster.KMeansStep) bool {
			if s.Iteration == 0 {
				first = s
			}
			return true
		},
	}.Fit(X)
	if err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(first.Refilled, []int{1, 2}) || !slices.Equal(first.Labels, []int{0, 0, 2, 1}) || first.Inertia != 1 {
		t.Errorf("first step %+v", first)
	}
	if !slices.Equal(m.Labels, []int{0, 0, 2, 1}) || m.Inertia != 0.5 || !m.Converged {
		t.Errorf("model %+v", m)
	}
}

// The rules for ties: the lower centre wins, the first of equally distant rows is taken
// over, and a sample alone in its cluster is never taken.
func TestKMeansRules(t *testing.T) {
	var first cluster.KMeansStep
	trace := func(s cluster.KMeansStep) bool {
		if s.Iteration == 0 {
			first = s
		}
		return true
	}
	for _, c := range []struct {
		x, start []float64
		want     []int
	}{
		{[]float64{0, 5, 10}, []float64{0, 10}, []int{0, 0, 1}},               // 5 is halfway
		{[]float64{0, 3, -3}, []float64{0, 100}, []int{0, 1, 0}},              // 3 and -3 are equally far
		{[]float64{100, 0, 1}, []float64{60, 0, 1000}, []int{0, 1, 2}},        // 100 is farthest, but alone
		{[]float64{100, 0, 1, -4}, []float64{60, 0, 1000}, []int{0, 1, 1, 2}}, // so -4 is taken
	} {
		X, start := mat.NewDense(len(c.x), 1, c.x), mat.NewDense(len(c.start), 1, c.start)
		testkit.Try((cluster.KMeans{K: len(c.start), Start: start, Trace: trace}).Fit(X)).Or(t)
		if !slices.Equal(first.Labels, c.want) {
			t.Errorf("%v from %v: %v, want %v", c.x, c.start, first.Labels, c.want)
		}
	}
}

// k-means++ never draws a sample that is at a centre: three points, each repeated many
// times, always get one centre each.
func TestKMeansPlusPlus(t *testing.T) {
	X := mat.NewDense(60, 1, nil)
	for i := range 60 {
		X.Set(i, 0, []float64{0, 1, 10}[i%3])
	}
	drawn := map[float64]int{}
	for seed := range uint64(300) {
		m, err := cluster.KMeans{K: 3, Restarts: 1, MaxIter: 1, Seed: seed, Trace: func(s cluster.KMeansStep) bool {
			if len(s.Refilled) > 0 || s.Inertia != 0 {
				t.Errorf("seed %d: the starting centres are %v", seed, s.Centers)
			}
			drawn[s.Centers[0][0]]++
			return false
		}}.Fit(X)
		if err != nil {
			t.Fatal(err, m)
		}
	}
	// Each point should be the first centre equally often: 100 times of 300, within five
	// standard deviations (8.2).
	for point, n := range drawn {
		if len(drawn) != 3 || n < 59 || n > 141 {
			t.Errorf("%v was drawn first %d times of 300, want about 100", point, n)
		}
	}
}

// Of 25 clouds greedy k-means++ misses few: its starting centres leave a smaller J than those
// of plain k-means++, which this test draws itself. Over 100 seeds the means are as 0.3 to 1
// on such samples with scikit-learn 1.9.1, kmeans_plusplus(X, 25, n_local_trials=5) over
// n_local_trials=1.
func TestKMeansGreedy(t *testing.T) {
	const n, K, seeds = 500, 25, 100
	r := rand.New(rand.NewPCG(8, 8))
	X := mat.NewDense(n, 2, nil)
	for i := range n {
		X.SetRow(i, []float64{20*float64(i%5) + r.NormFloat64(), 20*float64(i/5%5) + r.NormFloat64()})
	}
	greedy, plain := 0.0, 0.0
	for seed := range uint64(seeds) {
		_, err := cluster.KMeans{K: K, Restarts: 1, Seed: seed, Trace: func(s cluster.KMeansStep) bool {
			greedy += s.Inertia
			return false
		}}.Fit(X)
		if err != nil {
			t.Fatal(err)
		}
		distances := slices.Repeat([]float64{1}, n)
		for k := range K {
			u, at := r.Float64()*floats.Sum(distances), 0
			for ; at < n-1 && u >= distances[at]; at++ {
				u -= distances[at]
			}
			for i := range distances {
				d := floats.Distance(X.RawRowView(i), X.RawRowView(at), 2)
				if distances[i] > d*d || k == 0 {
					distances[i] = d * d
				}
			}
		}
		plain += floats.Sum(distances)
	}
	if ratio := greedy / plain; !(ratio < 0.4) {
		t.Errorf("J of the starting centres is %.3f of that of plain k-means++, want less than 0.4", ratio)
	}
}

func TestKMeansEnds(t *testing.T) {
	iris := datasets.Iris()
	m, err := cluster.KMeans{K: 3, MaxIter: 1}.Fit(iris.X)
	var nc *mlkit.NotConvergedError
	if !errors.As(err, &nc) || nc.Model != any(m) || m.Converged || nc.Iterations != 1 || !(nc.Residual > 0) {
		t.Errorf("MaxIter: %v, %+v", err, m)
	}
	if got := m.Predictions(nil, iris.X); !slices.Equal(got, m.Labels) {
		t.Error("MaxIter: the labels do not belong to the centres")
	}

	loose, err := cluster.KMeans{K: 3, Tol: 0.5, Restarts: 1}.Fit(iris.X)
	strict, err2 := cluster.KMeans{K: 3, Restarts: 1}.Fit(iris.X)
	if err != nil || err2 != nil || loose.Iterations >= strict.Iterations || !loose.Converged {
		t.Errorf("Tol: %v, %v, %d and %d iterations", err, err2, loose.Iterations, strict.Iterations)
	}

	tight, err := cluster.KMeans{K: 3, Tol: 1e-12, Restarts: 1}.Fit(iris.X)
	if err != nil || math.Abs(tight.Inertia-strict.Inertia) > 1e-9 {
		t.Errorf("Tol: %v, J = %v, want %v", err, tight.Inertia, strict.Inertia)
	}

	steps := 0
	stopped, err := cluster.KMeans{K: 3, Trace: func(cluster.KMeansStep) bool { steps++; return steps < 3 }}.Fit(iris.X)
	if err != nil || steps != 3 || stopped.Iterations != 3 || stopped.Converged {
		t.Errorf("Trace: %v, %d steps, %+v", err, steps, stopped)
	}

	ctx, cancel := context.WithCancel(context.Background())
	late, err := cluster.KMeans{K: 3, Trace: func(s cluster.KMeansStep) bool {
		if s.Iteration == 1 {
			cancel()
		}
		return true
	}}.FitWith(mlkit.Options{Context: ctx}, iris.X)
	if !errors.Is(err, context.Canceled) || late.Iterations != 2 {
		t.Errorf("cancelled in the second iteration: %v, %+v", err, late)
	}
	if got := late.Predictions(nil, iris.X); !slices.Equal(got, late.Labels) {
		t.Error("cancelled: the labels do not belong to the centres")
	}
	none, err := cluster.KMeans{K: 3}.FitWith(mlkit.Options{Context: ctx}, iris.X)
	if !errors.Is(err, context.Canceled) || none.Labels != nil || len(none.Centers) != 3 {
		t.Errorf("cancelled from the start: %v, %+v", err, none)
	}
}

func TestKMeansRefuses(t *testing.T) {
	X := mat.NewDense(3, 1, []float64{1, 1, 2})
	for _, c := range []struct {
		k    cluster.KMeans
		X    *mat.Dense
		want string
	}{
		{cluster.KMeans{}, nil, "cluster: X is nil"},
		{cluster.KMeans{}, mat.NewDense(2, 1, []float64{1, math.NaN()}), "cluster: X[1][0] = NaN, want a finite number"},
		{cluster.KMeans{}, mat.NewDense(2, 1, []float64{1, 1e200}), "cluster: X[1][0] = 1e+200, want at most"},
		{cluster.KMeans{K: 4}, X, "cluster: KMeans.K = 4, want 1 to 3"},
		{cluster.KMeans{K: -1}, X, "cluster: KMeans.K = -1, want 1 to 3"},
		{cluster.KMeans{K: 3}, X, "cluster: X has only 2 different rows, want at least 3"},
		{cluster.KMeans{K: 3, Start: mat.NewDense(3, 1, nil)}, X, "cluster: X has only 2 different rows, want at least 3"},
		{cluster.KMeans{MaxIter: -1}, X, "cluster: KMeans.MaxIter = -1"},
		{cluster.KMeans{Restarts: -1}, X, "cluster: KMeans.Restarts = -1"},
		{cluster.KMeans{Restarts: 2, Start: mat.NewDense(2, 1, nil)}, X, "cluster: KMeans.Restarts = 2"},
		{cluster.KMeans{Tol: math.NaN()}, X, "cluster: KMeans.Tol = NaN"},
		{cluster.KMeans{Start: mat.NewDense(1, 2, nil)}, X, "cluster: KMeans.Start is 1×2, want 2×1"},
		{cluster.KMeans{Start: mat.NewDense(2, 1, []float64{0, math.Inf(1)})}, X, "cluster: KMeans.Start[1][0] = +Inf"},
	} {
		if m, err := c.k.Fit(c.X); err == nil || !strings.HasPrefix(err.Error(), c.want) || m != nil {
			t.Errorf("got %v, %v, want %q", m, err, c.want)
		}
	}
}

func TestKMeansModel(t *testing.T) {
	iris := datasets.Iris()
	m := testkit.Try(cluster.KMeans{K: 3}.Fit(iris.X)).Or(t)
	x := iris.X.RawRowView(120)
	d := m.Distances(make([]float64, 3), x)
	if got := m.Distances(nil, x); !slices.Equal(got, d) || d[m.Predict(x)] != slices.Min(d) {
		t.Errorf("distances %v and %v, nearest %d", got, d, m.Predict(x))
	}
	for name, misuse := range map[string]func(){
		"short sample":      func() { m.Predict(x[:2]) },
		"short sample, too": func() { m.Distances(nil, x[:2]) },
		"short distances":   func() { m.Distances(d[:1], x) },
		"short predictions": func() { m.Predictions(make([]int, 3), iris.X) },
	} {
		testkit.Panics(t, name, misuse, "cluster: len(")
	}
}
