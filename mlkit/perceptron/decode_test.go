package perceptron

import (
	"encoding/json"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"marginalia/mlkit/internal/samples"
)

// everyModel returns a small value of every type of this package that is encoded.
func everyModel(t testing.TB) []any {
	X := mat.NewDense(7, 2, []float64{0, 1, 2, 1, 4, 4, 5, 7, 1, 9, 3, -2, 1, 1})
	y := []int{1, -1, 1, -1, 1, -1, 1}
	models := samples.Models{T: t}
	models.Add(Perceptron{MaxIter: 9}.Fit(X, y))
	models.Add(Batch{MaxIter: 9}.Fit(X, y))
	models.Add(Pocket{}.Fit(X, y))
	models.Add(Dual{MaxIter: 9}.Fit(X, y))
	models.Add(Voted{Epochs: 2}.Fit(X, y))
	models.Add(Averaged{}.Fit(X, y))
	return models.All
}

// The error for one model with one thing wrong at a time.
func TestDecodeErrors(t *testing.T) {
	const good = `{"alpha":[1,0,2],"support":[0,2],"vectors":[[1,2],[3,4]],"labels":[1,-1],"b":-1,"dim":2,` +
		`"mistakes":3,"epochs":2,"mistakes_per_epoch":[3,0],"converged":true}`
	var m DualModel
	if err := json.Unmarshal([]byte(good), &m); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ old, new, want string }{
		{`"support":[0,2]`, `"support":[0,3]`, "support[1] = 3, want from 0 to 2"},
		{`"support":[0,2]`, `"support":[0]`, "len(vectors) = 2, want 1, one for each of support"},
		{`[3,4]`, `[3]`, "len(vectors[1]) = 1, want 2"},
		{`[1,-1]`, `[1,0]`, "labels[1] = 0, want one of [-1 1]"},
		{`[1,0,2]`, `[1,0,-2]`, "alpha[2] = -2, want at least 0"},
		{`"support":[0,2],"vectors":[[1,2],[3,4]],"labels":[1,-1],"b":-1,"dim":2`, `"support":[],"vectors":[],"labels":[],"b":-1,"dim":1000000000000000`,
			"dim = 1000000000000000, want at most 16777216 without vectors"},
	} {
		err := json.Unmarshal([]byte(strings.Replace(good, c.old, c.new, 1)), &m)
		if want := "perceptron: decoding DualModel: " + c.want; err == nil || err.Error() != want {
			t.Errorf("%s: err = %v, want %s", c.new, err, want)
		}
	}
}

func FuzzDecode(f *testing.F) { samples.FuzzDecode(f, everyModel(f)...) }
