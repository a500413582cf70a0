package main

import (
	"marginalia/datasets"
	"marginalia/mlkit/leastsquares"
	"marginalia/mlkit/perceptron"
	"marginalia/plotting"
)

// leastOutlier is lecture 2's figure of points that are right and far away.
var leastOutlier = &Playground{
	ID:      "least-squares",
	Title:   "Least squares and its outlier",
	Section: "02-least-squares#Separable, and wrong",
	About: "Least squares wants a score of ±1 everywhere, so a point far on its own side costs as much as one on the wrong side. " +
		"Drag a vermilion point to the right: the line turns towards it, until it misclassifies points that were never in doubt.",
	Classes: []int{-1, 1},
	Knobs:   []Knob{{Name: "lambda", Label: "λ", Min: -4, Max: 3, Step: 0.1, Start: -4, Log: true, Zero: true}},
	Presets: []Preset{
		{Name: "far", Label: "three points far out", Data: func() []Point { return withFar(6) }, X0: -4, X1: 12, Y0: -4, Y1: 4},
		{Name: "near", Label: "the same points, near", Data: func() []Point { return withFar(0) }, X0: -4, X1: 12, Y0: -4, Y1: 4},
		{Name: "ten", Label: "ten points (Theodoridis)", Data: func() []Point { return points(datasets.TheodoridisTen()) },
			X0: 0, X1: 1, Y0: 0, Y1: 1},
	},
	Draw: drawOutlier,
}

// withFar returns six points of each class; three of class +1 are far to the right.
func withFar(far float64) []Point {
	return []Point{
		{-1, 1.5, -1}, {-1.6, 0.4, -1}, {-0.6, -0.6, -1}, {-2, -1, -1}, {-1.2, -1.8, -1}, {-2.4, 0.8, -1},
		{0.6, 1.2, 1}, {0.8, -0.4, 1}, {1.4, 0.6, 1}, {1 + far, -1.5, 1}, {1.5 + far, -1, 1}, {1.8 + far, -1.8, 1},
	}
}

func drawOutlier(s *Scene) Picture {
	X, y := s.Data()
	if pic, ok := s.both(y); !ok {
		return pic
	}
	least := leastsquares.Classifier{Lambda: s.Knob("lambda")}
	ls, err := least.Fit(X, y)
	if err != nil {
		return Picture{Figure: s.Figure(s.classes()...), Note: says(err)}
	}
	m, err := perceptron.Perceptron{}.Fit(X, y)
	h := ls.Between(1, 0)
	pic := Picture{Figure: s.Figure(plotting.Plane(h.W, h.B, plotting.Shade(), plotting.Name("least squares")))}
	// Its targets are 0 and 1, and those of the playground -1 and +1, twice as far apart.
	pic.Numbers = append(vector("w", h.W), number("b", h.B), number("mean squared error", 4*ls.MSE[1]), number("λ", least.Lambda), count("wrong with least squares", wrong(ls, X, y)))
	if p := best(m, err); p != nil {
		pic.Figure.With(plotting.Plane(p.W, p.B, plotting.Dashed(), plotting.Name("perceptron"), plotting.Color(plotting.Green)))
		pic.Numbers = append(pic.Numbers, count("wrong with the perceptron", wrong(p, X, y)))
	}
	pic.Figure.With(s.classes(plotting.Size(8))...)
	return pic
}
