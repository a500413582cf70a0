package plotting_test

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"

	. "marginalia/plotting"
)

// Yuille's margin: the plane (1, 1)·x - 3 = 0 with the nearest samples on x₁ + x₂ = 2 and
// 4, where w·x + b = ±1; the width is 2/‖w‖ = √2. The same plane with a wider margin, w/2,
// gives three samples slack.
func margins() figure {
	x := mat.NewDense(8, 2, []float64{0, 0, 1, 1, 0.5, 1.5, 0, 1, 3, 3, 2, 2, 3, 1, 4, 2})
	y := []int{-1, -1, -1, -1, 1, 1, 1, 1}
	w, b := []float64{1, 1}, -3.0
	soft, c := []float64{0.5, 0.5}, -1.5
	return Tile(2,
		New("hard margin", Margin(w, b, "2/‖w‖", Shade()), Classes(x, y), Ring(x, []int{1, 2, 5, 6}, Name("support vectors"))),
		New("soft margin", Margin(soft, c, "", Name("w·x + b = 0")), Slack(x, y, soft, c, Labelled(), Name("slack ξ_{i}/‖w‖")), Classes(x, y)),
	)
}

// crowdedMargin has samples at the default places of the labels, some of them on the wrong
// side of the plane, and Yuille's τ with ‖w‖ = 1.
func crowdedMargin() figure {
	const n = 40
	x, y := mat.NewDense(n, 2, nil), make([]int, n)
	w, b, tau := []float64{0.6, 0.8}, -3.5, 0.7
	for i := range n {
		x.SetRow(i, []float64{5 * math.Mod(float64(i+1)*0.754878, 1), 5 * math.Mod(float64(i+1)*0.569840, 1)})
		y[i] = -1
		if w[0]*x.At(i, 0)+w[1]*x.At(i, 1)+b+1.5*math.Sin(float64(7*i)) > 0 {
			y[i] = 1
		}
	}
	return New("", Margin(w, b, "2τ", Shade(), MarginAt(tau)), Slack(x, y, w, b, MarginAt(tau), Labelled()), Classes(x, y))
}

// The dashed lines are at distance 1/‖w‖ = 1/5.
func ExampleMargin() {
	fig := New("", Margin([]float64{3, 4}, -5, "2/‖w‖", Shade())).Range(-1, 2, -1, 2)
	fmt.Println(fig.Alt())
	// Output:
	// Figure: line 3x₁ + 4x₂ − 5 = 0 with its margin, dashed lines at distance 0.2. x₁ from −1 to 2, x₂ from −1 to 2.
}

// The samples have y(w·x + b) = 1, ½ and −1, so ξ = 0, ½ and 2.
func ExampleSlack() {
	x := mat.NewDense(3, 2, []float64{2, 0, 1.5, 1, 2, 3})
	y := []int{1, 1, -1}
	w, b := []float64{1, 0}, -1.0
	fig := New("", Margin(w, b, "2/‖w‖"), Slack(x, y, w, b, Labelled()), Classes(x, y))
	fmt.Println(fig.Alt())
	// Output:
	// Figure: line x₁ − 1 = 0 with its margin, dashed lines at distance 1; slack of 2 points: ξ2 = 0.5, ξ3 = 2; 3 points: 1 with y = −1 (blue discs), 2 with y = +1 (vermilion squares). x₁ from 1.44 to 2.06, x₂ from −0.36 to 3.36; equal scales make one of them longer.
}
