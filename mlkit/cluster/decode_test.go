package cluster

import (
	"encoding/json"
	"testing"

	"gonum.org/v1/gonum/mat"

	"marginalia/mlkit/internal/samples"
)

// everyModel returns a small model of each type.
func everyModel(t testing.TB) []any {
	X := mat.NewDense(7, 2, []float64{0, 1, 1, 1, 0.5, 0, 8, 8, 8, 9, 9, 9, -9, 9})
	m := samples.Models{T: t}
	m.Add(KMeans{K: 3}.Fit(X))
	m.Add(Spectral{K: 3}.Fit(X))
	return m.All
}

func FuzzDecode(f *testing.F) { samples.FuzzDecode(f, everyModel(f)...) }

func TestDecodeErrors(t *testing.T) {
	for text, want := range map[string]string{
		`{"centers":[[1,2],[3]],"labels":null,"sizes":null,"inertia":0,"iterations":0,"run":0,"converged":false}`:   "cluster: decoding KMeansModel: len(centers[1]) = 1, want 2",
		`{"centers":[[1],[3]],"labels":[0,2],"sizes":[1,1],"inertia":0,"iterations":0,"run":0,"converged":false}`:   "cluster: decoding KMeansModel: labels[1] = 2, want from 0 to 1",
		`{"centers":[[1],[3]],"labels":[0,1,1],"sizes":[2,1],"inertia":0,"iterations":0,"run":0,"converged":false}`: "cluster: decoding KMeansModel: sizes[0] = 2, want 1, as often as labels has it",
		`{"centers":[],"labels":[],"sizes":[],"inertia":0,"iterations":0,"run":0,"converged":false}`:                "cluster: decoding KMeansModel: len(centers) = 0, want at least 1",
		`{"centroids":[[1],[3]],"labels":null,"sizes":null,"inertia":0,"iterations":0,"run":0,"converged":false}`:   `cluster: decoding KMeansModel: "centroids" is no field of it, want centers, converged, inertia, iterations, labels, run, sizes`,
	} {
		var m KMeansModel
		if err := json.Unmarshal([]byte(text), &m); err == nil || err.Error() != want {
			t.Errorf("%s: err = %v, want %s", text, err, want)
		}
	}
}
