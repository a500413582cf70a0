package main

import (
	"errors"
	"fmt"

	"marginalia/datasets"
	"marginalia/mlkit"
	"marginalia/mlkit/perceptron"
	"marginalia/plotting"
)

// perceptronSteps is the perceptron of lecture 1, one visit at a time.
var perceptronSteps = &Playground{
	ID:      "perceptron",
	Title:   "The perceptron, step by step",
	Section: "01-perceptron#The perceptron rule",
	About: "Each step visits the ringed point. If the point is on the wrong side of the line, w turns towards it. " +
		"Move a point across the line, and watch where the next mistakes are made.",
	Classes: []int{-1, 1},
	Knobs: []Knob{
		{Name: "step", Label: "step", Min: 0, Max: maxSteps, Step: 1, Start: maxSteps, Steps: true},
		{Name: "bias", Label: "line", Max: 1, Step: 1, Choices: []string{"free", "through the origin"}},
	},
	Presets: []Preset{
		{Name: "clouds", Label: "two clouds", Data: func() []Point {
			return points(datasets.Must(datasets.Separable(3, 40, []float64{1, 2}, -1, 0.02)))
		}, X0: -4, X1: 4, Y0: -4, Y1: 4},
		{Name: "cmu", Label: "six points (CMU)", Data: func() []Point { return points(datasets.CMUSix()) },
			X0: -3, X1: 3, Y0: -3, Y1: 3, Knobs: map[string]float64{"bias": 1}},
		{Name: "theodoridis", Label: "four points (Theodoridis)", Data: func() []Point { return points(datasets.TheodoridisFour()) },
			X0: -2, X1: 2, Y0: -2, Y1: 2},
		{Name: "xor", Label: "exclusive or", Data: func() []Point { return points(datasets.Xor()) }, X0: -1, X1: 2, Y0: -1, Y1: 2},
		{Name: "many", Label: "two hundred points", Data: func() []Point {
			return points(datasets.Must(datasets.Separable(5, 200, []float64{1, 1}, 0, 0.1)))
		}, X0: -5, X1: 5, Y0: -5, Y1: 5},
	},
	Draw: drawPerceptron,
}

// maxSteps is the number of visits that the slider can show.
const maxSteps = 2000

func drawPerceptron(s *Scene) Picture {
	X, y := s.Data()
	if pic, ok := s.both(y); !ok {
		return pic
	}
	wanted := int(s.Knob("step"))
	var last perceptron.Step // the step that is shown
	steps := 0
	p := perceptron.Perceptron{Bias: []mlkit.Bias{mlkit.FreeBias, mlkit.NoBias}[int(s.Knob("bias"))]}
	p.Trace = func(t perceptron.Step) bool {
		steps = t.Step
		if t.Step <= wanted {
			last = t
		}
		return t.Step < maxSteps
	}
	_, err := p.Fit(X, y)
	pic := Picture{Most: map[string]float64{"step": float64(steps)}}
	if steps == 0 {
		pic.Figure, pic.Note = s.Figure(plotting.Classes(X, y)), says(err)
		return pic
	}
	h := last.After
	if last.Step == 0 {
		h = mlkit.Hyperplane{W: []float64{0, 0}}
	}
	pic.Figure = s.Figure(plotting.Plane(h.W, h.B, plotting.Shade()))
	if last.Mistake {
		pic.Figure.With(plotting.Plane(last.Before.W, last.Before.B, plotting.Dashed(), plotting.Color(plotting.Black), plotting.Alpha(0.5)))
	}
	pic.Figure.With(plotting.Classes(X, y))
	if last.Step > 0 {
		pic.Figure.With(plotting.Ring(X, []int{last.Index}, plotting.Color(plotting.Purple)))
	}
	missed := 0
	for i := range y {
		if float64(y[i])*h.Score(X.RawRowView(i)) <= 0 {
			missed++
		}
	}
	pic.Numbers = append(vector("w", h.W), number("b", h.B), count("mistakes so far", last.Mistakes),
		count("pass", last.Epoch+1), count("points on the wrong side", missed))
	var stopped *mlkit.NotConvergedError
	switch {
	case err == nil && wanted >= steps:
		pic.Note = fmt.Sprintf("A whole pass without a mistake, after %d steps: the line separates the classes.", steps)
	case errors.As(err, &stopped) && wanted >= steps:
		pic.Note = fmt.Sprintf("After %d steps no pass was without a mistake.", steps)
	}
	return pic
}
