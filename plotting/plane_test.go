package plotting_test

import (
	"fmt"

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
