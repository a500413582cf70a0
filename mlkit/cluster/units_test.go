package cluster_test

import (
	"math"
	"slices"
	"testing"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"marginalia/datasets"
	"marginalia/mlkit/cluster"
	"marginalia/mlkit/internal/testkit"
	"marginalia/mlkit/mlkittest"
)

// The doc comments' promises about units and origins of columns hold.
func TestUnitsOfColumns(t *testing.T) { onBothPaths(t, unitsOfColumns) }

func unitsOfColumns(t *testing.T, _ ...string) {
	spectral := func(s cluster.Spectral) func(X *mat.Dense, _ []int) (*cluster.SpectralModel, error) {
		return func(X *mat.Dense, _ []int) (*cluster.SpectralModel, error) { return s.Fit(X) }
	}
	testkit.NoErrors(t, map[string]error{
		"k-means": mlkittest.TestUnits(func(X *mat.Dense, _ []int) (*cluster.KMeansModel, error) {
			return cluster.KMeans{}.Fit(X)
		}, mlkittest.Units{Offset: 1e12, Scale: 1e130}, 0),
		"spectral, Gaussian": mlkittest.TestUnits(spectral(cluster.Spectral{K: 2, Gamma: 0.1}), mlkittest.Units{Offset: 1e9}, 0),
		"spectral, neighbours": mlkittest.TestUnits(spectral(cluster.Spectral{K: 2, Affinity: cluster.Neighbors, Nearest: 5}),
			mlkittest.Units{Offset: 1e9, Scale: 1e130}, 0),
	})
}

// k-means of samples whose squared distances underflow takes the same steps as for the
// same samples in another unit: labels, centres, the steps traced and the model's
// predictions.
func TestKMeansTiny(t *testing.T) {
	iris := datasets.Iris()
	n, d := iris.X.Dims()
	start := mat.DenseCopyOf(iris.X.Slice(49, 52, 0, d))
	fit := func(k cluster.KMeans, unit float64) (*cluster.KMeansModel, []float64) {
		var X, S mat.Dense
		X.Scale(unit, iris.X)
		var seen []float64
		k.Trace = func(s cluster.KMeansStep) bool {
			seen = append(seen, s.Centers[2][0]/unit, float64(s.Changed))
			return true
		}
		if k.Start != nil {
			S.Scale(unit, k.Start)
			k.Start = &S
		}
		m := testkit.Try(k.Fit(&X)).Or(t)
		for i := range n {
			if got := m.Predict(X.RawRowView(i)); got != m.Labels[i] {
				t.Errorf("unit %g: row %d is predicted %d, and labelled %d", unit, i, got, m.Labels[i])
			}
		}
		return m, seen
	}
	for _, k := range []cluster.KMeans{{K: 3}, {K: 3, Start: start}} {
		want, steps := fit(k, 1)
		for _, unit := range []float64{0x1p-1000, 0x1p-560, 0x1p-535, 0x1p-500} {
			m, seen := fit(k, unit)
			if !slices.Equal(m.Labels, want.Labels) || !slices.Equal(seen, steps) {
				t.Errorf("unit %g: labels %v, want %v, or other steps", unit, m.Labels, want.Labels)
			}
			for c := range want.Centers {
				scaled := floats.ScaleTo(make([]float64, d), unit, want.Centers[c])
				if !slices.Equal(m.Centers[c], scaled) {
					t.Errorf("unit %g: centre %d is %v, want %v", unit, c, m.Centers[c], scaled)
				}
			}
			if J := want.Inertia * unit * unit; math.Abs(m.Inertia-J) > 1e-14*J+5e-324 {
				t.Errorf("unit %g: J = %v, want %v", unit, m.Inertia, J)
			}
		}
	}
}
