package plotting_test

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"

	"marginalia/plotting"
)

func Example() {
	x := mat.NewDense(4, 2, []float64{-1, 0, 0, 1, 0, -1, 1, 0})
	y := []int{-1, -1, 1, 1}
	w, b := []float64{1, -1}, 0.0
	fig := plotting.New("the boundary and its normal",
		plotting.Plane(w, b, plotting.Shade()),
		plotting.Classes(x, y),
		plotting.Arrow(0, 0, w[0], w[1], "w"),
	)
	plotting.Show("boundary", fig)
	fmt.Println(fig.Alt())
	// Output:
	// Figure “the boundary and its normal”: line x₁ − x₂ = 0; 4 points: 2 with y = −1 (blue discs), 2 with y = +1 (vermilion squares); arrow “w” from (0, 0) to (1, −1). x₁ from −1.24 to 1.24, x₂ from −1.24 to 1.24; equal scales make one of them longer.
}

// Show accepts a plot of gonum/plot, here with a layer of this package.
func ExampleShow_gonumPlot() {
	x := mat.NewDense(4, 2, []float64{-1, 0, 0, 1, 0, -1, 1, 0})
	p := plot.New()
	p.Title.Text = "the boundary"
	p.Add(
		plotter.NewGrid(),
		plotting.Classes(x, []int{-1, -1, 1, 1}),
		plotting.Plane([]float64{1, -1}, 0),
	)
	plotting.Show("boundary-of-gonum", p)
	fmt.Println(p.X.Min, p.X.Max)
	// Output:
	// -1 1
}

// A plotter of gonum/plot as a layer of a figure.
func ExampleLayer() {
	points, err := plotter.NewScatter(plotter.XYs{{X: 1, Y: 2}, {X: 3, Y: 5}})
	if err != nil {
		panic(err)
	}
	fig := plotting.New("", points, plotting.Line([]float64{1, 3}, []float64{2, 5})).Labels("hours", "points")
	fmt.Println(fig.Alt())
	// Output:
	// Figure: line through 2 points, from (1, 2) to (3, 5). hours from 0.9 to 3.1, points from 1.85 to 5.15.
}

// The drawing of a graph: coordinates mean nothing.
func ExampleFigure_NoTicks() {
	fig := plotting.New("a path", plotting.Segment(0, 0, 1, 1, ""), plotting.Segment(1, 1, 2, 0, ""), plotting.Points([]float64{0, 1, 2}, []float64{0, 1, 0}, plotting.Size(14))).NoTicks()
	fmt.Println(fig.Alt())
	// Output:
	// Figure “a path”: segment from (0, 0) to (1, 1); segment from (1, 1) to (2, 0); 3 points.
}

func ExampleTile() {
	hinge := func(m float64) float64 { return math.Max(0, 1-m) }
	fig := plotting.Tile(2,
		plotting.New("loss", plotting.Curve(hinge, plotting.Name("hinge"))).Labels("m", "loss"),
		plotting.New("weights", plotting.Image([]float64{-1, 0, 0, 2}, 2, plotting.Bar(""))),
	)
	fmt.Println(fig.Alt())
	// Output:
	// Panel 1 of 2. Figure “loss”: curve “hinge”. m from −3 to 3, loss from −0.2 to 4.2.
	// Panel 2 of 2. Figure “weights”: image of 2×2 pixels, values shown from −2 to 2.
}
