// Package unit provides threshold units, and layers and networks of them, with weights that
// are given rather than learnt. A layer answers
//
//	y = σ(Wx + b)
//
// One unit computes any Boolean function whose values a hyperplane separates, and two layers
// any Boolean function at all:
//
//	xor, err := unit.Boolean([]bool{false, true, true, false})
//	if err != nil {
//		log.Fatal(err)
//	}
//	fmt.Println(xor.Output(nil, []float64{0, 1})) // [1]
//
// Package perceptron learns the hyperplane of a unit. Package mlkit lists the lectures that
// the comments cite.
package unit
