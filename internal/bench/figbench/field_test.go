// Package figbench times the picture of a field, 400×400 values with three lines and
// 2000 points over them, as plotting draws it and as matplotlib does:
//
//	go test ./internal/bench/figbench -run '^$' -bench Matplotlib -benchtime 21x
package figbench

import (
	"math"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/plot/vg"

	"marginalia/plotting"
)

// score is the field of the picture, on [-2, 2]²: bent lines at -1, 0 and 1, with
// a closed one among them. picture.py has the same formula.
func score(x, y float64) float64 {
	return math.Sin(2*x)*math.Cos(1.5*y) + 0.5*x*y - 0.3*x
}

// The measures of the picture of both programs.
const (
	nodes  = 400
	points = 2000
	width  = 6 * vg.Inch
	height = 4.5 * vg.Inch
)

// samples returns points of the square, spread evenly by Weyl's sequences, with the
// sign of the score as class.
func samples() (*mat.Dense, []int) {
	x, y := mat.NewDense(points, 2, nil), make([]int, points)
	for i := range points {
		_, u := math.Modf(float64(i+1) * 0.7548776662466927)
		_, v := math.Modf(float64(i+1) * 0.5698402909980532)
		x.Set(i, 0, 4*u-2)
		x.Set(i, 1, 4*v-2)
		y[i] = -1
		if score(x.At(i, 0), x.At(i, 1)) >= 0 {
			y[i] = 1
		}
	}
	return x, y
}

// picture is the picture as a lecture would have it.
func picture(x *mat.Dense, y []int) *plotting.Figure {
	return plotting.New("a field, its lines, and 2000 points",
		plotting.Score(score, plotting.Samples(nodes), plotting.Bar("score")),
		plotting.Classes(x, y),
		plotting.Boundary(score, plotting.Samples(nodes)),
	).Range(-2, 2, -2, 2).Size(width, height)
}
