package plotting_test

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"

	. "marginalia/plotting"
)

// Gaussian kernels on two arcs with alternating samples. With γ = 1 the blocks of the
// classes are visible, but only if the samples are sorted.
func grams() figure {
	const n = 40
	x, y := mat.NewDense(n, 2, nil), make([]int, n)
	for i := range n {
		y[i] = 2*(i%2) - 1
		sin, cos := math.Sincos(math.Pi * float64(i) / n)
		x.SetRow(i, []float64{cos + 0.5*float64(y[i]), float64(y[i]) * (sin - 0.2)})
	}
	k := mat.NewDense(n, n, nil)
	for i := range n {
		for j := range n {
			k.Set(i, j, math.Exp(-math.Pow(x.At(i, 0)-x.At(j, 0), 2)-math.Pow(x.At(i, 1)-x.At(j, 1), 2)))
		}
	}
	return Tile(2, New("as they come", Gram(k, nil)), New("by class", Gram(k, y, Bar("exp(−‖x − z‖²)"))))
}

func ExampleGram() {
	k := mat.NewDense(3, 3, []float64{1, 0.1, 0.8, 0.1, 1, 0.2, 0.8, 0.2, 1})
	fmt.Println(New("", Gram(k, []int{1, -1, 1})).Alt())
	// Output: Figure: Gram matrix of 3 samples, values from 0.1 to 1, sorted by class: 1 with y = −1, 2 with y = +1.
}
