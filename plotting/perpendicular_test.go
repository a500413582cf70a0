package plotting_test

import (
	"fmt"

	. "marginalia/plotting"
)

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
		Points([]float64{2}, []float64{2}, Colour(Vermilion), Size(7)),
		Note(2.25, 2.05, "x"),
		Note(-0.4, 2.4, "w·x + b > 0", Colour(Vermilion)),
		Note(-0.4, 0, "w·x + b < 0", Colour(Blue)),
	)
}
