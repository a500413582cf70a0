package plotting_test

import (
	"fmt"
	"math"

	. "marginalia/plotting"
)

// endLabels has names that would overlap, a curve that leaves at the top, a line that ends
// early, and points that stay in the legend.
func endLabels() figure {
	losses := New("", Curve(hinge, Name("hinge")), Curve(zeroOne, Name("0/1"), Steps()),
		Curve(func(m float64) float64 { return math.Log1p(math.Exp(-m)) / math.Ln2 }, Name("logistic")),
		Curve(func(m float64) float64 { return (1 - m) * (1 - m) }, Name("squares")),
		Points([]float64{-1, 0, 1}, []float64{2, 1, 0}, Name("hinge at −1, 0, 1"), Colour(Black)),
	).Labels("margin m", "loss").Range(-2, 2.5, 0, 3.2).EndLabels()
	n, train, test, d := learning(0.1)
	curves := New("", Line(n, train, Name("train")), Band(n, test, around(test, d, -1), around(test, d, 1), Name("test")),
		Line([]float64{10, 300}, []float64{0.2, 0.05}, Name("ends early"))).Labels("samples", "error").LogX().EndLabels()
	return Tile(2, losses, curves)
}

func ExampleFigure_EndLabels() {
	fig := New("", Curve(math.Sin, Name("sine")), Curve(math.Cos, Name("cosine"))).EndLabels()
	fmt.Println(fig.Alt())
	// Output:
	// Figure: curve “sine”; curve “cosine”. x from −3 to 3, y from −1.1 to 1.1.
}
