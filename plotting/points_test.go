package plotting_test

import (
	"fmt"

	. "marginalia/plotting"
)

func ExamplePoints() {
	hours, points := []float64{1, 2, 4, 5}, []float64{3, 5, 6, 9}
	fig := New("", Points(hours, points, Name("students"))).Labels("hours", "points")
	fmt.Println(fig.Alt())
	// Output:
	// Figure: 4 points “students”. hours from 0.8 to 5.2, points from 2.7 to 9.3.
}
