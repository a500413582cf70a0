package plotting_test

import (
	"fmt"
	"math"

	. "marginalia/plotting"
)

func ExampleTile() {
	hinge := func(m float64) float64 { return math.Max(0, 1-m) }
	fig := Tile(2,
		New("loss", Curve(hinge, Name("hinge"))).Labels("m", "loss"),
		New("weights", Image([]float64{-1, 0, 0, 2}, 2, Bar(""))),
	)
	fmt.Println(fig.Alt())
	// Output:
	// Panel 1 of 2. Figure “loss”: curve “hinge”. m from −3 to 3, loss from −0.2 to 4.2.
	// Panel 2 of 2. Figure “weights”: image of 2×2 pixels, values shown from −2 to 2.
}
