package unit_test

import (
	"fmt"
	"log"

	"gonum.org/v1/gonum/mat"

	"marginalia/mlkit"
	"marginalia/mlkit/unit"
)

// The exclusive or of two inputs, one of the two but not both. No single unit computes
// it.
func ExampleNetwork() {
	hidden, err := unit.NewLayer(unit.Step, unit.Or(2).Hyperplane, unit.And(2).Hyperplane)
	if err != nil {
		log.Fatal(err)
	}
	output, err := unit.NewLayer(unit.Step, mlkit.Hyperplane{W: []float64{1, -1}, B: -0.5})
	if err != nil {
		log.Fatal(err)
	}
	xor, err := unit.NewNetwork(hidden, output)
	if err != nil {
		log.Fatal(err)
	}
	for _, x := range [][]float64{{0, 0}, {0, 1}, {1, 0}, {1, 1}} {
		fmt.Println(x, hidden.Output(nil, x), xor.Output(nil, x))
	}
	// Output:
	// [0 0] [0 0] [0]
	// [0 1] [1 0] [1]
	// [1 0] [1 0] [1]
	// [1 1] [1 1] [0]
}

// Boolean computes whether two of three inputs are 1.
func ExampleBoolean() {
	majority, err := unit.Boolean([]bool{false, false, false, true, false, true, true, true})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(majority.Output(nil, []float64{1, 0, 1}), majority.Output(nil, []float64{0, 0, 1}))
	fmt.Println(len(majority[0].B), "units and one or")
	// Output:
	// [1] [0]
	// 4 units and one or
}

// A layer with three outputs and two inputs.
func ExampleLayer() {
	l := unit.Layer{
		W:          [][]float64{{1, 1}, {-1, 2}, {0, 0}},
		B:          []float64{-1, 1, 0.5},
		Activation: unit.Sign,
	}
	fmt.Println(l.Output(nil, []float64{2, -1}))
	l.Activation = unit.Sigmoid
	fmt.Printf("%.3f\n", mat.Formatted(l.Outputs(nil, mat.NewDense(2, 2, []float64{2, -1, 0, 0}))))
	// Output:
	// [1 -1 1]
	// ⎡0.500  0.047  0.622⎤
	// ⎣0.269  0.731  0.622⎦
}

func ExampleThreshold() {
	and, or, not := unit.And(2), unit.Or(2), unit.Not()
	for _, x := range [][]float64{{0, 0}, {0, 1}, {1, 0}, {1, 1}} {
		fmt.Println(x, "and", and.Output(x), "or", or.Output(x))
	}
	fmt.Println("not", not.Output([]float64{0}), not.Output([]float64{1}))
	// Output:
	// [0 0] and 0 or 0
	// [0 1] and 0 or 1
	// [1 0] and 0 or 1
	// [1 1] and 1 or 1
	// not 1 0
}
