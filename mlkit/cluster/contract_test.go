package cluster_test

import (
	"context"
	"testing"

	"marginalia/datasets"
	"marginalia/mlkit/cluster"
	"marginalia/mlkit/internal/samples"
	"marginalia/mlkit/internal/testkit"
	"marginalia/mlkit/mlkittest"
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
			return cluster.KMeans{K: 100, MaxIter: 10000}.FitContext(ctx, X)
		},
		"neighbours": func(ctx context.Context) (any, error) {
			return cluster.Spectral{K: 2, Affinity: cluster.Neighbors}.FitContext(ctx, X)
		},
	} {
		testkit.NoError(t, name, mlkittest.TestContext(fit))
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
