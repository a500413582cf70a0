package plotting_test

import (
	"fmt"

	. "marginalia/plotting"
)

// The angle in a semicircle is right: (−1, 0) and (1, 0), seen from (0.6, 0.8).
func ExampleRightAngle() {
	fig := New("", Segment(-1, 0, 0.6, 0.8, ""), Segment(1, 0, 0.6, 0.8, ""), RightAngle(0.6, 0.8, -1.6, -0.8))
	fmt.Println(fig.Alt())
	// Output:
	// Figure: segment from (−1, 0) to (0.6, 0.8); segment from (1, 0) to (0.6, 0.8); right angle at (0.6, 0.8). x from −1.98 to 1.98, y from −0.92 to 1.72; equal scales make one of them longer.
}
