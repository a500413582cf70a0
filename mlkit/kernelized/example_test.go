package kernelized_test

import (
	"fmt"
	"log"
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"marginalia/mlkit"
	"marginalia/mlkit/kernel"
	"marginalia/mlkit/kernelized"
)

// xor returns the XOR samples, which no line separates: the label is -x₁x₂.
func xor() (*mat.Dense, []int) {
	return mat.NewDense(4, 2, []float64{-1, -1, -1, 1, 1, -1, 1, 1}), []int{-1, 1, 1, -1}
}

func ExamplePerceptron() {
	X, y := xor()
	m, err := kernelized.Perceptron{Kernel: kernel.Polynomial{Degree: 2}}.Fit(X, y)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println("mistakes", m.Mistakes, "on rows", m.Rows)
	fmt.Println(m.Predictions(nil, X))
	// f(x) = -((-1,-1)·x)² + ((-1,1)·x)² = -4x₁x₂
	fmt.Println(m.Score([]float64{2, 3}))
	// Output:
	// mistakes 2 on rows [0 1]
	// [-1 1 1 -1]
	// -24
}

func ExampleRidge() {
	X := mat.NewDense(5, 1, []float64{-2, -1, 0, 1, 2})
	y := []float64{4, 1, 0, 1, 4} // x²
	m, err := kernelized.Ridge{Kernel: kernel.Polynomial{Degree: 2, Coef0: 1}, Lambda: 1e-6, Bias: mlkit.NoBias}.Fit(X, y)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%.3f\n", m.Score([]float64{3}))
	// Output: 9.000
}

// The first component tells which of two groups a sample belongs to.
func ExamplePCA() {
	X := mat.NewDense(6, 1, []float64{0, 1, 2, 10, 11, 12})
	m, err := kernelized.PCA{Kernel: kernel.RBF{Gamma: 0.1}, Components: 1}.Fit(X)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%.2f\n", m.Transform(nil, X).RawMatrix().Data)
	fmt.Printf("%.0f%% of the variance\n", 100*m.Eigenvalues[0]/m.Total)
	// Output:
	// [0.65 0.70 0.64 -0.64 -0.70 -0.65]
	// 79% of the variance
}

func ExampleKMeans() {
	X := mat.NewDense(6, 1, []float64{1, 2, 1.5, 10, 11, 10.5})
	m, err := kernelized.KMeans{Kernel: kernel.RBF{Gamma: 0.1}}.Fit(X)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(m.Sizes, m.Labels[0] == m.Labels[2], m.Labels[0] == m.Labels[3])
	// Output: [3 3] true false
}

// A thousand cosines approximate a kernel whose φ has infinitely many components.
func ExampleFourier() {
	X := mat.NewDense(2, 1, []float64{0, 1})
	m, err := kernelized.Fourier{Kernel: kernel.RBF{Gamma: 0.5}, Components: 1000, Seed: 1}.Fit(X)
	if err != nil {
		log.Fatal(err)
	}
	Z := m.Transform(nil, X)
	k := kernel.RBF{Gamma: 0.5}.Eval([]float64{0}, []float64{1})
	fmt.Println(math.Abs(floats.Dot(Z.RawRowView(0), Z.RawRowView(1))-k) < 0.1)
	// Output: true
}

// With as many landmarks as monomials, the map is exact.
func ExampleNystroem() {
	X := mat.NewDense(4, 1, []float64{-1, 0, 1, 2})
	k := kernel.Polynomial{Degree: 2, Coef0: 1} // 1, x, x²
	m, err := kernelized.Nystroem{Kernel: k, Landmarks: 3}.Fit(X)
	if err != nil {
		log.Fatal(err)
	}
	x, z := []float64{5}, []float64{-3}
	fmt.Printf("%.6f %v\n", floats.Dot(m.TransformSample(nil, x), m.TransformSample(nil, z)), k.Eval(x, z))
	// Output: 196.000000 196
}
