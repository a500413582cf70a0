package svm

import (
	"testing"

	"marginalia/mlkit/internal/samples"
)

func FuzzDecode(f *testing.F) {
	f.Add(uint8(0), []byte(`{"kernel":{"name":"rbf","parameters":{"gamma":-1}}}`))
	samples.FuzzDecode(f, everyModel(f)...)
}
