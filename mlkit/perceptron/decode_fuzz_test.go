package perceptron

import (
	"testing"

	"marginalia/mlkit/internal/fuzzing"
)

func FuzzDecode(f *testing.F) { fuzzing.Decode(f, everyModel(f)...) }
