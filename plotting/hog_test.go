package plotting_test

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"

	. "marginalia/plotting"
)

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
