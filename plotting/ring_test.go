package plotting_test

import (
	"fmt"

	"gonum.org/v1/gonum/mat"

	. "marginalia/plotting"
)

func ExampleRing() {
	x := mat.NewDense(4, 2, []float64{0, 0, 0, 1, 3, 0, 3, 1})
	y := []int{-1, -1, 1, 1}
	supportVectors := []int{1, 2}
	fig := New("", Classes(x, y), Ring(x, supportVectors, Name("support vectors")))
	fmt.Println(fig.Alt())
	// Output:
	// Figure: 4 points: 2 with y = −1 (blue discs), 2 with y = +1 (vermilion squares); 2 points circled “support vectors”. x₁ from −0.36 to 3.36, x₂ from −0.12 to 1.12.
}
