package cluster_test

import (
	"reflect"
	"testing"

	"gonum.org/v1/gonum/mat"

	"marginalia/datasets"
	"marginalia/mlkit/cluster"
	"marginalia/mlkit/internal/testkit"
)

// Columns of zeros change no distance, not even in its last bit, but they change how the
// neighbours are found. The model must stay the same, ties included: a Gaussian cloud has
// none, whole numbers have many.
func TestNeighborsOfManyColumns(t *testing.T) {
	moons := datasets.Must(datasets.Moons(3, 300, 0.1)).X
	grid := mat.NewDense(150, 2, nil)
	for i := range 150 {
		grid.SetRow(i, []float64{float64(i * i % 13), float64(i * 5 % 7)})
	}
	for name, X := range map[string]*mat.Dense{"moons": moons, "grid": grid} {
		n, d := X.Dims()
		wide := mat.NewDense(n, 40, nil)
		wide.Slice(0, n, 0, d).(*mat.Dense).Copy(X)
		for _, affinity := range []cluster.Affinity{cluster.Neighbors, cluster.MutualNeighbors} {
			s := cluster.Spectral{Affinity: affinity, Nearest: 6, Weighted: true, Gamma: 0.5}
			want := testkit.Try(s.Fit(X)).Or(t, name)
			got, err := s.Fit(wide)
			if err != nil {
				t.Fatal(name, err)
			}
			if !reflect.DeepEqual(got, want) {
				t.Errorf("%s, %v: another model with columns of zeros", name, affinity)
			}
		}
	}
}
