package plotting_test

import (
	"gonum.org/v1/gonum/mat"

	. "marginalia/plotting"
)

// Yuille's margin: the plane (1, 1)·x - 3 = 0 with the nearest samples on x₁ + x₂ = 2
// and 4, so w·x + b = ±1 there and the width is 2/‖w‖ = √2; and the same plane with a
// wider margin, w/2, in which three samples have slack.
func margins() Drawing {
	x := mat.NewDense(8, 2, []float64{0, 0, 1, 1, 0.5, 1.5, 0, 1, 3, 3, 2, 2, 3, 1, 4, 2})
	y := []int{-1, -1, -1, -1, 1, 1, 1, 1}
	w, b := []float64{1, 1}, -3.0
	soft, c := []float64{0.5, 0.5}, -1.5
	return Tile(2,
		New("hard margin", Margin(w, b, "2/‖w‖", Shade()), Classes(x, y), Ring(x, []int{1, 2, 5, 6}, Name("support vectors"))),
		New("soft margin", Margin(soft, c, "", Name("w·x + b = 0")), Slack(x, y, soft, c, Labelled(), Name("slack ξ_{i}/‖w‖")), Classes(x, y)),
	)
}
