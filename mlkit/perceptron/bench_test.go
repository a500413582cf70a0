package perceptron

import (
	"errors"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/mat"

	"marginalia/datasets"
	"marginalia/mlkit"
	"marginalia/mlkit/internal/samples"
	"marginalia/mlkit/internal/testkit"
)

// overlapping returns n samples in d dimensions, one in 20 of them with the wrong label, so
// that no hyperplane separates the classes.
func overlapping(n, d int) (*mat.Dense, []int) {
	X, y := samples.Clouds(n, d, 2, 3)
	for i := range y {
		y[i] = 2*y[i] - 1
	}
	for i := 0; i < len(y); i += 20 {
		y[i] = -y[i]
	}
	return X, y
}

// Passes over 100,000 samples: the case "perceptron" of the comparison with other programs, with
// few features, where a visit costs the least, and with as many as MNIST has.
func BenchmarkPerceptronPasses(b *testing.B) {
	for _, c := range []struct {
		name            string
		n, d, maxPasses int
	}{
		{"100000x50", 100000, 50, 20},
		{"100000x2", 100000, 2, 20},
		{"60000x784", 60000, 784, 3},
	} {
		b.Run(c.name, func(b *testing.B) {
			X, y := overlapping(c.n, c.d)
			for b.Loop() {
				_, err := Perceptron{MaxIter: c.maxPasses}.Fit(X, y)
				if !errors.As(err, new(*mlkit.NotConvergedError)) {
					b.Fatal(err)
				}
			}
		})
	}
}

// The 0s and 1s of MNIST, if there is MNIST.
func BenchmarkPerceptronMNIST(b *testing.B) {
	if !datasets.HaveMNIST() {
		b.Skip("the files of MNIST are missing; see package datasets")
	}
	train, _, err := datasets.MNISTOnly(0, 1)
	if err != nil {
		b.Fatal(err)
	}
	train = testkit.Try(train.Binary(0, 1)).Or(b)
	for b.Loop() {
		testkit.Try((Perceptron{}).Fit(train.X, train.Y)).Or(b)
	}
}

// Samples that a hyperplane separates, in as many dimensions as MNIST.
func BenchmarkPerceptronSeparable(b *testing.B) {
	X, y := separable(rand.New(rand.NewPCG(1, 1)), 12665, 784, 0.01)
	b.ReportAllocs()
	for b.Loop() {
		testkit.Try((Perceptron{}).Fit(X, y)).Or(b)
	}
}

// The algorithms that share the passes of the perceptron, and those that do not.
func BenchmarkVariants(b *testing.B) {
	X, y := overlapping(5000, 20)
	for name, fit := range map[string]func() error{
		"Shuffle, StopEarly": func() error {
			_, err := Perceptron{MaxIter: 20, Shuffle: true, StopEarly: true}.Fit(X, y)
			return err
		},
		"Averaged": func() error { _, err := Averaged{}.Fit(X, y); return err },
		"Pocket":   func() error { _, err := Pocket{}.Fit(X, y); return err },
		"Batch":    func() error { _, err := Batch{MaxIter: 20}.Fit(X, y); return err },
		"Dual":     func() error { _, err := Dual{MaxIter: 1}.Fit(X, y); return err },
	} {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				if err := fit(); err != nil && !errors.As(err, new(*mlkit.NotConvergedError)) {
					b.Fatal(err)
				}
			}
		})
	}
}

// The search for a point with both labels, where many rows are the same point.
func BenchmarkOpposed(b *testing.B) {
	X, y := overlapping(100000, 5)
	X.Apply(func(_, _ int, v float64) float64 {
		if v > 0 {
			return 1
		}
		return 0
	}, X)
	for b.Loop() {
		if _, err := (Perceptron{MaxIter: 1}).Fit(X, y); !errors.As(err, new(*mlkit.NotSeparableError)) {
			b.Fatal(err)
		}
	}
}
