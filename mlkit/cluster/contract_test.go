package cluster_test

import (
	"context"
	"math"
	"slices"
	"testing"

	"marginalia/datasets"
	"marginalia/mlkit"
	"marginalia/mlkit/cluster"
	"marginalia/mlkit/internal/samples"
	"marginalia/mlkit/internal/testkit"
	"marginalia/mlkit/mlkittest"

	"gonum.org/v1/gonum/mat"
)

func TestContract(t *testing.T) { onBothPaths(t, contract) }

func contract(t *testing.T, except ...string) {
	if err := mlkittest.TestClusterer(cluster.KMeans{}.Fit, except...); err != nil {
		t.Errorf("k-means: %v", err)
	}
	for _, l := range []cluster.Laplacian{cluster.Symmetric, cluster.RandomWalk, cluster.Unnormalized} {
		if err := mlkittest.TestClusterer(cluster.Spectral{K: 2, Laplacian: l}.Fit, except...); err != nil {
			t.Errorf("spectral, Laplacian %d: %v", l, err)
		}
	}
}

func TestContext(t *testing.T) {
	testkit.NoEmulation(t)
	testkit.OneLevel(t)
	X := samples.Uniform(1, 30000, 30) // pure noise
	for name, fit := range map[string]func(context.Context) (any, error){
		"k-means": func(ctx context.Context) (any, error) {
			return cluster.KMeans{K: 100, MaxIter: 10000}.FitWith(mlkit.Options{Context: ctx}, X)
		},
		"neighbours": func(ctx context.Context) (any, error) {
			return cluster.Spectral{K: 2, Affinity: cluster.Neighbors}.FitWith(mlkit.Options{Context: ctx}, X)
		},
	} {
		testkit.NoError(t, name, mlkittest.TestContext(fit))
	}
}

// These take no weights of samples.
func TestUnweighted(t *testing.T) {
	X := datasets.Iris().X
	W, g := mat.NewDense(3, 3, []float64{0, 1, 0, 1, 0, 1, 0, 1, 0}), testkit.Try(cluster.NewGraph(3, []cluster.Edge{{I: 0, J: 1, Weight: 1}, {I: 1, J: 2, Weight: 1}})).Or(t)
	for name, err := range map[string]error{
		"k-means":         mlkittest.TestUnweighted(func(o mlkit.Options) (any, error) { return cluster.KMeans{}.FitWith(o, X) }),
		"spectral":        mlkittest.TestUnweighted(func(o mlkit.Options) (any, error) { return cluster.Spectral{}.FitWith(o, X) }),
		"spectral, W":     mlkittest.TestUnweighted(func(o mlkit.Options) (any, error) { return cluster.Spectral{}.FitAffinityWith(o, W) }),
		"spectral, graph": mlkittest.TestUnweighted(func(o mlkit.Options) (any, error) { return cluster.Spectral{}.FitGraphWith(o, g) }),
	} {
		testkit.NoError(t, name, err)
	}
}

func TestReport(t *testing.T) {
	X := datasets.Iris().X
	var tiny mat.Dense // whose squares underflow
	tiny.Scale(1e-200, X)
	for name, err := range map[string]error{
		"k-means":       mlkittest.TestReport(func(o mlkit.Options) (any, error) { return cluster.KMeans{K: 3}.FitWith(o, X) }),
		"k-means, tiny": mlkittest.TestReport(func(o mlkit.Options) (any, error) { return cluster.KMeans{K: 3}.FitWith(o, &tiny) }),
		"k-means, without end": mlkittest.TestReport(func(o mlkit.Options) (any, error) {
			return cluster.KMeans{K: 3, MaxIter: math.MaxInt}.FitWith(o, X)
		}),
		"k-means, unfinished": mlkittest.TestReport(func(o mlkit.Options) (any, error) {
			return cluster.KMeans{K: 3, MaxIter: 1}.FitWith(o, X)
		}),
		"spectral": mlkittest.TestReport(func(o mlkit.Options) (any, error) { return cluster.Spectral{K: 3}.FitWith(o, X) }),
		"spectral, D - W": mlkittest.TestReport(func(o mlkit.Options) (any, error) {
			return cluster.Spectral{K: 3, Laplacian: cluster.Unnormalized}.FitWith(o, X)
		}),
		"spectral, eigengap": mlkittest.TestReport(func(o mlkit.Options) (any, error) { return cluster.Spectral{}.FitWith(o, X) }),
	} {
		testkit.NoError(t, name, err)
	}
}

// A report of k-means has the labels that the iteration of Trace changed. Its Done counts MaxIter
// for each run before.
func TestReportedIterations(t *testing.T) {
	type iteration struct{ done, changed int }
	var traced, reported []iteration
	k := cluster.KMeans{K: 3, Restarts: 4, MaxIter: 50, Trace: func(s cluster.KMeansStep) bool {
		traced = append(traced, iteration{50*s.Restart + s.Iteration + 1, s.Changed})
		return true
	}}
	report := func(p mlkit.Progress) {
		if p.Algorithm != "cluster: k-means" || p.Of != 200 {
			t.Errorf("%+v, want k-means and 4·50 iterations", p)
		}
		reported = append(reported, iteration{p.Done, int(p.Residual)})
	}
	testkit.Try(k.FitWith(mlkit.Options{Report: report}, datasets.Iris().X)).Or(t)
	if !slices.Equal(reported, traced) || len(traced) < 8 {
		t.Errorf("reports %v, want the iterations %v", reported, traced)
	}
}

func TestNotConverged(t *testing.T) {
	iris := datasets.Iris()
	err := mlkittest.TestNotConverged(func() (*cluster.KMeansModel, error) {
		return cluster.KMeans{K: 3, MaxIter: 1}.Fit(iris.X)
	})
	if err != nil {
		t.Error(err)
	}
}
