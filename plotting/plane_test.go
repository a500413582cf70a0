package plotting_test

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"

	. "marginalia/plotting"
)

// The worked example of CMU: six points, predicting + iff w·x ≥ 0.
var (
	cmuX = mat.NewDense(6, 2, []float64{-1, 2, 1, 0, 1, 1, -1, 0, -1, -2, 1, -1})
	cmuY = []int{-1, 1, 1, -1, -1, 1}
)

// cmu has one panel per weight vector of the run, starting with w = (0, 0).
func cmu() figure {
	var panels []*Figure
	for _, step := range []struct {
		title string
		w     []float64
		at    []int
	}{
		{"start: w = (0, 0)", []float64{0, 0}, nil},
		{"1st mistake: w = (1, −2)", []float64{1, -2}, []int{0}},
		{"2nd mistake: w = (2, −1)", []float64{2, -1}, []int{2}},
		{"3rd mistake: w = (3, 1)", []float64{3, 1}, []int{4}},
	} {
		panels = append(panels, New(step.title,
			Plane(step.w, 0, Shade()),
			Classes(cmuX, cmuY),
			Ring(cmuX, step.at),
			Arrow(0, 0, step.w[0], step.w[1], "w"),
		))
	}
	return Tile(2, panels...).SameAxes()
}

func ExamplePlane() {
	w, b := []float64{1, 2}, -2.0
	fig := New("", Plane(w, b, Shade()), Arrow(0, 1, w[0], 1+w[1], "w"))
	fmt.Println(fig.Alt())
	// Output:
	// Figure: line x₁ + 2x₂ − 2 = 0; arrow “w” from (0, 1) to (1, 3). x₁ from −1.112 to 2.112, x₂ from −0.232 to 4.232; equal scales make one of them longer.
}

func ExamplePerpendicular() {
	w, b := []float64{3, 4}, -5.0
	fig := New("", Plane(w, b), Perpendicular(w, b, []float64{3, 4}, "d"))
	fmt.Println(fig.Alt())
	// Output:
	// Figure: line 3x₁ + 4x₂ − 5 = 0; perpendicular “d” from (3, 4) to its foot (0.6, 0.8), length 4. x₁ from −1.275 to 4.875, x₂ from −1.171 to 5.971; equal scales make one of them longer.
}

// The signed distance of x = (2, 2) from x₁ + 2x₂ - 2 = 0 is 4/√5.
func distance() figure {
	w, b := []float64{1, 2}, -2.0
	return New("signed distance",
		Plane(w, b, Shade(), Name("w·x + b = 0")),
		Arrow(2, 0, 2.5, 1, "w/2"),
		Perpendicular(w, b, []float64{2, 2}, "(w·x + b)/‖w‖ = 4/√5"),
		Points([]float64{2}, []float64{2}, Color(Vermilion), Size(7)),
		Note(2.25, 2.05, "x"),
		Note(-0.4, 2.4, "w·x + b > 0", Color(Vermilion)),
		Note(-0.4, 0, "w·x + b < 0", Color(Blue)),
	)
}

// The angle in a semicircle is right: (−1, 0) and (1, 0), seen from (0.6, 0.8).
func ExampleRightAngle() {
	fig := New("", Segment(-1, 0, 0.6, 0.8, ""), Segment(1, 0, 0.6, 0.8, ""), RightAngle(0.6, 0.8, -1.6, -0.8))
	fmt.Println(fig.Alt())
	// Output:
	// Figure: segment from (−1, 0) to (0.6, 0.8); segment from (1, 0) to (0.6, 0.8); right angle at (0.6, 0.8). x from −1.98 to 1.98, y from −0.92 to 1.72; equal scales make one of them longer.
}

func ExampleArrow() {
	fig := New("", Arrow(0, 0, 3, 1, "x"), Arrow(0, 0, 3, 0, "projection", Color(Vermilion)), Segment(3, 1, 3, 0, "", Dashed()), RightAngle(3, 0, 0, 1))
	fmt.Println(fig.Alt())
	// Output:
	// Figure: arrow “x” from (0, 0) to (3, 1); arrow “projection” from (0, 0) to (3, 0); segment from (3, 1) to (3, 0); right angle at (3, 0). x from −1.47 to 4.47, y from −1.37 to 2.37; equal scales make one of them longer.
}

func ExampleSegment() {
	fig := New("", Segment(0, 0, 3, 4, "‖x‖ = 5"), Note(3, 4, "x"))
	fmt.Println(fig.Alt())
	// Output:
	// Figure: segment “‖x‖ = 5” from (0, 0) to (3, 4); note “x” at (3, 4). x from −1.91 to 4.91, y from −1.96 to 5.96.
}

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
		New("soft margin", Margin(soft, c, "", Name("w·x + b = 0")), Slack(x, y, soft, c, Labeled(), Name("slack ξ_{i}/‖w‖")), Classes(x, y)),
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
	return New("", Margin(w, b, "2τ", Shade(), MarginAt(tau)), Slack(x, y, w, b, MarginAt(tau), Labeled()), Classes(x, y))
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
	fig := New("", Margin(w, b, "2/‖w‖"), Slack(x, y, w, b, Labeled()), Classes(x, y))
	fmt.Println(fig.Alt())
	// Output:
	// Figure: line x₁ − 1 = 0 with its margin, dashed lines at distance 1; slack of 2 points: ξ2 = 0.5, ξ3 = 2; 3 points: 1 with y = −1 (blue discs), 2 with y = +1 (vermilion squares). x₁ from 1.44 to 2.06, x₂ from −0.36 to 3.36; equal scales make one of them longer.
}
