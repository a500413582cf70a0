package plotting_test

import (
	"fmt"

	. "marginalia/plotting"
)

func ExampleArrow() {
	fig := New("", Arrow(0, 0, 3, 1, "x"), Arrow(0, 0, 3, 0, "projection", Colour(Vermilion)), Segment(3, 1, 3, 0, "", Dashed()), RightAngle(3, 0, 0, 1))
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
