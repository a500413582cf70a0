package svm

import (
	"maps"
	"slices"
	"testing"

	"marginalia/mlkit/internal/fuzzing"
)

func FuzzDecode(f *testing.F) {
	models := everyModel(f)
	var all []any
	for _, name := range slices.Sorted(maps.Keys(models)) {
		all = append(all, models[name])
	}
	f.Add(uint8(0), []byte(`{"kernel":{"name":"rbf","parameters":{"gamma":-1}}}`))
	f.Add(uint8(7), []byte(`{"machines":[null,{}]}`))
	fuzzing.Decode(f, all...)
}
