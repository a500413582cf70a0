package main

import (
	"math"

	"gonum.org/v1/gonum/floats"

	"marginalia/datasets"
	"marginalia/mlkit/svm"
	"marginalia/plotting"
)

// softMargin is lecture 4's street with a price on slack.
var softMargin = &Playground{
	ID:      "margin",
	Title:   "The margin, C and the slacks",
	Section: "04-margins#Slack",
	About: "The street between the classes, as wide as the price C of slack allows. Each ξ is the way from a point to the kerb of its class. " +
		"Only the ringed points hold the street: move another one, and nothing changes until it gets there.",
	Classes: []int{-1, 1},
	Knobs:   []Knob{{Name: "C", Label: "C", Min: -2, Max: 3, Step: 0.05, Log: true}},
	Presets: []Preset{
		{Name: "overlap", Label: "two clouds that overlap", Data: func() []Point { return points(overlap(5, 40, 0.7)) },
			X0: -4.5, X1: 4.5, Y0: -4.5, Y1: 4.5},
		{Name: "clouds", Label: "two clouds apart", Data: func() []Point {
			return points(datasets.Must(datasets.Separable(3, 24, []float64{1, 2}, -1, 0.35)))
		}, X0: -4, X1: 4, Y0: -4, Y1: 4, Knobs: map[string]float64{"C": 3}},
		{Name: "many", Label: "two hundred points", Data: func() []Point { return points(overlap(1, 200, 0.8)) }, X0: -4.5, X1: 4.5, Y0: -4.5, Y1: 4.5},
	},
	Draw: drawMargin,
}

// overlap returns two clouds of n/2 points each that have been pushed into one another.
func overlap(seed uint64, n int, depth float64) *datasets.Dataset {
	w := []float64{1, 1}
	d := datasets.Must(datasets.Separable(seed, n, w, 0, 0))
	for i, y := range d.Y {
		floats.AddScaled(d.X.RawRowView(i), -float64(y)*depth/math.Sqrt2, w)
	}
	return d
}

func drawMargin(s *Scene) Picture {
	X, y := s.Data()
	if pic, ok := s.both(y); !ok {
		return pic
	}
	C := s.Knob("C")
	fit, err := svm.Classifier{C: C, Tol: 1e-8, MaxIter: patience}.Fit(X, y)
	m := best(fit, err)
	if m == nil {
		return Picture{Figure: s.Figure(s.classes()...), Note: says(err)}
	}
	slack := plotting.Slack(X, y, m.W, m.B)
	if len(y) <= 60 && !s.Narrow {
		slack = plotting.Slack(X, y, m.W, m.B, plotting.Labeled())
	}
	pic := Picture{Figure: s.Figure(plotting.Margin(m.W, m.B, "", plotting.Shade()), slack).With(s.classes()...).With(plotting.Ring(X, m.Support))}
	pic.Numbers = []Number{
		number("C", C), number("margin 1/‖w‖", m.Margin()), number("Σξ", floats.Sum(m.Slacks)), count("support vectors", len(m.Support)),
		count("of these at α = C", len(m.AtBound)), count("wrong", wrong(m, X, y)), number("primal", m.Primal), number("dual", m.Dual),
	}
	if err != nil {
		pic.Note = "SMO stopped before it was within its tolerance: " + err.Error() + "."
	}
	return pic
}

// patience limits the iterations of SMO: the reader is waiting.
const patience = 100_000
