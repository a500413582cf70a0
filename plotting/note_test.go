package plotting_test

import (
	"fmt"

	. "marginalia/plotting"
)

func ExampleNote() {
	fig := New("", Plane([]float64{1, 1}, 0), Note(1, 1, "w·x > 0", Colour(Vermilion)), Note(-1, -1, "w·x < 0", Colour(Blue)))
	fmt.Println(fig.Alt())
	// Output:
	// Figure: line x₁ + x₂ = 0; note “w·x > 0” at (1, 1); note “w·x < 0” at (−1, −1). x₁ from −2.232 to 2.232, x₂ from −2.232 to 2.232.
}
