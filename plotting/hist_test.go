package plotting_test

import (
	"fmt"
	"math"

	. "marginalia/plotting"
)

// bell returns n quantiles of a Gaussian; their histogram is bell-shaped.
func bell(n int, mean, deviation float64) []float64 {
	v := make([]float64, n)
	for i := range v {
		v[i] = mean + deviation*math.Sqrt2*math.Erfinv(2*(float64(i)+0.5)/float64(n)-1)
	}
	return v
}

// histograms shows the overlapping scores of two classes, and densities of three classes
// over given bins.
func histograms() figure {
	return Tile(2,
		New("", Hist([][]float64{bell(300, -1, 1), bell(200, 1.5, 1.2)}, Name("y = −1", "y = +1"))).Labels("score w·x + b", "samples"),
		New("", Hist([][]float64{bell(300, 0, 1), bell(80, 1, 0.5), bell(500, 2, 1)}, Density(), Edges(-3, -2, -1, -0.5, 0, 0.5, 1, 1.5, 2, 3, 5),
			Name("ω₁", "ω₂", "ω₃"))).Labels("x", "density"),
	)
}

func ExampleHist() {
	fig := New("", Hist([][]float64{{0, 1, 1, 2, 2.5, 4}}, Bins(4))).Labels("x", "")
	fmt.Println(fig.Alt())
	// Output:
	// Figure: histogram of 6 values in 4 bins, highest from 1 to 2. x from −0.2 to 4.2, y from 0 to 2.1.
}
