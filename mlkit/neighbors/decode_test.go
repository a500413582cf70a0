package neighbors

import (
	"encoding/json"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"marginalia/mlkit/internal/samples"
)

// everyModel returns a small value of every type of this package that is encoded.
func everyModel(t testing.TB) []any {
	models := samples.Models{T: t}
	X := mat.NewDense(5, 2, []float64{1, 2, 3, 5, 8, 13, 0, 0, -1, 4})
	models.Add(KNN{K: 3}.Fit(X, []int{1, -7, 1, -7, 42}))
	return models.All
}

func FuzzDecode(f *testing.F) { samples.FuzzDecode(f, everyModel(f)...) }

func TestDecodeErrors(t *testing.T) {
	for text, want := range map[string]string{
		`{"k":3,"classes":[1,2],"x":[[1],[2]],"y":[1,2]}`: "neighbors: decoding Model: k = 3, want 1 to 2, the rows of x",
		`{"k":1,"classes":[1,2],"x":[[1],[2]],"y":[1,3]}`: "neighbors: decoding Model: y[1] = 3, want one of [1 2]",
		`{"K":1,"classes":[1,2],"x":[[1],[2]],"y":[1,2]}`: `neighbors: decoding Model: "K" is no field of it, want classes, k, x, y`,
	} {
		if err := json.Unmarshal([]byte(text), new(Model)); err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%s: err = %v, want %s", text, err, want)
		}
	}
}
