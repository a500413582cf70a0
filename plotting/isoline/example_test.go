package isoline_test

import (
	"fmt"

	"marginalia/plotting/isoline"
)

func Example() {
	hyperbola := func(x, y float64) float64 { return x*x - y*y }
	g := isoline.Sample(hyperbola, isoline.Range(-2, 2, 5), isoline.Range(-2, 2, 5))
	for _, p := range g.Lines(0.5) {
		fmt.Printf("closed %v:", p.Closed)
		for _, q := range p.Points {
			fmt.Printf(" (%.2f, %.2f)", q.X, q.Y)
		}
		fmt.Println()
	}
	// Output:
	// closed false: (-2.00, -1.87) (-1.22, -1.00) (-1.00, -0.71) (-0.71, 0.00) (-1.00, 0.71) (-1.22, 1.00) (-2.00, 1.87)
	// closed false: (2.00, 1.87) (1.22, 1.00) (1.00, 0.71) (0.71, 0.00) (1.00, -0.71) (1.22, -1.00) (2.00, -1.87)
}
