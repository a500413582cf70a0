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

// gradients returns histograms of oriented gradients of an image of 28×28 pixels in 4×4
// cells. Each pixel votes for the nearest bin of its own cell.
func gradients(pixels []float64, bins int, turn float64) *mat.Dense {
	const side, cell = 28, 7
	at := func(i, j int) float64 { return pixels[min(max(i, 0), side-1)*side+min(max(j, 0), side-1)] }
	hist := mat.NewDense(16, bins, nil)
	for i := range side {
		for j := range side {
			gx, gy := at(i, j+1)-at(i, j-1), at(i+1, j)-at(i-1, j)
			angle := math.Mod(math.Atan2(gy, gx)+2*math.Pi, turn)
			k := min(int(angle/turn*float64(bins)), bins-1)
			r := i/cell*4 + j/cell
			hist.Set(r, k, hist.At(r, k)+math.Hypot(gx, gy))
		}
	}
	return hist
}

// hog shows a ring with strokes along it, and with Signed, where the strokes point to
// rising values.
func hog() figure {
	ring := digits(5).RawRowView(4)
	return Tile(2,
		New("along the edge", Image(ring, 28), Cells(gradients(ring, 9, math.Pi), 28, 28, 7)),
		New("towards greater values", Image(ring, 28), Cells(gradients(ring, 16, 2*math.Pi), 28, 28, 7, Signed())),
	)
}

func ExampleCells() {
	hist := mat.NewDense(4, 9, nil)
	hist.Set(0, 0, 1)
	fmt.Println(New("", Cells(hist, 17, 16, 8)).Alt())
	// Output:
	// Figure: oriented gradients in 2×2 cells of 8×8 pixels, 9 orientations.
}

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

// Confusion matrices of irises and of digits, with most samples predicted correctly.
func confusions() figure {
	irises := [][]int{{50, 0, 0}, {0, 47, 3}, {0, 11, 39}}
	digits := make([][]int, 10)
	for i := range digits {
		digits[i] = make([]int, 10)
		for j := range 10 {
			digits[i][j] = int(30 * math.Exp(-math.Abs(float64(i*7%10-j*7%10))))
		}
		digits[i][i] = 1135 - 20*i
	}
	return Tile(2,
		New("irises", Confusion(irises, []string{"setosa", "versicolor", "virginica"})),
		New("digits", Confusion(digits, nil, Bar("share of the row"))),
	)
}

func ExampleConfusion() {
	counts := [][]int{{48, 2}, {5, 45}}
	fmt.Println(New("", Confusion(counts, []string{"y = −1", "y = +1"})).Alt())
	// Output: Figure: confusion matrix of 2 classes: 93 of 100 right, 2 of y = −1 as y = +1, 5 of y = +1 as y = −1.
}
