package plotting_test

import (
	"fmt"

	. "marginalia/plotting"
)

func ExamplePlay() {
	w := [][]float64{{1, -2}, {2, -1}, {3, 1}}
	var frames []Drawing
	for i, w := range w {
		frames = append(frames, New(fmt.Sprintf("mistake %d", i+1), Plane(w, 0, Shade())).Range(-2, 2, -2, 2))
	}
	fmt.Println(Play(0.8, frames...).Alt())
	// Output:
	// Film of 3 frames, here the last one. Figure “mistake 3”: line 3x₁ + x₂ = 0. x₁ from −2 to 2, x₂ from −2 to 2.
}
