package kernel_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"log"
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"marginalia/mlkit/kernel"
)

// xor returns the XOR samples, which no line separates: the label is -x₁x₂.
func xor() (*mat.Dense, []int) {
	return mat.NewDense(4, 2, []float64{-1, -1, -1, 1, 1, -1, 1, 1}), []int{-1, 1, 1, -1}
}

// This is the example of the package comment, with a composite kernel.
func Example() {
	k := kernel.Sum{kernel.Linear{}, kernel.RBF{Gamma: kernel.GammaOfSigma(1)}}
	X, _ := xor()
	K, err := kernel.Gram(k, X)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(K.At(0, 1) == k.Eval(X.RawRowView(0), X.RawRowView(1)), K.At(0, 0))
	fmt.Println(kernel.Mercer(k, X))
	// Output:
	// true 3
	// <nil>
}

// CMU: "(x₁, x₂) ↦ (x₁², x₂², √2x₁x₂)" and its inner product, (x·z)².
func ExampleMonomials() {
	φ, err := kernel.Monomials{}.For(2)
	if err != nil {
		log.Fatal(err)
	}
	x, z := []float64{1, 2}, []float64{3, 4}
	fmt.Printf("%.4f\n", φ.TransformSample(nil, x))
	fmt.Printf("%.4f\n", floats.Dot(φ.TransformSample(nil, x), φ.TransformSample(nil, z)))
	fmt.Println(kernel.Polynomial{Degree: 2}.Eval(x, z))
	// Output:
	// [1.0000 2.8284 4.0000]
	// 121.0000
	// 121
}

func ExampleGram() {
	X, _ := xor()
	K, err := kernel.Gram(kernel.Polynomial{Degree: 2, Coef0: 1}, X)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(mat.Formatted(K))
	// Output:
	// ⎡9  1  1  1⎤
	// ⎢1  9  1  1⎥
	// ⎢1  1  9  1⎥
	// ⎣1  1  1  9⎦
}

// The Euclidean distance is not a kernel.
func ExampleMercer() {
	distance := kernel.Func(func(x, z []float64) float64 { return floats.Distance(x, z, 2) })
	err := kernel.Mercer(distance, mat.NewDense(2, 1, []float64{0, 3}))
	var m *kernel.MercerError
	if errors.As(err, &m) {
		fmt.Printf("λ = %.4f, c = %.4f\n", m.Eigenvalue, m.Vector)
	}
	fmt.Println(kernel.Mercer(kernel.RBF{}, mat.NewDense(2, 1, []float64{0, 3})))
	// Output:
	// λ = -3.0000, c = [0.7071 -0.7071]
	// <nil>
}

// A model holds its kernel as an Any, which makes it encodable.
func ExampleAny() {
	b, err := json.Marshal(kernel.Any{Kernel: kernel.RBF{Gamma: 0.25}})
	if err != nil {
		log.Fatal(err)
	}
	var k kernel.Any
	if err := json.Unmarshal(b, &k); err != nil {
		log.Fatal(err)
	}
	fmt.Println(string(b), k.Eval([]float64{0}, []float64{2}) == math.Exp(-1))
	// Output: {"name":"rbf","parameters":{"gamma":0.25}} true
}

func ExamplePerceptron() {
	X, y := xor()
	m, err := kernel.Perceptron{Kernel: kernel.Polynomial{Degree: 2}}.Fit(X, y)
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
	m, err := kernel.Ridge{Kernel: kernel.Polynomial{Degree: 2, Coef0: 1}, Lambda: 1e-6}.Fit(X, y)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%.3f\n", m.Score([]float64{3}))
	// Output: 9.000
}

// The first component tells which of two groups a sample belongs to.
func ExamplePCA() {
	X := mat.NewDense(6, 1, []float64{0, 1, 2, 10, 11, 12})
	m, err := kernel.PCA{Kernel: kernel.RBF{Gamma: 0.1}, Components: 1}.Fit(X)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%.2f\n", m.Transform(nil, X).RawMatrix().Data)
	fmt.Printf("%.0f%% of the variance\n", 100*m.Values[0]/m.Total)
	// Output:
	// [0.65 0.70 0.64 -0.64 -0.70 -0.65]
	// 79% of the variance
}

func ExampleKMeans() {
	X := mat.NewDense(6, 1, []float64{1, 2, 1.5, 10, 11, 10.5})
	m, err := kernel.KMeans{Kernel: kernel.RBF{Gamma: 0.1}}.Fit(X)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(m.Sizes, m.Labels[0] == m.Labels[2], m.Labels[0] == m.Labels[3])
	// Output: [3 3] true false
}

// A thousand cosines approximate a kernel whose φ has infinitely many components.
func ExampleFourier() {
	X := mat.NewDense(2, 1, []float64{0, 1})
	m, err := kernel.Fourier{Kernel: kernel.RBF{Gamma: 0.5}, Components: 1000, Seed: 1}.Fit(X)
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
	m, err := kernel.Nystroem{Kernel: k, Landmarks: 3}.Fit(X)
	if err != nil {
		log.Fatal(err)
	}
	x, z := []float64{5}, []float64{-3}
	fmt.Printf("%.6f %v\n", floats.Dot(m.TransformSample(nil, x), m.TransformSample(nil, z)), k.Eval(x, z))
	// Output: 196.000000 196
}
