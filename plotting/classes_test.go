package plotting_test

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"

	. "marginalia/plotting"
)

// Theodoridis, example 3.2: the four points and the final line of the reward
// and punishment form, w = (-1, 1, 0).
func theodoridis() figure {
	x := mat.NewDense(4, 2, []float64{-1, 0, 0, 1, 0, -1, 1, 0})
	return New("reward and punishment, after 7 steps",
		Plane([]float64{-1, 1}, 0, Name("−x₁ + x₂ = 0")),
		Classes(x, []int{1, 1, 2, 2}, Name("ω₁", "ω₂")),
	).Equal()
}

// crowd has three classes that fill the axes, which forces the legend outside.
func crowd() figure {
	x, y := mat.NewDense(200, 2, nil), make([]int, 200)
	for i := range 200 {
		x.Set(i, 0, math.Mod(float64(i)*0.618034, 1))
		x.Set(i, 1, float64(i)/200)
		y[i] = i * 7 % 5
	}
	return New("", Classes(x, y))
}

func ExampleClasses() {
	x := mat.NewDense(4, 2, []float64{0, 0, 0, 1, 1, 0, 1, 1})
	y := []int{0, 1, 1, 0}
	fig := New("exclusive or", Classes(x, y))
	fmt.Println(fig.Alt())
	// Output:
	// Figure “exclusive or”: 4 points: 2 with y = 0 (blue discs), 2 with y = 1 (vermilion squares). x₁ from −0.12 to 1.12, x₂ from −0.12 to 1.12.
}
