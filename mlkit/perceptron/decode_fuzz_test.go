package perceptron

import (
	"testing"

	"marginalia/mlkit/internal/samples"
)

func FuzzDecode(f *testing.F) { samples.FuzzDecode(f, everyModel(f)...) }
