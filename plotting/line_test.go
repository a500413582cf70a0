package plotting_test

import (
	"fmt"
	"math"

	. "marginalia/plotting"
)

func ExampleLine() {
	mistakes := []float64{12, 5, 2, 1, 0}
	fig := New("", Line(nil, mistakes, Steps())).Labels("epoch", "mistakes")
	fmt.Println(fig.Alt())
	// Output:
	// Figure: line through 5 points, from (1, 12) to (5, 0). epoch from 0.8 to 5.2, mistakes from −0.6 to 12.6.
}

// A line has a gap where a coordinate is not a number.
func ExampleLine_gap() {
	fmt.Println(New("", Line([]float64{0, 1, math.NaN(), 2, 3}, []float64{0, 1, math.NaN(), 1, 0})).Alt())
	// Output:
	// Figure: line through 4 points in 2 pieces. x from −0.15 to 3.15, y from −0.05 to 1.05.
}

var epochErrors = []float64{0.62, 0.21, 0.09, 0.05, 0.03, 0.012, 0.008, 0.004, 0.0008, 0}

func epochs() figure {
	linear := New("linear", Line(nil, epochErrors, Name("train"), Size(5)), Line(nil, []float64{0.4, 0.2, 0.11, 0.09, 0.08, 0.1, 0.09, 0.12, 0.1, 0.14}, Name("test"), Dashed())).
		Labels("epoch", "error (%)")
	log := New("logarithmic", Line(nil, epochErrors, Name("train"), Size(5)), Line(nil, []float64{0.4, 0.2, 0.11, 0.09, 0.08, 0.1, 0.09, 0.12, 0.1, 0.14}, Name("test"), Dashed())).
		Labels("epoch", "error (%)").LogY()
	return Tile(2, linear, log)
}
