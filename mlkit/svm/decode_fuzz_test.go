package svm

import (
	"testing"

	"marginalia/mlkit/internal/fuzzing"
)

func FuzzDecode(f *testing.F) {
	f.Add(uint8(0), []byte(`{"kernel":{"name":"rbf","parameters":{"gamma":-1}}}`))
	fuzzing.Decode(f, everyModel(f)...)
}
