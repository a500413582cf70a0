package neighbors_test

import (
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"

	"marginalia/datasets"
	"marginalia/mlkit/internal/testkit"
	"marginalia/mlkit/mlkittest"
	"marginalia/mlkit/neighbors"
)

// Neither the origin nor a common unit of the columns matters.
func TestUnitsOfColumns(t *testing.T) { onAllPaths(t, unitsOfColumns) }

func unitsOfColumns(t *testing.T, _ ...string) {
	for name, err := range map[string]error{
		"KNN, 1": mlkittest.TestUnits(neighbors.KNN{K: 1}.Fit, mlkittest.Units{Offset: 1e12, Scale: 1e280}, 0),
		"KNN, 5": mlkittest.TestUnits(neighbors.KNN{K: 5}.Fit, mlkittest.Units{Offset: 1e9, Scale: 1e280}, 0),
	} {
		if err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// Votes and scores don't depend on the unit, one sample at a time or many, even if the
// squared distances overflow or underflow. Each sample is its own nearest neighbour.
func TestKNNExtremes(t *testing.T) { onAllPaths(t, extremes) }

func extremes(t *testing.T, _ ...string) {
	moons := datasets.Must(datasets.Moons(1, 100, 0.1))
	n, _ := moons.X.Dims()
	for _, K := range []int{1, 11} {
		plain := testkit.Try(neighbors.KNN{K: K}.Fit(moons.X, moons.Y)).Or(t)
		want := plain.Scores(nil, moons.X)
		for _, unit := range []float64{0x1p-1000, 0x1p-560, 0x1p-535, 0x1p-500, 0x1p500, 0x1p511, 0x1p1000} {
			var X mat.Dense
			X.Scale(unit, moons.X)
			m := testkit.Try(neighbors.KNN{K: K}.Fit(&X, moons.Y)).Or(t)
			if got := m.Scores(nil, &X); !slices.Equal(got, want) {
				t.Errorf("K = %d, unit %g: scores %v, want %v", K, unit, got, want)
			}
			for i := range n {
				x := X.RawRowView(i)
				if got := m.Neighbors(x); !slices.Equal(got, plain.Neighbors(moons.X.RawRowView(i))) || got[0] != i {
					t.Errorf("K = %d, unit %g: neighbours of row %d are %v", K, unit, i, got)
				}
				if got := m.Score(x); got != want[i] {
					t.Errorf("K = %d, unit %g: score %v of row %d, want %v", K, unit, got, i, want[i])
				}
			}
		}
	}
}
