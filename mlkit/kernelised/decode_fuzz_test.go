package kernelised

import (
	"maps"
	"slices"
	"testing"

	"marginalia/mlkit/internal/fuzzing"
)

func FuzzDecodeModels(f *testing.F) {
	models := everyModel(f)
	var all []any
	for _, name := range slices.Sorted(maps.Keys(models)) {
		all = append(all, models[name])
	}
	fuzzing.Decode(f, all...)
}
