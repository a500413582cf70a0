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
	G, err := kernel.Gram(k, X)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(G.At(0, 1) == k.Eval(X.RawRowView(0), X.RawRowView(1)), G.At(0, 0))
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
	G, err := kernel.Gram(kernel.Polynomial{Degree: 2, Coef0: 1}, X)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(mat.Formatted(G))
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
		fmt.Printf("λ = %.4f, c = %.4f\n", m.Eigenvalue, m.Eigenvector)
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
