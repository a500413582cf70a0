package plotting_test

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"

	. "marginalia/plotting"
)

// digits returns n images of 28×28 pixels: rings in even rows, bars in odd rows, of
// different sizes.
func digits(n int) *mat.Dense {
	x := mat.NewDense(n, 784, nil)
	for k := range n {
		for i := range 28 {
			for j := range 28 {
				u, v := float64(j)-13.5, float64(i)-13.5
				d := math.Abs(math.Hypot(u, v*0.8) - 5 - float64(k%5))
				if k%2 == 1 {
					d = math.Abs(u + 0.1*float64(k)*v)
					if math.Abs(v) > 10 {
						d = 9
					}
				}
				x.Set(k, 28*i+j, math.Max(0, 1-d/3))
			}
		}
	}
	return x
}

// weights returns the difference of the mean ring and the mean bar.
func weights() []float64 {
	x := digits(20)
	w := make([]float64, 784)
	for k := range 20 {
		for j := range w {
			w[j] += x.At(k, j) * float64(2*(k%2)-1) / 10
		}
	}
	return w
}

func weightImage() figure {
	return New("weights after training", Image(weights(), 28, Bar("weight of the pixel")))
}

func digitSheet() figure {
	var captions []string
	for k := range 10 {
		captions = append(captions, []string{"y = 0", "y = 1"}[k%2])
	}
	return New("ten digits", Digits(digits(10), 28, 28, 5, Captions(captions...)))
}

func ExampleMatrix() {
	xtx := mat.NewDense(2, 2, []float64{4, -1, -1, 2})
	fmt.Println(New("XᵀX", Matrix(xtx, Bar("entry"))).Alt())
	// Output:
	// Figure “XᵀX”: matrix 2×2, values shown from −4 to 4.
}

func ExampleImage() {
	weights := []float64{-0.5, 0, 0, 1, 0.2, -1}
	fmt.Println(New("weights", Image(weights, 3, Bar(""))).Alt())
	// Output:
	// Figure “weights”: image of 3×2 pixels, values shown from −1 to 1.
}

func ExampleDigits() {
	x := mat.NewDense(2, 4, []float64{0, 1, 1, 0, 1, 0, 0, 1})
	fmt.Println(New("", Digits(x, 2, 2, 5, Captions("rising", "falling"))).Alt())
	// Output:
	// Figure: sheet of 2 images of 2×2 pixels, values shown from 0 to 1.
}
