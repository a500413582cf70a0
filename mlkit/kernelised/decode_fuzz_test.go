package kernelised

import (
	"maps"
	"slices"
	"testing"

	"marginalia/mlkit/internal/samples"
)

func FuzzDecodeModels(f *testing.F) {
	models := everyModel(f)
	var all []any
	for _, name := range slices.Sorted(maps.Keys(models)) {
		all = append(all, models[name])
	}
	samples.FuzzDecode(f, all...)
}
