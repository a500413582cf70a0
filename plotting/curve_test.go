package plotting_test

import (
	"fmt"
	"math"

	. "marginalia/plotting"
)

func hinge(m float64) float64 { return math.Max(0, 1-m) }

func zeroOne(m float64) float64 {
	if m < 0 {
		return 1
	}
	return 0
}

func losses() figure {
	return New("",
		Curve(hinge, Name("hinge: max(0, 1 − m)")),
		Curve(zeroOne, Name("0/1: ∑_{i} 1[m_{i} < 0]"), Steps()),
		Curve(func(m float64) float64 { return math.Log1p(math.Exp(-m)) / math.Ln2 }, Name("logistic: log₂(1 + e^{−m})"), Dashed()),
	).Labels("margin m = y (w·x + b), x ∈ ℝ²", "loss")
}

func ExampleCurve() {
	hinge := func(m float64) float64 { return math.Max(0, 1-m) }
	fig := New("", Curve(hinge, Name("hinge loss"))).Labels("y (w·x + b)", "loss").Range(-2, 2, 0, 3)
	fmt.Println(fig.Alt())
	// Output:
	// Figure: curve “hinge loss”. y (w·x + b) from −2 to 2, loss from 0 to 3.
}
