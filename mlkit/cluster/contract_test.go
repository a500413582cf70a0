package cluster_test

import (
	"context"
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

func TestNotConverged(t *testing.T) {
	iris := datasets.Iris()
	err := mlkittest.TestNotConverged(func() (*cluster.KMeansModel, error) {
		return cluster.KMeans{K: 3, MaxIter: 1}.Fit(iris.X)
	})
	if err != nil {
		t.Error(err)
	}
}
