package space_test

import (
	"fmt"

	"gonum.org/v1/gonum/mat"

	"marginalia/plotting"
	"marginalia/plotting/space"
)

func Example() {
	x := mat.NewDense(2, 3, []float64{1, 0, 2, 3, 1, 0})
	fig := plotting.New("", space.New(space.View{Azimuth: -60, Elevation: 25, Labels: [3]string{"z₁", "z₂", "z₃"}},
		space.Plane([]float64{1, 0, 1}, -1),
		space.Classes(x, []int{-1, 1}),
		space.Drops(x, []float64{0, 0, 1}, 0),
	))
	fmt.Println(fig.Alt())
	// Output:
	// Figure: in three dimensions: plane (1, 0, 1)·x = 1; 2 points: 1 with y = −1 (blue discs), 1 with y = +1 (vermilion squares); perpendiculars from 2 points to a plane; z₁ from 0.84 to 3.16; z₂ from −0.08 to 1.08; z₃ from −0.16 to 2.16.
}
