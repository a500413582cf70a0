package unit

import (
	"testing"

	"marginalia/mlkit"
	"marginalia/mlkit/internal/samples"
	"marginalia/mlkit/internal/testkit"
)

// everyModel returns a small value of every type of this package that is encoded.
func everyModel(t testing.TB) []any {
	models := samples.Models{T: t}
	models.Add(NewLayer(Sigmoid, mlkit.Hyperplane{W: []float64{1, 2}, B: 3}, mlkit.Hyperplane{W: []float64{4, 5}, B: 6}, mlkit.Hyperplane{W: []float64{7, 8}}))
	models.Add(Boolean([]bool{false, true, true, false}))
	models.Add(And(2), nil)
	return models.All
}

func TestDecodedModelsAreWhole(t *testing.T) {
	testkit.NoEmulation(t)
	testkit.OneLevel(t)
	testkit.Long(t)
	samples.TestDecoding(t, everyModel(t))
}

func FuzzDecode(f *testing.F) { samples.FuzzDecode(f, everyModel(f)...) }
