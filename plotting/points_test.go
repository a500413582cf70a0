package plotting_test

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"

	. "marginalia/plotting"
)

func ExamplePoints() {
	hours, points := []float64{1, 2, 4, 5}, []float64{3, 5, 6, 9}
	fig := New("", Points(hours, points, Name("students"))).Labels("hours", "points")
	fmt.Println(fig.Alt())
	// Output:
	// Figure: 4 points “students”. hours from 0.8 to 5.2, points from 2.7 to 9.3.
}

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

func ExampleRing() {
	x := mat.NewDense(4, 2, []float64{0, 0, 0, 1, 3, 0, 3, 1})
	y := []int{-1, -1, 1, 1}
	supportVectors := []int{1, 2}
	fig := New("", Classes(x, y), Ring(x, supportVectors, Name("support vectors")))
	fmt.Println(fig.Alt())
	// Output:
	// Figure: 4 points: 2 with y = −1 (blue discs), 2 with y = +1 (vermilion squares); 2 points circled “support vectors”. x₁ from −0.36 to 3.36, x₂ from −0.12 to 1.12.
}

func ExampleNote() {
	fig := New("", Plane([]float64{1, 1}, 0), Note(1, 1, "w·x > 0", Color(Vermilion)), Note(-1, -1, "w·x < 0", Color(Blue)))
	fmt.Println(fig.Alt())
	// Output:
	// Figure: line x₁ + x₂ = 0; note “w·x > 0” at (1, 1); note “w·x < 0” at (−1, −1). x₁ from −2.232 to 2.232, x₂ from −2.232 to 2.232.
}
