package perceptron

import (
	"errors"
	"testing"

	"marginalia/mlkit"
	"marginalia/mlkit/internal/samples"
)

// The case "perceptron" of the comparison with other programs.
func BenchmarkPerceptronPasses(b *testing.B) {
	X, y := samples.Clouds(100000, 50, 2, 3)
	for i := range y {
		y[i] = 2*y[i] - 1
	}
	for i := 0; i < len(y); i += 20 {
		y[i] = -y[i] // no hyperplane separates them
	}
	for b.Loop() {
		_, err := Perceptron{MaxIter: 20}.Fit(X, y)
		if !errors.As(err, new(*mlkit.NotConvergedError)) {
			b.Fatal(err)
		}
	}
}
